# SPDX-License-Identifier: BSD-3-Clause
"""The finder: the right file by element and functional, and errors that say what is there."""

from dataclasses import replace
from pathlib import Path

import pytest
from installed import CP2K, ESPRESSO
from pseudo_files import cp2k_text, hgh_text, upf_1_text, upf_2_text
from test_pseudo_readers import full_formulas, full_tables

from finegrain.errors import InputError
from finegrain.pseudopotentials import find_pseudopotential, finder


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "INSTALLED", ())
    monkeypatch.setattr(finder.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delenv(finder.VARIABLE, raising=False)


@pytest.fixture
def collection(tmp_path: Path, nothing_installed: None) -> Path:
    """A folder with a collection: O for PBE with 6 electrons, S with 6 (usual) and 14."""
    one = full_formulas()
    sulphur = replace(one, element="S")
    deep = replace(sulphur, charge=14, label="GTH-PBE-q14")
    text = cp2k_text(one, sulphur, deep).replace("GTH-PBE-q14 GTH-PBE", "GTH-PBE-q14")
    (tmp_path / "GTH_POTENTIALS").write_text(text)
    return tmp_path


@pytest.mark.usefixtures("nothing_installed")
def test_a_folder_of_the_user_is_searched_with_all_folders_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "O.pbe.UPF").write_text(upf_2_text(full_tables()))
    (tmp_path / "README").write_text("O.UPF is elsewhere")
    found = find_pseudopotential("o", "pbe", [tmp_path])
    assert found.path == inner / "O.pbe.UPF"


@pytest.mark.usefixtures("nothing_installed")
def test_folders_go_by_order_files_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / name for name in ("first", "second", "third")]
    for folder in folders:
        folder.mkdir()
        for name in ("O_b.upf", "O_a.upf"):
            (folder / name).write_text(upf_1_text(full_tables()))
    monkeypatch.setenv(finder.VARIABLE, f"{folders[1]}:{folders[2]}")
    assert find_pseudopotential("O", "PBE", [folders[0]]).path == folders[0] / "O_a.upf"
    assert find_pseudopotential("O", "PBE").path == folders[1] / "O_a.upf"


def test_a_collection_gives_the_usual_charge_or_the_one_asked_for(collection: Path) -> None:
    assert find_pseudopotential("S", "PBE", [collection]).label == "GTH-PBE-q6"
    assert find_pseudopotential("S", "PBE", [collection], charge=14).label == "GTH-PBE-q14"


def test_an_error_names_what_was_asked_what_is_there_and_where(collection: Path) -> None:
    ultrasoft = upf_2_text(full_tables()).replace('pseudo_type="NC"', 'pseudo_type="US"')
    (collection / "O.UPF").write_text(ultrasoft)
    for element, functional, charge in (("O", "BLYP", None), ("S", "PBE", 16)):
        with pytest.raises(InputError) as caught:
            find_pseudopotential(element, functional, [collection], charge=charge)
        error = caught.value
        assert f"no pseudopotential of {element} for {functional}" in error.what
        assert str(collection) in error.where
        assert "GTH-PBE-q6 in GTH_POTENTIALS (PBE)" in error.hint
        if element == "O":
            assert "not usable: O.UPF: is an ultrasoft pseudopotential" in error.hint
        else:
            assert "16 valence electrons" in error.what


def test_a_file_made_with_another_functional_is_not_taken(collection: Path) -> None:
    (collection / "GTH_POTENTIALS").unlink()
    (collection / "O.UPF").write_text(upf_2_text(full_tables()))
    with pytest.raises(InputError) as caught:
        find_pseudopotential("O", "PZ", [collection])
    assert "O.UPF (PBE)" in caught.value.hint


def test_a_file_whose_name_tells_no_element_is_opened(collection: Path) -> None:
    (collection / "GTH_POTENTIALS").unlink()
    (collection / "standard.gth").write_text(hgh_text(full_formulas()))
    (collection / "08o.hgh").write_text("damaged")
    (collection / "16s.hgh").write_text("damaged, but not asked for")
    found = find_pseudopotential("O", "PBE", [collection])
    assert found.path.name == "standard.gth"


def test_a_damaged_file_of_the_element_is_an_error_and_not_passed_over(collection: Path) -> None:
    (collection / "_first.UPF").write_text("<PP_INFO>")
    assert find_pseudopotential("O", "PBE", [collection]).label == "GTH-PBE-q6"
    damaged = upf_2_text(replace(full_tables(), charge=5.0))
    (collection / "8_O.UPF").write_text(damaged)
    with pytest.raises(InputError, match="is not -Z/r") as caught:
        find_pseudopotential("O", "PBE", [collection])
    assert caught.value.where.startswith(str(collection / "8_O.UPF"))
    (collection / "8_O.UPF").unlink()
    text = (collection / "GTH_POTENTIALS").read_text()
    (collection / "GTH_POTENTIALS").write_text(text.replace("  0.45  4", "  0.45  x", 1))
    with pytest.raises(InputError, match="number of local coefficients"):
        find_pseudopotential("O", "PBE", [collection])


@pytest.mark.usefixtures("nothing_installed")
def test_without_any_folder_the_error_says_what_to_install() -> None:
    with pytest.raises(InputError) as caught:
        find_pseudopotential("O", "PBE")
    assert "cp2k-data" in caught.value.hint
    assert finder.VARIABLE in caught.value.hint


@pytest.mark.usefixtures("nothing_installed")
def test_wrong_names_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="is no element"):
        find_pseudopotential("Ox", "PBE", [tmp_path])
    with pytest.raises(InputError, match="no such folder"):
        find_pseudopotential("O", "PBE", [tmp_path / "none"])
    monkeypatch.setenv(finder.VARIABLE, str(tmp_path / "none"))
    with pytest.raises(InputError, match="no such folder") as caught:
        find_pseudopotential("O", "PBE")
    assert finder.VARIABLE in caught.value.hint


def test_installed_collections_have_the_elements_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(finder.VARIABLE, raising=False)
    for element, charge in {"H": 1, "C": 4, "N": 5, "O": 6, "P": 5, "S": 6, "Na": 9}.items():
        for functional in ("LDA", "PBE", "BLYP"):
            found = find_pseudopotential(element, functional)
            assert (found.element, found.charge) == (element, charge)
            assert found.functional.fits(functional)
            assert found.path == CP2K / "GTH_POTENTIALS"


def test_folders_of_quantum_espresso_hold_many_kinds_and_the_right_one_is_found() -> None:
    assert find_pseudopotential("O", "BLYP", [ESPRESSO]).path.name == "O.blyp-mt.UPF"
    assert find_pseudopotential("C", "PBE", [ESPRESSO]).path.name == "C.pbe-mt_gipaw.UPF"


def test_pyscf_is_searched_if_installed(collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = collection / "pyscf" / "pbc" / "gto" / "pseudo"
    folder.mkdir(parents=True)
    (collection / "pyscf" / "__init__.py").touch()
    text = (collection / "GTH_POTENTIALS").read_text()
    (folder / "gth-pbe.dat").write_text(text.replace("#", "#PSEUDOPOTENTIAL") + "END\n")

    class Spec:
        origin = str(collection / "pyscf" / "__init__.py")

    monkeypatch.setattr(finder.importlib.util, "find_spec", lambda name: Spec())
    assert find_pseudopotential("O", "PBE").path == folder / "gth-pbe.dat"
