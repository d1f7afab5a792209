/* The explicit Runge-Kutta method of Dormand and Prince of order 8, with error estimates of orders 5 and 3.

   Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", 2nd edition, II.5 (the method and its
   estimates) and II.6 (the continuous extension of order 7); the coefficients are those of their DOP853. A
   step costs twelve evaluations, since the one at its end begins the next. Dense output costs three more, and
   only in steps in which it is asked for. The first choice where f is smooth and the tolerance below 1e-5. */
#ifndef LW_DOP853_H
#define LW_DOP853_H

#include "integrate.h"
#include "linkage.h"
#include "vector.h"

/* Where the stability domain ends on the negative real axis, a little inside. */
#define LW_DOP853_EDGE 6.1

/* What the method needs of the caller, in doubles. */
#define LW_DOP853_WORK(n) (23 * (n))

/* Make s ready to integrate from y (n) at t. work is LW_DOP853_WORK(n) long; it, y and atol must stay. */
LW_STATIC void lw_dop853_begin(lw_integrator *s, int n, lw_rate f, void *context, double t, double *y,
                               double rtol, const double *atol, double *work)
{
    lw_integrator_begin(s, n, f, context, t, y, rtol, atol);
    s->y_old = work;
    s->y_new = LW_ROW(work, 1, n);
    s->rate = LW_ROW(work, 2, n);
    s->other_rate = LW_ROW(work, 3, n);
    s->trial = LW_ROW(work, 4, n);
    s->stages = LW_ROW(work, 5, n); /* k2 to k12, then the seven rows of the dense output */
}

/* k2 to k12. Returns 0, or not 0 if f cannot be evaluated. */
LW_INLINE int lw_dop853_stages(lw_integrator *s, int n, lw_rate f, double h)
{
    double *restrict k1 = s->rate, *restrict k2 = s->stages, *restrict k3 = LW_ROW(k2, 1, n);
    double *restrict k4 = LW_ROW(k2, 2, n), *restrict k5 = LW_ROW(k2, 3, n), *restrict k6 = LW_ROW(k2, 4, n);
    double *restrict k7 = LW_ROW(k2, 5, n), *restrict k8 = LW_ROW(k2, 6, n), *restrict k9 = LW_ROW(k2, 7, n);
    double *restrict k10 = LW_ROW(k2, 8, n), *restrict k11 = LW_ROW(k2, 9, n);
    double *restrict k12 = LW_ROW(k2, 10, n), *restrict trial = s->trial, *restrict y = s->y;
    double t = s->t;
    LW_STAGE(k2, 0.05260015195876773, 0.05260015195876773 * k1[i]);
    LW_STAGE(k3, 0.078900227938151601, 0.0197250569845379 * k1[i] + 0.059175170953613701 * k2[i]);
    LW_STAGE(k4, 0.1183503419072274, 0.029587585476806851 * k1[i] + 0.088762756430420545 * k3[i]);
    LW_STAGE(k5, 0.28164965809277259, 0.24136513415926669 * k1[i] - 0.88454947932828609 * k3[i]
             + 0.92483400326179199 * k4[i]);
    LW_STAGE(k6, 0.33333333333333331, 0.037037037037037035 * k1[i] + 0.17082860872947386 * k4[i]
             + 0.12546768756682242 * k5[i]);
    LW_STAGE(k7, 0.25, 0.037109375 * k1[i] + 0.17025221101954405 * k4[i] + 0.060216538980455959 * k5[i]
             - 0.017578125 * k6[i]);
    LW_STAGE(k8, 0.30769230769230771, 0.037092000118504789 * k1[i] + 0.17038392571223998 * k4[i]
             + 0.10726203044637328 * k5[i] - 0.015319437748624402 * k6[i] + 0.0082737891638140233 * k7[i]);
    LW_STAGE(k9, 0.6512820512820513, 0.62411095871607569 * k1[i] - 3.3608926294469414 * k4[i]
             - 0.86821934684172597 * k5[i] + 27.59209969944671 * k6[i] + 20.154067550477894 * k7[i]
             - 43.489884181069961 * k8[i]);
    LW_STAGE(k10, 0.59999999999999998, 0.47766253643826434 * k1[i] - 2.4881146199716677 * k4[i]
             - 0.59029082683684297 * k5[i] + 21.230051448181193 * k6[i] + 15.279233632882423 * k7[i]
             - 33.288210968984863 * k8[i] - 0.020331201708508627 * k9[i]);
    LW_STAGE(k11, 0.8571428571428571, -0.9371424300859873 * k1[i] + 5.1863724288440638 * k4[i]
             + 1.0914373489967295 * k5[i] - 8.1497870107469268 * k6[i] - 18.520065659996959 * k7[i]
             + 22.739487099350505 * k8[i] + 2.4936055526796523 * k9[i] - 3.0467644718982196 * k10[i]);
    LW_STAGE(k12, 1.0, 2.273310147516538 * k1[i] - 10.534495466737249 * k4[i] - 2.0008720582248625 * k5[i]
             - 17.958931863118799 * k6[i] + 27.94888452941996 * k7[i] - 2.8589982771350235 * k8[i]
             - 8.8728569335306293 * k9[i] + 12.360567175794303 * k10[i] + 0.64339274601576357 * k11[i]);
    return 0;
}

