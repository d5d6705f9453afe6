"""Where the time goes, in words and rows: the same on the screen and in the report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prof_tui.data.run.inside_model import Inside
from prof_tui.data.run.spread import Spread
from prof_tui.data.run.times import StepTimes
from prof_tui.data.tables.cells import MISSING
from prof_tui.words import NOT_AVAILABLE, _, count, ngettext, printable, separated


@dataclass(frozen=True)
class TimeRow:
    """One time and what it is a share of."""

    id: str
    name: str
    ns: int | None
    """None for N/A."""
    whole_ns: int | None
    """What its share is of; None where that says nothing."""
    note: str = ""

    @property
    def share(self) -> float | None:
        """Between 0 and 1, for what is no longer than the whole."""
        if self.ns is None or not self.whole_ns:
            return None
        return self.ns / self.whole_ns

    @property
    def per_cent(self) -> str:
        return "" if self.share is None else f"{100 * self.share:.1f} %"


def whose(times: StepTimes | None, inside: Inside | None) -> str:
    """``device 0, Model ID 11``; the device alone without iterations."""
    device = times.device if times is not None else inside.device if inside is not None else None
    name = _("device {device}").format(device=NOT_AVAILABLE if device is None else device)
    if times is None:
        return name
    model = NOT_AVAILABLE if times.model is None else times.model
    return _("{device}, Model ID {model}").format(device=name, model=model)


def over(times: StepTimes) -> str:
    """Over which iterations, and why those."""
    number = len(times.steady.steps)
    text = ngettext(
        "{n} steady iteration, from Iteration ID {first} on",
        "{n} steady iterations, from Iteration ID {first} on",
        number,
    ).format(n=count(number), first=times.steady.first)
    return f"{text}: {times.steady.why}"


def spread_text(spread: Spread) -> str:
    """Where eight of ten values lie, or all of them where they are few."""
    text = _("all from {low} to {high}") if spread.is_of_all else _("p10 to p90: {low} to {high}")
    return text.format(low=separated(spread.low_ns), high=separated(spread.high_ns))


def step_notes(times: StepTimes) -> Iterator[str]:
    """Over which iterations, and how the times go together."""
    yield over(times)
    if times.period is not None and any(part.median_ns is not None for part in times.parts):
        yield _(
            "Medians: those of the parts need not add up to that of the period; Iteration Time overlaps them."
        )


def step_rows(times: StepTimes) -> list[TimeRow]:
    """Period and what it is made of, then Iteration Time, which overlaps those."""
    period = _spread_row("period", _("Period"), times.period, times)
    iteration_time = _spread_row("iteration_time", _("Iteration Time"), times.iteration_time, times)
    return [period, *part_rows(times), iteration_time]


def _spread_row(id_: str, name: str, spread: Spread | None, times: StepTimes) -> TimeRow:
    if spread is None:
        return TimeRow(id_, name, None, None)
    return TimeRow(id_, name, spread.median_ns, times.whole_ns, spread_text(spread))


def part_rows(times: StepTimes) -> list[TimeRow]:
    """What the period is made of."""
    whole = None if times.period is None else times.period.median_ns
    return [TimeRow(part.id, part.name, part.median_ns, whole) for part in times.parts]


def busy_rows(inside: Inside) -> list[TimeRow]:
    """Busy, idle and communication."""
    whole = inside.window_ns
    rows = [
        TimeRow("busy", _("Busy"), inside.busy_ns, whole, _ops(inside.ops)),
        TimeRow("idle", _("Idle"), inside.idle_ns, whole),
    ]
    if inside.communication_ns is not None:
        uncovered = _("{time} of it not overlapped").format(time=separated(inside.uncovered_ns))
        rows.append(TimeRow("communication", _("Communication"), inside.communication_ns, whole, uncovered))
    return rows


def type_rows(inside: Inside) -> list[TimeRow]:
    """Busy time by Task Type, longest first."""
    return [
        TimeRow(one.task_type, _type_name(one.task_type), one.busy_ns, inside.window_ns, _ops(one.ops))
        for one in inside.types
    ]


def _type_name(task_type: str) -> str:
    return _("Task Type N/A") if task_type in MISSING else printable(task_type)


def _ops(number: int) -> str:
    return ngettext("{n} op", "{n} ops", number).format(n=count(number))


def inside_notes(inside: Inside) -> Iterator[str]:
    """What busy and idle are of, and what is to be said of them."""
    if inside.iterations is None:
        yield _("Of the whole capture, from the first op's start to the last one's end.")
    else:
        text = ngettext(
            "Of {n} iteration, ops {placed}",
            "Medians of {n} iterations, ops {placed}",
            inside.iterations,
        )
        said = text.format(n=count(inside.iterations), placed=inside.placed)
        yield f"{said}, {_out_of_line(inside.out_of_line)}." if inside.out_of_line else f"{said}."
    yield from inside.notices


def _out_of_line(number: int) -> str:
    text = ngettext("without {n} that is out of line", "without {n} that are out of line", number)
    return text.format(n=count(number))
