# SPDX-License-Identifier: BSD-3-Clause
"""Readers of pseudopotentials: what is written is read, in every format and with any line ends."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from installed import ABINIT, CP2K, DOJO_LDA, ESPRESSO, gth, psp8, upf
from made_up import analytic, linear_mesh, tabulated
from pseudo_files import cp2k_text, hgh_text, psp8_text, upf_1_text, upf_2_text

from finegrain.errors import InputError
from finegrain.pseudopotentials import (
    Channel,
    GaussianLocal,
    Pseudopotential,
    TabulatedLocal,
    gth as gth_module,
    read_pseudopotential,
    summary,
)
from finegrain.pseudopotentials.functionals import of_code, of_gth, of_upf
from finegrain.pseudopotentials.hgh import read_hgh
from finegrain.pseudopotentials.text import read_text


def two_by_two(l: int) -> np.ndarray:  # noqa: E741
    return np.array([[1.5 + l, -0.3, 0.2], [-0.3, 0.7, 0.1], [0.2, 0.1, -0.4 - l]])


def full_tables() -> Pseudopotential:
    """Tables with a matrix D that is not diagonal."""
    pseudo = tabulated()
    channels = tuple(
        Channel(c.l, c.projectors, two_by_two(c.l)) for c in pseudo.channels if c.l != 1
    )
    return replace(pseudo, channels=channels)


def diagonal_tables() -> Pseudopotential:
    """Tables as psp8 can hold them."""
    pseudo = tabulated(linear_mesh())
    channels = tuple(
        Channel(c.l, c.projectors, np.diag([1.0 + c.l, -2.0, 0.5])) for c in pseudo.channels[:3:2]
    )
    return replace(pseudo, channels=channels, orbitals=())


def full_formulas() -> Pseudopotential:
    """Formulas with matrices, without p projectors."""
    pseudo = analytic()
    channels = tuple(
        Channel(c.l, c.projectors[: 3 - c.l or 1], two_by_two(c.l)[: 3 - c.l or 1, : 3 - c.l or 1])
        for c in pseudo.channels
        if c.l != 1
    )
    return replace(pseudo, channels=channels, label="GTH-PBE-q6")


MAKERS: dict[str, tuple[Callable[[], Pseudopotential], Callable[[Pseudopotential], str], str]] = {
    "UPF 1": (full_tables, upf_1_text, "x.upf"),
    "UPF 2": (full_tables, upf_2_text, "x.UPF"),
    "psp8": (diagonal_tables, psp8_text, "x.psp8"),
    "GTH": (full_formulas, cp2k_text, "GTH_POTENTIALS"),
    "HGH": (full_formulas, hgh_text, "x.gth"),
}


def same(read: Pseudopotential, made: Pseudopotential) -> None:
    """Compare all that the formats hold; units are converted there and back."""
    assert (read.element, read.charge) == (made.element, made.charge)
    assert read.functional.name == made.functional.name
    assert type(read.local) is type(made.local)
    if isinstance(made.local, GaussianLocal):
        assert read.local == made.local
    else:
        assert isinstance(read.local, TabulatedLocal)
        np.testing.assert_allclose(read.local.v, made.local.v, rtol=1e-15)
        np.testing.assert_allclose(read.mesh.r, made.mesh.r, rtol=1e-15)
        np.testing.assert_allclose(read.mesh.step, made.mesh.step, rtol=1e-12)
        np.testing.assert_allclose(read.core_density, made.core_density, rtol=1e-14)
        np.testing.assert_allclose(read.atomic_density, made.atomic_density, rtol=1e-13)
    assert [c.l for c in read.channels] == [c.l for c in made.channels]
    for one, other in zip(read.channels, made.channels, strict=True):
        # psp8 is written with 13 digits after the point.
        np.testing.assert_allclose(one.coupling, other.coupling, rtol=1e-12)
        for p, q in zip(one.projectors, other.projectors, strict=True):
            if isinstance(made.local, GaussianLocal):
                assert p == q
            else:
                assert p.points == q.points
                np.testing.assert_allclose(p.r_beta, q.r_beta, rtol=1e-15)


@pytest.mark.parametrize("form", MAKERS)
def test_what_is_written_is_read(form: str, tmp_path: Path) -> None:
    make, write, name = MAKERS[form]
    path = tmp_path / name
    path.write_text(write(make()))
    read = read_pseudopotential(path, "O", "PBE", charge=6)
    same(read, make())
    assert read.form == form
    assert read.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    if read.form.startswith("UPF 1"):
        assert [(o.label, o.l, o.occupation) for o in read.orbitals] == [("2S", 0, 2), ("2P", 1, 4)]
        np.testing.assert_allclose(read.orbitals[1].r_chi, make().orbitals[1].r_chi, rtol=1e-15)


@pytest.mark.parametrize("form", MAKERS)
@pytest.mark.parametrize("kind", ["CRLF", "CR", "BOM", "tabs", "D exponents"])
def test_any_line_ends_tabs_marks_exponents_are_read(form: str, kind: str, tmp_path: Path) -> None:
    make, write, name = MAKERS[form]
    text = write(make())
    data = text.encode()
    if kind == "CRLF":
        data = text.replace("\n", "\r\n").encode()
    elif kind == "CR":
        data = text.replace("\n", "\r").encode()
    elif kind == "BOM":
        data = b"\xef\xbb\xbf" + data
    elif kind == "tabs":
        data = text.replace(" ", "\t").encode()
    else:
        data = re.sub(r"(?<=[0-9])e(?=[-+0-9])", "D", text, flags=re.IGNORECASE).encode()
    if kind != "D exponents" or form not in ("GTH", "HGH"):  # which are written without any
        assert data != text.encode()
    path = tmp_path / name
    path.write_bytes(data)
    same(read_pseudopotential(path, "O", "PBE"), make())


def test_numbers_of_fortran_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("1.5-101 -2.5D-03 .25d2 3 -1.E+00 1.0E-310")
    text = read_text(path)
    expected = [1.5e-101, -2.5e-3, 25, 3, -1, 1e-310]
    assert text.numbers(text.lines[0].split(), 1, "a row").tolist() == expected
    for word in ("1e400", "nan", "1_0", "1,5", "--1", "1.5-1", "0x10", "inf", "1.5e"):
        with pytest.raises(InputError, match="number"):
            text.numbers(["1.0", word], 1, "a row")


def test_arrays_cannot_be_changed() -> None:
    pseudo = upf("Si.pz-vbc.UPF")
    with pytest.raises(ValueError, match="read-only"):
        pseudo.local.v[0] = 0
    with pytest.raises(AttributeError):
        pseudo.charge = 3  # type: ignore[misc]


def test_energies_of_upf_are_halved_and_projectors_are_not() -> None:
    lines = (ESPRESSO / "Si.pz-vbc.UPF").read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if "<PP_LOCAL" in line)
    local = float(lines[at + 1].split()[0])
    at = next(i for i, line in enumerate(lines) if "<PP_DIJ" in line)
    coupling = float(lines[at + 1].split()[0])
    at = next(i for i, line in enumerate(lines) if "<PP_BETA.1" in line)
    at = next(i for i in range(at, len(lines)) if lines[i].rstrip().endswith(">"))
    beta = float(lines[at + 1].split()[0])
    pseudo = upf("Si.pz-vbc.UPF")
    assert pseudo.local.v[0] == local / 2
    assert pseudo.channels[0].coupling[0, 0] == coupling / 2
    assert pseudo.channels[0].projectors[0].r_beta[0] == beta


def test_installed_files_have_the_published_content() -> None:
    oxygen = gth("O", "BLYP")
    # Row of GTH-BLYP-q6 in CP2K's file.
    assert oxygen.local == GaussianLocal(0.24342026, (-16.99189235, 2.56614206))
    assert [(c.l, c.coupling.tolist()) for c in oxygen.channels] == [(0, [[18.38885102]])]
    silicon = gth("Si", "BLYP")
    expected = [[8.31460936, -2.33277947], [-2.33277947, 3.01160535]]
    assert silicon.channels[0].coupling.tolist() == expected
    assert silicon.channels[1].projectors[0].radius == 0.50279207
    dojo = psp8("Si.psp8")
    assert (dojo.charge, dojo.functional.name, dojo.core_corrected) == (4, "PW92", True)
    assert [(c.l, len(c.projectors)) for c in dojo.channels] == [(0, 2), (1, 2), (2, 2)]
    assert dojo.projectors == 18
    hydrogen = upf("H.blyp-vbc.UPF")
    assert (hydrogen.functional.name, hydrogen.channels, hydrogen.projectors) == ("BLYP", (), 0)


def test_files_of_hgh_agree_with_the_collection_of_cp2k() -> None:
    # ABINIT's files give the diagonal of h only, so this tests the ratios; CP2K's file has all of
    # it. Both are printed with six digits after the point.
    text = read_text(CP2K / "GTH_POTENTIALS")
    others = {}
    for entry in gth_module.entries(text):
        if entry.functional.name == "PADE":
            other = gth_module.parse(text, entry)
            others.setdefault((other.element, other.charge), other)
    # These four were made again for CP2K.
    changed = {"31ga.13.hgh", "39y.11.hgh", "40zr.12.hgh", "58ce.12.hgh"}
    seen = set()
    for path in sorted((ABINIT / "PseudosHGH_pwteter").glob("*.hgh")):
        one = read_hgh(path)
        other = others.get((one.element, one.charge))
        if other is None or path.name in changed:
            continue
        for c, d in zip(one.channels, other.channels, strict=True):
            np.testing.assert_allclose(c.coupling, d.coupling, atol=2e-6)
            seen.add((c.l, len(c.projectors)))
    assert seen == {(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)}


def test_abinits_file_of_gth_blyp_is_the_entry_of_cp2k() -> None:
    one, other = read_pseudopotential(ABINIT / "08o.6.blyp.hgh", "O", "BLYP"), gth("O", "BLYP")
    assert one.local == other.local
    assert one.channels[0].coupling.tolist() == other.channels[0].coupling.tolist()
    assert one.notes == ("the spin-orbit part is left out",)


def test_a_file_of_1996_is_read() -> None:
    oxygen = read_pseudopotential(ABINIT / "08o.pspgth")
    assert (oxygen.form, oxygen.functional.name, oxygen.charge) == ("GTH", "PADE", 6)
    assert oxygen.local == GaussianLocal(0.2477535, (-16.4822284, 2.3701353))
    assert [(c.l, c.coupling.tolist()) for c in oxygen.channels] == [(0, [[18.1996387]])]


def test_a_file_without_projectors_is_read() -> None:
    hydrogen = read_pseudopotential(ABINIT / "H-q1", "H", "LDA")
    assert (hydrogen.charge, hydrogen.channels) == (1, ())


def test_the_summary_tells_electrons_and_norms() -> None:
    found = summary(psp8("Si.psp8"))
    # ONCVPSP's projectors have the norm 1; the atom's density beyond 6 bohr is cut off.
    for channel in found["channels"]:
        np.testing.assert_allclose(channel["projector_norms"], 1, atol=1e-5)
    assert found["electrons_of_the_atom"] == pytest.approx(4, abs=0.06)
    assert found["core_electrons"] == pytest.approx(0.74, abs=0.01)
    found = summary(upf("Si.pz-vbc.UPF"))
    assert found["electrons_of_the_atom"] == pytest.approx(4, abs=1e-3)
    assert summary(gth("O", "BLYP"))["channels"][0]["projector_norms"] == [1.0]


@pytest.mark.parametrize(
    ("written", "name", "family"),
    [
        ("SLA  PZ   NOGX NOGC", "PZ", "LDA"),
        (" SLA  PW   PBE  PBE", "PBE", "GGA"),
        ("sla+lyp+b88+blyp", "BLYP", "GGA"),
        ("PBE", "PBE", "GGA"),
        ("revPBE", "revPBE", "GGA"),
        ("PZ", "PZ", "LDA"),
        ("SLA PW TPSS TPSS", "SLA PW TPSS TPSS", "other"),
    ],
)
def test_functionals_of_upf_have_one_name(written: str, name: str, family: str) -> None:
    functional = of_upf(written)
    assert (functional.name, functional.family) == (name, family)


def test_functionals_of_other_formats_have_the_same_names() -> None:
    codes = {1: "PADE", -1012: "PW92", 11: "PBE", -101130: "PBE", -106131: "BLYP", 999: "ixc 999"}
    assert {code: of_code(code).name for code in codes} == codes
    labels = {"GTH-PADE-q4": "PADE", "GTH-LDA-q4": "PADE", "GTH-BLYP-q6": "BLYP"}
    assert {label: of_gth(label).name for label in labels} == labels
    assert of_gth("GTH-PBE0-q6").family == "other"


def test_lda_stands_for_any_fit_and_a_fit_for_itself() -> None:
    path = DOJO_LDA / "Si.psp8"
    assert read_pseudopotential(path, functional="LDA").functional.name == "PW92"
    assert read_pseudopotential(path, functional="pw92").functional.name == "PW92"
    for wanted in ("PZ", "PBE"):
        with pytest.raises(InputError, match=rf"made with PW92, not with {wanted}") as caught:
            read_pseudopotential(path, functional=wanted)
        assert caught.value.where == str(path)
        assert "other_functional" in caught.value.hint
    other = read_pseudopotential(path, functional="PBE", other_functional=True)
    assert other.functional.name == "PW92"


def test_another_element_or_charge_is_refused() -> None:
    with pytest.raises(InputError, match="of Si, not of O"):
        read_pseudopotential(DOJO_LDA / "Si.psp8", "O")
    with pytest.raises(InputError, match="4 valence electrons, not 12"):
        read_pseudopotential(DOJO_LDA / "Si.psp8", charge=12)
