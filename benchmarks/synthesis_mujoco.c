/* MuJoCo's forward dynamics, called from C. */
#define _POSIX_C_SOURCE 200809L
#include <mujoco/mujoco.h>
#include <string.h>
#include <time.h>

static mjModel *model;
static mjData *data;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Take the machine in an XML file; 0 if that worked. */
int take(const char *path)
{
    char message[500];
    if (data) {
        mj_deleteData(data);
        mj_deleteModel(model);
    }
    model = mj_loadXML(path, NULL, message, sizeof message);
    data = model ? mj_makeData(model) : NULL;
    return data ? 0 : 1;
}

double chunk(double *s, double *out, int n, long calls)
{
    double begin = seconds();
    for (long call = 0; call < calls; ++call) {
        s[0] += 1e-9;
        memcpy(data->qpos, s, sizeof(double) * (size_t)n);
        memcpy(data->qvel, s + n, sizeof(double) * (size_t)n);
        mj_forward(model, data);
        memcpy(out + n, data->qacc, sizeof(double) * (size_t)n);
        s[n] += 1e-12 * out[n];
    }
    return (seconds() - begin) / calls;
}

/* From the state s of n positions and n rates, steps of the model's length in groups; the state after each group goes
   to rows. Returns CPU seconds. */
double run(const double *s, int n, long groups, long steps, double *rows)
{
    double begin = seconds();
    mj_resetData(model, data);
    memcpy(data->qpos, s, sizeof(double) * (size_t)n);
    memcpy(data->qvel, s + n, sizeof(double) * (size_t)n);
    for (long group = 0; group < groups; ++group) {
        for (long step = 0; step < steps; ++step) {
            mj_step(model, data);
        }
        memcpy(rows + 2 * n * group, data->qpos, sizeof(double) * (size_t)n);
        memcpy(rows + 2 * n * group + n, data->qvel, sizeof(double) * (size_t)n);
    }
    return seconds() - begin;
}
