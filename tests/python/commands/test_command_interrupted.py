# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C while the command is still importing, and before it has read its words."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

LINE = "finegrain: interrupted; the last checkpoint, if any, is whole"
# Sends the signal when a module of this name is looked for, at the start of any process.
HOOK = """\
import os, signal, sys

class Interrupts:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)
        return None

sys.meta_path.insert(0, Interrupts)
"""


def interrupted(folder: Path, module: str, *words: str, ignored: bool = False):
    (folder / "sitecustomize.py").write_text(HOOK.format(module=module))
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignored else None,
    )


@pytest.mark.parametrize(
    "module", ["finegrain.base.least_memory", "numpy", "h5py", "finegrain.terminal.cli", "typer"]
)
def test_an_interrupt_while_importing_ends_with_one_line(tmp_path: Path, module: str) -> None:
    done = interrupted(tmp_path, module, sys.executable, "-m", "finegrain", "--version")
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", LINE)


def test_so_does_the_installed_script(tmp_path: Path) -> None:
    script = tmp_path / "finegrain"  # as pip writes it
    script.write_text("import sys\nfrom finegrain.terminal.cli import main\nsys.exit(main())\n")
    done = interrupted(tmp_path, "numpy", sys.executable, str(script), "--version")
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", LINE)


def test_an_interrupt_that_is_ignored_stays_so(tmp_path: Path) -> None:
    words = (sys.executable, "-m", "finegrain", "--version")
    done = interrupted(tmp_path, "numpy", *words, ignored=True)
    assert done.returncode == 0
    assert done.stdout.startswith("finegrain ")


def test_a_script_that_imports_the_package_has_the_interrupt_of_python(tmp_path: Path) -> None:
    lines = "import signal, finegrain; print(signal.getsignal(2) is signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    assert done.stdout.strip() == "True"
    done = interrupted(tmp_path, "numpy", sys.executable, "-c", "import finegrain")
    assert "KeyboardInterrupt" in done.stderr


def test_an_interrupt_of_a_command_at_work_ends_with_the_same_line(tmp_path: Path) -> None:
    # The reader of inputs is imported by the command itself.
    (tmp_path / "input.toml").write_text('[system]\nkind = "ab-initio"\n')
    words = (sys.executable, "-m", "finegrain", "check", str(tmp_path / "input.toml"))
    done = interrupted(tmp_path, "finegrain.ab_initio.kind", *words)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", LINE)
