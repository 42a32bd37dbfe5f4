# SPDX-License-Identifier: BSD-3-Clause
"""Make the pages of input keys from the models that read inputs, so that they always agree.

Usage: input_reference.py [--check]     --check only checks whether the pages are up to date
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from finegrain.ab_initio.input import model as ab_initio
from finegrain.classical.input import model as classical
from finegrain.classical.system.selections import words
from made_page import write_or_check

PAGES = Path(__file__).resolve().parent.parent / "docs/reference"

CLASSICAL = """# Input keys

This page lists all keys of the input of a classical run. An input is a text file in the TOML
format. Every quantity is text with one number and a unit (`"9 Å"`, `"2 fs"`, `"300 K"`, `"1 1/ps"`,
`"10 kJ/mol/nm"`); write decimals with a point. Errors are unknown keys, keys that have no effect
with the other keys, and values of another kind. Paths in `[system]` are relative to the input's
folder, `output.directory` to the current one.

If the default is "of the System", it is the setting of a serialised OpenMM `System` or of a test
system. For other inputs the meaning has the default in brackets.

Initial velocities are drawn at `temperature` if the input has one, **even if the files hold
velocities**. `velocities = "from-file"` uses those of a `.gro`, `.rst7`, State `.xml`,
`checkpoint.h5`, or `trajectory.h5` of a run with `output.velocities`. `finegrain check` says where
velocities come from, and notes when those of a file are not used.

An input may have [stages](../how-to/stages.md): tables `[[stages]]`, each with a `name` and with
sections of its own, such as `[stages.dynamics]`.

This page is made by `tools/input_reference.py`."""

AB_INITIO = """# Input keys of ab initio runs

This page lists all keys of an input with `kind = "ab-initio"`; another one shows
[how to run it](../how-to/ab-initio.md). The input is a text file in the TOML format, as
[that of classical runs](input.md). Every quantity is text with one number and a unit (`"70 Ry"`,
`"10 Å"`, `"1e-6 hartree"`). Errors are unknown keys, keys that have no effect with the other keys,
and values of another kind. Paths are relative to the input's folder, `output.directory` to the
current one.

This page is made by `tools/input_reference.py`."""

LISTS = {"restraints"}


def kind_of(schema: Mapping[str, Any]) -> str:
    """Describe the values that a key takes."""
    choices = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
    part = choices[0]
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    if "const" in part:
        return f"`{part['const']}`"
    if part["type"] == "array":
        least, most = part.get("minItems"), part.get("maxItems")
        return f"list of {least}" if least and least == most else "list"
    examples = schema.get("examples") or part.get("examples")
    if part["type"] == "string" and examples:
        # A table or a list is written as it is; only text has quotes.
        is_text = not str(examples[0]).startswith(("{", "["))
        return f'such as `"{examples[0]}"`' if is_text else f"such as `{examples[0]}`"
    return {"integer": "whole number", "number": "number", "boolean": "true, false"}.get(
        part["type"], "text"
    )


def default_of(section: str, schema: Mapping[str, Any], *, required: bool) -> str:
    """Describe the default of a key."""
    if required:
        return "required"
    if "by_default" in schema:
        return str(schema["by_default"])
    if "usual" in schema:
        ((other, words),) = schema["only_with"].items()
        where = " and ".join(f"`{word}`" for word in words)
        return f"`{schema['usual']}`, {'in' if other == 'ensemble' else 'with'} {where}"
    value = schema.get("default")
    if isinstance(value, Mapping):
        value = value.get("text")
    if value is None and section == "forces":
        return "of the System"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return "" if value in (None, "", []) else f"`{value}`"


def selections() -> str:
    """Describe the atoms that a user can name."""
    rows = [f'| `"{word}"` | {meaning} |' for word, (meaning, _) in words.items()]
    rows += [
        '| `"1-340"`, `17` | atoms by number, from 1; ranges include both ends |',
        '| `"name CA"`, `"residue LIG"` | atoms of this name, or in residues of this name |',
        '| `"topology"` | those that a GROMACS topology or an OpenMM System restrains, with the '
        "force constants there; without such a table they are restrained as they say |",
    ]
    head = (
        '\nA line `restraints = "none"` above the first section takes out all restraints, those of '
        "the topology, too.\n\n| atoms | meaning |\n|---|---|\n"
    )
    return head + "\n".join(rows)


def page(module: Any, model: Any, head: str) -> str:
    """Return the whole page of a kind of run."""
    definitions = model.model_json_schema()["$defs"]
    text = [head]
    for section, of_section in module.sections.items():
        schema = definitions[of_section.__name__]
        title = f"[[{section}]]" if section in LISTS else f"[{section}]"
        text.append(f"\n## {title}\n\n{schema.get('description', '')}\n")
        text.append("| key | meaning | value | default |\n|---|---|---|---|")
        for key, part in schema["properties"].items():
            default = default_of(section, part, required=key in schema.get("required", []))
            text.append(f"| `{key}` | {part['description']} | {kind_of(part)} | {default} |")
        if section == "restraints":
            text.append(selections())
    return "\n".join(text) + "\n"


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {
        "input.md": page(classical, classical.InputModel, CLASSICAL),
        "ab-initio-input.md": page(ab_initio, ab_initio.AbInitioModel, AB_INITIO),
    }


if __name__ == "__main__":
    complaint = "input_reference: run tools/input_reference.py, keys changed"
    results = [write_or_check(PAGES / name, text, complaint) for name, text in pages().items()]
    sys.exit(max(results))
