# SPDX-License-Identifier: BSD-3-Clause
"""Bad inputs of ab initio runs: each is refused with line, value, limit and remedy."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ab_initio_systems import INPUT, WATER, gaussian, recommending, with_lines
from installed import gth
from pseudo_files import cp2k_text

import finegrain as fg
from finegrain.ab_initio.input.load import load_input
from finegrain.ab_initio.preparation import memory as memory_module
from finegrain.ab_initio.preparation.job import checked_image
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.errors import Problem, ResourceError

Problems = Callable[..., list[Problem]]
CUBE = '1\nLattice="4 0 0 0 4 0 0 0 4" pbc="T T T"\n'


def one(problems: list[Problem]) -> Problem:
    (problem,) = problems
    return problem


@pytest.mark.parametrize(
    ("old", "new", "what", "hint"),
    [
        ('cutoff = "20 Ry"', 'cutof = "20 Ry"', "missing key", 'cutoff = "70 Ry"'),
        ('"20 Ry"', '"20"', "has no unit", "20 Ry"),
        ('"20 Ry"', '"20 fs"', "fs is not the unit of an energy", "70 Ry"),
        ('"20 Ry"', '"0.5 Ry"', "out of range", "70 Ry is usual"),
        ('"20 Ry"', "20", "has no unit", "20 Ry"),
        ('"PBE"', '"PBEE"', "not a known functional", 'did you mean "PBE"?'),
        ('"PBE"', '"HYB_GGA_XC_B3LYP"', "needs more than the density", "such as PBE"),
        ('"PBE"', '"MGGA_X_SCAN+MGGA_C_SCAN"', "needs more than the density", "such as PBE"),
        ("{ O =", '"none" #', "is neither a table of files", '"auto"'),
        ('"ab-initio"', '"ab-inito"', "not a known value", 'did you mean "ab-initio"?'),
        ('structure = "water.xyz"', 'struktur = "w"', "missing key", "water32.xyz"),
    ],
)
def test_a_wrong_value_is_refused_with_a_remedy(
    problems: Problems, old: str, new: str, what: str, hint: str
) -> None:
    assert old in INPUT
    found = problems(INPUT.replace(old, new, 1))
    assert any(what in problem.what and hint in problem.hint for problem in found), found
    assert all(problem.where.startswith("water.toml:") for problem in found)


@pytest.mark.parametrize(
    ("written", "unknown", "meant"),
    [
        ("gga_x_pbee+gga_c_pbe", "GGA_X_PBEE", "GGA_X_PBE+GGA_C_PBE"),
        ("GGA_X_B88 + GGA_C_LYPP", "GGA_C_LYPP", "GGA_X_B88+GGA_C_LYP"),
        ("GGA_X_B8+GGA_C_LIP", "GGA_X_B8 or GGA_C_LIP", "GGA_X_B88+GGA_C_LYP"),
        ("gga_x_rpbee+gga_c_pbe", "GGA_X_RPBEE", "GGA_X_RPBE+GGA_C_PBE"),
        # Known to libxc as a potential without an energy.
        ("GGA_X_LB", "GGA_X_LB", "GGA_X_"),
    ],
)
def test_an_unknown_name_of_libxc_is_told_with_the_nearest_one(
    problems: Problems, written: str, unknown: str, meant: str
) -> None:
    problem = one(problems(INPUT.replace('"PBE"', f'"{written}"')))
    assert problem.where == "water.toml:7"
    assert problem.what == "not a known functional"
    assert problem.limit.endswith(f"named {unknown}")
    assert f'did you mean "{meant}' in problem.hint


@pytest.mark.parametrize(
    ("section", "line", "key", "hint"),
    [
        ("electrons", "bnads = 4", "electrons.bnads", "did you mean electrons.bands?"),
        ("system", 'cuttoff = "20 Ry"', "system.cuttoff", "did you mean cutoff in [electrons]?"),
        ("ground_state", "state_grain = 4", "ground_state.state_grain", "belongs in [objects]"),
        ("forces", 'cutoff = "9 Å"', "forces", "sections are system, electrons"),
        ("ground_stat", "seed = 1", "ground_stat", "did you mean [ground_state]?"),
    ],
)
def test_an_unknown_key_is_told_with_the_nearest_one(
    problems: Problems, section: str, line: str, key: str, hint: str
) -> None:
    problem = one(problems(with_lines(INPUT, section, line)))
    assert problem.what.startswith("unknown")
    assert problem.value == key
    assert hint in problem.hint


@pytest.mark.parametrize("section", ["system", "electrons", "dynamics"])
@pytest.mark.parametrize("key", ["charge", "tot_charge", "total_charge", "Charge"])
def test_a_charge_is_told_to_be_unsupported(problems: Problems, section: str, key: str) -> None:
    found = problems(with_lines(INPUT, section, f"{key} = 1"))
    problem = next(one for one in found if one.value == f"{section}.{key}")
    assert "a net charge is not supported by this version" in problem.what
    assert "with spin instead of its charge it would be the neutral radical" in problem.hint


@pytest.mark.parametrize(
    ("line", "what", "hint"),
    [
        ("kpts = [2, 2, 2]", "the Gamma point is the only one", "atoms.repeat(2)"),
        ('smearing = "gaussian"', "orbitals are full or empty", "a metal needs"),
        ("ecutwfc = 70", "unknown key", 'did you mean cutoff? such as cutoff = "70 Ry"'),
        ("ecutrho = 280", "the density follows", "four times"),
        ('xc = "PBE"', "unknown key", "did you mean functional?"),
        ("nspin = 2", "unknown key", 'spin = "collinear"'),
        ('vdw_corr = "d3"', "unknown key", 'dispersion = "d3bj"'),
    ],
)
def test_keys_of_other_programs_are_told_with_what_to_write_instead(
    problems: Problems, line: str, what: str, hint: str
) -> None:
    problem = one(problems(with_lines(INPUT, "electrons", line)))
    assert what in problem.what
    assert hint in problem.hint


@pytest.mark.parametrize("edge", ["1e5 Å", "721 bohr", "4e4 nm"])
def test_an_edge_beyond_the_grid_is_told_with_the_limit(problems: Problems, edge: str) -> None:
    # 2048 points reach over 2048 * 2 pi / (4 sqrt(2 * 10 hartree)) = 719.4 bohr = 380.7 Å.
    problem = one(problems(with_lines(INPUT, "system", f'cell = ["8 Å", "8 Å", "{edge}"]')))
    assert problem.value.startswith("system.cell = ")
    assert "has an edge of" in problem.what
    assert "which is too long" in problem.what
    assert problem.limit.startswith("at most 380.7 Å with a cutoff of 20 Ry")
    assert "shorter edge" in problem.hint


@pytest.mark.parametrize(
    ("section", "line", "what", "limit"),
    [
        ("electrons", "bands = 3", "is below the number of occupied", "at least 4, half of the 8"),
        ("electrons", "grid = [16, 32, 32]", "is too coarse", "at least [33, 33, 33]"),
        ("electrons", "grid = [37, 36, 36]", "prime factor above 7", ""),
        ("electrons", "grid = [36, 36]", "needs 3 values", ""),
        ("electrons", 'gradient_thresholds = "none"', "not a known value", ""),
        ("electrons", 'negative_density = "all"', "not a known value", ""),
        ("ground_state", "iterations = 0", "out of range", "at least 1"),
        ("ground_state", 'tolerance = "0 hartree"', "must be positive", ""),
        ("ground_state", 'tolerance = "1e-6"', "has no unit", ""),
        ("ground_state", "seed = -1", "out of range", "at least 0"),
        ("ground_state", 'minimiser = "magic"', "not a known value", ""),
        ("objects", "state_grain = 9", "out of range", "at most 4, the number of orbitals"),
        ("objects", "wave_parts = 1000", "out of range", "at most 36, the number of columns"),
        ("objects", "wave_parts = 2\ndensity_parts = 3", "cannot be divided", "multiple of"),
        ("objects", "wave_parts = 1.5", "not a whole number", ""),
        (
            "objects",
            "state_grain = 2\npair_groups = 3",
            "out of range",
            "at most 2, the number of blocks",
        ),
        ("objects", "tile_grain = 5", "out of range", "at most 4, the number of orbitals"),
        ("objects", "tile_grain = 0", "out of range", "at least 1"),
        ("objects", "pair_chunks = 0", "out of range", "at least 1"),
        ("objects", "pair_chunks = 2.5", "not a whole number", ""),
        ("objects", "plane_pieces = 0", "out of range", "at least 1"),
        ("objects", "plane_pieces = true", "not a whole number", ""),
        # The usual grid has 36 points along y.
        (
            "objects",
            "wave_parts = 1\ndensity_parts = 1\nplane_pieces = 37",
            "out of range",
            "at most 36, the points of the grid along y",
        ),
        ("objects", "density_parts = 32\nplane_pieces = 34", "out of range", "columns of waves"),
        ("objects", "pair_chunks = 100000", "out of range", "about the number of waves of a part"),
        ("dynamics", 'kind = "cp"', "not a known value", ""),
        ("dynamics", 'timestep = "0.1 fs"', "has no use with", ""),
        ("dynamics", "fictitious_mass = 400", "has no use with", ""),
        ("system", 'cell = ["6 Å", "6 Å"]', "is not a box", "three edges"),
        ("system", 'cell = ["6 Å", "6 Å", "6"]', "has no unit", ""),
        ("output", "density = 1", "not true or false", ""),
    ],
)
def test_a_value_beyond_its_limits_is_refused(
    problems: Problems, section: str, line: str, what: str, limit: str
) -> None:
    problem = one(problems(with_lines(INPUT, section, line)))
    assert what in problem.what
    assert limit in problem.limit
    assert problem.hint or problem.limit


def test_all_problems_are_told_at_once(problems: Problems) -> None:
    text = INPUT.replace('"water.xyz"', '"nowhere.xyz"').replace('"PBE"', '"PBEE"')
    text = with_lines(text, "ground_state", "iterations = 0")
    found = problems(with_lines(text, "objects", "sate_grain = 4"))
    assert [problem.what for problem in found] == [
        "no such file",
        "not a known functional",
        "out of range",
        "unknown key",
    ]


def test_pseudopotentials_that_are_missing_or_do_not_fit_are_told_with_structure_and_cutoff(
    folder: Path, problems: Problems
) -> None:
    text = INPUT.replace("H = ", "He = ").replace('"PBE"', '"BLYP"')
    text = with_lines(text, "electrons", "bands = 9")
    found = problems(text)
    words = [f"{problem.value}: {problem.what}" for problem in found]
    assert any("has no file for H" in line for line in words)
    assert any("the structure has no such element" in line for line in words)
    assert any("O" in line and "BLYP" in line for line in words)  # made with PBE
    assert all(problem.where == "water.toml:9" for problem in found)


def test_a_file_of_another_functional_may_be_allowed(
    folder: Path, prepared: Callable[..., Prepared], problems: Problems
) -> None:
    text = INPUT.replace('"PBE"', '"BLYP"').replace('"water.xyz"', '"oxygens.xyz"')
    text = text.replace('"GTH_POTENTIALS", H = "GTH_POTENTIALS"', '"made.upf"')
    oxygens = '2\nLattice="6 0 0 0 6 0 0 0 6"\nO 0 0 0\nO 0 0 1.21\n'
    (folder / "oxygens.xyz").write_text(oxygens)
    found = problems(text)
    assert "was made with PBE, not with BLYP" in one(found).what
    assert "allow_other_functional = true" in one(found).hint
    ready = prepared(with_lines(text, "electrons", "allow_other_functional = true"))
    assert ready.functional == "BLYP"


def test_a_cutoff_below_the_one_that_the_file_recommends_is_refused(
    folder: Path, problems: Problems, prepared: Callable[..., Prepared]
) -> None:
    (folder / "made.upf").write_text(recommending("60.0"))
    text = INPUT.replace('O = "GTH_POTENTIALS"', 'O = "made.upf"')
    problem = one(problems(text))
    assert problem.what == "is too low for the pseudopotential of O"
    assert problem.limit == "60 Ry, by made.upf"
    assert 'cutoff = "60 Ry"' in problem.hint
    assert prepared(with_lines(text, "electrons", "allow_low_cutoff = true")).bands == 4
    assert prepared(text.replace('"20 Ry"', '"30 hartree"')).bands == 4  # 60 Ry


def test_a_costly_cutoff_has_a_note(folder: Path, prepared: Callable[..., Prepared]) -> None:
    (folder / "C").write_text(cp2k_text(gth("C", "PBE")))
    (folder / "C.xyz").write_text(CUBE + "C 0 0 0\n")
    text = '[system]\nkind = "ab-initio"\nstructure = "C.xyz"\n[electrons]\nfunctional = "PBE"\n'
    text += 'pseudopotentials = { C = "C" }\ncutoff = "30 Ry"\n'
    (note,) = prepared(text).given.notes
    # The engine loses 0.03 hartree for each atom of methane at this cutoff, most of it of carbon.
    assert "low for C (C): with these waves its free atom loses about 0.097 hartree" in note
    least = int(note.split('try cutoff = "')[1].split(" ")[0])
    assert 45 < least < 70
    assert not prepared(text.replace("30 Ry", f"{least} Ry")).given.notes
    assert len(prepared(text.replace("30 Ry", f"{least - 2} Ry")).given.notes) == 1
    assert not prepared(with_lines(text, "electrons", "allow_low_cutoff = true")).given.notes


def test_a_cutoff_at_which_no_electron_is_bound_is_refused(
    folder: Path, problems: Problems, prepared: Callable[..., Prepared]
) -> None:
    (folder / "Zn").write_text(cp2k_text(gth("Zn", "PBE")))
    (folder / "Zn.xyz").write_text(CUBE + "Zn 0 0 0\n")
    text = '[system]\nkind = "ab-initio"\nstructure = "Zn.xyz"\n[electrons]\nfunctional = "PBE"\n'
    text += 'pseudopotentials = { Zn = "Zn" }\ncutoff = "20 Ry"\n'
    problem = one(problems(text))
    assert "of Zn: the electrons of an atom are not bound" in problem.what
    assert 'try cutoff = "' in problem.hint
    assert prepared(with_lines(text, "electrons", "allow_low_cutoff = true")).bands == 6


def test_atomic_orbitals_of_an_unusual_core_are_refused(
    folder: Path, problems: Problems, prepared: Callable[..., Prepared]
) -> None:
    """An oxygen with five electrons, whose core of three is half a shell."""
    (folder / "GTH_POTENTIALS").write_text(cp2k_text(gaussian("O", 5), gaussian("H", 1)))
    (folder / "water.xyz").write_text(WATER.replace("3\n", "2\n", 1).rsplit("H", 1)[0])
    assert prepared().start == "random"
    (problem,) = problems(with_lines(INPUT, "ground_state", 'start = "atomic"'))
    assert "the file for O has no atomic orbitals" in problem.what
    assert 'start = "random"' in problem.hint


def test_an_odd_number_of_electrons_is_refused(folder: Path, problems: Problems) -> None:
    lines = (folder / "water.xyz").read_text().splitlines()
    (folder / "water.xyz").write_text("\n".join(["2", *lines[1:4]]) + "\n")
    problem = one(problems())
    assert problem.what == "has 7 valence electrons, an odd number"
    assert "an even number" in problem.limit


def test_pseudopotentials_are_found_by_element(
    folder: Path, prepared: Callable[..., Prepared], problems: Problems
) -> None:
    text = INPUT.replace('{ O = "GTH_POTENTIALS", H = "GTH_POTENTIALS" }', '"auto"')
    found = problems(text)
    assert [problem.what.partition(": ")[2] for problem in found] == [
        "no pseudopotential of O for PBE",
        "no pseudopotential of H for PBE",
    ]
    text = with_lines(text, "electrons", 'pseudopotential_folders = ["."]')
    ready = prepared(text)
    assert {name: one.label for name, one in ready.species.items()} == {
        "O": "GTH-PBE-q6",
        "H": "GTH-PBE-q1",
    }
    assert "no such folder" in one(problems(text.replace('["."]', '["nowhere"]'))).what
    both = with_lines(INPUT, "electrons", 'pseudopotential_folders = ["."]')
    assert "has no use beside a table" in one(problems(both)).what


def test_a_plain_file_name_may_be_that_of_an_installed_file(
    folder: Path, prepared: Callable[..., Prepared], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "installed").mkdir()
    (folder / "GTH_POTENTIALS").rename(folder / "installed" / "GTH_POTENTIALS")
    monkeypatch.setenv("FINEGRAIN_PSEUDOPOTENTIALS", str(folder / "installed"))
    assert prepared().species["O"].path == folder / "installed" / "GTH_POTENTIALS"


@pytest.mark.parametrize("key", ["structure", "O"])
def test_file_names_with_control_characters_are_refused(problems: Problems, key: str) -> None:
    old = {"structure": '"water.xyz"', "O": 'O = "GTH_POTENTIALS"'}[key]
    new = {"structure": '"water\\u001b.xyz"', "O": 'O = "GTH\\n"'}[key]
    assert one(problems(INPUT.replace(old, new))).what == "holds a control character"


def test_a_run_beyond_the_memory_is_refused_with_what_takes_it(
    prepared: Callable[..., Prepared], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_module, "allowed_memory", lambda: (1e7, "this machine has"))
    with pytest.raises(ResourceError) as caught:
        checked_image(prepared())
    (problem,) = caught.value.problems
    assert problem.what == "takes more memory than this machine has"
    assert problem.limit.startswith("10.0 MB; it takes about")
    assert caught.value.exit_status == 2


def test_a_grid_beyond_all_bounds_is_refused_before_it_is_counted(problems: Problems) -> None:
    text = with_lines(
        INPUT.replace('"20 Ry"', '"2000 Ry"'), "system", 'cell = ["1 um", "1 nm", "1 nm"]'
    )
    found = problems(text.replace('"1 um"', '"500 nm"'))
    assert "points of the grid" in one(found).limit


def test_defaults_and_units_of_an_input(folder: Path) -> None:
    (folder / "water.toml").write_text(INPUT)
    model = load_input(folder / "water.toml").model
    assert model.electrons.cutoff.value == pytest.approx(10.0, rel=1e-12)  # hartree
    assert model.dynamics.kind == "ground-state"
    assert model.ground_state.tolerance.value == 1e-7
    assert model.electrons.gradient_thresholds == "quantum-espresso"


def test_problems_have_exit_status_1(folder: Path, refused: Callable[..., str]) -> None:
    (folder / "water.toml").write_text(INPUT.replace("20 Ry", "20 Rx"))
    said = refused("check", folder / "water.toml")
    assert "water.toml:6" in said
    assert "unknown unit Rx" in said
    assert "nothing was run" in said


def test_stages_are_not_for_ab_initio_runs(folder: Path) -> None:
    (folder / "water.toml").write_text(INPUT + '\n[[stages]]\nname = "heat"\n')
    with pytest.raises(fg.InputError) as caught:
        fg.check(folder / "water.toml")
    (problem,) = caught.value.problems
    assert (problem.value, problem.what) == ("stages", "unknown section")


def test_too_many_bands_are_told_at_their_own_key(problems: Problems) -> None:
    problem = one(problems(with_lines(INPUT, "electrons", "bands = 100000")))
    assert problem.value == "electrons.bands = 100000"
    assert "plane waves" in problem.limit
    assert "fewer bands" in problem.hint


def test_splines_of_a_run_without_them_have_no_use(problems: Problems) -> None:
    exact = ('nonlocal_part = "exact"', 'local_part = "exact"')
    text = with_lines(INPUT, "electrons", *exact, "spline_order = 8", "spline_grid = 1.5")
    found = problems(text)
    assert [problem.value.split(" ")[0] for problem in found] == [
        "electrons.spline_order",
        "electrons.spline_grid",
    ]
    assert all("has no use with" in problem.what for problem in found)


def test_an_input_without_a_kind_is_judged_by_its_electrons(folder: Path) -> None:
    (folder / "water.toml").write_text(INPUT.replace('kind = "ab-initio"\n', ""))
    with pytest.raises(fg.InputError) as caught:
        fg.check(folder / "water.toml")
    (problem,) = caught.value.problems
    assert (problem.what, problem.value) == ("missing key", "system.kind")
    assert 'kind = "ab-initio"' in problem.hint


def test_an_empty_folder_of_results_is_refused(problems: Problems) -> None:
    problem = one(problems(with_lines(INPUT, "output", 'directory = ""')))
    assert problem.what == "is empty"
    assert 'directory = "runs/water"' in problem.hint


@pytest.mark.parametrize(
    ("section", "line", "hint"),
    [
        ("ground_state", 'tolerance = "10 hartree"', "1e-7 hartree"),
        ("ground_state", 'energy_tolerance = "0 hartree"', "1e-11 hartree"),
        ("system", 'least_distance = "-2 Å"', "0.3 Å"),
    ],
)
def test_the_example_beside_a_wrong_value_is_one_of_its_own_key(
    problems: Problems, section: str, line: str, hint: str
) -> None:
    assert hint in one(problems(with_lines(INPUT, section, line))).hint


def test_a_wrong_mass_is_told_with_its_element(problems: Problems) -> None:
    problem = one(problems(with_lines(INPUT, "system", 'masses = { H = "2 Da", O = "-1 Da" }')))
    assert "the mass of O, -1 Da: must be positive" in problem.what


def test_a_missing_pseudopotential_is_told_with_the_nearest_name(problems: Problems) -> None:
    problem = one(problems(INPUT.replace('H = "GTH_POTENTIALS"', 'H = "GHT_POTENTIAL"')))
    assert problem.what == "no such file"
    assert problem.hint == 'did you mean "GTH_POTENTIALS"?'
    problem = one(problems(INPUT.replace('H = "GTH_POTENTIALS"', 'H = "nothing.like"')))
    assert "searched" in problem.hint
