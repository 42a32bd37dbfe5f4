# SPDX-License-Identifier: BSD-3-Clause
"""Damaged pseudopotential files, and kinds that are not read: the error says where and what."""

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from installed import ABINIT, CP2K, ESPRESSO
from pseudo_files import cp2k_text, psp8_text, upf_1_text, upf_2_text
from test_pseudo_readers import MAKERS, full_formulas

from finegrain.errors import InputError
from finegrain.pseudopotentials import read_pseudopotential


def text_of(form: str) -> str:
    make, write, _ = MAKERS[form]
    return write(make())


def problem(path: Path, text: str | bytes) -> InputError:
    """Write a file; return the error of reading it."""
    if isinstance(text, str):
        path.write_text(text)
    else:
        path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_pseudopotential(path)
    error = caught.value
    assert error.where.startswith(str(path))
    assert error.hint, "an error says what to do"
    return error


# Format, what to replace (the first place), with what, the complaint, and the line of it: a number,
# or text that stands in this line of the damaged file.
DAMAGE = [
    ("UPF 2", "</PP_LOCAL>", "", "has no end </PP_LOCAL>", "<PP_LOCAL"),
    ("UPF 2", 'mesh_size="1401"', 'mesh_size="1400"', "PP_R holds 1,401 numbers", "<PP_R "),
    ("UPF 2", 'mesh_size="1401"', 'mesh_size="many"', "is not PP_HEADER mesh_size", "<PP_HEADER"),
    ("UPF 2", 'element="O"', 'element="Ox"', "is no element", "<PP_HEADER"),
    ("UPF 2", 'z_valence="6.0000000000"', 'z_valence="0"', "no valence charge", "<PP_HEADER"),
    ("UPF 2", 'z_valence="6.0000000000"', 'z_valence="5"', "is not -Z/r", "<PP_LOCAL"),
    ("UPF 2", 'z_valence="6.0000000000"', "", "no attribute z_valence", "<PP_HEADER"),
    ("UPF 2", 'number_of_proj="9"', 'number_of_proj="8"', "9 sections PP_BETA", "<PP_HEADER"),
    ("UPF 2", 'number_of_proj="9"', 'number_of_proj="0"', "9 sections PP_BETA", "<PP_HEADER"),
    ("UPF 2", 'angular_momentum="2"', 'angular_momentum="4"', "angular_momentum", "<PP_BETA.4"),
    ("UPF 2", 'angular_momentum="2"', 'angular_momentum="0"', "different angular", "<PP_DIJ"),
    ("UPF 2", 'core_correction="T"', 'core_correction="F"', "header says that", "<PP_NLCC"),
    ("UPF 2", 'core_correction="T"', 'core_correction="maybe"', "true or false", "<PP_HEADER"),
    ("UPF 2", "<PP_NLCC", "<PP_CORE", "has no end", "<PP_CORE"),
    ("UPF 2", 'pseudo_type="NC"', 'pseudo_type="US"', "ultrasoft", "<PP_HEADER"),
    ("UPF 2", 'pseudo_type="NC"', 'pseudo_type="new"', "unknown type", "<PP_HEADER"),
    ("UPF 2", 'is_paw="F"', 'is_paw="T"', "PAW", "<PP_HEADER"),
    ("UPF 2", 'is_coulomb="F"', 'is_coulomb=".true."', "bare Coulomb", "<PP_HEADER"),
    ("UPF 2", 'has_so="F"', 'has_so="T"', "spin-orbit", "<PP_HEADER"),
    ("UPF 2", 'version="2.0.1"', 'version="3.0"', "unknown version of UPF", "<UPF"),
    ("UPF 2", '<UPF version="2.0.1">', "", "no <UPF version=...>", "<PP_HEADER"),
    ("UPF 2", "<PP_LOCAL ", "<PP_LOCAL_ ", "has no end", "<PP_LOCAL_"),
    ("UPF 1", "</PP_DIJ>", "", "has no end </PP_DIJ>", "<PP_DIJ>"),
    ("UPF 1", "   NC   ", "   US   ", "ultrasoft", "   US   "),
    ("UPF 1", "   NC   ", "   1/r  ", "bare Coulomb", "   1/r  "),
    ("UPF 1", "   NC   ", "   XY   ", "unknown type", "   XY   "),
    ("UPF 1", "    T      ", "    F      ", "header says that there is none", "<PP_NLCC>"),
    ("UPF 1", "    T      ", "    ?      ", "a core correction", "    ?      "),
    ("UPF 1", "  1401  ", "  1402  ", "PP_R holds 1,401", "<PP_R>"),
    ("UPF 1", " 1401\n", " 1402\n", "the reach of a projector", " 1402\n"),
    ("UPF 1", " 1401\n", " 1301\n", "projector has 1401 values", "<PP_BETA>"),
    ("UPF 1", "2    9 ", "1    9 ", "PP_PSWFC holds more", "2P  1  4.0  Wave"),
    ("UPF 1", "  2P 1 4.00\n", "", "PP_HEADER lists 1 orbitals", "\n<PP_HEADER>"),
    ("UPF 1", " 18   Number", " 19   Number", "PP_DIJ holds 18 rows", "<PP_DIJ>"),
    ("UPF 1", "<PP_MESH>", "<PP_ADDINFO>\n</PP_ADDINFO>\n<PP_MESH>", "spin-orbit", "<PP_ADDINFO>"),
    ("psp8", "  8  11", "  7  11", "which is not read", "  7  11"),
    ("psp8", "  8.0000 ", "  8.5000 ", "is no atomic number", "  8.5000 "),
    ("psp8", "1  1   extension", "3  1   extension", "spin-orbit", "3  1   extension"),
    ("psp8", "   6.0000", "   4.0000", "is not -Z/r", "\n4\n"),
    ("psp8", "  601  0 ", "  600  0 ", "is not the l of this block", None),
    ("psp8", "1.00  0.00    rchrg", "-1.00  0.00    rchrg", "is negative", "rchrg"),
    ("psp8", "  1.00  0.00    rchrg", "  0.00  0.00    rchrg", "another block", None),
    ("psp8", "1  1   extension", "0  1   extension", "another block", None),
    ("psp8", "\n     7 ", "\n     8 ", "rows are out of order", "\n     8 "),
    ("psp8", "3 0 3", "3 0 4", "should hold 4 energies", None),
    ("GTH", "  6\n", "  six\n", "is not a number of electrons", "  six\n"),
    ("GTH", "  6\n", "  0\n", "no valence electrons", "  0\n"),
    ("GTH", "  0.45  4", "  0.45  3", "is not the number of angular momenta", None),
    ("GTH", "  0.45  4", "  -0.45  4", "is no radius r_loc", "  -0.45  4"),
    ("GTH", "  0.45  4", "  NLCC 1\n  0.45  4", "nonlinear core correction", "  NLCC 1"),
    ("GTH", "  0.45  4", "  LPOT 1\n  0.45  4", "several radii", "  LPOT 1"),
    ("HGH", "10 11 3", "12 11 3", "nonlinear core correction", "12 11 3"),
    ("HGH", "10 11 3", "10 11 4", "is not lmax", "10 11 4"),
    ("HGH", "8 6 0", "8 0 0", "no valence charge", "8 0 0"),
    ("HGH", "0.45 4 ", "0.45 5 ", "number of local coefficients", "0.45 5 "),
    ("HGH", "0.45 4 ", "45 4 ", "is no radius r_loc", "45 4 "),
]


