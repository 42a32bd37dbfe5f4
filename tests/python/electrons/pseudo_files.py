# SPDX-License-Identifier: BSD-3-Clause
"""Writes pseudopotentials in all formats that are read, for tests and for other programs."""

from dataclasses import replace

import numpy as np
from made_up import gaussian_p
from scipy.special import erf

from finegrain.pseudopotentials import (
    GaussianLocal,
    Mesh,
    Pseudopotential,
    TabulatedLocal,
    TabulatedProjector,
)
from finegrain.pseudopotentials.elements import SYMBOLS

_codes = {"PADE": 1, "PW92": -1012, "PBE": 11, "BLYP": 18}
_terms = {
    # That of Teter, which pw.x lacks; the input of pw.x says what is computed.
    "PADE": "SLA PZ NOGX NOGC",
    "PZ": "SLA PZ NOGX NOGC",
    "PW92": "SLA PW NOGX NOGC",
    "PBE": "SLA PW PBX PBC",
    "BLYP": "SLA LYP B88 BLYP",
}


def whole_matrix(pseudo: Pseudopotential) -> np.ndarray:
    """Return D of all projectors, hartree."""
    size = sum(len(channel.projectors) for channel in pseudo.channels)
    matrix, at = np.zeros((size, size)), 0
    for channel in pseudo.channels:
        end = at + len(channel.projectors)
        matrix[at:end, at:end], at = channel.coupling, end
    return matrix


def hgh_text(pseudo: Pseudopotential) -> str:
    """Return a file of pspcod 10."""
    assert isinstance(pseudo.local, GaussianLocal)
    coefficients = " ".join(map(repr, pseudo.local.coefficients))
    highest = max((channel.l for channel in pseudo.channels), default=0)
    rows = [
        f"{pseudo.element} {pseudo.label}",
        f"{SYMBOLS.index(pseudo.element) + 1} {pseudo.charge:g} 0",
        f"10 {_codes[pseudo.functional.name]} {highest} 0 2002 0",
        f"{pseudo.local.radius!r} {len(pseudo.local.coefficients)} {coefficients}",
        f"{highest + 1}",
    ]
    for l in range(highest + 1):  # noqa: E741
        channel = next((one for one in pseudo.channels if one.l == l), None)
        if channel is None:
            rows.append("0.2 0")
            continue
        h, size = channel.coupling, len(channel.projectors)
        for i in range(size):
            head = f"{channel.projectors[0].radius!r} {size} " if i == 0 else ""
            rows.append(head + " ".join(repr(float(value)) for value in h[i, i:]))
        if l:
            rows += [" ".join(["0.0"] * (size - i)) for i in range(size)]
    return "\n".join(rows) + "\n"


def upf_2_text(pseudo: Pseudopotential) -> str:
    """Return a file of UPF version 2."""
    count = len(pseudo.mesh.r)
    projectors = [(c.l, one) for c in pseudo.channels for one in c.projectors]
    matrix = whole_matrix(pseudo)

    def table(name: str, values: np.ndarray, more: str = "") -> str:
        rows = "\n".join(f"{value:.17e}" for value in np.ravel(values))
        return (
            f'<{name} type="real" size="{np.size(values)}" columns="1" {more}>\n{rows}\n</{name}>\n'
        )

    header = {
        "generated": "converted",
        "element": pseudo.element,
        "pseudo_type": "NC",
        "relativistic": "scalar",
        **dict.fromkeys(("is_ultrasoft", "is_paw", "is_coulomb", "has_so", "has_wfc"), "F"),
        **dict.fromkeys(("has_gipaw", "paw_as_gipaw"), "F"),
        "core_correction": "T" if pseudo.core_corrected else "F",
        "functional": _terms[pseudo.functional.name],
        "z_valence": f"{pseudo.charge:.10f}",
        "total_psenergy": "0.0",
        "wfc_cutoff": "0.0",
        "rho_cutoff": "0.0",
        "l_max": max(c.l for c in pseudo.channels),
        "l_max_rho": 0,
        "l_local": -1,
        "mesh_size": count,
        "number_of_wfc": 0,
        "number_of_proj": len(projectors),
    }
    attributes = "\n".join(f'{name}="{value}"' for name, value in header.items())
    text = f'<UPF version="2.0.1">\n<PP_INFO>\n</PP_INFO>\n<PP_HEADER\n{attributes}/>\n'
    text += f'<PP_MESH mesh="{count}">\n{table("PP_R", pseudo.mesh.r)}'
    text += f"{table('PP_RAB', pseudo.mesh.step)}</PP_MESH>\n"
    if pseudo.core_corrected:
        text += table("PP_NLCC", pseudo.core_density)
    text += table("PP_LOCAL", 2 * pseudo.local.v) + "<PP_NONLOCAL>\n"
    for number, (l, one) in enumerate(projectors, start=1):  # noqa: E741
        more = f'index="{number}" angular_momentum="{l}" cutoff_radius_index="{one.points}"'
        text += table(f"PP_BETA.{number}", one.r_beta, more)
    text += table("PP_DIJ", 2 * matrix) + "</PP_NONLOCAL>\n<PP_PSWFC>\n</PP_PSWFC>\n"
    return text + table("PP_RHOATOM", pseudo.atomic_density) + "</UPF>\n"


