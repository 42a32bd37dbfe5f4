# SPDX-License-Identifier: BSD-3-Clause
"""Pages of ground states and of dynamics."""

from html.parser import HTMLParser
from pathlib import Path

import made_dynamics
import made_results
import pytest
from ab_initio_systems import INPUT, with_lines

import finegrain as fg
from finegrain.kinds.page import page_of

pytestmark = pytest.mark.pictures


class Headings(HTMLParser):
    """Takes in the headings of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self._inside = tag in ("h2", "summary")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found.append(data)
        self._inside = False


def test_a_ground_state_has_its_search_density_and_structure(folder: Path) -> None:
    (folder / "water.toml").write_text(INPUT)
    run = made_results.write_run(folder / "run", folder / "water.toml")
    page = page_of(run)
    headings = Headings(page).found
    for words in ("Summary", "Search for the ground state", "Density", "Structure", "References"):
        assert words in headings
    assert 'src="data:image/png;base64,' in page
    assert "3 atoms: H, O" in page
    assert "[[0,1],[0,2]]" in page  # the bonds of a water
    assert "<svg" in fg.open_run(run)._repr_html_()


def test_a_dynamics_has_its_energies_and_frames(folder: Path) -> None:
    lines = ('kind = "car-parrinello"', 'timestep = "0.1 fs"', f"steps = {made_dynamics.STEPS}")
    given = with_lines(INPUT, "dynamics", *lines, 'temperature = "300 K"')
    (folder / "water.toml").write_text(given)
    run = made_dynamics.write_run(folder / "run", folder / "water.toml")
    headings = Headings(page_of(run)).found
    for words in ("Energies", "Distances, displacements, vibrations", "Settings", "Files"):
        assert words in headings
