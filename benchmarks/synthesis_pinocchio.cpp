/* Pinocchio's articulated-body algorithm on the planar chain of chain_model.py, relative angles about y.

   With TRACE a program that traces the algorithm through CasADi: "trace N FILE.c" writes C and prints how many
   operations it has. Without, a library that evaluates it in numbers. (PyPI's wheels have no pinocchio.casadi, but
   Pinocchio's headers and CasADi's library are all that is needed.) */
#ifdef TRACE
#include <pinocchio/autodiff/casadi.hpp>
#endif
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace pin = pinocchio;

static pin::Model chain(int n)
{
    pin::Model model;
    pin::JointIndex parent = 0;
    const Eigen::Matrix3d inertia = Eigen::Vector3d(1. / 12, 1. / 12, 1e-9).asDiagonal();
    for (int k = 0; k < n; ++k) {
        const pin::SE3 place(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, 0, k ? -1. : 0.));
        parent = model.addJoint(parent, pin::JointModelRY(), place, "joint" + std::to_string(k));
        model.appendBodyToJoint(parent, pin::Inertia(1., Eigen::Vector3d(0, 0, -.5), inertia), pin::SE3::Identity());
    }
    return model;
}

#ifdef TRACE
int main(int count, char **words)
{
    typedef casadi::SX Scalar;
    if (count != 3) {
        return 2;
    }
    const int n = std::atoi(words[1]);
    const auto model = chain(n).cast<Scalar>();
    pin::DataTpl<Scalar> data(model);
    Scalar q = Scalar::sym("q", n), v = Scalar::sym("v", n), a(n, 1);
    Eigen::Matrix<Scalar, -1, 1> places(n), rates(n), torques(n);
    pin::casadi::copy(q, places);
    pin::casadi::copy(v, rates);
    for (int k = 0; k < n; ++k) {
        torques[k] = Scalar(0);
    }
    pin::aba(model, data, places, rates, torques);
    for (int k = 0; k < n; ++k) {
        a(k) = data.ddq[k];
    }
    casadi::Function function("fd", {q, v}, {a});
    int operations = 0;
    for (casadi_int k = 0; k < function.n_instructions(); ++k) {
        const casadi_int what = function.instruction_id(k);
        operations += what != casadi::OP_INPUT && what != casadi::OP_OUTPUT && what != casadi::OP_CONST;
    }
    std::printf("%d\n", operations);
    function.generate(std::string(words[2]));
    return 0;
}
#else
#include <time.h>

static double seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

extern "C" double chunk(double *s, double *out, int n, long calls)
{
    static pin::Model model;
    static pin::Data data(model);
    static Eigen::VectorXd torques;
    if (model.nv != n) {
        model = chain(n);
        data = pin::Data(model);
        torques = Eigen::VectorXd::Zero(n);
    }
    Eigen::Map<Eigen::VectorXd> q(s, n), v(s + n, n), a(out + n, n);
    const double begin = seconds();
    for (long call = 0; call < calls; ++call) {
        s[0] += 1e-9;
        a = pin::aba(model, data, q, v, torques);
        s[n] += 1e-12 * out[n];
    }
    return (seconds() - begin) / calls;
}
#endif
