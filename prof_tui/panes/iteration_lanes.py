"""An iteration's ops as lanes for the timeline: one per stream, one for communication."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prof_tui.data.iteration_detail import COMMUNICATION_TYPES, IterationDetail, TimedOp
from prof_tui.data.steps import Step
from prof_tui.widgets.lane_model import Interval, Kind, Lane, LaneSet, Mark
from prof_tui.words import NOT_AVAILABLE, _

_LETTERS_AND_COLOURS = {
    "AI_CORE": ("C", "blue"),
    "AI_VECTOR_CORE": ("V", "green"),
    "MIX_AIC": ("M", "cyan"),
    "MIX_AIV": ("X", "bright_green"),
    "AI_CPU": ("P", "red"),
    "COMMUNICATION": ("H", "yellow"),
    "HCCL": ("H", "yellow"),
    "HCCL_AI_CPU": ("Q", "bright_red"),
    "DSA_SQE": ("D", "magenta"),
    "DVPP": ("G", "bright_magenta"),
    "FFTS_PLUS": ("F", "bright_blue"),
    NOT_AVAILABLE: ("o", "white"),
}
_OTHER_LETTERS = "ABEIJKLNRSTUWYZ"
_OTHER_COLOUR = "bright_cyan"


def kinds_of(task_types: Iterable[str]) -> list[Kind]:
    """Letter and colour of each Task Type: those known keep theirs, others take free letters in order."""
    free = iter(_OTHER_LETTERS)
    kinds = []
    for task_type in task_types:
        letter, colour = _LETTERS_AND_COLOURS.get(task_type) or (next(free, "?"), _OTHER_COLOUR)
        kinds.append(Kind(task_type, letter, colour))
    return kinds


def lane_set(detail: IterationDetail) -> LaneSet:
    """The timeline of an iteration, its marks included."""
    task_types = [share.task_type for share in detail.shares]
    place = {task_type: i for i, task_type in enumerate(task_types)}
    by_lane: dict[tuple[int, int], list[Interval]] = {}
    for op in detail.ops:
        interval = Interval(op.start_ns, op.duration_ns, op.row, place[op.task_type], short_name(op.name))
        by_lane.setdefault(_lane_key(op), []).append(interval)
    lanes = [_lane(key, by_lane[key]) for key in sorted(by_lane)]
    return LaneSet(*detail.window, lanes, _marks(detail.step, detail.window), kinds_of(task_types))


def short_name(name: str) -> str:
    """The last part of a name that is a path in the graph; a lane has no room for more."""
    return name.rstrip("/").rsplit("/", 1)[-1] or name


def _lane_key(op: TimedOp) -> tuple[int, int]:
    """Sort key of a lane: streams by number, then ops of no stream, then communication."""
    if op.task_type in COMMUNICATION_TYPES:
        return (2, 0)
    return (1, 0) if op.stream is None else (0, op.stream)


def _lane(key: tuple[int, int], intervals: list[Interval]) -> Lane:
    group, stream = key
    title = (
        _("Stream {stream}").format(stream=stream)
        if group == 0
        else (_("Stream N/A") if group == 1 else _("Communication"))
    )
    ordered = sorted(intervals, key=lambda each: (each.start_ns, -each.duration_ns))
    return Lane(f"lane-{group}-{stream}", title, ordered)


def _marks(step: Step | None, window: tuple[int, int]) -> Sequence[Mark]:
    if step is None:
        return ()
    marks = [
        Mark(at_ns, title)
        for at_ns, title in (
            (step.fp_start_ns, "FP Start"),
            (step.bp_end_ns, "BP End"),
            (step.end_ns, "Iteration End"),
        )
        if at_ns is not None and window[0] <= at_ns <= window[1]
    ]
    return sorted(marks, key=lambda mark: mark.at_ns)
