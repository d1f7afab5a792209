/* A whole sweep of a linkage in one call, as one would write it by hand: dyad by dyad, positions and
 * velocities. In front of this text the benchmark prints FIXED, DYADS, the table `dyads`, the places of the
 * fixed joints and the crank. With NEWTON defined each dyad is solved by Newton's method on its two lengths,
 * started from the row before moved on by its velocity; otherwise in closed form. */
#include <math.h>
#include <string.h>

enum { MOVING = DYADS + 1, JOINTS = FIXED + MOVING };

/* The velocity at (x, y): (p - p1).(v - v1) = 0, (p - p2).(v - v2) = 0. */
static inline void rate(const double p[][2], double v[][2], int joint, int first, int second) {
  const double a = p[joint][0] - p[first][0], b = p[joint][1] - p[first][1];
  const double c = p[joint][0] - p[second][0], d = p[joint][1] - p[second][1];
  const double one = a * v[first][0] + b * v[first][1], two = c * v[second][0] + d * v[second][1];
  const double inverse = 1 / (a * d - b * c);
  v[joint][0] = (one * d - two * b) * inverse;
  v[joint][1] = (two * a - one * c) * inverse;
}

#ifdef NEWTON
static inline void place(double p[][2], int joint, int first, int second, double r1, double r2, double side) {
  double x = p[joint][0], y = p[joint][1];
  (void)side;
  for (int round = 0; round < 20; round++) {
    const double a = x - p[first][0], b = y - p[first][1], c = x - p[second][0], d = y - p[second][1];
    const double f = 0.5 * (a * a + b * b - r1 * r1), g = 0.5 * (c * c + d * d - r2 * r2);
    const double inverse = 1 / (a * d - b * c);
    const double dx = (f * d - g * b) * inverse, dy = (g * a - f * c) * inverse;
    x -= dx, y -= dy;
    if (dx * dx + dy * dy < 1e-16 * r1 * r1) break; /* the error left is about its square */
  }
  p[joint][0] = x, p[joint][1] = y;
}
#else
static inline void place(double p[][2], int joint, int first, int second, double r1, double r2, double side) {
  const double x = p[second][0] - p[first][0], y = p[second][1] - p[first][1];
  const double inverse = 1 / (x * x + y * y);
  const double ahead = 0.5 + 0.5 * (r1 * r1 - r2 * r2) * inverse;
  const double beside = side * sqrt(r1 * r1 * inverse - ahead * ahead);
  p[joint][0] = p[first][0] + ahead * x - beside * y;
  p[joint][1] = p[first][1] + ahead * y + beside * x;
}
#endif

/* start: the moving joints at angles[0]; positions, velocities: rows x MOVING x 2 */
void sweep(const double *angles, int rows, const double *start, double *positions, double *velocities) {
  double p[JOINTS][2], v[JOINTS][2];
  memset(v, 0, sizeof v);
  memcpy(p, fixed, sizeof fixed);
  memcpy(p[FIXED], start, MOVING * sizeof p[0]);
  for (int row = 0; row < rows; row++) {
    const double x = CRANK * cos(angles[row]), y = CRANK * sin(angles[row]);
#ifdef NEWTON
    const double turn = row ? angles[row] - angles[row - 1] : 0;
#endif
    p[FIXED][0] = p[PIVOT][0] + x, p[FIXED][1] = p[PIVOT][1] + y;
    v[FIXED][0] = -y, v[FIXED][1] = x;
#pragma GCC unroll 8
    for (int k = 0; k < DYADS; k++) {
      const int joint = FIXED + 1 + k, first = dyads[k].first, second = dyads[k].second;
#ifdef NEWTON
      p[joint][0] += turn * v[joint][0], p[joint][1] += turn * v[joint][1];
#endif
      place(p, joint, first, second, dyads[k].r1, dyads[k].r2, dyads[k].side);
      rate((const double(*)[2])p, v, joint, first, second);
    }
    for (int k = 0; k < MOVING; k++)
      for (int axis = 0; axis < 2; axis++) {
        positions[2 * (row * MOVING + k) + axis] = p[FIXED + k][axis];
        velocities[2 * (row * MOVING + k) + axis] = v[FIXED + k][axis];
      }
  }
}
