# SPDX-License-Identifier: BSD-3-Clause
"""Predictions for several numbers of nodes in words, as data and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from finegrain.machines.description import MachineDescription
from finegrain.machines.drawings.picture import new_figure, save
from finegrain.planning.prediction import LINKS, MESSAGES, WAITS, StepPrediction
from finegrain.words.report import table_text

PICTURE = "prediction.png"
_busy = 0.7  # a link that is busy for so much of the time holds everything up
_gained = 0.95  # another division must be so much faster


@dataclass(frozen=True)
class Predictions:
    """Predictions of the steps of a job on a machine.

    Attributes
    ----------
    machine : MachineDescription
        The machine.
    own : sequence of StepPrediction
        With the job's own division, ascending by nodes.
    divided : sequence of StepPrediction
        The same with the job divided again for the PEs of each; empty if nobody asked for it.
    least : float
        The least efficiency that is worth its nodes.
    simulated : sequence of float
        Seconds of the steps with the job's own division by SimGrid; empty if nobody asked for it.
    division_key : str
        The key of the input with the number of PEs for which its job is divided.
    """

    machine: MachineDescription
    own: Sequence[StepPrediction]
    divided: Sequence[StepPrediction] = ()
    least: float = 0.5
    simulated: Sequence[float] = ()
    division_key: str = "[patches] pes"

    @property
    def best(self) -> Sequence[StepPrediction]:
        """For each number of nodes the faster one of both divisions."""
        if not self.divided:
            return self.own
        pairs = zip(self.own, self.divided, strict=True)
        return [two if two.seconds < _gained * one.seconds else one for one, two in pairs]

    @property
    def worth(self) -> int:
        """The place in `own` of the most nodes that are worth using."""
        base = self.best[0]
        return max(i for i, one in enumerate(self.best) if one.efficiency(base) >= self.least)

    @property
    def assumed(self) -> tuple[str, ...]:
        """The figures of the machine that nobody gave."""
        return self.machine.assumed + self.machine.processor.assumed

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json``."""
        worth = self.best[self.worth]
        found: dict[str, Any] = {
            "machine": self.machine.name,
            "fit": self.own[0].fit,
            "assumed": list(self.assumed),
            "predictions": [_figures(one, self.own[0]) for one in self.own],
            "worth_nodes": worth.nodes,
            "sentence": self.sentence(),
        }
        if self.simulated:
            found["simulated"] = list(self.simulated)
        if self.divided:
            found["divided"] = [_figures(one, self.divided[0]) for one in self.divided]
            found["worth_pes"] = self.worth_pes
        return found

    @property
    def worth_pes(self) -> int | None:
        """The `division_key` of an input for these nodes; None: that which it has."""
        chosen = self.best[self.worth]
        return chosen.pes if chosen in self.divided and chosen not in self.own else None

    def sentence(self) -> str:
        """Return how many nodes are worth using, and what holds the next doubling."""
        best, at = self.best, self.worth
        worth = best[at]
        many = f"{worth.nodes:,} node{'s are' if worth.nodes > 1 else ' is'} worth using"
        if worth is not best[0]:
            share = 100 * worth.efficiency(best[0])
            many += f", with {share:.0f} % of the efficiency of {best[0].nodes:,}"
        if self.worth_pes is not None:
            many += f" and {self.division_key} = {self.worth_pes} in the input"
        larger = best[at + 1] if at + 1 < len(best) else None
        if larger is None:
            return f"{many}; the next doubling is held by {what_holds(worth)}."
        return f"{many}; {larger.nodes:,} nodes are held by {what_holds(larger)}."

    def lines(self) -> list[str]:
        """Return what the command prints."""
        base = self.own[0]
        lines = [f"{self.machine.name}: {_division_in_words(base)}"]
        rows = [
            [
                "nodes",
                "PEs",
                f"ms {_a(base.step)}",
                "ns/day",
                "efficiency",
                "longest in the chain",
                "waits",
            ]
        ]
        if self.divided:
            rows[0] += ["divided again", f"ms {_a(base.step)}"]
        for i, one in enumerate(self.own):
            part, share = largest(one.path, one.seconds)
            rows.append(
                [
                    f"{one.nodes:,}",
                    f"{one.pes:,}",
                    f"{1e3 * one.seconds:.4g}",
                    _rate(one.ns_per_day),
                    f"{100 * one.efficiency(base):.0f} %",
                    f"{part} {100 * share:.0f} %",
                    f"{100 * one.mean[WAITS] / one.seconds:.0f} %",
                ]
            )
            if self.divided:
                other = self.divided[i]
                rows[-1] += [_shape_in_words(other), f"{1e3 * other.seconds:.4g}"]
            if self.simulated:
                rows[-1].append(f"{1e3 * self.simulated[i]:.4g}")
        if self.simulated:
            rows[0].append("simulated")
        words = ("longest in the chain", "divided again")
        numbers = tuple(i for i, head in enumerate(rows[0]) if head not in words)
        lines += ["", *table_text(rows, numbers=numbers).splitlines(), ""]
        lines += self._notes()
        return [*lines, self.sentence()]

    def _notes(self) -> list[str]:
        notes = [f"Times of work are by {self.own[0].fit}."]
        if self.assumed:
            notes.append(
                f"The machine file does not give {', '.join(self.assumed)}: usual values are taken."
            )
        most = self.own[-1]
        if most.pes > most.number_of_cells and not self.divided:
            first = next(one for one in self.own if one.pes > one.number_of_cells)
            notes.append(
                f"From {first.nodes:,} node{'s' if first.nodes > 1 else ''} on there are more PEs "
                f"than the job's {first.number_of_cells:,} {first.cells}. "
                "--divide shows what dividing it for them would give."
            )
        return notes


