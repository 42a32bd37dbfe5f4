# SPDX-License-Identifier: BSD-3-Clause
"""Run clang-tidy on the engine's and the bindings' sources, several at a time.

With --changed it checks only the sources that the latest work changed, or whose header it changed.
That is what differs from the branch that this one follows. Where nothing differs, as in a fresh
clone, it is what the last three commits changed.

A source is skipped if neither it, nor a header that it includes, nor the rules have changed since
it last passed. The compiler's list of headers says which they are. Any finding is an error.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CHECKED = ("engine/", "bindings/")
RECENT = 3  # commits


def git(*words: str) -> list[str] | None:
    """Return the lines that a git command prints; None if it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_files() -> set[str] | None:
    """Return the paths that the latest work changed; None where git cannot tell."""
    head = git("rev-parse", "HEAD")
    base = git("merge-base", "HEAD", "@{upstream}")
    if base is None or base == head:
        base = git("rev-parse", "--verify", "--quiet", f"HEAD~{RECENT}")
    if not base:
        return None
    changed = git("diff", "--name-only", base[0])
    new = git("ls-files", "--others", "--exclude-standard")
    return None if changed is None or new is None else {*changed, *new}


def is_changed(source: str, changed: set[str]) -> bool:
    """Tell whether a source, its header or its kernels (`name-inl.hpp`) are among the paths."""
    path = Path(source)
    names = {path.name, f"{path.stem}.hpp", f"{path.stem}-inl.hpp"}
    return any(str(path.with_name(name)) in changed for name in names)


def fingerprint(command: dict[str, Any], tidy: Path) -> str:
    """Hash the rules, the source and all headers of this project that it includes."""
    words = shlex.split(command["command"])
    if Path(words[0]).name == "ccache":
        words = words[1:]
    output = words.index("-o")
    listing = subprocess.run(
        [*words[:output], *words[output + 2 :], "-MM"],
        cwd=command["directory"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = listing.replace("\\\n", " ").split()[1:]
    inputs = {(Path(command["directory"]) / name).resolve() for name in names}
    digest = hashlib.sha256(command["command"].encode())
    digest.update(str(tidy.stat().st_mtime_ns).encode())
    for path in [ROOT / ".clang-tidy", *sorted(p for p in inputs if p.is_relative_to(ROOT))]:
        if ".venv" not in path.parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def check(command: dict[str, Any], build: Path, tidy: Path, passed: Path) -> str:
    """Return the findings of clang-tidy in one source; an empty text if there are none."""
    stamp = passed / fingerprint(command, tidy)
    if stamp.exists():
        return ""
    # The build's compiler is GCC; clang does not know its warning flags.
    extra = [
        "--extra-arg=-Wno-unknown-warning-option",
        "--extra-arg=-Wno-ignored-optimization-argument",
    ]
    done = subprocess.run(
        [str(tidy), "--quiet", "-p", str(build), *extra, command["file"]],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        stamp.touch()
        return ""
    return done.stdout + "\n".join(line for line in done.stderr.splitlines() if "error" in line)


def main() -> int:
    """Check all sources that the build folder compiles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--build", type=Path, required=True, help="a configured build folder")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--changed", action="store_true", help="only what the latest work changed")
    parser.add_argument("only", nargs="*", help="parts of paths; all sources without any")
    options = parser.parse_args()

    tidy = ROOT / ".venv/bin/clang-tidy"
    passed = options.build / "tidy"
    passed.mkdir(exist_ok=True)
    compiled = {  # a source that is compiled for two MPIs is checked once
        command["file"]: command
        for command in json.loads((options.build / "compile_commands.json").read_text())
    }
    commands = [
        command
        for file, command in compiled.items()
        if str(Path(file).relative_to(ROOT)).startswith(CHECKED)
        and (not options.only or any(part in file for part in options.only))
    ]
    changed = changed_files() if options.changed else None
    if changed is not None:
        commands = [
            c for c in commands if is_changed(str(Path(c["file"]).relative_to(ROOT)), changed)
        ]
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda c: check(c, options.build, tidy, passed), commands):
            if found:
                failed += 1
                print(found, file=sys.stderr)
    print(f"tidy: {len(commands) - failed} of {len(commands)} sources are clean")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
