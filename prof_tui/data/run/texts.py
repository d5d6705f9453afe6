"""What the run was, in words: the same lines on the screen and in the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from prof_tui.data.run.facts import RunFacts
from prof_tui.data.run.missing import Missing, group_by_reason, reason_of
from prof_tui.data.run.notes import Collection, DeviceFacts
from prof_tui.data.run.overview import DeviceTimes, Overview
from prof_tui.data.run.periods import ModelFacts, ModelRun, Spread
from prof_tui.data.tables.cells import MISSING
from prof_tui.words import _, count, counted, glyphs, ngettext, number_text, printable, separated

if TYPE_CHECKING:
    from prof_tui.data.run.busy import BusyTimes

_NS_PER_S = 1_000_000_000
_MOST_OTHERS = 4
"""Models besides the main one that are named."""


@dataclass(frozen=True)
class RunTexts:
    """What the run was, in words; empty where the capture doesn't say."""

    when: str
    """``2026-09-21 10:15:30, for 1.123 s``."""
    where: str
    """``python3 on host-b``."""
    span: str
    """``133.435 ms``."""
    devices: tuple[str, ...]
    """One per kind of chip."""
    collected: str
    """``--task-time=l1 --aic-metrics=PipeUtilization --hccl``, as sample.json says."""
    exported: str
    """Generation, which export, how many files; and those that are not shown."""
    models: tuple[str, ...]
    """One per device, or one for all where they agree."""
    whole: str
    """``complete``, or what is missing; and what was not checked."""

    @property
    def headline(self) -> str:
        """When, where, and over what span, side by side."""
        span = self.span and _("span {span}").format(span=self.span)
        return join_parts((self.when, self.where, span))


def run_texts(overview: Overview) -> RunTexts:
    """The words for what was read of an overview so far."""
    run = overview.run
    return RunTexts(
        _when(run),
        _where(run),
        "" if overview.span_ns is None else seconds_text(overview.span_ns),
        _devices(run),
        _collected(run.collection),
        _exported(run),
        () if overview.models is None else _models(overview.models, overview.run),
        overview.completeness.line,
    )


def join_parts(parts: Iterable[str]) -> str:
    """Texts side by side, without those that are empty."""
    return f" {glyphs().separator} ".join(part for part in parts if part)


def _when(run: RunFacts) -> str:
    date = "" if run.collected is None else run.collected.strftime("%Y-%m-%d %H:%M:%S")
    lasted = "" if run.collected_ns is None else _("for {time}").format(time=seconds_text(run.collected_ns))
    return ", ".join(part for part in (date, lasted) if part)


def _where(run: RunFacts) -> str:
    program, host = printable(run.program), printable(run.host)
    if program and host:
        return _("{program} on {host}").format(program=program, host=host)
    return program or host


def seconds_text(ns: int) -> str:
    """A span for a sentence: ``1.123 s``, ``127.356 ms``; below a millisecond in us."""
    if ns >= _NS_PER_S:
        return f"{ns / _NS_PER_S:,.3f} s"
    return f"{ns / 1e6:,.3f} ms" if ns >= 1_000_000 else f"{ns / 1e3:,.3f} us"


def _devices(run: RunFacts) -> tuple[str, ...]:
    """One text per kind of chip: ``device 0: Ascend 910B series, 24 AI Cores, 48 Vector Cores, 1850 MHz``."""
    if not run.devices:
        return (_("no device directory"),)
    kinds = groupby(sorted(run.devices, key=_chip_key), key=_chip_key)
    return tuple(_device_text(list(same)) for _key, same in kinds)


def _chip_key(device: DeviceFacts) -> tuple[str, int, int, int, int]:
    numbers = (device.ai_cores, device.vector_cores, device.ai_cpus, device.ai_core_mhz)
    cores, vector, cpus, mhz = (-1 if number is None else number for number in numbers)
    return device.chip, cores, vector, cpus, mhz


def _device_text(same: Sequence[DeviceFacts]) -> str:
    one = same[0]
    numbers = ", ".join(str(device.device) for device in same)
    name = counted("device {numbers}", "devices {numbers}", len(same), numbers=numbers)
    parts = [
        printable(one.chip),
        _number_of(one.ai_cores, ngettext("{n} AI Core", "{n} AI Cores", one.ai_cores or 0)),
        _number_of(
            one.vector_cores or None, ngettext("{n} Vector Core", "{n} Vector Cores", one.vector_cores or 0)
        ),
        _number_of(one.ai_cpus, ngettext("{n} AI CPU", "{n} AI CPUs", one.ai_cpus or 0)),
        _number_of(one.ai_core_mhz, _("{n} MHz")),
    ]
    known = ", ".join(part for part in parts if part)
    return f"{name}: {known}" if known else _("{name}: info.json says nothing of it").format(name=name)