def what_holds(one: StepPrediction) -> str:
    """Return what makes a step as long as it is, in words."""
    if one.busy_share >= _busy:
        busy = f"{100 * one.busy_share:.0f} % of the time"
        return f"the link {one.busiest_link}, which is busy for {busy}"
    between = one.path[MESSAGES] + one.path[LINKS]
    work = {name: time for name, time in one.path.items() if name not in (MESSAGES, LINKS, WAITS)}
    part, share = largest(work, one.seconds)
    if between > work[part]:
        ways = f"{100 * one.path[LINKS] / one.seconds:.0f} % on links"
        ends = f"{100 * one.path[MESSAGES] / one.seconds:.0f} % at processors"
        return (
            f"messages, {100 * between / one.seconds:.0f} % of the longest chain ({ends}, {ways})"
        )
    words = f"{part}, {100 * share:.0f} % of the longest chain"
    if one.part_of_longest == part and one.longest_task >= 0.5 * work[part]:
        words += f", most of it one object's {1e3 * one.longest_task:.3g} ms"
    return words


def largest(parts: dict[str, float], whole: float) -> tuple[str, float]:
    """Return the name of the longest part, and its share of the whole."""
    name = max(parts, key=lambda part: parts[part])
    return name, parts[name] / whole if whole > 0 else 0.0


def _rate(ns_per_day: float) -> str:
    if ns_per_day <= 0:
        return "-"
    return f"{ns_per_day:,.0f}" if ns_per_day >= 1000 else f"{ns_per_day:.3g}"


def _a(step: str) -> str:
    """Return the unit of a row: of a step, or of an iteration."""
    return "an iteration" if step.startswith("iteration") else f"a {step}"


def _shape_in_words(one: StepPrediction) -> str:
    return " x ".join(map(str, one.shape))


def _division_in_words(one: StepPrediction) -> str:
    more = f" with {one.division}" if one.division else ""
    return (
        f"{_shape_in_words(one)} {one.cells}{more}, {one.objects:,} objects, "
        f"{1e3 * one.core_seconds:.4g} core-ms {_a(one.step)}"
    )


def _figures(one: StepPrediction, base: StepPrediction) -> dict[str, Any]:
    return asdict(one) | {"ns_per_day": one.ns_per_day, "efficiency": one.efficiency(base)}


def draw(predictions: Predictions, path: Path) -> None:
    """Draw the time of a step by nodes, with its parts and what it would be without losses."""
    figure = new_figure(7, 5, predictions.machine.name)
    axes = figure.add_subplot()
    best = predictions.best
    nodes = [one.nodes for one in best]
    low = [0.0] * len(best)
    for part in best[0].path:
        times = [1e3 * one.path[part] for one in best]
        if not any(times):
            continue
        high = [below + time for below, time in zip(low, times, strict=True)]
        axes.fill_between(nodes, low, high, label=part, alpha=0.6, linewidth=0)
        low = high
    axes.plot(nodes, [1e3 * one.seconds for one in best], "k.-", label=_a(best[0].step))
    ideal = [1e3 * best[0].seconds * best[0].pes / one.pes for one in best]
    axes.plot(nodes, ideal, "k--", label="without losses")
    axes.set(xscale="log", yscale="log", xlabel="nodes", ylabel=f"ms {_a(best[0].step)}")
    axes.set_ylim(bottom=0.5 * min(ideal))
    axes.legend(fontsize="small", title="the longest chain")
    save(figure, path)
