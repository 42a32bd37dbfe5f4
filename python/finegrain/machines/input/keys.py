# SPDX-License-Identifier: BSD-3-Clause
"""The keys of a machine file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.machines.host_lists import MOST_NODES
from finegrain.toml_input.fields import Section, key, quantity_reader, shown_as
from finegrain.units import Quantity

KINDS = ("torus", "fat-tree", "dragonfly", "graph", "node")
MOST_DIMENSIONS = 16
_MOST_OF_A_NODE = 65536


def _one_or_more(read: Callable[[Any], Any]) -> BeforeValidator:
    """Read one value or a list of them, as a tuple."""

    def values(value: Any) -> tuple[Any, ...]:
        many = value if isinstance(value, list) else [value]
        if not many:
            raise _refused("is empty", "give one value, or one for each kind of link")
        return tuple(read(one) for one in many)

    return BeforeValidator(values)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _refused("not true or false", "such as wraps = [true, true, false]")
    return value


def _ranks(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _refused("not a whole number", "such as ranks_per_node = 4")
    if not 1 <= value <= _MOST_OF_A_NODE:
        limit = f"1 to {_MOST_OF_A_NODE:,}"
        raise _refused("out of range", "such as ranks_per_node = 4", limit)
    return value


def _places(value: Any) -> tuple[int | str, ...]:
    many = value if isinstance(value, list) else [value]
    for one in many:
        if isinstance(one, bool) or not isinstance(one, int | str):
            hint = 'such as ["0:64", "70"] or ["3, 4, 0:24"]'
            raise _refused("holds what is neither a number nor text", hint)
    return tuple(many)


def _refused(what: str, hint: str, limit: str = "") -> PydanticCustomError:
    return PydanticCustomError("quantity", "{what}", {"what": what, "hint": hint, "limit": limit})


_bandwidth = quantity_reader(units.bandwidth, least="1e-6 GB/s", most="1e6 GB/s")
_latency = quantity_reader(units.latency, zero=True, most="1 s")

Count = Annotated[int, Field(ge=1, le=MOST_NODES)]
Places = Annotated[tuple[int | str, ...], BeforeValidator(_places)]
Flags = Annotated[tuple[bool, ...], _one_or_more(_flag)]
Bandwidth = Annotated[Quantity, _bandwidth, *shown_as("25 GB/s")]
Latency = Annotated[Quantity, _latency, *shown_as("1.2 us")]
Bandwidths = Annotated[tuple[Quantity, ...], _one_or_more(_bandwidth.func)]
Latencies = Annotated[tuple[Quantity, ...], _one_or_more(_latency.func)]
Ranks = Annotated[tuple[int, ...], _one_or_more(_ranks)]
PartOfNode = Annotated[int, Field(ge=1, le=_MOST_OF_A_NODE)]
CoreSpeed = Annotated[float, Field(ge=1e-6, le=1e6, allow_inf_nan=False)]
Counts = Annotated[list[Count], Field(min_length=1, max_length=MOST_DIMENSIONS)]
FewerCounts = Annotated[list[Count], Field(max_length=MOST_DIMENSIONS)]


class MachineKeys(Section):
    """Table [machine]."""

    kind: Literal["torus", "fat-tree", "dragonfly", "graph", "node"] = Field(examples=["torus"])
    name: str | None = None
    # torus
    lengths: Counts | None = Field(None, examples=[[8, 8, 8]])
    wraps: Flags | None = Field(None, examples=[[True, True, False]])
    nodes_per_router: Count | None = Field(None, examples=[2])
    routers_gone: Places = Field((), examples=[["3, 4, 0:24"]])
    coordinates: str | None = Field(None, min_length=1, examples=["nodes.txt"])
    # fat tree
    down: Counts | None = Field(None, examples=[[32, 18]])
    up: FewerCounts | None = Field(None, examples=[[16]])
    cables: FewerCounts | None = Field(None, examples=[[2]])
    # dragonfly
    groups: Count | None = Field(None, examples=[9])
    routers_per_group: Count | None = Field(None, examples=[4])
    links_per_pair_of_groups: Count | None = Field(None, examples=[1])
    # all kinds
    holes: Places = Field((), examples=[["3, 4, 0:24", "17"]])
    hosts: Places | None = Field(None, examples=["nid[001-064]"])
    link_bandwidth: Bandwidths | None = Field(None, examples=["25 GB/s"])
    link_latency: Latencies | None = Field(None, examples=["1.2 us"])
    injection_bandwidth: Bandwidth | None = Field(None, examples=["25 GB/s"])
    injection_latency: Latency | None = Field(None, examples=["0.5 us"])


class SwitchKeys(Section):
    """A table [[switches]] of a graph."""

    name: str = Field(min_length=1, examples=["leaf0"])
    nodes: Places = ()
    links: Places = ()
    link_bandwidth: Bandwidth | None = Field(None, examples=["25 GB/s"])


class NodeKeys(Section):
    """Table [node]."""

    sockets: PartOfNode = Field(1, examples=[2])
    cores: PartOfNode | None = Field(None, examples=[64])
    threads_per_core: PartOfNode = Field(1, examples=[2])
    core_speed: CoreSpeed = key(
        "relative to the core of the fit",
        1.0,
        hint="such as core_speed = 0.5, half as fast as the core of the fit",
    )
    send_time: Latency | None = Field(None, examples=["0.4 us"])
    receive_time: Latency | None = Field(None, examples=["0.4 us"])
    copy_bandwidth: Bandwidth | None = Field(None, examples=["5 GB/s"])


class AllocationKeys(Section):
    """Table [allocation]."""

    nodes: Places = key("those of the job", ("all",), hint='such as nodes = ["0:64"], or "all"')
    ranks_per_node: Ranks = Field((1,), examples=[4])
    order: Literal["block", "cyclic"] = "block"


class MachineFile(Section):
    """All tables of a machine file."""

    machine: MachineKeys
    switches: list[SwitchKeys] = Field(default_factory=list)
    node: NodeKeys = NodeKeys()
    allocation: AllocationKeys = AllocationKeys()