def _number_of(number: int | None, text: str) -> str:
    return "" if number is None else text.format(n=number)


def _collected(collection: Collection | None) -> str:
    if collection is None:
        return _("there is no sample.json that says how")
    parts = [
        f"--task-time={collection.level}" if collection.level else "",
        f"--aic-metrics={collection.aic_metrics}" if collection.aic_metrics else "",
        *collection.switches,
    ]
    return printable(" ".join(part for part in parts if part)) or _("sample.json says nothing of it")


def _exported(run: RunFacts) -> str:
    if not run.files:
        return _("nothing is exported: run msprof --export=on --output=PROF_XXX")
    parts = [_generation(run.generation)]
    if run.stamp:
        parts.append(_("export of {stamp}").format(stamp=run.stamp))
    files = counted("{n} file read", "{n} files read", run.files)
    parts.append(files)
    if run.other_stamps:
        others = ", ".join(stamp or _("another") for stamp in run.other_stamps)
        parts.append(_("not shown: {others}").format(others=others))
    return ", ".join(parts)


def _generation(generation: str) -> str:
    names = {
        "new layout": _("new layout"),
        "old layout": _("old layout"),
        "both layouts": _("both layouts"),
        "loose files": _("loose files"),
    }
    return names.get(generation, generation)


def _models(facts: Sequence[ModelFacts], run: RunFacts) -> tuple[str, ...]:
    if not facts and "step_trace" in run.tables:
        return (_("no iterations: step_trace has none that can be read"),)
    if not facts:
        return (_("no iterations: the export has no step trace"),)
    of_devices = [
        (device, _models_text(list(own))) for device, own in groupby(facts, key=lambda one: one.device)
    ]
    texts = {text for _device, text in of_devices}
    if len(texts) == 1:
        return tuple(texts)
    return tuple(
        _("device {device}: {models}").format(device=number_text(own), models=text)
        for own, text in of_devices
    )


def _models_text(facts: Sequence[ModelFacts]) -> str:
    main = next(one for one in facts if one.is_main)
    others = [one for one in facts if not one.is_main]
    text = counted(
        "Model ID {model} is the main one ({why}): {n} iteration",
        "Model ID {model} is the main one ({why}): {n} iterations",
        main.iterations,
        model=number_text(main.model),
        why=main.why,
    )
    if not others:
        return text
    named = [
        _("{model} ({n})").format(model=number_text(one.model), n=count(one.iterations))
        for one in others[:_MOST_OTHERS]
    ]
    if len(others) > _MOST_OTHERS:
        named.append(_("{n} more").format(n=count(len(others) - _MOST_OTHERS)))
    return _("{main}; others: {others}").format(main=text, others=", ".join(named))


def missing_texts(lacking: Iterable[Missing]) -> list[str]:
    """One text per reason: the tables that aren't there, why, and what to add."""
    return [
        f"{', '.join(one.table for one in alike)}: {printable(reason_of(alike[0]))}"
        for alike in group_by_reason(lacking)
    ]


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


@dataclass(frozen=True)
class TimeTable:
    """Rows of times, and what is to be said of them first."""

    notes: tuple[tuple[str, ...], ...]
    """Paragraphs of sentences."""
    rows: tuple[TimeRow, ...]


def time_tables(device: DeviceTimes) -> list[TimeTable]:
    """The times of a device's iterations, then those of its ops."""
    tables = []
    if (steps := device.steps) is not None:
        tables.append(TimeTable(tuple((note,) for note in step_notes(steps)), tuple(step_rows(steps))))
    if (busy := device.busy) is not None:
        lacking = (incomplete_text(busy),) if busy.lacking else ()
        notes = ((*busy_notes(busy), *lacking),)
        tables.append(TimeTable(notes, (*busy_rows(busy), *type_rows(busy))))
    return tables


def whose(device: DeviceTimes) -> str:
    """``device 0, Model ID 11``; the device alone without iterations."""
    name = _("device {device}").format(device=number_text(device.device))
    if device.steps is None:
        return name
    return _("{device}, Model ID {model}").format(device=name, model=number_text(device.steps.model))


