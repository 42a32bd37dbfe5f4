# SPDX-License-Identifier: BSD-3-Clause
"""What `convert` writes has the same energy in the program that it is meant for (nightly)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import finegrain as fg

sys.path.append(str(Path(__file__).resolve().parents[3] / "bench/accuracy"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "engine/runs"))

from owner_families import amber, sander
from owner_families.family import MissingOwnerError
from test_whole_molecules import written_system

pytestmark = pytest.mark.nightly

DYNAMICS = """
[dynamics]
ensemble = "npt"
timestep = "1 fs"
steps = 200
temperature = "300 K"
[output]
trajectory_interval = 0
"""


def test_sander_has_our_energies_of_our_restart_file(tmp_path: Path) -> None:
    import openmmtools

    data = Path(openmmtools.__file__).parent / "data/alanine-dipeptide-explicit"
    try:
        sander.version()
    except MissingOwnerError as error:
        pytest.skip(str(error))
    settings = sander.Settings()
    start = tmp_path / "start"
    start.mkdir()
    shutil.copy(data / "alanine-dipeptide.prmtop", start / "x.parm7")
    shutil.copy(data / "alanine-dipeptide.crd", start / "x.rst7")
    periodic = amber.PERIODIC.format(**{**vars(settings), "tail": "false"})
    (start / "x.toml").write_text(amber.OURS + periodic + DYNAMICS)
    run = fg.run(start / "x.toml", start / "run", pes=2)
    end = tmp_path / "end"
    end.mkdir()
    shutil.copy(start / "x.parm7", end / "x.parm7")
    fg.convert(run, "rst7", end / "x.rst7")
    found = amber.compared(end, settings)
    assert found.terms is not None
    assert {name: term for name, term in found.terms.items() if not term.holds} == {}

    text = (start / "x.toml").read_text().replace("x.rst7", "run/checkpoint.h5")
    (start / "state.toml").write_text(text)
    of_state = fg.energy(start / "state.toml", pes=1).energies
    # The file rounds positions to 5e-8 Å, which moves 2,000 stiff bonds by 1e-3 kJ/mol at most.
    assert found.terms["bond"].ours == pytest.approx(of_state["bond"], abs=1e-3)
    assert found.terms["total"].ours == pytest.approx(of_state["total"], abs=1e-2)


@pytest.mark.parametrize("kind", ["upright", "tilted"])
def test_gmx_has_our_energy_of_bonds_of_our_gro_file(tmp_path: Path, kind: str) -> None:
    gmx = shutil.which("gmx_d")
    if gmx is None:
        pytest.skip("gmx_d is missing: tools/setup.sh --bench")
    run = fg.run(written_system(tmp_path, kind), tmp_path / "out", pes=1)
    gro = fg.convert(run, "gro", tmp_path / "end.gro")
    lines = ("integrator = md", "nsteps = 0", "cutoff-scheme = verlet", "rcoulomb = 0.6")
    lines += ("rvdw = 0.6", "constraints = none", "nstenergy = 1", "continuation = yes")
    (tmp_path / "x.mdp").write_text("\n".join(lines) + "\n")

    def call(*arguments: str, given: str = "") -> str:
        done = subprocess.run(
            [gmx, *arguments],
            cwd=tmp_path,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    call("grompp", "-f", "x.mdp", "-c", gro.name, "-p", "x.top", "-o", "x.tpr", "-maxwarn", "5")
    call("mdrun", "-s", "x.tpr", "-deffnm", "e", "-nt", "1", "-rerun", gro.name)
    said = call("energy", "-f", "e.edr", "-o", "e.xvg", "-dp", given="Bond\n\n")
    bond = float(next(line for line in said.splitlines() if line.startswith("Bond")).split()[1])
    text = (tmp_path / "in.toml").read_text().replace("x.gro", "out/checkpoint.h5")
    (tmp_path / "state.toml").write_text(text)
    ours = fg.energy(tmp_path / "state.toml", pes=1).energies["bond"]
    # Positions have six decimals in nm: 13 bonds of 5e4 kJ/mol/nm², some 0.01 nm stretched.
    assert bond == pytest.approx(ours, abs=13 * 5e4 * 0.01 * 1e-6)
