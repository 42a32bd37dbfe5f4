# SPDX-License-Identifier: BSD-3-Clause
"""Hold energies of each family of inputs against the program that owns the format.

The families are the modules of owner_families/. What is found is stored in
bench/results/owners, a file for each family, and tools/result_tables.py makes a table of it. The
exit status is 1 if a term is beyond its limit. A nightly test runs the same inputs and holds the
same limits.

Usage: owners.py [--only FAMILY ...] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from owner_families import families
from owner_families.family import Compared, Family, MissingOwnerError

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

RESULTS = Path(__file__).resolve().parents[2] / "bench/results/owners"


def entry_of(name: str, compared: Compared) -> dict[str, Any]:
    """Return what is stored of an input."""
    if compared.terms is None:
        return {"input": name, "refused": compared.refused}
    terms = {term: asdict(found) for term, found in compared.terms.items()}
    return {"input": name, "atoms": compared.atoms, "terms": terms}


def measured(family: Family) -> tuple[dict[str, Any], bool]:
    """Return what is stored of a family, and whether all its terms hold."""
    entries, holds = [], True
    report = {"family": family.name, "owner": family.owner, "version": family.version()}
    for name, compare in family.inputs.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                compared = compare(Path(folder))
            except MissingOwnerError as error:
                print(f"{family.name}: {name}: left out: {error}", flush=True)
                continue
        for term, found in (compared.terms or {}).items():
            holds = holds and found.holds
            words = f"{found.ours:.9g} {found.owner:.9g} {found.difference:.2g}"
            print(f"{family.name}: {name}: {term}: {words}", "" if found.holds else "BEYOND LIMIT")
        if compared.refused:
            print(f"{family.name}: {name}: refused: {compared.refused}")
        sys.stdout.flush()
        entries.append(entry_of(name, compared))
    return {**report, "unit": family.unit, "inputs": entries}, holds


def main() -> int:
    """Compare, and store each family as soon as it is complete."""
    parser = argparse.ArgumentParser(description="Energies against the owners of the formats.")
    parser.add_argument("--only", nargs="+", choices=list(families()), help="these families")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    all_hold = True
    for module, family in families().items():
        if options.only and module not in options.only:
            continue
        try:
            report, holds = measured(family)
        except MissingOwnerError as error:
            print(f"{family.name}: left out: {error}")
            continue
        all_hold = all_hold and holds
        stored.write(report, options.out / f"{module}.json")
    return int(not all_hold)


if __name__ == "__main__":
    sys.exit(main())
