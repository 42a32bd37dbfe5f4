# SPDX-License-Identifier: BSD-3-Clause
"""What keys bring about: keys without an effect, usual values, attributes of the job."""

from typing import Any

import pytest

from finegrain import units
from finegrain.ab_initio.input import model as ab_initio
from finegrain.classical.input import model as classical
from finegrain.classical.input.sections.dynamics import DynamicsSection
from finegrain.engine.engine import load_engine
from finegrain.toml_input.fields import notes_of
from finegrain.toml_input.key_effects import attributes, useless_keys, value_of


@pytest.mark.parametrize(("kind", "model"), [("classical", classical), ("ab-initio", ab_initio)])
def test_what_goes_into_the_job_as_it_is_has_a_place_there(kind, model):
    keys = load_engine().job_keys()[kind]
    known = {f"{group}/{key['name']}" for group, of_group in keys.items() for key in of_group}
    places = [
        place
        for section in model.sections.values()
        for name in section.model_fields
        if (place := notes_of(section, name).get("to"))
    ]
    assert len(places) > 5
    # The engine reads the boundary with the cell; it is in no table of keys.
    assert set(places) <= known | {"/cell/boundary"}
    assert len(set(places)) == len(places)


def dynamics(**given: Any) -> DynamicsSection:
    return DynamicsSection.model_validate({"timestep": "2 fs", "steps": 10, **given})


def test_a_key_has_its_usual_value_where_it_has_an_effect():
    piston = dynamics(ensemble="npt", temperature="300 K", barostat="langevin-piston")
    assert value_of(piston, "barostat_time").value * units.time_in_ps == pytest.approx(0.5)
    assert value_of(piston, "thermostat") == "langevin"
    assert value_of(dynamics(ensemble="nvt"), "barostat_time") is None
    assert "friction" not in attributes(dynamics(), "/dynamics")
    warm = attributes(dynamics(ensemble="nvt"), "/dynamics")
    assert warm["friction"] / units.time_in_ps == pytest.approx(1.0)


def test_a_key_without_an_effect_is_named_with_the_one_that_it_lacks():
    found = dict(useless_keys(dynamics(ensemble="nvt", thermostat_time="1 ps", pressure="1 bar")))
    assert str(found["thermostat_time"]) == 'thermostat = "langevin"'
    assert found["pressure"].wanted == ("npt",)
    assert found.keys() == {"thermostat_time", "pressure"}
