# SPDX-License-Identifier: BSD-3-Clause
"""Each input of each family has the energies of the program that owns its format, by term."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[3] / "bench/accuracy"))

from owner_families import families
from owner_families.family import Limit, MissingOwnerError, Term, terms_of

ALL = families()
INPUTS = [(module, name) for module, family in ALL.items() for name in family.inputs]


@pytest.mark.nightly
@pytest.mark.parametrize(("module", "name"), INPUTS)
def test_energies_are_those_of_the_owner_by_term(module, name, tmp_path):
    family = ALL[module]
    try:
        family.version()
        compared = family.inputs[name](tmp_path)
    except MissingOwnerError as error:
        pytest.skip(str(error))
    assert compared.terms or compared.refused
    beyond = {term: found for term, found in (compared.terms or {}).items() if not found.holds}
    assert beyond == {}


def test_a_term_that_one_program_lacks_is_0_there():
    found = terms_of(
        {"bond": 1.0, "angle": 0.0}, {"cmap": 2.0}, dict.fromkeys(["bond", "cmap"], Limit(0.5))
    )
    assert found == {"cmap": Term(0.0, 2.0, 0.5), "bond": Term(1.0, 0.0, 0.5)}
    assert not any(term.holds for term in found.values())


def test_a_limit_is_the_larger_of_its_two():
    limit = Limit(absolute=0.1, relative=1e-3)
    assert limit.of(-1000.0) == 1.0
    assert limit.of(1.0) == 0.1


def test_a_value_that_is_no_number_holds_no_limit():
    assert not Term(float("nan"), 1.0, 1e9).holds
