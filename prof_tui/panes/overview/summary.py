"""What stands above the findings: what the run was, and where its time goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from prof_tui.data.run.overview import DeviceTimes, Overview
from prof_tui.data.run.periods import ModelRun
from prof_tui.data.run.texts import (
    TimeRow,
    busy_notes,
    busy_rows,
    incomplete_text,
    join_parts,
    part_rows,
    run_texts,
    steady_text,
    type_rows,
    whose,
)
from prof_tui.panes.colours import kinds_of
from prof_tui.panes.overview.lines import Line, Need
from prof_tui.panes.overview.periods import NUMBER_CELLS, device_line, step_lines
from prof_tui.widgets.cell_text import ink_on
from prof_tui.widgets.sparkline import bar, stacked_bar
from prof_tui.words import _, glyphs, printable, separated

if TYPE_CHECKING:
    from prof_tui.data.run.busy import BusyTimes

_PARTS = {"data_aug_bound": ("D", "yellow"), "fp_to_bp": ("F", "blue"), "refresh": ("R", "magenta")}
_BAR_CELLS = 20
_BETWEEN = "   "
_WIDE = 110
"""Cells from which on there is room for times beside shares."""


def run_lines(overview: Overview) -> list[Line]:
    """When, where and on what; how it was collected and exported; the models, once they are known."""
    said = run_texts(overview)
    rows = (
        (Need.WHEN, said.headline),
        (Need.CHIPS, join_parts(said.devices)),
        (Need.EXPORT, join_parts((said.exported, said.collected))),
        *((Need.MODELS, text) for text in said.models),
        (Need.WHOLE if overview.completeness.lacks else Need.EXPORT, _sentence(said.whole)),
    )
    return [Line(need, Text(row)) for need, row in rows if row]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def time_lines(overview: Overview, device: int | None, width: int, *, roomy: bool) -> list[Line]:
    """Per device its period; of the slowest, or the only one, what it is made of.

    ``device``: shown alone where it is among them.
    """
    if overview.times is None:
        return []
    devices, why = overview.devices(device), overview.why_no_busy
    if not devices:
        return [Line(Need.PERIOD, Text(printable(why)))] if why else []
    several = len(devices) > 1
    lines = _device_lines(devices, width) if several else []
    lines += _detail(_slowest(devices), width, several=several, roomy=roomy)
    if why is None and not any(one.busy for one in devices):
        reading = _("reading op_summary {mark}").format(mark=glyphs().ellipsis)
        lines.append(Line(Need.BUSY, Text(reading, style="dim")))
    elif why:
        lines.append(Line(Need.NOTES, Text(printable(why), style="dim")))
    return lines


def _device_lines(devices: Sequence[DeviceTimes], width: int) -> list[Line]:
    """The slowest is needed most: its period has no other line where the others have none."""
    first = _slowest(devices)
    top = max((ns or 0 for one in devices if one.steps for ns in one.steps.periods_ns), default=0)
    return [
        Line(Need.PERIOD if one is first else Need.DEVICES, device_line(one, width, first.whole_ns, top))
        for one in devices
    ]


def _slowest(devices: Sequence[DeviceTimes]) -> DeviceTimes:
    """The one whose iterations take longest, or that worked longest."""
    return max(devices, key=lambda one: one.whole_ns)


def _detail(device: DeviceTimes, width: int, *, several: bool, roomy: bool) -> Iterator[Line]:
    steps, busy, name = device.steps, device.busy, whose(device)
    title = Text(
        _("The slowest, {name}").format(name=name) if several else name[:1].upper() + name[1:], style="bold"
    )
    if steps is not None:
        why = (f" ({steps.why})", "dim")
        yield Line(Need.TITLE, Text.assemble(title, f": {steady_text(steps)}", why))
        yield from step_lines(steps, width)
        yield from _part_lines(steps, width)
    elif several or busy is not None:
        yield Line(Need.TITLE, title)
    if busy is not None:
        yield from _busy_lines(busy, width, roomy=roomy, whole=steps is None)


def _part_lines(times: ModelRun, width: int) -> Iterator[Line]:
    """A bar of the period's parts, each cell with the letter of its part, and what the letters mean."""
    rows = part_rows(times)
    known = [row for row in rows if row.ns is not None]
    if not known or times.period is None:
        return
    cells = stacked_bar([row.ns or 0 for row in known], width)
    looks = [
        (_PARTS[row.id][0] * number, _fill_style(_PARTS[row.id][1]))
        for row, number in zip(known, cells, strict=True)
    ]
    yield Line(Need.BAR, Text.assemble(*looks))
    legend = pack_lines([_legend(row, *_PARTS[row.id], wide=width >= _WIDE) for row in rows], width)
    yield from (Line(Need.PARTS, text) for text in legend)


