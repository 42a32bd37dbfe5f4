# SPDX-License-Identifier: BSD-3-Clause
"""The trajectories of the stages of a run as one: steps and times count from the first stage on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.runs.trajectory import Frame, Trajectory

Array = NDArray[Any]


@dataclass(frozen=True)
class Part:
    """A trajectory, with the steps and picoseconds that its run makes in all."""

    path: Path
    steps: int
    time: float


class JoinedTrajectory:
    """Frames of several trajectories, one after the other.

    The first frame of a part is left out where the part before has ended with this state.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.path = parts[0].path
        self._files = ExitStack()
        try:
            self._trajectories = [
                self._files.enter_context(Trajectory(part.path)) for part in parts
            ]
        except BaseException:
            self._files.close()
            raise
        self._before = [(0, 0.0)]  # steps and picoseconds of all parts before
        for part in parts[:-1]:
            step, time = self._before[-1]
            self._before.append((step + part.steps, time + part.time))
        # Part and frame in it, for each frame.
        self._frames: list[tuple[int, int]] = []
        for number in range(len(parts)):
            steps = self._trajectories[number].steps
            again = (
                number > 0 and len(steps) > 0 and self._step(number, int(steps[0])) == self._last
            )
            self._frames += [(number, frame) for frame in range(int(again), len(steps))]

    def __enter__(self) -> JoinedTrajectory:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._files.close()

    def _step(self, number: int, step: int) -> int:
        return step + self._before[number][0]

    @property
    def _last(self) -> int:
        """The step of the last frame so far; -1 without one."""
        if not self._frames:
            return -1
        number, frame = self._frames[-1]
        return self._step(number, int(self._trajectories[number].steps[frame]))

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self._frames)

    def __getitem__(self, index: int) -> Frame:
        """Return one frame."""
        number, at = self._frames[index]
        frame = self._trajectories[number][at]
        steps, time = self._before[number]
        return replace(frame, step=frame.step + steps, time=frame.time + time)

    def _gathered(self, name: str) -> Array:
        every = [getattr(one, name) for one in self._trajectories]
        return np.array([every[number][frame] for number, frame in self._frames])

    @property
    def atoms(self) -> int:
        """Number of atoms."""
        return self._trajectories[0].atoms

    @property
    def elements(self) -> list[str]:
        """Chemical symbol of each atom."""
        return self._trajectories[0].elements

    @property
    def steps(self) -> Array:
        """Time step of each frame."""
        before = np.array([self._before[number][0] for number, _ in self._frames], np.int64)
        return np.asarray(self._gathered("steps") + before)

    @property
    def times(self) -> Array:
        """Time of each frame, picoseconds."""
        before = np.array([self._before[number][1] for number, _ in self._frames])
        return np.asarray(self._gathered("times") + before)

    @property
    def boxes(self) -> Array:
        """Box of each frame, nm."""
        return self._gathered("boxes")
