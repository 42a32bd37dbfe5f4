# SPDX-License-Identifier: BSD-3-Clause
"""Reads UPF, the format of Quantum ESPRESSO, versions 1 and 2, norm-conserving only.

In the file energies are in rydberg and lengths in bohr. It has the local potential in Ry, and
projectors as r beta(r) with a matrix D_ij in Ry. The model core is a density, the atomic density is
4 pi r^2 rho(r). After reading, energies are in hartree: v and D are halved, beta stays.

References
----------
P. Giannozzi and others, "Unified Pseudopotential Format", the documentation of Quantum ESPRESSO.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finegrain.pseudopotentials import functionals
from finegrain.pseudopotentials.checks import channels_from_matrix, check_element, check_tail
from finegrain.pseudopotentials.description import (
    Mesh,
    Orbital,
    Pseudopotential,
    TabulatedLocal,
    TabulatedProjector,
)
from finegrain.pseudopotentials.functionals import Functional
from finegrain.pseudopotentials.text import (
    Floats,
    NotReadError,
    Text,
    frozen,
    read_text,
)
from finegrain.pseudopotentials.upf_sections import Section, Sections

RYDBERG = 0.5  # hartree
highest_l = 3
_most_points = 1_000_000
_norm_conserving = "use a norm-conserving pseudopotential of this element, such as one of GTH"


@dataclass(frozen=True)
class Header:
    """What both versions of the header say.

    Attributes
    ----------
    points, projectors, orbitals : int
        How many there are.
    occupied : tuple
        Label, l and occupation of each orbital, if the header gives them (version 1).
    cutoff : float
        The one that the header recommends for orbitals, Ry; 0 if it recommends none.
    """

    version: int
    line: int
    element: str
    charge: float
    functional: Functional
    core_corrected: bool
    points: int
    projectors: int
    orbitals: int
    occupied: tuple[tuple[str, int, float], ...] = ()
    cutoff: float = 0.0


def read_upf(source: str | Path | Text) -> Pseudopotential:
    """Read a UPF file.

    Parameters
    ----------
    source : str, Path or Text

    Raises
    ------
    InputError
        If the file is damaged, or holds an ultrasoft, PAW, spin-orbit or semilocal
        pseudopotential, or a bare Coulomb potential.
    """
    text = source if isinstance(source, Text) else read_text(source)
    sections = Sections(text)
    header = read_header(text, sections)
    mesh = _mesh(sections, header)
    count = header.points
    local = frozen(sections.need("PP_LOCAL").numbers(count) * RYDBERG)
    check_tail(text, sections.need("PP_LOCAL").line, mesh, local, header.charge)
    core = frozen(sections.need("PP_NLCC").numbers(count)) if header.core_corrected else None
    density = sections.find("PP_RHOATOM")
    return Pseudopotential(
        path=text.path,
        form=f"UPF {header.version}",
        label=text.path.name,
        sha256=text.sha256,
        element=header.element,
        charge=header.charge,
        functional=header.functional,
        local=TabulatedLocal(local),
        channels=channels_from_matrix(text, *_nonlocal(text, sections, header)),
        mesh=mesh,
        core_density=core,
        atomic_density=None if density is None else frozen(density.numbers(count)),
        orbitals=_orbitals(text, sections, header),
        recommended_cutoff=header.cutoff * RYDBERG if header.cutoff > 0 else None,
    )


def read_header(text: Text, sections: Sections) -> Header:
    """Return the header; an error if the pseudopotential is of a kind that is not read."""
    root = sections.find("UPF")
    section = sections.need("PP_HEADER")
    if root is None:
        if section.attributes:
            raise text.error(section.line, "has attributes in PP_HEADER but no <UPF version=...>")
        header = _header_of_version_1(text, section)
    else:
        version = root.attribute("version")
        if not version.startswith("2."):
            hint = "convert it to version 2, or use another file"
            what = "is of an unknown version of UPF"
            raise text.not_read(root.line, what, version, "1 or 2", hint=hint)
        header = _header_of_version_2(text, section)
    if sections.find("PP_ADDINFO") is not None or sections.find("PP_SPIN_ORB") is not None:
        place = sections.find("PP_ADDINFO") or sections.need("PP_SPIN_ORB")
        raise _refused(text, place.line, "has spin-orbit coupling", "a scalar-relativistic one")
    if sections.find("PP_SEMILOCAL") is not None and header.projectors == 0:
        line = sections.need("PP_SEMILOCAL").line
        raise _refused(text, line, "has a semilocal part but no projectors", "one with projectors")
    if header.core_corrected and sections.find("PP_NLCC") is None:
        raise text.error(section.line, "says that it has a core correction, but has no PP_NLCC")
    if not header.core_corrected and sections.find("PP_NLCC") is not None:
        nlcc = sections.need("PP_NLCC")
        if any(nlcc.numbers(header.points)):
            what = "has a core density in PP_NLCC, but the header says that there is none"
            raise text.error(nlcc.line, what, hint="ask for an undamaged file")
    return header


def _header_of_version_1(text: Text, section: Section) -> Header:
    rows = section.rows()
    if len(rows) < 11:
        raise text.error(section.line, "PP_HEADER is too short", f"{len(rows)} lines", "11 lines")
    words = [(number, line.split()) for number, line in rows]
    element = check_element(text, words[1][0], words[1][1][0])
    kind = words[2][1][0].upper()
    if kind in ("US", "PAW", "1/R"):
        _refuse_kind(text, words[2][0], kind)
    if kind != "NC":
        raise text.error(words[2][0], "is of an unknown type", kind, "NC (norm-conserving)")
    correction = words[3][1][0].lower().strip(".")
    if correction not in ("t", "f", "true", "false"):
        raise text.error(
            words[3][0], "should say if there is a core correction", correction, "T, F"
        )
    charge = text.number(words[5][1][0], words[5][0], "the valence charge")
    if len(words[10][1]) < 2:
        raise text.error(words[10][0], "should hold the numbers of orbitals and projectors")
    points = text.whole(words[9][1][0], words[9][0], "the number of points", 2, _most_points)
    orbitals = text.whole(words[10][1][0], words[10][0], "the number of orbitals", 0, 100)
    projectors = text.whole(words[10][1][1], words[10][0], "the number of projectors", 0, 100)
    occupied = []
    for line, row in words[12 : 12 + orbitals]:
        if len(row) < 3:
            raise text.error(line, "should hold the label, l and the occupation of an orbital")
        l = text.whole(row[1], line, "l of an orbital", 0, 9)  # noqa: E741
        occupied.append((row[0], l, text.number(row[2], line, "an occupation")))
    if len(occupied) != orbitals:
        what = f"PP_HEADER lists {len(occupied)} orbitals"
        raise text.error(section.line, what, limit=f"{orbitals}")
    return Header(
        version=1,
        line=section.line,
        element=element,
        charge=_charge(text, words[5][0], charge),
        functional=functionals.of_upf_1(rows[4][1]),
        core_corrected=correction in ("t", "true"),
        points=points,
        projectors=projectors,
        orbitals=orbitals,
        occupied=tuple(occupied),
        cutoff=text.number(words[7][1][0], words[7][0], "the suggested cutoff"),
    )


def _header_of_version_2(text: Text, section: Section) -> Header:
    kind = section.attribute("pseudo_type", "NC").upper()
    # A PAW data set also has the flag of an ultrasoft one.
    for flag, name in (("is_ultrasoft", "US"), ("is_paw", "PAW"), ("is_coulomb", "1/R")):
        if section.flag(flag):
            kind = name
    projectors = section.whole("number_of_proj", 0, 100)
    if kind in ("US", "USPP", "PAW", "1/R") or (kind == "SL" and projectors == 0):
        _refuse_kind(text, section.line, kind)
    if kind not in ("NC", "SL"):
        raise text.error(section.line, "is of an unknown type", kind, "NC (norm-conserving)")
    if section.flag("has_so"):
        line = section.line
        raise _refused(text, line, "has spin-orbit coupling", "a scalar-relativistic one")
    charge = section.number("z_valence")
    return Header(
        version=2,
        line=section.line,
        element=check_element(text, section.line, section.attribute("element")),
        charge=_charge(text, section.line, charge),
        functional=functionals.of_upf(section.attribute("functional")),
        core_corrected=section.flag("core_correction"),
        points=section.whole("mesh_size", 2, _most_points),
        projectors=projectors,
        orbitals=section.whole("number_of_wfc", 0, 100, "0"),
        cutoff=section.number("wfc_cutoff", "0"),
    )


def _charge(text: Text, line: int, charge: float) -> float:
    if not 0 < charge < 120:
        raise text.error(line, "is no valence charge", f"{charge:g}", "0 to 120")
    return charge


def _refuse_kind(text: Text, line: int, kind: str) -> None:
    name = {
        "US": "is an ultrasoft pseudopotential",
        "USPP": "is an ultrasoft pseudopotential",
        "PAW": "is a PAW data set",
        "1/R": "is a bare Coulomb potential, not a pseudopotential",
        "SL": "is a semilocal pseudopotential without projectors",
    }[kind]
    raise text.not_read(line, name, kind, "norm-conserving (NC)", hint=_norm_conserving)


def _refused(text: Text, line: int, what: str, instead: str) -> NotReadError:
    return text.not_read(line, what, hint=f"use {instead}")


def _mesh(sections: Sections, header: Header) -> Mesh:
    r = sections.need("PP_R").numbers(header.points)
    step = sections.need("PP_RAB").numbers(header.points)
    text, line = sections.text, sections.need("PP_R").line
    if r[0] < 0 or (np.diff(r) <= 0).any():
        raise text.error(line, "the radii do not rise", limit="from 0 or more, each larger")
    if (step <= 0).any():
        line = sections.need("PP_RAB").line
        raise text.error(line, "the steps of the mesh are not all positive")
    # The step is the derivative of the radius by the index: it must agree with the differences.
    slope = (r[2:] - r[:-2]) / 2
    if len(r) > 2 and (np.abs(slope / step[1:-1] - 1) > 0.1).any():
        at = int(np.argmax(np.abs(slope / step[1:-1] - 1))) + 1
        line = sections.need("PP_RAB").line
        what = f"PP_RAB is not the derivative of PP_R at point {at + 1}"
        raise text.error(line, what, f"{step[at]:g}", f"{slope[at - 1]:g}")
    return Mesh(frozen(r), frozen(step))


def _nonlocal(
    text: Text, sections: Sections, header: Header
) -> tuple[int, list[int], list[TabulatedProjector], Floats]:
    """Return the line of D, and l and projector of each row of D, and D in hartree."""
    count = header.projectors
    found = sections.all("PP_BETA")
    if len(found) != count:
        raise text.error(header.line, f"has {len(found)} sections PP_BETA", limit=f"{count}")
    if count == 0:
        return 0, [], [], np.zeros((0, 0))
    momenta, values, points = [], [], []
    for section in found:
        read = _beta_of_version_1 if header.version == 1 else _beta_of_version_2
        l, beta, reach = read(section, header.points)  # noqa: E741
        momenta.append(l)
        values.append(frozen(beta))
        points.append(reach)
    # Integrals of all projectors run to the longest reach, as in the program that has the format.
    projectors = [TabulatedProjector(beta, max(points)) for beta in values]
    section = sections.need("PP_DIJ")
    if header.version == 1:
        matrix = _matrix_of_version_1(text, section, count)
    else:
        matrix = section.numbers(count * count).reshape(count, count)
    return section.line, momenta, projectors, matrix * RYDBERG


def _beta_of_version_1(section: Section, most: int) -> tuple[int, Floats, int]:
    text, rows = section.text, section.rows()
    if len(rows) < 3 or len(rows[0][1].split()) < 2:
        raise text.error(section.line, "this projector has no l or no values")
    l = text.whole(rows[0][1].split()[1], rows[0][0], "l of a projector", 0, highest_l)  # noqa: E741
    reach = text.whole(rows[1][1].split()[0], rows[1][0], "the reach of a projector", 2, most)
    words = [word for _, line in rows[2:] for word in line.split()]
    if len(words) < reach:
        raise text.error(
            section.line, f"this projector has {len(words)} values", limit=f"{reach} values"
        )
    if len(words) > reach + 4:  # two radii and a label may follow
        what = f"this projector has {len(words)} values"
        raise text.error(section.line, what, limit=f"{reach} values, as line {rows[1][0]} says")
    beta = np.zeros(most)
    beta[:reach] = text.numbers(words[:reach], rows[2][0], "PP_BETA")
    return l, beta, reach


def _beta_of_version_2(section: Section, most: int) -> tuple[int, Floats, int]:
    l = section.whole("angular_momentum", 0, highest_l)  # noqa: E741
    reach = section.whole("cutoff_radius_index", 0, most, "0")
    return l, section.numbers(most), reach or most


def _matrix_of_version_1(text: Text, section: Section, count: int) -> Floats:
    rows = section.rows()
    if not rows:
        raise text.error(section.line, "PP_DIJ is empty")
    given = text.whole(rows[0][1].split()[0], rows[0][0], "a number of D_ij", 0, count * count)
    if len(rows) < given + 1:
        what = f"PP_DIJ holds {len(rows) - 1} rows"
        raise text.error(section.line, what, limit=f"{given}")
    matrix = np.zeros((count, count))
    for line, row in rows[1 : given + 1]:
        words = row.split()
        if len(words) < 3:
            raise text.error(line, "should hold i, j and D_ij", row.strip())
        i = text.whole(words[0], line, "the index of a projector", 1, count) - 1
        j = text.whole(words[1], line, "the index of a projector", 1, count) - 1
        matrix[i, j] = matrix[j, i] = text.number(words[2], line, "D_ij")
    return matrix


def _orbitals(text: Text, sections: Sections, header: Header) -> tuple[Orbital, ...]:
    if header.orbitals == 0:
        return ()
    if header.version == 1:
        section = sections.need("PP_PSWFC")
        return _orbitals_of_version_1(text, section, header)
    orbitals = []
    for section in sections.all("PP_CHI")[: header.orbitals]:
        l = section.whole("l", 0, 9)  # noqa: E741
        label = section.attribute("label", section.name.rpartition(".")[2])
        occupation = section.number("occupation", "0")
        orbitals.append(Orbital(label, l, occupation, frozen(section.numbers(header.points))))
    if len(orbitals) != header.orbitals:
        raise text.error(
            header.line, f"has {len(orbitals)} sections PP_CHI", limit=f"{header.orbitals}"
        )
    return tuple(orbitals)


def _orbitals_of_version_1(text: Text, section: Section, header: Header) -> tuple[Orbital, ...]:
    rows, at = section.rows(), 0
    orbitals = []
    for label, l, occupation in header.occupied:  # noqa: E741
        first, words = at + 1, list[str]()
        while first + 0 < len(rows) and len(words) < header.points:
            words += rows[first][1].split()
            first += 1
        if len(words) < header.points:
            what = f"the orbital {label} has {len(words):,} values"
            raise text.error(section.line, what, limit=f"{header.points:,}")
        chi = text.numbers(words[: header.points], rows[at + 1][0], "PP_PSWFC")
        orbitals.append(Orbital(label, l, occupation, frozen(chi)))
        at = first
    if at < len(rows):
        what = "PP_PSWFC holds more than the header says"
        raise text.error(rows[at][0], what, limit=f"{len(orbitals)} orbitals")
    return tuple(orbitals)