/* y_new, and its error: with the norms e5 and e3 of the two estimates, h e5^2 / sqrt(e5^2 + 0.01 e3^2), which
   goes as h^8 like the true one (Hairer I, equation II.10.17). */
LW_INLINE double lw_dop853_finish(const lw_integrator *s, int n, double h)
{
    const double *restrict k1 = s->rate, *restrict k6 = LW_ROW(s->stages, 4, n);
    const double *restrict k7 = LW_ROW(s->stages, 5, n), *restrict k8 = LW_ROW(s->stages, 6, n);
    const double *restrict k9 = LW_ROW(s->stages, 7, n), *restrict k10 = LW_ROW(s->stages, 8, n);
    const double *restrict k11 = LW_ROW(s->stages, 9, n), *restrict k12 = LW_ROW(s->stages, 10, n);
    const double *restrict y = s->y;
    double *restrict y_new = s->y_new, squares_5 = 0.0, squares_3 = 0.0, both;
    for (int i = 0; i < n; ++i) {
        double rate = 0.054293734116568765 * k1[i] + 4.4503128927524092 * k6[i] + 1.8915178993145003 * k7[i]
                      - 5.8012039600105849 * k8[i] + 0.3111643669578199 * k9[i] - 0.15216094966251609 * k10[i]
                      + 0.20136540080403034 * k11[i] + 0.044710615727772587 * k12[i];
        double e3 = rate - 0.2440944881889764 * k1[i] - 0.7338466882816118 * k9[i]
                    - 0.022058823529411766 * k12[i];
        double e5 = 0.01312004499419488 * k1[i] - 1.2251564463762044 * k6[i] - 0.4957589496572502 * k7[i]
                    + 1.6643771824549864 * k8[i] - 0.35032884874997366 * k9[i] + 0.33417911871301748 * k10[i]
                    + 0.08192320648511571 * k11[i] - 0.022355307863886294 * k12[i];
        double unit;
        y_new[i] = y[i] + h * rate;
        unit = 1.0 / lw_error_scale(s, i, y[i], y_new[i]);
        squares_5 += (e5 * unit) * (e5 * unit);
        squares_3 += (e3 * unit) * (e3 * unit);
    }
    both = squares_5 + 0.01 * squares_3;
    return both == 0.0 ? 0.0 : fabs(h) * squares_5 / sqrt(n * both);
}