def _block(name: str, values: np.ndarray) -> str:
    rows = "\n".join(f" {value:.17E}" for value in np.ravel(values))
    return f"<{name}>\n{rows}\n</{name}>\n"


def upf_1_text(pseudo: Pseudopotential) -> str:
    """Return a file of UPF version 1."""
    projectors = [(c.l, one) for c in pseudo.channels for one in c.projectors]
    count = len(pseudo.mesh.r)
    flag = "T" if pseudo.core_corrected else "F"
    orbitals = "\n".join(f"  {one.label} {one.l} {one.occupation:.2f}" for one in pseudo.orbitals)
    text = f"""<PP_INFO>
made for a test: <PP_HEADER> in free text, and 1 < 2
</PP_INFO>
<PP_HEADER>
   0                   Version Number
  {pseudo.element}                   Element
   NC                  Norm - Conserving pseudopotential
    {flag}                  Nonlinear Core Correction
 {_terms[pseudo.functional.name]:20s}   PZ   Exchange-Correlation functional
    {pseudo.charge:.11f}      Z valence
    0.0      Total energy
    0.0  0.0     Suggested cutoff for wfc and rho
    3                  Max angular momentum component
  {count}                  Number of points in mesh
    {len(pseudo.orbitals)}    {len(projectors)}     Number of Wavefunctions, Number of Projectors
 Wavefunctions         nl  l   occ
{orbitals}
</PP_HEADER>
<PP_MESH>
"""
    text += _block("PP_R", pseudo.mesh.r) + _block("PP_RAB", pseudo.mesh.step) + "</PP_MESH>\n"
    if pseudo.core_corrected:
        text += _block("PP_NLCC", pseudo.core_density)
    text += _block("PP_LOCAL", 2 * pseudo.local.v) + "<PP_NONLOCAL>\n"
    for number, (l, one) in enumerate(projectors, start=1):  # noqa: E741
        rows = "\n".join(f" {value:.17E}" for value in one.r_beta[: one.points])
        text += f"<PP_BETA>\n {number} {l}  Beta  L\n {one.points}\n{rows}\n</PP_BETA>\n"
    matrix = 2 * whole_matrix(pseudo)
    nonzero = [(i, j) for i, j in zip(*np.nonzero(matrix), strict=True) if i <= j]
    rows = "\n".join(f" {i + 1} {j + 1} {matrix[i, j]:.17E}" for i, j in nonzero)
    text += f"<PP_DIJ>\n {len(nonzero)}   Number of nonzero Dij\n{rows}\n</PP_DIJ>\n"
    text += "</PP_NONLOCAL>\n<PP_PSWFC>\n"
    for one in pseudo.orbitals:
        rows = "\n".join(f" {value:.17E}" for value in one.r_chi)
        text += f"{one.label}  {one.l}  {one.occupation}  Wavefunction\n{rows}\n"
    return text + "</PP_PSWFC>\n" + _block("PP_RHOATOM", pseudo.atomic_density)


