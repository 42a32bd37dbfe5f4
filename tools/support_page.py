# SPDX-License-Identifier: BSD-3-Clause
"""Make docs/reference/what-runs.md: what runs of each family of inputs, what is refused, and why.

Lists of forces and sections are those that the readers use. Force fields are tried on a protein,
water models on a molecule.

Usage: support_page.py [--check]     --check only checks whether the page is up to date
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path

from openmm import Vec3, app, unit

from finegrain.classical.input.readers.amber import text as amber_text
from finegrain.classical.input.readers.charmm import (
    parameters as charmm_parameters,
    psf as charmm_psf,
)
from finegrain.classical.input.readers.gromacs import sections as gromacs_sections
from finegrain.classical.preparation.prepare import prepare
from finegrain.classical.system.refusals import known_forces, remedies
from finegrain.errors import InputError
from made_page import write_or_check
from result_tables import END, with_tables

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/what-runs.md"
INPUTS = ROOT / "bench/results/inputs.json"

HEAD = """# What runs, and what is refused

This page lists, for each family of input files, what runs and what is refused. A file is read as a
whole, or refused with file and line, because a result without one of your forces would be wrong.
Whatever is in no list here is refused, too.

The cell may have three edges, or any three vectors (truncated octahedra, dodecahedra), or there may
be none. The ensemble may have constant energy, temperature, or temperature and pressure, with the
keys of [the input](input.md).

This page is made by `tools/support_page.py` from the lists that the readers use, and by trying the
force fields that come with OpenMM."""

FORCE_FIELDS = (
    *("amber03.xml", "amber10.xml", "amber14-all.xml", "amber19-all.xml", "amber96.xml"),
    *("amber99sb.xml", "amber99sbildn.xml", "amber99sbnmr.xml", "amberfb15.xml", "charmm36.xml"),
    *("charmm36_2024.xml", "amoeba2018.xml"),
)
WATERS = (
    *("tip3p.xml", "tip3pfb.xml", "spce.xml", "opc3.xml", "opc.xml", "tip4pew.xml", "tip4pfb.xml"),
    *("tip5p.xml", "charmm36/water.xml", "charmm36/tip4p2005.xml", "charmm36/tip5p.xml"),
    *("swm4ndp.xml", "iamoeba.xml"),
)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)


def quoted(words: Iterable[str]) -> str:
    """Return words as code, with commas."""
    return ", ".join(f"`{word}`" for word in words)


def refusals(what: str, reasons: Mapping[str, str]) -> str:
    """Return a table of what is refused, and the advice."""
    return table((what, "advice"), ((f"`{name}`", hint) for name, hint in reasons.items()))


def of_systems() -> str:
    """Return the forces of a System."""
    return (
        "## Forces of an OpenMM System\n\nOpenMM's readers of AMBER, CHARMM and GROMACS files and "
        "its force fields also make such forces.\n\n"
        f"These are read: {known_forces}.\n\nThese are refused, a custom force if its formula is "
        "not one that is read:\n\n" + refusals("force", remedies)
    )


def of_gromacs() -> str:
    """Return the sections of a GROMACS topology."""
    functions = [
        (f"`[ {name} ]`", ", ".join(terms.functions))
        for name, terms in {**gromacs_sections.types, **gromacs_sections.terms}.items()
    ]
    refused = {f"[ {name} ]": hint for name, hint in gromacs_sections.refused.items()}
    return (
        "## GROMACS\n\n`comb-rule` 1, 2 and 3, `nrexcl`, `[ exclusions ]`, `[ pairs ]`, "
        "`#include`, `#define` and `#ifdef` are read. So are these sections, with these functions:"
        "\n\n" + table(("section", "functions"), functions) + "\n\n" + refusals("refused", refused)
    )


def of_charmm() -> str:
    """Return the sections of CHARMM's files."""
    sections = quoted(dict.fromkeys(charmm_parameters.sections))
    return (
        f"## CHARMM\n\nThese sections of parameters are read: {sections}. "
        "Streams may name files, as `toppar.str` does ([rules](../how-to/inputs.md)). "
        f"These flags of a PSF are read: {quoted(charmm_psf.flags)}.\n\n"
        + refusals("refused option of NONBONDED", charmm_parameters.refused)
    )


def of_amber() -> str:
    """Return the refused sections of an AMBER topology, and the refused numbers."""
    pointers = {name: hint for name, (_, hint) in amber_text.refused_pointers.items()}
    return (
        "## AMBER\n\nTopologies of LEaP, ParmEd and CHAMBER are read.\n\n"
        + refusals("sections that begin with", amber_text.refused)
        + "\n\n"
        + refusals("number in POINTERS other than 0", pointers)
        + "\n"
    )


def tried(files: Iterable[str], topology: app.Topology, positions: unit.Quantity) -> str:
    """Return a table of force fields that were tried on a molecule."""
    rows = []
    for name in files:
        reason = refusal_of(name, topology, positions)
        rows.append((f"`{name}`", "" if reason else "runs", reason))
    return table(("force field", "", "refused because of"), rows)