/* An lw_attempt. */
LW_INLINE int lw_dop853_attempt(lw_integrator *s, int n, lw_rate f, double h, double t_new, double *error)
{
    if (lw_dop853_stages(s, n, f, h)) {
        return 1;
    }
    *error = lw_dop853_finish(s, n, h);
    if (*error <= 1.0) {
        if (!lw_all_finite(n, s->y_new) || lw_evaluate(s, f, t_new, s->y_new, s->other_rate)
            || !lw_all_finite(n, s->other_rate)) {
            return 1;
        }
        lw_stiffness_watch(s, n, h, LW_DOP853_EDGE, s->y_new, s->other_rate, s->trial,
                           LW_ROW(s->stages, 10, n));
    }
    return 0;
}

/* Advance by one accepted step, not beyond t_end. For the fastest code give n and f as constants, which must
   be those given to begin. */
LW_INLINE lw_step_status lw_dop853_advance(lw_integrator *s, int n, lw_rate f, double t_end)
{
    /* Hairer leaves the damping at 0; this much saves rejected steps and costs no accuracy. */
    const lw_step_control control = {8, 0.03, 1.0 / 3.0, 6.0};
    return lw_explicit_step(s, n, f, t_end, lw_dop853_attempt, &control);
}

/* Advance by one accepted step, not beyond t_end. */
LW_STATIC lw_step_status lw_dop853_step(lw_integrator *s, double t_end)
{
    return lw_dop853_advance(s, s->n, s->f, t_end);
}

/* The three further stages, in the rows of k2 to k4, which are needed no more.
   Returns 0, or not 0 if f cannot be evaluated. */
LW_STATIC int lw_dop853_dense_stages(lw_integrator *s)
{
    int n = s->n;
    lw_rate f = s->f;
    const double *k1 = s->other_rate, *k6 = LW_ROW(s->stages, 4, n), *k7 = LW_ROW(s->stages, 5, n);
    const double *k8 = LW_ROW(s->stages, 6, n), *k9 = LW_ROW(s->stages, 7, n);
    const double *k10 = LW_ROW(s->stages, 8, n), *k11 = LW_ROW(s->stages, 9, n);
    const double *k12 = LW_ROW(s->stages, 10, n), *k13 = s->rate, *y = s->y_old;
    double *k14 = s->stages, *k15 = LW_ROW(s->stages, 1, n), *k16 = LW_ROW(s->stages, 2, n);
    double *trial = s->trial, t = s->t_old, h = s->reach;
    LW_STAGE(k14, 0.10000000000000001, 0.056167502283047954 * k1[i] + 0.25350021021662483 * k7[i]
             - 0.2462390374708025 * k8[i] - 0.12419142326381637 * k9[i] + 0.15329179827876568 * k10[i]
             + 0.0082010522956346907 * k11[i] + 0.0075678976605456994 * k12[i]
             - 0.0082979999999999998 * k13[i]);
    LW_STAGE(k15, 0.20000000000000001, 0.031834648163502142 * k1[i] + 0.028300909672366776 * k6[i]
             + 0.053541988307438566 * k7[i] - 0.054923748571390991 * k8[i] - 0.00010834732869724932 * k11[i]
             + 0.00038257109083565839 * k12[i] - 0.00034046500868740456 * k13[i]
             + 0.1413124436746325 * k14[i]);
    LW_STAGE(k16, 0.77777777777777779, -0.42889630158379194 * k1[i] - 4.697621415361164 * k6[i]
             + 7.6834211960625991 * k7[i] + 4.0689898183971103 * k8[i] + 0.35672718745528109 * k9[i]
             - 0.0013990241651590145 * k13[i] + 2.9475147891527724 * k14[i] - 9.1509584721798696 * k15[i]);
    return 0;
}