def psp8_text(pseudo: Pseudopotential) -> str:
    """Return a psp8 file; the mesh must be linear and D diagonal."""
    r = pseudo.mesh.r
    of = {channel.l: channel for channel in pseudo.channels}
    highest = max(of)
    counts = [len(of[l].projectors) if l in of else 0 for l in range(5)]  # noqa: E741
    weight = "1.00" if pseudo.core_corrected else "0.00"
    number, code = SYMBOLS.index(pseudo.element) + 1, _codes[pseudo.functional.name]
    rows = [
        f"{pseudo.element}    made for a test",
        f"  {number}.0000   {pseudo.charge:.4f}   261123    zatom,zion,pspd",
        f"  8  {code}  {highest}  4  {len(r)}  0    pspcod,pspxc,lmax,lloc,mmax,r2well",
        f"  {r[-1]:.8f}  {weight}  0.00    rchrg fchrg qchrg",
        " ".join(map(str, counts)) + "   nproj",
        "  1  1   extension_switch",
    ]
    for l in range(highest + 1):  # noqa: E741
        channel = of.get(l)
        strengths = [] if channel is None else np.diag(channel.coupling)
        rows.append(f"{l}   " + " ".join(f"{value:.13E}" for value in strengths))
        if channel is not None:
            table = np.array([r, *(one.r_beta for one in channel.projectors)]).T
            rows += _numbered(table)
    rows.append("4")
    rows += _numbered(np.array([r, pseudo.local.v]).T)
    if pseudo.core_corrected:
        core = 4 * np.pi * pseudo.core_density
        rows += _numbered(np.array([r, core, *np.zeros((4, len(r)))]).T)
    density = pseudo.atomic_density / np.maximum(r, 1e-9) ** 2
    rows += _numbered(np.array([r, density, density, 0 * density]).T)
    return "\n".join(rows) + "\n"


def _numbered(table: np.ndarray) -> list[str]:
    rows = enumerate(table, start=1)
    return [f"{number:6d} " + " ".join(f"{x:.16E}" for x in row) for number, row in rows]


def cp2k_text(*pseudos: Pseudopotential) -> str:
    """Return a file of several pseudopotentials in the format of CP2K."""
    rows = ["# made for a test", "#"]
    for pseudo in pseudos:
        assert isinstance(pseudo.local, GaussianLocal)
        alias = pseudo.label.rpartition("-")[0]
        rows += [f"{pseudo.element} {pseudo.label} {alias}", f"  {pseudo.charge:.0f}"]
        local = " ".join(map(repr, pseudo.local.coefficients))
        rows.append(f"  {pseudo.local.radius!r}  {len(pseudo.local.coefficients)}  {local}")
        highest = max((channel.l for channel in pseudo.channels), default=-1)
        rows.append(f"  {highest + 1}")
        of = {channel.l: channel for channel in pseudo.channels}
        for l in range(highest + 1):  # noqa: E741
            if l not in of:
                rows.append("  0.3  0")
                continue
            h = of[l].coupling
            radius = of[l].projectors[0].radius
            for i in range(len(h)):
                head = f"  {radius!r}  {len(h)}  " if i == 0 else "      "
                rows.append(head + " ".join(repr(float(x)) for x in h[i, i:]))
        rows.append("#")
    return "\n".join(rows) + "\n"


def as_table(pseudo: Pseudopotential) -> Pseudopotential:
    """Return a GTH pseudopotential as tables on a logarithmic mesh, by its formulas in space."""
    assert isinstance(pseudo.local, GaussianLocal)
    step = 0.0125
    r = 1e-5 * np.exp(step * np.arange(1201))
    x = r / pseudo.local.radius
    c = np.array([*pseudo.local.coefficients, 0, 0, 0, 0])[:4]
    v = -pseudo.charge / r * erf(x / np.sqrt(2)) + np.exp(-(x**2) / 2) * (
        c[0] + c[1] * x**2 + c[2] * x**4 + c[3] * x**6
    )
    channels = tuple(
        replace(
            channel,
            projectors=tuple(
                TabulatedProjector(r * gaussian_p(channel.l, one.order, r, one.radius), len(r))
                for one in channel.projectors
            ),
        )
        for channel in pseudo.channels
    )
    density = 4 * np.pi * r**2 * pseudo.charge * np.exp(-(r**2) / 2) / (2 * np.pi) ** 1.5
    return replace(
        pseudo,
        local=TabulatedLocal(v),
        channels=channels,
        mesh=Mesh(r, step * r),
        atomic_density=density,
    )
