# SPDX-License-Identifier: BSD-3-Clause
"""Run clang-tidy on the engine's and the bindings' sources, several at a time.

A source is skipped while neither it, nor a header it includes, nor the rules have changed since it
last passed: the compiler's own list of headers says which those are. Any finding is an error.
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


def fingerprint(command: dict[str, Any], tidy: Path) -> str:
    """Hash the rules, the source and all of our headers that it includes."""
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
    """Return what clang-tidy finds in one source; an empty text if nothing."""
    stamp = passed / fingerprint(command, tidy)
    if stamp.exists():
        return ""
    # The build's compiler is GCC; its own warning flags mean nothing to clang.
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
    """Check what the build folder compiles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--build", type=Path, required=True, help="a configured build folder")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("only", nargs="*", help="parts of paths; all sources without any")
    options = parser.parse_args()

    tidy = ROOT / ".venv/bin/clang-tidy"
    passed = options.build / "tidy"
    passed.mkdir(exist_ok=True)
    compiled = {  # once where a source is compiled for two MPIs
        command["file"]: command
        for command in json.loads((options.build / "compile_commands.json").read_text())
    }
    commands = [
        command
        for file, command in compiled.items()
        if str(Path(file).relative_to(ROOT)).startswith(CHECKED)
        and (not options.only or any(part in file for part in options.only))
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
