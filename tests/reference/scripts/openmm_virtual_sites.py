# SPDX-License-Identifier: BSD-3-Clause
"""Virtual sites of every kind by OpenMM's Reference platform: their places, and the forces that
their parents get from constant forces on the sites.

Writes tests/reference/motion/openmm_virtual_sites.inc, which virtual_sites_test.cpp includes.
Run from the repository's root: .venv/bin/python tests/reference/scripts/openmm_virtual_sites.py
"""

from pathlib import Path

import openmm

PARENTS = [  # nm
    (0.100, 0.120, 0.090),
    (0.190, 0.150, 0.105),
    (0.070, 0.205, 0.060),
    (0.085, 0.080, 0.180),
]
# Kind, parents, weights, weights of x and of y, offset: the engine's description.
SITES = [
    (0, (0, 1), (0.3, 0.7), (), (), (0, 0, 0)),
    (0, (2, 0, 1), (0.786646558, 0.106676721, 0.106676721), (), (), (0, 0, 0)),
    (1, (0, 1, 2), (1.344908, -0.172454, -0.172454), (), (), (0, 0, 6.4437903)),
    (2, (0, 1, 2), (1, 0, 0), (-1, 0.5, 0.5), (0, -1, 1), (-0.02, 0.03, 0.05)),
    (2, (3, 1, 2), (0.2, 0.5, 0.3), (1, -1, 0), (0, -1, 1), (0.035, 0, 0)),
    (2, (0, 1, 2, 3), (0.4, 0.3, 0.2, 0.1), (-1, 0.5, 0.25, 0.25), (-0.5, -0.5, 1, 0),
     (0.01, -0.02, 0.03)),
]  # fmt: skip
FORCES = [
    (11.0, -5.0, 3.0), (-7.0, 13.0, 2.0), (4.0, 6.0, -17.0),
    (-9.0, 8.0, 5.0), (3.0, -12.0, 7.0), (15.0, 1.0, -4.0),
]  # fmt: skip


def site(kind, parents, weights, x, y, offset) -> openmm.VirtualSite:
    if kind == 1:
        return openmm.OutOfPlaneSite(*parents, weights[1], weights[2], offset[2])
    if kind == 2:
        return openmm.LocalCoordinatesSite(parents, weights, x, y, openmm.Vec3(*offset))
    if len(parents) == 2:
        return openmm.TwoParticleAverageSite(*parents, *weights)
    return openmm.ThreeParticleAverageSite(*parents, *weights)


def compute() -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    system = openmm.System()
    pull = openmm.CustomExternalForce("-(fx*x + fy*y + fz*z)")
    for name in ("fx", "fy", "fz"):
        pull.addPerParticleParameter(name)
    for _ in PARENTS:
        system.addParticle(12.0)
    for row, force in zip(SITES, FORCES, strict=True):
        index = system.addParticle(0.0)
        system.setVirtualSite(index, site(*row))
        pull.addParticle(index, force)
    system.addForce(pull)
    context = openmm.Context(
        system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("Reference")
    )
    context.setPositions([*PARENTS, *(len(SITES) * [(0.0, 0.0, 0.0)])])
    context.computeVirtualSites()
    state = context.getState(getPositions=True, getForces=True)
    places = [tuple(p) for p in state.getPositions()._value[len(PARENTS) :]]
    return places, [tuple(f) for f in state.getForces()._value[: len(PARENTS)]]


def rows(table) -> str:
    return ",\n    ".join("{" + ", ".join(repr(float(v)) for v in row) + "}" for row in table)


def described(row) -> str:
    kind, parents, *weights, offset = row
    parents = [*parents, -1, -1][:4]
    lists = [", ".join(map(repr, numbers)) for numbers in (parents, *weights, offset)]
    return f"{{{kind}, " + ", ".join(f"{{{numbers}}}" for numbers in lists) + "}"


def main() -> None:
    places, forces = compute()
    described_sites = ",\n    ".join(described(row) for row in SITES)
    text = f"""// Made by tests/reference/scripts/openmm_virtual_sites.py with OpenMM
// {openmm.__version__}, Reference platform. Units: nm, kJ/mol/nm.
struct Described {{
  int kind;
  int parents[4];
  double weights[4], x_weights[4], y_weights[4];
  double offset[3];
}};
constexpr double parents[{len(PARENTS)}][3] = {{
    {rows(PARENTS)}}};
constexpr Described sites[{len(SITES)}] = {{
    {described_sites}}};
constexpr double forces_on_sites[{len(SITES)}][3] = {{
    {rows(FORCES)}}};
constexpr double places[{len(SITES)}][3] = {{
    {rows(places)}}};
constexpr double forces_on_parents[{len(PARENTS)}][3] = {{
    {rows(forces)}}};
"""
    target = Path(__file__).parents[1] / "motion" / "openmm_virtual_sites.inc"
    target.write_text(text)


if __name__ == "__main__":
    main()
