# SPDX-License-Identifier: BSD-3-Clause
"""A process that damages files and gives them to commands; a line of JSON per case, in and out.

Run by `workers.py`, which ends it when a case takes too long and starts another when it dies.
"""

import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import mutations
import oracle
import results
import strict

_most_memory = 6 << 30


def command(words: list[str]) -> tuple[int, str]:
    """Do a command as the executable would; return its status and all that it wrote."""
    from finegrain.terminal.cli import app

    with tempfile.TemporaryFile() as file:
        kept = os.dup(1), os.dup(2)
        sys.stdout.flush()
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            app(words, prog_name="finegrain")
            status = 0
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)
            os.close(kept[0])
            os.close(kept[1])
        file.seek(0)
        return status, file.read().decode("utf-8", "replace")


def damage(kind: str, number: int, seeds: Path, folder: Path) -> mutations.Mutant:
    """Copy a seed and damage one of its files."""
    chance = random.Random(f"{kind} {number}")
    shutil.copytree(seeds / kind, folder)
    path = chance.choice(sorted(folder.iterdir()))
    mutant = mutations.mutate(chance, path.read_bytes())
    path.write_bytes(mutant.contents)
    return mutations.Mutant(mutant.contents, mutant.kind, f"{path.name}, {mutant.done}")


_bases: dict[str, dict[str, Any]] = {}


def job_of(folder: Path) -> dict[str, Any] | str | None:
    from finegrain.classical.preparation.job import make_job
    from finegrain.errors import FinegrainError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            make_job(folder / "in.toml", folder / "job.h5")
    except FinegrainError:
        return None
    except Exception as error:
        return f"making the job raises {error!r}"
    return oracle.job_arrays(folder / "job.h5")


def base(kind: str, seeds: Path) -> dict[str, Any]:
    """Return the arrays of the sound seed's job."""
    if kind not in _bases:
        with tempfile.TemporaryDirectory() as name:
            shutil.copytree(seeds / kind, Path(name) / "base")
            job = job_of(Path(name) / "base")
            assert isinstance(job, dict)
            _bases[kind] = job
    return _bases[kind]


def _accepted(kind: str, seeds: Path, folder: Path, mutant: mutations.Mutant) -> list[str]:
    """Judge the numbers of an input that `check` accepted."""
    job = job_of(folder)
    if not isinstance(job, dict):
        return [job or "check says fine, and no job is made"]
    other = oracle.changed(base(kind, seeds), job)
    if not other:
        return []
    # TOML has more forms of numbers, such as 1_000 and 0x1F; `number_faults` reads them, too.
    if mutant.kind == "malformed" and not mutant.done.startswith("in.toml"):
        return [f"a malformed number changed {', '.join(other)}"]
    try:
        return oracle.number_faults(kind, folder, job)
    except strict.MalformedError as error:
        return [f"accepted, and a strict reading refuses {error}; changed {', '.join(other)}"]


def check_case(kind: str, number: int, seeds: Path, folder: Path) -> dict[str, Any]:
    mutant = damage(kind, number, seeds, folder)
    status, text = command(["check", str(folder / "in.toml")])
    faults = oracle.text_faults(status, text)
    if status == 0:
        faults += _accepted(kind, seeds, folder, mutant)
    return {"status": status, "text": text, "done": mutant.done, "faults": faults}


def run_case(kind: str, number: int, seeds: Path, folder: Path) -> dict[str, Any]:
    mutant = damage(kind, number, seeds, folder)
    allowed, said = command(["check", str(folder / "in.toml")])
    words = ["run", str(folder / "in.toml"), "--out", str(folder / "out"), "--steps", "5"]
    status, text = command([*words, "--pes", "1", "--quiet"])
    faults = oracle.text_faults(status, text)
    # An input without dynamics is fine for `energy`.
    if allowed == 0 and status not in (0, 3) and "a run needs a time step" not in text:
        faults.append(f"check says fine, and run ends with {status}")
    if allowed != 0 and status != allowed:
        faults.append(f"check ends with {allowed}, and run with {status}: {said}")
    return {"status": status, "text": text, "done": mutant.done, "faults": faults}


def results_case(kind: str, number: int, seeds: Path, folder: Path) -> dict[str, Any]:
    """Damage one file of a stopped run and give it to a command."""
    chance = random.Random(f"results {kind} {number}")
    shutil.copytree(seeds, folder)
    before = results.write_outside(folder)
    done = results.damage(chance, folder)
    status, text = command(results.words_for(kind, chance, folder))
    faults = oracle.text_faults(status, text) + oracle.library_faults(text)
    after = results.state_of(results.outside(folder))
    named = kind == "run" and (folder / "job.h5").is_symlink()  # the file that the user names
    if after != before and not named:
        faults.append("a file outside the folder of the run was read or changed")
    return {"status": status, "text": text, "done": done, "faults": faults}


_work = {"check": check_case, "run": run_case, "results": results_case}


def main() -> None:
    """Answer cases until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    resource.setrlimit(resource.RLIMIT_DATA, (_most_memory, _most_memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        case = json.loads(line)
        with tempfile.TemporaryDirectory(prefix="finegrain-fuzz-") as name:
            start = time.monotonic()
            answer = _work[case["work"]](
                case["kind"], case["number"], Path(case["seeds"]), Path(name) / "case"
            )
        answer["seconds"] = time.monotonic() - start
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