/* The coefficients of the dense output of component i, into rows of n from r on. */
LW_STATIC void lw_dop853_dense_row(const lw_integrator *s, int i, double *r)
{
    int n = s->n;
    double h = s->reach, change = s->y_new[i] - s->y_old[i], k1 = s->other_rate[i], k13 = s->rate[i];
    double k6 = LW_ROW(s->stages, 4, n)[i], k7 = LW_ROW(s->stages, 5, n)[i];
    double k8 = LW_ROW(s->stages, 6, n)[i], k9 = LW_ROW(s->stages, 7, n)[i];
    double k10 = LW_ROW(s->stages, 8, n)[i], k11 = LW_ROW(s->stages, 9, n)[i];
    double k12 = LW_ROW(s->stages, 10, n)[i], k14 = s->stages[i];
    double k15 = LW_ROW(s->stages, 1, n)[i], k16 = LW_ROW(s->stages, 2, n)[i];
    LW_ROW(r, 0, n)[i] = change;
    LW_ROW(r, 1, n)[i] = h * k1 - change;
    LW_ROW(r, 2, n)[i] = change - h * k13 - (h * k1 - change);
    LW_ROW(r, 3, n)[i] = h * (-8.4289382761090135 * k1 + 0.56671495351937773 * k6 - 3.0689499459498917 * k7
                              + 2.3846676565120699 * k8 + 2.1170345824450281 * k9 - 0.87139158377797299 * k10
                              + 2.2404374302607883 * k11 + 0.63157877876946877 * k12
                              - 0.088990336451333307 * k13 + 18.148505520854727 * k14
                              - 9.194632392478356 * k15 - 4.4360363875948936 * k16);
    LW_ROW(r, 4, n)[i] = h * (10.427508642579134 * k1 + 242.28349177525817 * k6 + 165.20045171727028 * k7
                              - 374.5467547226902 * k8 - 22.113666853125306 * k9 + 7.7334326684722638 * k10
                              - 30.674084731089398 * k11 - 9.3321305264302286 * k12
                              + 15.697238121770845 * k13 - 31.139403219565178 * k14
                              - 9.3529243588444793 * k15 + 35.816841486394082 * k16);
    LW_ROW(r, 5, n)[i] = h * (19.985053242002433 * k1 - 387.03730874935178 * k6 - 189.17813819516758 * k7
                              + 527.80815920542364 * k8 - 11.573902539959629 * k9 + 6.8812326946963003 * k10
                              - 1.0006050966910838 * k11 + 0.77771377980534429 * k12
                              - 2.7782057523535082 * k13 - 60.196695231264123 * k14
                              + 84.320405506677162 * k15 + 11.992291136182789 * k16);
    LW_ROW(r, 6, n)[i] = h * (-25.69393346270375 * k1 - 154.18974869023643 * k6 - 231.5293791760455 * k7
                              + 357.63911791061412 * k8 + 93.405324183624316 * k9 - 37.458323136451632 * k10
                              + 104.0996495089623 * k11 + 29.840293426660502 * k12
                              - 43.533456590011141 * k13 + 96.324553959188279 * k14
                              - 39.177261675615441 * k15 - 149.72683625798564 * k16);
}

/* The solution at t within the last accepted step into y (n). Returns 0, or not 0 if f cannot be evaluated at
   the three further stages; then y is as it was. */
LW_STATIC int lw_dop853_dense(lw_integrator *s, double t, double *y)
{
    int n = s->n;
    double *r = LW_ROW(s->stages, 11, n), theta, rest;
    if (s->reach == 0.0) {
        for (int i = 0; i < n; ++i) {
            y[i] = s->y[i];
        }
        return 0;
    }
    if (!s->dense_ready) {
        if (lw_dop853_dense_stages(s) || !lw_all_finite(3 * (ptrdiff_t)n, s->stages)) {
            return 1;
        }
        for (int i = 0; i < n; ++i) {
            lw_dop853_dense_row(s, i, r);
        }
        s->dense_ready = 1;
    }
    theta = (t - s->t_old) / s->reach;
    rest = 1.0 - theta;
    for (int i = 0; i < n; ++i) {
        double inner = LW_ROW(r, 3, n)[i]
                       + theta * (LW_ROW(r, 4, n)[i]
                                  + rest * (LW_ROW(r, 5, n)[i] + theta * LW_ROW(r, 6, n)[i]));
        double outer = LW_ROW(r, 1, n)[i] + theta * (LW_ROW(r, 2, n)[i] + rest * inner);
        y[i] = s->y_old[i] + theta * (r[i] + rest * outer);
    }
    return 0;
}

#endif