@pytest.mark.parametrize(("form", "old", "new", "what", "line"), DAMAGE)
def test_damage_is_an_error_with_its_line(
    form: str, old: str, new: str, what: str, line: str | None, tmp_path: Path
) -> None:
    text = text_of(form)
    assert old in text
    damaged = text.replace(old, new, 1)
    error = problem(tmp_path / MAKERS[form][2], damaged)
    assert re.search(what, error.what), error.what
    if line is not None:
        before = damaged[: damaged.index(line)] + ("\n" if line.startswith("\n") else "")
        assert error.where.endswith(f":{before.count(chr(10)) + 1}"), error.where


@pytest.mark.parametrize("form", MAKERS)
@pytest.mark.parametrize("word", ["nan", "1.0e999", "1,5", "x", "-"])
def test_a_word_that_is_no_number_is_told_by_line(form: str, word: str, tmp_path: Path) -> None:
    text = text_of(form)
    number = {"GTH": "2.5", "HGH": "2.5"}.get(form)
    if number is None:  # some number in the middle of the file
        numbers = re.findall(r"-?\d\.\d{12,}[eE][-+]\d\d", text)
        number = numbers[len(numbers) // 2]
    at = text.index(number)
    damaged = text[:at] + word + text[at + len(number) :]
    error = problem(tmp_path / MAKERS[form][2], damaged)
    assert "number" in error.what or "radius" in error.what
    assert error.where.endswith(f":{damaged[:at].count(chr(10)) + 1}")


@pytest.mark.parametrize("form", MAKERS)
@pytest.mark.parametrize("share", [0.0005, 0.02, 0.3, 0.6, 0.9])
def test_a_file_that_is_cut_short_is_an_error(form: str, share: float, tmp_path: Path) -> None:
    text = text_of(form)
    if form == "UPF 1":  # its last section is the density of the atom, which is not needed
        text = text[: text.index("<PP_RHOATOM>")]
    problem(tmp_path / MAKERS[form][2], text[: int(len(text) * share)] + "\n")


def test_each_matrix_and_mesh_is_checked(tmp_path: Path) -> None:
    text = text_of("UPF 2")
    head, rest = text.split("<PP_R ", 1)
    rows = rest.split("\n")
    rows[3], rows[4] = rows[4], rows[3]
    error = problem(tmp_path / "x.upf", head + "<PP_R " + "\n".join(rows))
    assert error.what == "the radii do not rise"
    head, rest = text.split("<PP_RAB ", 1)
    rows = rest.split("\n")
    rows[700] = "1.0"
    error = problem(tmp_path / "x.upf", head + "<PP_RAB " + "\n".join(rows))
    assert "not the derivative of PP_R" in error.what
    rows[700] = "-1.0"
    error = problem(tmp_path / "x.upf", head + "<PP_RAB " + "\n".join(rows))
    assert "not all positive" in error.what
    missing = re.sub(r"<PP_NLCC.*</PP_NLCC>\n", "", text, flags=re.DOTALL)
    assert "has no PP_NLCC" in problem(tmp_path / "x.upf", missing).what
    head, rest = text.split("<PP_DIJ ", 1)
    rows = rest.split("\n")
    rows[2] = "9.0"
    error = problem(tmp_path / "x.upf", head + "<PP_DIJ " + "\n".join(rows))
    assert error.what == "the matrix D is not symmetric"


def test_a_semilocal_file_without_projectors_is_refused(tmp_path: Path) -> None:
    make = MAKERS["UPF 2"][0]
    bare = replace(make(), channels=(make().channels[0],))
    text = upf_2_text(bare)
    text = re.sub(r"<PP_BETA.*</PP_BETA.3>\n", "", text, flags=re.DOTALL)
    text = re.sub(r"<PP_DIJ.*</PP_DIJ>\n", "", text, flags=re.DOTALL)
    text = text.replace('number_of_proj="3"', 'number_of_proj="0"')
    (tmp_path / "x.upf").write_text(text)
    assert read_pseudopotential(tmp_path / "x.upf").channels == ()
    semilocal = text.replace("<PP_NONLOCAL>", "<PP_SEMILOCAL>\n</PP_SEMILOCAL>\n<PP_NONLOCAL>")
    assert "semilocal" in problem(tmp_path / "x.upf", semilocal).what
    typed = text.replace('pseudo_type="NC"', 'pseudo_type="SL"')
    assert "semilocal" in problem(tmp_path / "x.upf", typed).what


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\x1f\x8b\x00\x00", "not a text file"),
        (b"hello\nworld\nthere\n", "no known format"),
        (b"<?xml version='1.0'?>\n<psml version='1.1'>", "is in PSML"),
        (b"<qe_pp:pseudo>", "XML schema"),
        (b"&ATOM\n Z = 1", "format of CPMD"),
        (b"x\n 1 1\n 6 11 1 1 500 0\n", "FHI tables"),
        (b"x\n 1 1\n 1 1 1 0 500 0\n", "Troullier-Martins"),
        (b"O GTH-PBE-q6\n", "is empty"),
    ],
)
def test_files_of_other_kinds_are_refused_by_name(data: bytes, what: str, tmp_path: Path) -> None:
    assert what in problem(tmp_path / "x", data).what


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_pseudopotential(tmp_path / "none.upf")
    with pytest.raises(InputError, match="cannot be read"):
        read_pseudopotential(tmp_path)


