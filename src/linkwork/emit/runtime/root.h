/* Both bracketed root finders: Brent's, and ITP with its bound on the number of calls. */
#ifndef LW_ROOT_H
#define LW_ROOT_H

#include "brent.h"
#include "itp.h"

#endif