def _legend(row: TimeRow, letter: str, colour: str, *, wide: bool) -> Text:
    """``F FP to BP 18,024.928 us 98.5 %``; without the time where there is no room for it."""
    said = f" {row.name} "
    said += f"{separated(row.ns)} us {row.per_cent}" if wide or row.ns is None else row.per_cent
    return Text.assemble((letter, _fill_style(colour)), said.rstrip())


def pack_lines(entries: Iterable[Text], width: int) -> Iterator[Text]:
    """Entries side by side, as many on a line as fit."""
    line = Text()
    for entry in entries:
        if line.cell_len and line.cell_len + len(_BETWEEN) + entry.cell_len > width:
            yield line
            line = Text()
        line = Text.assemble(line, _BETWEEN if line.cell_len else "", entry)
    if line.cell_len:
        yield line


def _fill_style(colour: str) -> str:
    return f"{ink_on(colour)} on {colour}"


def _busy_lines(busy: BusyTimes, width: int, *, roomy: bool, whole: bool) -> Iterator[Line]:
    notes = [" ".join(busy_notes(busy))] if whole or roomy else map(printable, busy.notices)
    yield from (Line(Need.NOTES, Text(note, style="dim")) for note in notes)
    if busy.lacking:
        yield Line(Need.BUSY, Text(incomplete_text(busy), style="dim"))
    times = pack_lines([_short(row, wide=width >= _WIDE) for row in busy_rows(busy)], width)
    yield from (Line(Need.PERIOD if whole else Need.BUSY, text) for text in times)
    types = _type_bars(busy) if roomy else _type_legend(busy, width)
    yield from (Line(Need.TYPES, text) for text in types)


def _type_legend(busy: BusyTimes, width: int) -> Iterator[Text]:
    types = type_rows(busy)
    kinds = kinds_of(row.id for row in types)
    legend = [
        _legend(row, kind.letter, kind.colour, wide=False) for row, kind in zip(types, kinds, strict=True)
    ]
    return pack_lines(legend, width)


def _short(row: TimeRow, *, wide: bool) -> Text:
    if row.id == "busy" and not wide:
        return Text(f"{row.name} {row.per_cent}")
    said = f"{row.name} {separated(row.ns)} us {row.per_cent}"
    told = row.note and (row.id == "idle" or (wide and row.id != "busy"))
    return Text(f"{said} ({row.note})" if told else said)


def _type_bars(busy: BusyTimes) -> Iterator[Text]:
    types = type_rows(busy)
    names = max((len(row.name) for row in types), default=0)
    for row, kind in zip(types, kinds_of(row.id for row in types), strict=True):
        line = Text()
        line.append(kind.letter, style=_fill_style(kind.colour))
        line.append(f" {row.name:<{names}}  {separated(row.ns):>{NUMBER_CELLS}} us {row.per_cent:>8}  ")
        line.append(bar(row.ns or 0, busy.window_ns, _BAR_CELLS), style=kind.colour)
        line.append(f"  {row.note}", style="dim")
        yield line