@pytest.mark.parametrize(
    ("path", "what"),
    [
        (ESPRESSO / "C.pbe-van_bm.UPF", "is an ultrasoft"),
        (ESPRESSO / "O.pbe-kjpaw.UPF", "is a PAW data set"),
        (ESPRESSO / "C.pbe-n-kjpaw_psl.0.1.UPF", "is a PAW data set"),
        (ESPRESSO / "H.coulomb-ae.UPF", "is a bare Coulomb"),
        (ESPRESSO / "Si_r.upf", "has spin-orbit"),
        (ESPRESSO / "O_US.van", "is of no known format"),
        (ABINIT / "14si.pspnc", "Troullier-Martins"),
        (ABINIT / "Si_r.psp8", "has spin-orbit"),
        (ABINIT / "22ti.12.khgh", "has a nonlinear core correction"),
        (ABINIT / "13_Al_atom.psml", "is in PSML"),
    ],
)
def test_installed_files_of_other_kinds_are_refused(path: Path, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        read_pseudopotential(path)
    assert caught.value.hint


def test_a_core_correction_by_gaussians_is_refused() -> None:
    with pytest.raises(InputError, match="nonlinear core correction by Gaussians"):
        read_pseudopotential(CP2K / "NLCC_POTENTIALS", "Si", "PBE")


def test_a_collection_needs_an_element_that_it_has(tmp_path: Path) -> None:
    path = tmp_path / "GTH_POTENTIALS"
    one = full_formulas()
    others = [replace(one, element="S"), replace(one, element="S", charge=14, label="GTH-PBE-q14")]
    path.write_text(cp2k_text(one, *others))
    with pytest.raises(InputError, match="no such pseudopotential") as caught:
        read_pseudopotential(path, "O", "BLYP")
    assert "O GTH-PBE-q6" in caught.value.hint
    with pytest.raises(InputError, match="no such pseudopotential"):
        read_pseudopotential(path, "Se")
    with pytest.raises(InputError, match="2 pseudopotentials that fit") as caught:
        read_pseudopotential(path, "S", "PBE")
    assert "S GTH-PBE-q14" in caught.value.limit
    assert read_pseudopotential(path, "S", "PBE", charge=14).label == "GTH-PBE-q14"
    assert np.array_equal(read_pseudopotential(path, "O").channels[0].coupling[0, 0], 1.5)


def test_free_text_may_hold_anything(tmp_path: Path) -> None:
    free = "<PP_INFO>\n a < b & c > d <PP_LOCAL> \"quote ' \n</PP_INFO>"
    for form, write in (("UPF 1", upf_1_text), ("UPF 2", upf_2_text)):
        text = re.sub(r"<PP_INFO>.*?</PP_INFO>", free, write(MAKERS[form][0]()), flags=re.DOTALL)
        (tmp_path / "x.upf").write_text(text)
        assert read_pseudopotential(tmp_path / "x.upf").element == "O"


def test_psp8_may_have_its_local_potential_in_place_of_one_momentum(tmp_path: Path) -> None:
    text = psp8_text(MAKERS["psp8"][0]())
    lines = text.split("\n")
    # Move the block of l = 4 to the empty one of l = 1, and say so in the header.
    at = lines.index("4")
    block = lines[at + 1 : at + 602]
    one = next(i for i, line in enumerate(lines) if line.strip() == "1")
    moved = [*lines[: one + 1], *block, *lines[one + 1 : at], *lines[at + 602 :]]
    moved[2] = moved[2].replace("2  4  601", "2  1  601")
    (tmp_path / "x.psp8").write_text("\n".join(moved))
    read = read_pseudopotential(tmp_path / "x.psp8")
    (tmp_path / "y.psp8").write_text(text)
    assert np.array_equal(read.local.v, read_pseudopotential(tmp_path / "y.psp8").local.v)


def test_no_damage_gives_another_kind_of_error(tmp_path: Path) -> None:
    rng = random.Random(7)
    texts = {form: text_of(form).split("\n") for form in MAKERS}
    junk = ("", "0", "-1", "nan", "1e999", "abc", "999999999", '"', "<", ">", "é", "\x07")
    hints = []
    for round_ in range(150):
        form = list(texts)[round_ % len(texts)]
        lines = list(texts[form])
        at = rng.randrange(min(40, len(lines)) if rng.random() < 0.7 else len(lines))
        words = lines[at].split(" ")
        words[rng.randrange(len(words))] = rng.choice(junk)
        change = rng.choice(("word", "delete", "double", "swap", "cut"))
        if change == "word":
            lines[at] = " ".join(words)
        elif change == "delete":
            del lines[at]
        elif change == "double":
            lines.insert(at, lines[at])
        elif change == "swap":
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            lines = lines[:at]
        path = tmp_path / "x"
        path.write_text("\n".join(lines))
        try:
            read_pseudopotential(path)
        except InputError as error:
            hints.append(error.hint)
    assert all(hints)
    assert len(hints) > 75


@pytest.mark.parametrize(
    ("section", "name"), [("PP_LOCAL", "the local potential"), ("PP_BETA.1", "a projector")]
)
def test_a_value_that_no_potential_has_is_refused(tmp_path: Path, section: str, name: str) -> None:
    text = text_of("UPF 2")
    start = text.index("\n", text.index(f"<{section}"))
    number = re.compile(r"-?\d\.\d+[eE][+-]?\d+").search(text, start)
    assert number
    damaged = text[: number.start()] + "1.0E+200" + text[number.end() :]
    error = problem(tmp_path / "O.UPF", damaged)
    assert error.what == f"{name} has an impossible value"
    assert float(error.value) >= 5e199  # the file has rydbergs
    assert error.limit == "1e+06"
