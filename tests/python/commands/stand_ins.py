# SPDX-License-Identifier: BSD-3-Clause
"""A small job, results, and a stand-in for the engine, so that tests of commands are fast."""

import hashlib
import io
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from finegrain.files.seal import seal

WATERS = 4
ATOMS = 3 * WATERS
BOX_BOHR = np.array([20.0, 21.0, 22.0])


class EngineError(RuntimeError):
    """The error as raised by bindings/engine.cpp."""

    def __init__(self, kind: str, what: str, **parts: str) -> None:
        super().__init__(what)
        self.kind, self.what = kind, what
        for name in ("where", "value", "limit", "hint"):
            setattr(self, name, parts.get(name, ""))


def write_job(path: Path, steps: int = 100) -> Path:
    """Write four waters in a box, in the form of docs/reference/job-file.md."""
    random = np.random.default_rng(7)
    with h5py.File(path, "w") as file:
        file.attrs.update(format="finegrain-job", version=1, kind="classical", title="Four waters")
        file["box"] = BOX_BOHR
        atoms = file.create_group("atoms")
        atoms["position"] = random.uniform(0, 20, (ATOMS, 3))
        atoms["velocity"] = random.normal(0, 1e-4, (ATOMS, 3))
        atoms["mass"] = np.tile([29156.9, 1837.4, 1837.4], WATERS)
        atoms["charge"] = np.tile([-0.834, 0.417, 0.417], WATERS)
        atoms["residue"] = np.repeat(np.arange(WATERS, dtype=np.int32), 3)
        text = h5py.string_dtype()
        atoms.create_dataset("name", data=["O", "H1", "H2"] * WATERS, dtype=text)
        atoms.create_dataset("element", data=["O", "H", "H"] * WATERS, dtype=text)
        residues = file.create_group("residues")
        residues.create_dataset("name", data=["HOH"] * WATERS, dtype=text)
        residues["number"] = np.arange(1, WATERS + 1, dtype=np.int32)
        residues.create_dataset("chain", data=["A"] * WATERS, dtype=text)
        first = 3 * np.arange(WATERS, dtype=np.int32)[:, None]
        file["waters/atoms"] = first + np.arange(3, dtype=np.int32)
        pairs = np.array([[0, 1], [0, 2], [1, 2]], np.int32)
        file["constraints/atoms"] = (first[:, :, None] + pairs).reshape(-1, 2)
        file["connectivity"] = file["constraints/atoms"][...]
        settings = file.create_group("settings")
        settings.attrs.update(electrostatics="pme", precision="mixed", cutoff=8.0, periodic=1)
        dynamics = file.create_group("dynamics")
        dynamics.attrs.update(integrator="langevin", timestep=82.6827, steps=steps, minimise="no")
    seal(path)
    return path


