"""The chain in each system: energies to mass matrix and forces, or the recursion, and then to C.

Every rival answers the same three questions: how long it takes to derive and print, how many operations
the result has, and the C text. Every C function is ``name(q, v, out)`` behind the same wrapper.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chain_model as model


@dataclass(frozen=True)
class Derivation:
    """What one system made of one chain."""

    derive_seconds: float
    print_seconds: float
    operations: int
    source: str  # C with void run(const double *q, const double *v, double *out)

    @property
    def seconds(self) -> float:
        """Derivation and printing together."""
        return self.derive_seconds + self.print_seconds


def linkwork_chain(n: int, form: str, method: str, run: int) -> Derivation:
    """Ours. ``run`` enters the names, so that no run finds its nodes already in the graph."""
    import linkwork as lw

    clock = time.process_time
    begin = clock()
    q = lw.symbols([f"q{run}_{k}" for k in range(n)])
    v = lw.symbols([f"v{run}_{k}" for k in range(n)])
    if method == "recursive":
        results = model.articulated(q, v, lw.sin, lw.cos)
    else:
        kinetic, potential = model.energies(q, v, form, lw.sin, lw.cos)
        momentum, mass = lw.hessian(kinetic, v)
        moved = lw.directional(momentum, dict(zip(q, v, strict=True)))
        pulls = lw.gradient(kinetic - potential, q)
        triangle = [row.get(column, lw.number(0)) for k, row in enumerate(mass) for column in range(k + 1)]
        forces = lw.collected([pull - rate for pull, rate in zip(pulls, moved, strict=True)])
        results = [*triangle, *forces]
    derived = clock()
    program = lw.Program.of("run", {"q": q, "v": v}, {"out_": results})
    source = lw.print_c(program)
    printed = clock()
    return Derivation(derived - begin, printed - derived, program.operations, source)


def casadi_chain(n: int, form: str, method: str, run: int) -> Derivation:
    """CasADi's SX graphs, gradients, Jacobians and C generator; counted after its elimination pass."""
    import casadi as ca

    clock = time.process_time
    begin = clock()
    q, v = ca.SX.sym("q", n), ca.SX.sym("v", n)
    each_q, each_v = [q[k] for k in range(n)], [v[k] for k in range(n)]
    if method == "recursive":
        results = ca.vertcat(*model.articulated(each_q, each_v, ca.sin, ca.cos))
    else:
        kinetic, potential = model.energies(each_q, each_v, form, ca.sin, ca.cos)
        momentum = ca.gradient(kinetic, v)
        mass = ca.jacobian(momentum, v)
        forces = ca.gradient(kinetic - potential, q) - ca.jtimes(momentum, q, v)
        rows = [mass[k, column] for k in range(n) for column in range(k + 1)]
        results = ca.vertcat(*rows, forces)
    function = ca.Function("run_casadi", [q, v], [results])
    derived = clock()
    with tempfile.TemporaryDirectory() as folder:
        generator = ca.CodeGenerator("chain.c")
        generator.add(function)
        generator.generate(folder + "/")
        printed = clock()
        text = (Path(folder) / "chain.c").read_text()
    fewest = min(_casadi_operations(ca, function), _casadi_operations(ca, _with_cse(ca, function, q, v)))
    wrapper = (
        "void run(const double *q, const double *v, double *out) {\n"
        "  const double *arg[2] = {q, v}; double *res[1] = {out};\n"
        f"  static double w[{max(function.sz_w(), 1)}]; long long iw[1];\n"
        "  run_casadi(arg, res, iw, w, 0);\n}\n"
    )
    return Derivation(derived - begin, printed - derived, fewest, text + wrapper)


def _with_cse(ca: Any, function: Any, q: Any, v: Any) -> Any:
    return ca.Function("shared", [q, v], [ca.cse(function(q, v))])


def _casadi_operations(ca: Any, function: Any) -> int:
    free = {ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST, ca.OP_PARAMETER}
    return sum(function.instruction_id(k) not in free for k in range(function.n_instructions()))


def symengine_chain(n: int, form: str, method: str, run: int) -> Derivation:
    """symengine's expressions, derivatives and common-subexpression elimination."""
    import symengine as se

    return _flattening_chain(n, form, method, se, se.cse, se.ccode)


def sympy_chain(n: int, form: str, method: str, run: int) -> Derivation:
    """SymPy's expressions, derivatives and common-subexpression elimination."""
    import sympy as sm

    return _flattening_chain(n, form, method, sm, lambda results: sm.cse(results, order="none"), sm.ccode)


def sympy_mechanics_chain(n: int, form: str, method: str, run: int) -> Derivation:
    """What SymPy offers mechanists: ``LagrangesMethod`` on the same energies."""
    import sympy as sm
    import sympy.physics.mechanics as mechanics

    clock = time.process_time
    begin = clock()
    q = list(mechanics.dynamicsymbols(f"q:{n}"))
    v = [angle.diff() for angle in q]
    kinetic, potential = model.energies(q, v, form, sm.sin, sm.cos)
    lagrange = mechanics.LagrangesMethod(kinetic - potential, q)
    lagrange.form_lagranges_equations()
    mass, forces = lagrange.mass_matrix, lagrange.forcing
    plain = {rate: sm.Symbol(f"v_{k}") for k, rate in enumerate(v)}
    plain |= {angle: sm.Symbol(f"q_{k}") for k, angle in enumerate(q)}
    triangle = [mass[row, column] for row in range(n) for column in range(row + 1)]
    results = [entry.xreplace(plain) for entry in [*triangle, *forces]]
    derived = clock()
    return _printed(results, begin, derived, lambda each: sm.cse(each, order="none"), sm.ccode)