def steady_text(times: ModelRun) -> str:
    """Over which iterations, without why those."""
    return counted(
        "{n} steady iteration, from Iteration ID {first} on",
        "{n} steady iterations, from Iteration ID {first} on",
        len(times.steady),
        first=times.first,
    )


def spread_text(spread: Spread) -> str:
    """Where eight of ten values lie, or all of them where they are few."""
    text = _("all from {low} to {high}") if spread.is_of_all else _("p10 to p90: {low} to {high}")
    return text.format(low=separated(spread.low_ns), high=separated(spread.high_ns))


def step_notes(times: ModelRun) -> Iterator[str]:
    """Over which iterations, and how the times go together."""
    yield f"{steady_text(times)}: {times.why}"
    if times.partly:
        yield partly_text(times)
    if times.lacking:
        yield incomplete_text(times)
    if times.period is not None and any(part.median_ns is not None for part in times.parts):
        yield _(
            "Medians: those of the parts need not add up to that of the period; Iteration Time overlaps them."
        )


def partly_text(times: ModelRun) -> str:
    """How many iterations are in no mean and no median since they are covered only in part."""
    return counted(
        "Without {n} iteration that op_summary covers only in part: it has a finding of its own.",
        "Without {n} iterations that op_summary covers only in part: they have a finding of their own.",
        len(times.partly),
    )


def incomplete_text(times: ModelRun | BusyTimes) -> str:
    """What the mark of figures means."""
    return _("{mark} of what is there: {lacking}.").format(mark=MARK, lacking=times.lacking)


MARK = "*"
"""Stands behind the name of a figure that missing rows touch."""


def _marked(row: TimeRow, lacking: str) -> TimeRow:
    return replace(row, name=f"{row.name}{MARK}") if lacking else row


def step_rows(times: ModelRun) -> list[TimeRow]:
    """Period and what it is made of, then Iteration Time, which overlaps those."""
    period = _spread_row("period", _("Period"), times.period, times)
    iteration_time = _spread_row("iteration_time", _("Iteration Time"), times.iteration_time, times)
    return [_marked(row, times.lacking) for row in (period, *part_rows(times), iteration_time)]


def _spread_row(id_: str, name: str, spread: Spread | None, times: ModelRun) -> TimeRow:
    if spread is None:
        return TimeRow(id_, name, None, None)
    return TimeRow(id_, name, spread.median_ns, times.whole_ns, spread_text(spread))


def part_rows(times: ModelRun) -> list[TimeRow]:
    """What the period is made of."""
    whole = None if times.period is None else times.period.median_ns
    return [TimeRow(part.id, part.name, part.median_ns, whole) for part in times.parts]


def busy_rows(busy: BusyTimes) -> list[TimeRow]:
    """Busy, idle and communication."""
    whole = busy.window_ns
    rows = [
        TimeRow("busy", _("Busy"), busy.busy_ns, whole, _ops(busy.ops)),
        TimeRow("idle", _("Idle"), busy.idle_ns, whole, _("at most") if busy.idle_at_most else ""),
    ]
    if busy.communication_ns is not None:
        uncovered = _("{time} of it not overlapped").format(time=separated(busy.uncovered_ns))
        rows.append(TimeRow("communication", _("Communication"), busy.communication_ns, whole, uncovered))
    return [_marked(row, busy.lacking) for row in rows]


def type_rows(busy: BusyTimes) -> list[TimeRow]:
    """Busy time by Task Type, longest first."""
    rows = (
        TimeRow(one.task_type, _type_name(one.task_type), one.busy_ns, busy.window_ns, _ops(one.ops))
        for one in busy.types
    )
    return [_marked(row, busy.lacking) for row in rows]


def _type_name(task_type: str) -> str:
    return _("Task Type N/A") if task_type in MISSING else printable(task_type)


def _ops(number: int) -> str:
    return counted("{n} op", "{n} ops", number)


def busy_notes(busy: BusyTimes) -> Iterator[str]:
    """What busy and idle are of, and what is to be said of them."""
    if busy.iterations is None:
        yield _("Of the whole capture, from the first op's start to the last one's end.")
    else:
        said = counted(
            "Of {n} iteration, ops {placed}",
            "Medians of {n} iterations, ops {placed}",
            busy.iterations,
            placed=busy.placed,
        )
        if busy.outliers:
            without = ("without {n} outlier", "without {n} outliers")
            said = f"{said}, {counted(*without, busy.outliers)}"
        yield f"{said}."
    yield from busy.notices
