"""Small lane sets for tests: ops by lane, as the frame that the timeline widget takes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl

from prof_tui.data.spans.stacking import stack_rows
from prof_tui.widgets.timeline.model import Kind, Lane, LaneSet

KINDS = (Kind("AI_CORE", "C", "blue"), Kind("AI_CPU", "P", "ansi_red"), Kind("HCCL", "H", "yellow"))

_SCHEMA = {
    "lane": pl.UInt16,
    "start_ns": pl.Int64,
    "duration_ns": pl.Int64,
    "kind": pl.UInt16,
    "name": pl.String,
    "key": pl.Int64,
}


class Op(NamedTuple):
    start_ns: int
    duration_ns: int
    key: int = 0
    kind: int = 0
    name: str = "MatMul"

    @property
    def end_ns(self) -> int:
        return self.start_ns + max(0, self.duration_ns)


def frame(lanes: Sequence[Sequence[Op]]) -> pl.DataFrame:
    """Ops by lane number, with their rows."""
    rows = [
        (lane, op.start_ns, op.duration_ns, op.kind, op.name, op.key)
        for lane, ops in enumerate(lanes)
        for op in ops
    ]
    return stack_rows(pl.DataFrame(rows, _SCHEMA, orient="row"))


def lane_set(begin_ns: int, end_ns: int, lanes: Mapping[Any, Sequence[Op]], *, keyed: bool = True) -> LaneSet:
    """A home window and the ops of each lane, which is a Lane or a title that is its id, too."""
    intervals = frame(list(lanes.values()))
    return LaneSet(
        begin_ns,
        end_ns,
        lanes=[lane if isinstance(lane, Lane) else Lane(lane, lane) for lane in lanes],
        intervals=intervals,
        keys=intervals["key"] if keyed else None,
        kinds=KINDS,
    )


def with_samples(lanes: LaneSet, samples: Sequence[tuple[int, int, float | None]]) -> LaneSet:
    """With samples of (lane number, time, value)."""
    schema = {"lane": pl.UInt16, "at_ns": pl.Int64, "value": pl.Float64}
    return replace(lanes, samples=pl.DataFrame(sorted(samples), schema, orient="row"))