def sympy_kane_chain(n: int, form: str, method: str, run: int) -> Derivation:
    """SymPy's ``KanesMethod`` on the same chain, with frames and points as its documentation has them."""
    import sympy as sm
    import sympy.physics.mechanics as mechanics

    clock = time.process_time
    begin = clock()
    q, u = list(mechanics.dynamicsymbols(f"q:{n}")), list(mechanics.dynamicsymbols(f"u:{n}"))
    world, pin = mechanics.ReferenceFrame("N"), mechanics.Point("P")
    pin.set_vel(world, 0)
    frame, bodies, loads = world, [], []
    for link in range(n):
        before = frame if form == "relative" else world
        frame = before.orientnew(f"F{link}", "Axis", [q[link], world.z])
        frame.set_ang_vel(before, u[link] * world.z)
        centre = pin.locatenew(f"C{link}", model.LENGTH * sm.Rational(1, 2) * frame.x)
        centre.v2pt_theory(pin, world, frame)
        inertia = mechanics.inertia(frame, 0, 0, sm.Rational(1, 12) * model.MASS)
        bodies.append(mechanics.RigidBody(f"B{link}", centre, frame, model.MASS, (inertia, centre)))
        loads.append((centre, model.MASS * sm.Float(model.GRAVITY) * world.x))
        tip = pin.locatenew(f"P{link}", model.LENGTH * frame.x)
        tip.v2pt_theory(pin, world, frame)
        pin = tip
    kinematic = [angle.diff() - rate for angle, rate in zip(q, u, strict=True)]
    kane = mechanics.KanesMethod(world, q, u, kd_eqs=kinematic)
    kane.kanes_equations(bodies, loads)
    mass, forces = kane.mass_matrix, kane.forcing
    plain = {rate: sm.Symbol(f"v_{k}") for k, rate in enumerate(u)}
    plain |= {angle: sm.Symbol(f"q_{k}") for k, angle in enumerate(q)}
    triangle = [mass[row, column] for row in range(n) for column in range(row + 1)]
    results = [entry.xreplace(plain) for entry in [*triangle, *forces]]
    derived = clock()
    return _printed(results, begin, derived, lambda each: sm.cse(each, order="none"), sm.ccode)


def _flattening_chain(
    n: int, form: str, method: str, system: Any, cse: Callable[..., Any], ccode: Callable[..., str]
) -> Derivation:
    clock = time.process_time
    begin = clock()
    q = [system.Symbol(f"q_{k}") for k in range(n)]
    v = [system.Symbol(f"v_{k}") for k in range(n)]
    if method == "recursive":
        results = model.articulated(q, v, system.sin, system.cos)
    else:
        kinetic, potential = model.energies(q, v, form, system.sin, system.cos)
        momentum = [kinetic.diff(rate) for rate in v]
        mass = [momentum[k].diff(v[column]) for k in range(n) for column in range(k + 1)]
        forces = [
            (kinetic - potential).diff(q[k])
            - sum(momentum[k].diff(angle) * rate for angle, rate in zip(q, v, strict=True))
            for k in range(n)
        ]
        results = [*mass, *forces]
    return _printed(results, begin, clock(), cse, ccode)


def _printed(
    results: list[Any], begin: float, derived: float, cse: Callable[..., Any], ccode: Callable[..., str]
) -> Derivation:
    """Common subexpressions out, the rest as C."""
    shared, reduced = cse(results)
    lines = [f"  const double {name} = {ccode(value)};" for name, value in shared]
    lines += [f"  out[{k}] = {ccode(value)};" for k, value in enumerate(reduced)]
    text = re.sub(r"\b([qv])_(\d+)\b", r"\1[\2]", "\n".join(lines))
    source = f"#include <math.h>\nvoid run(const double *q, const double *v, double *out) {{\n{text}\n}}\n"
    printed = time.process_time()
    operations = sum(_tree_operations(value) for _, value in shared)
    operations += sum(_tree_operations(value) for value in reduced)
    return Derivation(derived - begin, printed - derived, operations, source)


def _tree_operations(expression: Any) -> int:
    """Operations of a SymPy or symengine tree; a sign is free where a sum can take it up."""
    count, waiting = 0, [expression]
    if _is_negated(expression):
        count += 1
    while waiting:
        top = waiting.pop()
        arguments = top.args
        if not arguments:
            continue
        kind = type(top).__name__
        if kind == "Add":
            count += len(arguments) - 1 + all(_is_negated(argument) for argument in arguments)
        elif kind == "Mul":
            count += len(arguments) - 1 - _is_negated(top)
        else:
            count += 1 + sum(_is_negated(argument) for argument in arguments)
        waiting.extend(arguments)
    return count


def _is_negated(expression: Any) -> bool:
    return type(expression).__name__ == "Mul" and any(str(factor) == "-1" for factor in expression.args)
