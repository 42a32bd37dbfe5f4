# SPDX-License-Identifier: BSD-3-Clause
"""Files whose content is of another kind than their name."""

from pathlib import Path

import pytest
from input_systems import Waters, problems_of, write_input

from finegrain.classical.input.load import load_input
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.readers.kinds import kind_of
from finegrain.errors import InputError

inpcrd = "title\n     2\n" + "".join(f"{x:12.7f}" for x in range(6)) + "\n"
gro = "title\n    1\n    1ARG    AR    1   0.100   0.200   0.300\n   9.0   9.0   9.0\n"
contents = {
    "AMBER coordinate file": inpcrd,
    "GROMACS coordinate file": gro,
    "PDB file": "REMARK x\nATOM      1  O   HOH A   1       0.000   0.000   0.000  1.00\n",
    "PDBx/mmCIF file": "data_x\nloop_\n_atom_site.id\n",
    "CHARMM topology (PSF)": "PSF EXT\n\n",
    "CHARMM coordinate file": "* title\n*\n    1\n",
    "AMBER topology": "%VERSION  VERSION_STAMP = V0001.000\n%FLAG TITLE\n",
    "GROMACS topology": '; made by pdb2gmx\n#include "amber99sb.ff/forcefield.itp"\n',
    "file of XML": '<?xml version="1.0" ?>\n<System/>\n',
    "AMBER restart file (NetCDF)": "CDF\x01",
    "HDF5 file": "",
}


def write(path: Path, kind: str) -> None:
    if kind == "HDF5 file":
        path.write_bytes(b"\x89HDF\r\n\x1a\n")
    else:
        path.write_text(contents[kind])


@pytest.mark.parametrize("kind", sorted(contents))
def test_a_kind_is_known_by_its_content(tmp_path: Path, kind: str) -> None:
    write(tmp_path / "x", kind)
    assert kind_of(tmp_path / "x") == kind


@pytest.mark.parametrize(
    ("kind", "name", "right"),
    [
        ("AMBER topology", "x.top", "x.prmtop"),
        ("AMBER topology", "x.psf", "x.prmtop"),
        ("GROMACS topology", "x.prmtop", "x.top"),
        ("PDBx/mmCIF file", "x.pdb", "x.cif"),
        ("PDB file", "x.cif", "x.pdb"),
        ("file of XML", "x.pdb", "x.xml"),
    ],
)
def test_another_topology_is_refused(tmp_path: Path, kind: str, name: str, right: str) -> None:
    write(tmp_path / name, kind)
    write(tmp_path / "x.gro", "GROMACS coordinate file")
    more = 'forcefield = ["tip3p.xml"]\n' if name.endswith((".pdb", ".cif")) else ""
    more += 'parameters = ["x.gro"]\n' if name.endswith(".psf") else ""
    (problem,) = problems_of(write_input(tmp_path, name, "x.gro", more))
    assert problem.what == "is not what its name says"
    assert problem.where == "in.toml:3"
    assert right in problem.hint


@pytest.mark.parametrize("suffix", [".gro", ".pdb", ".inpcrd", ".crd", ".cif", ".xml"])
@pytest.mark.parametrize("kind", sorted(contents))
def test_coordinates_of_another_kind_are_reported(tmp_path: Path, suffix: str, kind: str) -> None:
    path = tmp_path / f"x{suffix}"
    write(path, kind)
    toml = write_input(tmp_path, "x.top")
    own = {
        ".gro": ["GROMACS coordinate file"],
        ".pdb": ["PDB file"],
        ".inpcrd": ["AMBER coordinate file", "AMBER restart file (NetCDF)"],
        ".crd": ["AMBER coordinate file", "CHARMM coordinate file"],
        ".cif": ["PDBx/mmCIF file"],
        ".xml": ["file of XML"],
    }
    if kind in own[suffix]:
        return
    with pytest.raises(InputError) as caught:
        read_coordinates(load_input(toml), path)
    (problem,) = caught.value.problems
    assert problem.what == "is not what its name says"


def test_real_files_are_of_their_kind(tmp_path: Path, openmmtools_data: Path) -> None:
    Waters().write(tmp_path)
    assert kind_of(tmp_path / "water.pdb") == "PDB file"
    assert kind_of(tmp_path / "water.xml") == "file of XML"
    folder = openmmtools_data / "alanine-dipeptide-gbsa"
    assert kind_of(folder / "alanine-dipeptide.prmtop") == "AMBER topology"
    assert kind_of(folder / "alanine-dipeptide.crd") == "AMBER coordinate file"
