# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [system]: the user's own files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from finegrain.toml_input.fields import Box, Section, key

Copies = Annotated[int, Field(ge=1, le=2**20)]


class SystemSection(Section):
    """The system: the user's own files."""

    kind: Literal["classical"] = key("kind of run", examples=["classical"])
    title: str = key("a title, stored in every result", "")
    topology: str = key(
        "`.prmtop`, `.psf`, `.top`, `.pdb`, a `System` as `.xml`, `openmmtools:…`",
        examples=["JAC.prmtop"],
    )
    coordinates: str | None = key(
        "`.inpcrd`, `.rst7`, `.crd`, `.gro`, `.pdb`; `checkpoint.h5` or `trajectory.h5` of an "
        "earlier run",
        None,
        examples=["JAC.inpcrd"],
    )
    frame: int | None = key(
        "which frame of a `trajectory.h5`, from 0; -1 is the last",
        None,
        ge=-(10**9),
        le=10**9,
        examples=[-1],
        by_default="`-1`",
    )
    parameters: list[str] = key(
        "CHARMM parameter files, with a `.psf`", [], examples=[["par_all36.prm"]]
    )
    forcefield: list[str] = key(
        "force fields of OpenMM, with a `.pdb`",
        [],
        examples=[["amber14-all.xml", "amber14/tip3p.xml"]],
    )
    include: list[str] = key(
        "folders to search before GROMACS's own, with a `.top`",
        [],
        examples=[["/usr/share/gromacs/top"]],
    )
    define: list[str] = key(
        "words for `#ifdef` and macros, as with `-D` of `gmx grompp`, with a `.top`",
        [],
        examples=[["POSRES", "POSRES_FC_BB=400"]],
    )
    box: Box | None = key(
        "three edges; three lengths and three angles; or three vectors. By default that of the "
        "files",
        None,
        examples=[["30 Å"] * 3],
    )
    repeat: list[Copies] | None = key(
        "how often the cell is there along each of its vectors; all else of the input names one "
        "copy ([how](../how-to/inputs.md#a-large-system-of-a-small-one))",
        None,
        min_length=3,
        max_length=3,
        examples=[[2, 2, 2]],
        hint="such as [2, 2, 2]",
    )
