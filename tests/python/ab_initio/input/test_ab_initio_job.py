# SPDX-License-Identifier: BSD-3-Clause
"""The job of an ab initio run: its content, and its reading back."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from ab_initio_systems import INPUT, gaussian, interpolated, with_lines
from made_up import tabulated
from plain_kohn_sham import System
from plain_kohn_sham.basis import Basis
from pseudo_files import cp2k_text, upf_1_text, upf_2_text
from typer.testing import Result

import finegrain as fg
from finegrain.ab_initio.input.functional import engine_name, pseudopotential_name
from finegrain.ab_initio.preparation.job import job_image
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.ab_initio.preparation.tables import SPACING, tables_of
from finegrain.files.seal import is_whole
from finegrain.kinds.new_job import write_job
from finegrain.pseudopotentials import TabulatedLocal
from finegrain.pseudopotentials.functionals import Functional

SETTINGS = """
[ground_state]
minimiser = "l-bfgs"
tolerance = "1e-7 hartree"
energy_tolerance = "1 eV"
iterations = 77
seed = 5

[objects]
state_grain = 2
wave_parts = 3
density_parts = 6
pair_groups = 2
tile_grain = 3
pair_chunks = 4
plane_pieces = 5

[output]
density = true
"""


@pytest.fixture
def job(folder: Path) -> Path:
    """A job with settings that are not the defaults."""
    text = with_lines(INPUT, "system", 'title = "one water"') + SETTINGS
    text = with_lines(text, "electrons", 'gradient_thresholds = "off"')
    text = with_lines(text, "electrons", 'negative_density = "mirrored"')
    (folder / "water.toml").write_text(text)
    write_job(folder / "water.toml", folder / "job.h5")
    return folder / "job.h5"


def attributes(job: Path, name: str) -> dict[str, Any]:
    with h5py.File(job) as file:
        return dict(file[name].attrs)


def test_the_job_holds_what_the_input_says_in_atomic_units(job: Path) -> None:
    root = attributes(job, "/")
    assert (root["format"], root["version"], root["kind"]) == ("finegrain-job", 1, "ab-initio")
    assert root["title"] == "one water"
    assert root["input_text"].startswith("[system]")
    assert is_whole(job)
    electrons = attributes(job, "electrons")
    assert electrons["cutoff"] == pytest.approx(10.0, rel=1e-14)
    assert electrons["grid"].tolist() == [36, 36, 36]
    assert electrons["grid"].dtype == np.int32
    assert (electrons["bands"], electrons["functional"]) == (4, "PBE")
    assert electrons["gradient_density_threshold"] == electrons["gradient_sigma_threshold"] == -1
    assert electrons["mirrors_negative_density"] == 1
    ground = attributes(job, "ground_state")
    assert (ground["minimiser"], ground["iterations"], ground["seed"]) == ("l-bfgs", 77, 5)
    assert (ground["start"], ground["tolerance"]) == ("atomic", pytest.approx(1e-7, rel=1e-14))
    # CODATA 2018: a hartree is 27.211386245988 eV.
    assert ground["energy_tolerance"] == pytest.approx(1 / 27.211386245988, rel=1e-12)
    assert attributes(job, "division") == {
        "state_grain": 2,
        "wave_parts": 3,
        "density_parts": 6,
        "pair_groups": 2,
        "tile_grain": 3,
        "pair_chunks": 4,
        "plane_pieces": 5,
    }
    assert attributes(job, "outputs") == {"density": 1, "orbitals": 1, "checkpoint_seconds": 900.0}


def test_gradient_thresholds_are_those_of_quantum_espresso_by_default(folder: Path) -> None:
    (folder / "water.toml").write_text(INPUT)
    write_job(folder / "water.toml", folder / "job.h5")
    electrons = attributes(folder / "job.h5", "electrons")
    assert electrons["gradient_density_threshold"] == 1e-6
    assert electrons["gradient_sigma_threshold"] == 1e-10
    assert electrons["mirrors_negative_density"] == 0


def test_species_go_by_their_first_atom(job: Path, prepared: Callable[..., Prepared]) -> None:
    ready = prepared()
    with h5py.File(job) as file:
        assert file["species"].attrs["count"] == 2
        assert file["species"].attrs["spacing"] == SPACING
        assert file["ions/species"][...].tolist() == [0, 1, 1]
        for number, symbol in enumerate(("O", "H")):
            group, pseudo = file[f"species/{number}"], ready.species[symbol]
            assert group.attrs["symbol"] == symbol
            assert group.attrs["charge"] == pseudo.charge
            assert group.attrs["sha256"] == pseudo.sha256
            tables = tables_of(pseudo, ready.waves.longest_wave, ready.waves.longest_density)
            assert np.array_equal(group["local"][...], tables.local)
            assert ("projectors" in group) == bool(pseudo.channels)
            if pseudo.channels:
                assert np.array_equal(group["projectors"][...], tables.projectors)
                assert np.array_equal(group["coupling"][...], tables.coupling)
            assert np.array_equal(group["orbitals"][...], tables.orbitals)
            assert np.array_equal(group["density"][...], tables.density)


def test_tables_cover_all_waves(job: Path, prepared: Callable[..., Prepared]) -> None:
    structure = prepared().structure
    grid = tuple(attributes(job, "electrons")["grid"])
    basis = Basis.of(structure.vectors, attributes(job, "electrons")["cutoff"], grid)
    with h5py.File(job) as file:
        group = file["species/0"]
        beyond = 8 * SPACING * (1 - 1e-9)
        assert (len(group["local"]) - 1) * SPACING >= basis.density.length.max() + beyond
        assert (group["projectors"].shape[1] - 1) * SPACING >= basis.waves.length.max() + beyond


def test_a_job_has_the_plain_programs_tables(job: Path, prepared: Callable[..., Prepared]) -> None:
    """Interpolated at all |G| of its basis, in a cell without symmetry."""
    cell = 'cell = ["6 Å", "6.5 Å", "7 Å", "80°", "95°", "100°"]'
    ready = prepared(with_lines(INPUT, "system", cell))
    structure = ready.structure
    plain = System(
        structure.vectors,
        structure.symbols,
        structure.position,
        ready.species,
        "PBE",
        ready.given.model.electrons.cutoff.value,
        ready.waves.grid,
    )
    job.write_bytes(job_image(ready))
    read = fg.open_job(job)
    assert isinstance(read, fg.AbInitioJob)
    assert 2 * read.electrons["bands"] == plain.charges.sum()
    dense, waves = plain.basis.density.length, plain.basis.waves.length
    assert read.cell == pytest.approx(plain.vectors, rel=1e-14)
    with h5py.File(job) as file:
        alphas = 0.0
        for atom, number in enumerate(file["ions/species"][...]):
            group = file[f"species/{number}"]
            charge, width = group.attrs["charge"], group.attrs["width"]
            found = interpolated(group["local"][...], 0, dense)
            alphas += found[0] + np.pi * charge * width**2
            smeared = np.exp(-((dense[1:] * width) ** 2) / 4) / dense[1:] ** 2
            expected = plain.local_tables[atom].values[1:]
            size = np.abs(expected).max()
            assert found[1:] - 4 * np.pi * charge * smeared == pytest.approx(
                expected, abs=1e-12 * size
            )
        # The energy at G = 0: electrons/V sum alpha.
        energy = plain.charges.sum() * alphas / plain.basis.volume
        assert energy == pytest.approx(plain.alpha_energy, rel=1e-12)
        (channel,) = plain.projector_tables["O"]
        found = interpolated(file["species/0/projectors"][0], 0, waves)
        assert found == pytest.approx(channel[0].values, abs=1e-12 * channel[0].values.max())


def test_orbitals_of_a_file_are_in_the_job(folder: Path, prepared: Callable[..., Prepared]) -> None:
    pseudo = replace(tabulated(), channels=tabulated().channels[:2])
    (folder / "made.upf").write_text(upf_1_text(pseudo))
    text = INPUT.replace('"water.xyz"', '"oxygens.xyz"')
    text = text.replace('"GTH_POTENTIALS", H = "GTH_POTENTIALS"', '"made.upf"')
    lines = '2\nLattice="6 0 0 0 6 0 0 0 6"\nO 0 0 0\nO 0 0 1.21\n'
    (folder / "oxygens.xyz").write_text(lines)
    ready = prepared(text)
    assert ready.start == "atomic"
    (folder / "job.h5").write_bytes(job_image(ready))
    with h5py.File(folder / "job.h5") as file:
        group = file["species/0"]
        assert group["orbital_l"][...].tolist() == [0, 1]
        assert group["orbital_occupation"][...].tolist() == [2.0, 4.0]
        assert group["orbitals"].shape == (2, group["projectors"].shape[1])
        assert group["core"][0] == pytest.approx(2.0, rel=1e-6)  # electrons of the model core
        assert group["density"][0] == pytest.approx(6.0, rel=1e-6)


def test_the_division_depends_on_sizes_and_not_on_the_machine(
    folder: Path, prepared: Callable[..., Prepared], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = job_image(prepared())
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(96)))
    monkeypatch.setattr(os, "cpu_count", lambda: 96)
    monkeypatch.setenv("OMP_NUM_THREADS", "96")
    assert job_image(prepared()) == before


@pytest.mark.parametrize(
    ("written", "engine", "pseudo"),
    [
        ("PBE", "PBE", "PBE"),
        ("pbe", "PBE", "PBE"),
        ("revpbe", "revPBE", "revPBE"),
        ("BLYP", "BLYP", "BLYP"),
        ("LDA", "PZ81", "LDA"),  # any fit to the electron gas
        ("PZ81", "PZ81", "PZ"),
        ("PW92", "PW92", "PW92"),
        ("gga_x_pbe_sol + gga_c_pbe_sol", "GGA_X_PBE_SOL+GGA_C_PBE_SOL", "PBEsol"),
        ("LDA_X+LDA_C_VWN", "LDA_X+LDA_C_VWN", "VWN"),
        ("GGA_X_B88+GGA_C_P86", "GGA_X_B88+GGA_C_P86", "BP"),
    ],
)
def test_names_of_functionals(written: str, engine: str, pseudo: str) -> None:
    assert engine_name(written) == engine
    assert pseudopotential_name(written) == pseudo


def test_a_job_is_read_back(job: Path) -> None:
    read = fg.open_job(job)
    assert isinstance(read, fg.AbInitioJob)
    assert (read.title, read.atoms, read.steps) == ("one water", 3, 77)
    assert read.symbols == ("O", "H", "H")
    assert read.cell.shape == (3, 3)
    assert read.positions.shape == (3, 3)
    assert read.masses[0] / read.masses[1] == pytest.approx(15.999 / 1.008)
    read.set_steps(5)
    assert fg.open_job(job).steps == 5
    assert is_whole(job)


def test_a_job_of_one_kind_is_refused_by_the_class_of_the_other(job: Path) -> None:
    with pytest.raises(fg.InputError, match="is a job of the kind ab-initio, not classical"):
        fg.Job(job)


def test_a_damaged_job_is_refused(job: Path) -> None:
    contents = bytearray(job.read_bytes())
    contents[len(contents) // 2] ^= 1
    job.write_bytes(contents)
    with pytest.raises(fg.InputError, match="the job is damaged"):
        fg.open_job(job)


def test_load_and_energy_take_all_kinds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "water.toml").write_text(INPUT)
    job = fg.load("water.toml")
    assert isinstance(job, fg.AbInitioJob)
    assert job.path == Path("water.job.h5")


def test_check_describes_the_run(folder: Path, accepted: Callable[..., Result]) -> None:
    (folder / "water.toml").write_text(INPUT)
    result = accepted("check", folder / "water.toml")
    lines = dict(
        line.strip().split("  ", 1)
        for line in result.stdout.splitlines()[2:]
        if "  " in line.strip()
    )
    words = {name: text.strip() for name, text in lines.items()}
    assert words["atoms"] == "3, O H2"
    assert words["electrons"] == "8 in 4 orbitals, neutral"
    assert words["grid"].startswith("36 x 36 x 36")
    assert words["start"] == "atomic orbitals"
    assert words["pseudo O"].startswith("GTH-PBE-q6 (GTH, PBE), 6 electrons, 1 projectors")


def test_check_gives_sizes_as_json(folder: Path) -> None:
    (folder / "water.toml").write_text(INPUT)
    report = fg.check(folder / "water.toml").as_dict()
    assert report["electrons"] == 8
    assert report["bands"] == 4
    assert report["grid"] == [36, 36, 36]
    basis = Basis.of(np.eye(3) * 6 / 0.529177210903, 10.0, (36, 36, 36))
    assert report["plane_waves"] == len(basis.waves.index)
    assert report["density_waves"] == len(basis.density.index)
    assert report["memory"] > 50e6
    assert len(report["pseudopotentials"]["O"]["sha256"]) == 64
    assert report["problems"] == []


@pytest.mark.parametrize(
    "kind", ["ab-initio", "ice", "silicon", "molecule", "car-parrinello", "born-oppenheimer"]
)
def test_templates_are_valid_inputs(
    folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch, accepted: Callable[..., Result]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("FINEGRAIN_PSEUDOPOTENTIALS", str(folder))
    more = cp2k_text(
        *(gaussian(one, charge, "BLYP") for one, charge in (("O", 6), ("H", 1))),
        gaussian("Si", 4, "PADE"),
    )
    (folder / "gth-more.dat").write_text(more)
    # Two files that a template names, with made-up contents.
    oxygen = replace(tabulated(), functional=Functional("BLYP", "BLYP"))
    local = TabulatedLocal(oxygen.local.v / 6)
    hydrogen = replace(oxygen, element="H", charge=1.0, local=local)
    (folder / "O.blyp-mt.UPF").write_text(upf_2_text(oxygen))
    (folder / "H.blyp-vbc.UPF").write_text(upf_2_text(hydrogen))
    accepted("init", kind)
    if kind == "ab-initio":  # of a file of the user's
        (folder / "system.xyz").write_text((folder / "water.xyz").read_text())
    accepted("check", f"{kind}.toml")