def refusal_of(force_field: str, topology: app.Topology, positions: unit.Quantity) -> str:
    """Return what is refused of a force field; nothing if it runs."""
    modeller = app.Modeller(topology, positions)
    if topology.getNumResidues() == 1:
        modeller.addExtraParticles(app.ForceField(force_field))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "x.pdb").open("w") as file:
            app.PDBFile.writeFile(modeller.topology, modeller.positions, file)
        (folder / "x.toml").write_text(
            '[system]\nkind = "classical"\ntopology = "x.pdb"\n'
            f'forcefield = ["{force_field}"]\nbox = ["80 Å", "80 Å", "80 Å"]\n'
        )
        try:
            prepare(folder / "x.toml")
        except InputError as error:
            problems = sorted(error.problems, key=lambda found: found.what != "is not supported")
            found = problems[0]
            return (found.value or found.what).replace("|", "/")
    return ""


def of_owners() -> str:
    """Return the comparison with the programs that own the formats."""
    made = "made by tools/result_tables.py from bench/results, do not edit"
    text = """## Compared with the programs that own the formats

Each family of inputs was evaluated by finegrain and by the program that owns its format. The table
has, for each term of the energy, the input with the largest difference. *Of* is the size of the
term there. `bench/accuracy/owners.py` measures it, and a nightly test checks the limits in
`bench/accuracy/owner_families`.

* **sander** takes 18.2223² kcal Å/mol/e² for Coulomb's constant, 3.5e-5 less than CODATA 2018. The
  charges in its topology were multiplied so that both constants are equal.
* **pw.x** takes the [net force](../how-to/ab-initio.md#choices) out of its forces, so it is taken
  out of both here. Both programs have the same grid. In the correlation of PBE, pw.x has 0.031091
  for (1 - ln 2)/π², which makes up to 8e-7 hartree an atom.
* **CHARMM** itself was not run. Its formulas were written once more, with its constant of Coulomb,
  332.0716 kcal Å/mol/e², which is 2.4e-5 more than that of CODATA 2018. The molecules are made up,
  with a case for each rule for parameters.
* **Transforms** have no owner. They are compared with those of numpy in numbers of 80 bits. The
  error is the largest one of an element over the root mean square of the result. The inputs are
  random numbers in one to three dimensions, with lengths of small and large prime factors.

"""
    return text + with_tables(f"<!-- figures: owners; {made} -->\n{END}", ROOT / "bench/results")


def of_inputs() -> str:
    """Return what became of inputs from the tests of other programs."""
    report = json.loads(INPUTS.read_text("utf-8"))
    rows = []
    for entry in report["inputs"]:
        agrees = entry["result"].startswith("agrees")
        why = entry.get("why", "").replace("|", "/")
        rows.append(
            (
                f"`{entry['input']}`",
                f"{entry['atoms']:,}" if agrees else "",
                f"{entry['energy']:.0e}" if agrees else "",
                f"{entry['forces']:.0e}" if agrees else "",
                why or entry["result"],
            )
        )
    head = ("input", "atoms", "energies differ by", "forces differ by", "result")
    return (
        "## Inputs of other programs\n\nThese inputs come from the tests of OpenMM and ParmEd. "
        f"finegrain and OpenMM {report['openmm']} (Reference platform) read the same files. The "
        "table has the largest relative difference of an energy, and of all forces; or what is "
        "refused, and why. `bench/peers/inputs.py` does this with any folder of inputs.\n\n"
        + table(head, rows)
    )


def a_protein() -> tuple[app.Topology, unit.Quantity]:
    """Return DHFR, without its water."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from openmmtools.testsystems import DHFRExplicit

        made = DHFRExplicit()
    modeller = app.Modeller(made.topology, made.positions)
    modeller.deleteWater()
    return modeller.topology, modeller.positions


def a_water() -> tuple[app.Topology, unit.Quantity]:
    """Return one molecule of water."""
    topology = app.Topology()
    residue = topology.addResidue("HOH", topology.addChain("A"))
    element = app.element
    atoms = [
        topology.addAtom(name, kind, residue)
        for name, kind in (
            ("O", element.oxygen),
            ("H1", element.hydrogen),
            ("H2", element.hydrogen),
        )
    ]
    topology.addBond(atoms[0], atoms[1])
    topology.addBond(atoms[0], atoms[2])
    places = [Vec3(0, 0, 0), Vec3(0.09572, 0, 0), Vec3(-0.023999, 0.092663, 0)]
    return topology, unit.Quantity(places, unit.nanometer)


def page() -> str:
    """Return the whole page."""
    parts = [HEAD, of_systems(), of_gromacs(), of_charmm(), of_amber()]
    parts.append("## Force fields of OpenMM\n\nThese were tried on a protein (DHFR):\n")
    parts.append(tried(FORCE_FIELDS, *a_protein()))
    parts.append("These are models of water:\n")
    parts.append(tried(WATERS, *a_water()))
    parts.append(of_owners())
    parts.append(of_inputs())
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


if __name__ == "__main__":
    complaint = "support_page: run tools/support_page.py, what runs changed"
    sys.exit(write_or_check(PAGE, page(), complaint))