class StubEngine(types.ModuleType):
    """The interface of finegrain._engine; `before_step` may raise errors, and at `wait_for_stop_at`
    it reports until it is asked to stop."""

    def __init__(self) -> None:
        super().__init__("finegrain._engine")
        self.calls: list[dict[str, Any]] = []
        self.before_step: Callable[[int], None] = lambda step: None
        self.wait_for_stop_at = -1

    def run(self, job: str, out: str, **options: Any) -> dict[str, Any]:
        """Write the results of a run, ten steps at a time."""
        self.calls.append({"job": job, "out": out, **options})
        folder = Path(out)
        with h5py.File(job) as file:
            steps = int(file["dynamics"].attrs["steps"])
        start = 0
        if options["resume"]:
            with h5py.File(options["resume"]) as file:
                start = int(file.attrs["step"])
        (folder / "run.log").write_text("a run\n")
        stop_after = options["stop_after"]
        step = start
        while step < steps:
            self.before_step(step)
            step += 10
            with h5py.File(folder / "checkpoint.h5", "w") as file:
                file.attrs["step"] = step
            progress = {"step": step, "steps": steps, "seconds": step * 1e-3, "temperature": 300.0}
            progress["energy_drift"] = 1e-6
            go_on = options["on_progress"](progress)
            while go_on and step == self.wait_for_stop_at:
                go_on = options["on_progress"](progress)
            if not go_on or 0 <= stop_after <= step:
                break
        write_trajectory(folder / "trajectory.h5", frames=step // 10 + 1)
        write_energies(folder / "energies.csv", rows=step // 10 + 1)
        phases = [
            {"name": "pair forces", "seconds": 0.6, "calls": 100},
            {"name": "mesh", "seconds": 0.4, "calls": 50},
        ]
        return {
            "steps": step,
            "finished": step >= steps,
            "atoms": ATOMS,
            "pes": options["pes"],
            "ranks": 1,
            "seconds": 0.1,
            "seconds_per_step": 0.001,
            "ns_per_day": 172.8,
            "energy_drift": 1e-6,
            "temperature": 300.0,
            "state_digest": "ab" * 32,
            "phases": phases,
            "warnings": [],
        }

    def check_job(self, name: str, file: bytes) -> None:
        """Take what is HDF5 and whole, as the engine would."""
        seal, contents = file[-64:], file[:-81]
        if not file.startswith(b"\x89HDF") or hashlib.sha256(contents).hexdigest().encode() != seal:
            raise EngineError("input", "the job is damaged", where=name)
        with h5py.File(io.BytesIO(contents)) as opened:
            if opened.attrs.get("format") != "finegrain-job":
                raise EngineError("input", "not a finegrain job", where=name)

    def estimate_steps(
        self, name: str, file: bytes, pes: int, divisions: list[Any]
    ) -> list[dict[str, Any]]:
        """Answer with round numbers, for each division or for that of the job."""
        self.check_job(name, file)
        step = {"parts": {"pair forces": 0.006, "mesh": 0.002}, "core_seconds": 0.008}
        step |= {"seconds": 0.008 / pes, "most_atoms": ATOMS, "objects": 20, "messages": 100.0}
        return [step] * max(len(divisions), 1)

    def fit_of_estimates(self) -> str:
        """Name no machine."""
        return "a stand-in"

    def energy(self, job: str, *, pes: int = 1) -> dict[str, Any]:
        """Answer with round numbers."""
        return {
            "energies": {"bonds": 1.5, "lennard_jones": -4.0},
            "forces": np.ones((ATOMS, 3)),
            "virial": np.zeros(6),
        }

    def doctor(self) -> dict[str, Any]:
        """Describe a complete installation."""
        return {
            "version": "0.1.0",
            "compiler": "g++ 12.2.0",
            "build_type": "RelWithDebInfo",
            "simd_target": "AVX2",
            "portable_target": "AVX2",
            "simd_targets": ["AVX2", "SSE4"],
            "libraries": {"hdf5": "1.10.8", "hwloc": "2.9.0"},
            "cores": 2,
            "hardware_threads": 2,
            "numa_nodes": 1,
            "memory_bytes": 8 * 2**30,
        }


def write_trajectory(path: Path, frames: int) -> None:
    """Write an H5MD file as the engine's h5md.cpp does: atom i of frame f at (f, i, 0.5) nm."""
    with h5py.File(path, "w") as file:
        file.create_group("h5md").attrs["version"] = np.array([1, 1], np.int32)
        all_atoms = file.create_group("particles/all")
        box = all_atoms.create_group("box")
        box.attrs["dimension"] = 3
        box.attrs["boundary"] = np.array(["periodic"] * 3, dtype="S8")
        positions = np.zeros((frames, ATOMS, 3), np.float32)
        positions[..., 0] = np.arange(frames)[:, None]
        positions[..., 1] = np.arange(ATOMS)
        positions[..., 2] = 0.5
        position = all_atoms.create_group("position")
        position["value"] = positions
        position["value"].attrs["unit"] = "nm"
        position["step"] = np.arange(frames) * 10
        position["time"] = np.arange(frames) * 0.02
        position["time"].attrs["unit"] = "ps"
        edges = box.create_group("edges")
        edges["value"] = np.tile(BOX_BOHR * 0.0529177210903, (frames, 1))
        edges["value"].attrs["unit"] = "nm"
        edges["step"], edges["time"] = position["step"], position["time"]
        image = all_atoms.create_group("image")
        image["value"] = np.ones((frames, ATOMS, 3), np.int32)
        all_atoms["mass"] = np.tile([15.994, 1.008, 1.008], WATERS)
        text = h5py.string_dtype()
        all_atoms.create_dataset("name", data=["O", "H1", "H2"] * WATERS, dtype=text)
        all_atoms.create_dataset("element", data=["O", "H", "H"] * WATERS, dtype=text)
        energy = file.create_group("parameters/energies/potential_energy")
        energy["value"] = -np.arange(frames, dtype=np.float64)
        energy["value"].attrs["unit"] = "kJ mol-1"
        energy["step"] = np.arange(frames) * 10
        energy["time"] = np.arange(frames) * 0.02


def write_energies(path: Path, rows: int) -> None:
    """Write a table as engine/records/trajectory/energies.cpp does."""
    head = "step,time (ps),potential energy (kJ/mol),kinetic energy (kJ/mol),"
    lines = [head + "total energy (kJ/mol),temperature (K)"]
    lines += [f"{10 * i},{0.02 * i:.6f},{-i},{i},0,{300 + i:.6f}" for i in range(rows)]
    path.write_text("\n".join(lines) + "\n")
