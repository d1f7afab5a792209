/* How the functions of the runtime are linked: private to the program they are pasted into.

   A program uses only some of them, so the others must not be reported as unused. `static inline` is not
   enough for that: clang reports an unused inline function unless it stands in a header. Define LW_STATIC
   as nothing before including the runtime to make its functions public, as the tests do. */
#ifndef LW_LINKAGE_H
#define LW_LINKAGE_H

#ifndef LW_STATIC
#if defined(__GNUC__)
#define LW_STATIC static __attribute__((unused))
#else
#define LW_STATIC static inline
#endif
#endif

/* For functions whose speed rests on the compiler's seeing what they are called with. */
#if defined(__GNUC__)
#define LW_INLINE static inline __attribute__((always_inline, unused))
#else
#define LW_INLINE static inline
#endif

#endif
