"""What stands above the findings: what the run was, and where its time goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from prof_tui.data.run import texts as run_text
from prof_tui.data.run.facts import RunFacts
from prof_tui.data.run.models import ModelFacts
from prof_tui.data.run.texts import (
    TimeRow,
    busy_rows,
    inside_notes,
    part_rows,
    type_rows,
    whose,
)
from prof_tui.data.run.times import Inside, StepTimes
from prof_tui.panes.overview.lines import Line, Need
from prof_tui.panes.overview.periods import NUMBER_CELLS, device_line, step_lines
from prof_tui.panes.timeline.kinds import kinds_of
from prof_tui.widgets.sparkline import bar, stacked_bar
from prof_tui.words import _, counted, glyphs, printable, separated

Pair = tuple[StepTimes | None, Inside | None]

_PARTS = {"data_aug_bound": ("D", "yellow"), "fp_to_bp": ("F", "blue"), "refresh": ("R", "magenta")}
_BAR_CELLS = 20
_BETWEEN = "   "
_WIDE = 110
"""Cells from which on there is room for times beside shares."""


def pairs_of(steps: Sequence[StepTimes], inside: Sequence[Inside], device: int | None) -> list[Pair]:
    """Of each device, or of ``device`` alone where it is among them."""
    by_device = {one.device: one for one in inside}
    found: list[Pair] = [(times, by_device.get(times.device)) for times in steps]
    found = found or [(None, one) for one in inside]
    shown = [pair for pair in found if device in (None, _device_of(pair))]
    return shown or found


def _device_of(pair: Pair) -> int | None:
    times, inside = pair
    if times is not None:
        return times.device
    return None if inside is None else inside.device


def run_lines(run: RunFacts, models: Sequence[ModelFacts] | None, span_ns: int | None) -> list[Line]:
    """When, where and on what; how it was collected and exported; the models, once they are known."""
    rows = [
        (Need.WHEN, joined([run_text.when(run), run_text.where(run), span_text(span_ns)])),
        (Need.CHIPS, joined(run_text.devices(run))),
        (Need.EXPORT, joined([run_text.exported(run), run_text.collected(run.collection)])),
    ]
    if models is not None:
        rows += [(Need.MODELS, text) for text in run_text.models(models)]
    return [Line(need, Text(row)) for need, row in rows if row]


def span_text(span_ns: int | None) -> str:
    """``span 133.435 ms``; empty where it is not known."""
    return "" if span_ns is None else _("span {span}").format(span=run_text.seconds(span_ns))


def joined(parts: Iterable[str]) -> str:
    """Those that say something, side by side."""
    return f" {glyphs().separator} ".join(part for part in parts if part)


def time_lines(pairs: Sequence[Pair], width: int, *, roomy: bool, why_no_inside: str | None) -> list[Line]:
    """Per device its period; of the slowest, or the only one, what it is made of.

    ``why_no_inside``: None while op_summary is read, else a sentence where it tells nothing.
    """
    if not pairs:
        return [Line(Need.PERIOD, Text(printable(why_no_inside)))] if why_no_inside else []
    lines = _device_lines(pairs, width) if len(pairs) > 1 else []
    lines += _detail(slowest(pairs), width, several=len(pairs) > 1, roomy=roomy)
    if why_no_inside is None and not any(inside for _times, inside in pairs):
        reading = _("reading op_summary {mark}").format(mark=glyphs().ellipsis)
        lines.append(Line(Need.BUSY, Text(reading, style="dim")))
    elif why_no_inside:
        lines.append(Line(Need.NOTES, Text(printable(why_no_inside), style="dim")))
    return lines


def _device_lines(pairs: Sequence[Pair], width: int) -> list[Line]:
    """The slowest is needed most: its period has no other line where the others have none."""
    first = slowest(pairs)
    longest_ns = _whole_ns(first)
    top = max((ns or 0 for times, _inside in pairs if times for ns in times.periods_ns), default=0)
    needs = (Need.PERIOD if pair is first else Need.DEVICES for pair in pairs)
    return [
        Line(need, device_line(*pair, width, longest_ns, top))
        for need, pair in zip(needs, pairs, strict=True)
    ]


def slowest(pairs: Sequence[Pair]) -> Pair:
    """The one whose iterations take longest, or that worked longest."""
    return max(pairs, key=lambda pair: _whole_ns(pair))


def _whole_ns(pair: Pair) -> int:
    times, inside = pair
    if times is not None and times.whole_ns is not None:
        return times.whole_ns
    return 0 if inside is None else inside.window_ns


def _detail(pair: Pair, width: int, *, several: bool, roomy: bool) -> Iterator[Line]:
    times, inside = pair
    if times is not None:
        yield Line(Need.TITLE, _over(times, several=several))
        yield from step_lines(times, width)
        yield from _part_lines(times, width)
    elif several or inside is not None:
        yield Line(Need.TITLE, Text(_title(whose(times, inside), several=several), style="bold"))
    if inside is not None:
        yield from _inside_lines(inside, width, roomy=roomy, whole=times is None)


def _title(name: str, *, several: bool) -> str:
    return _("The slowest, {name}").format(name=name) if several else name[:1].upper() + name[1:]


def _over(times: StepTimes, *, several: bool) -> Text:
    number = len(times.steady.steps)
    text = counted(
        "{n} steady iteration, from Iteration ID {first} on",
        "{n} steady iterations, from Iteration ID {first} on",
        number,
        first=times.steady.first,
    )
    name = _title(whose(times, None), several=several)
    return Text.assemble((name, "bold"), f": {text}", (f" ({times.steady.why})", "dim"))


def _part_lines(times: StepTimes, width: int) -> Iterator[Line]:
    """A bar of the period's parts, each cell with the letter of its part, and what the letters mean."""
    rows = part_rows(times)
    known = [row for row in rows if row.ns is not None]
    if not known or times.period is None:
        return
    cells = stacked_bar([row.ns or 0 for row in known], width)
    looks = [
        (_PARTS[row.id][0] * number, _filled(_PARTS[row.id][1]))
        for row, number in zip(known, cells, strict=True)
    ]
    yield Line(Need.BAR, Text.assemble(*looks))
    legend = packed([_legend(row, *_PARTS[row.id], wide=width >= _WIDE) for row in rows], width)
    yield from (Line(Need.PARTS, text) for text in legend)


def _legend(row: TimeRow, letter: str, colour: str, *, wide: bool) -> Text:
    """``F FP to BP 18,024.928 us 98.5 %``; without the time where there is no room for it."""
    said = f" {row.name} "
    said += f"{separated(row.ns)} us {row.per_cent}" if wide or row.ns is None else row.per_cent
    return Text.assemble((letter, _filled(colour)), said.rstrip())


def packed(entries: Iterable[Text], width: int) -> Iterator[Text]:
    """Entries side by side, as many on a line as fit."""
    line = Text()
    for entry in entries:
        if line.cell_len and line.cell_len + len(_BETWEEN) + entry.cell_len > width:
            yield line
            line = Text()
        line = Text.assemble(line, _BETWEEN if line.cell_len else "", entry)
    if line.cell_len:
        yield line


def _filled(colour: str) -> str:
    return f"{'bright_white' if colour in ('blue', 'magenta') else 'black'} on {colour}"


def _inside_lines(inside: Inside, width: int, *, roomy: bool, whole: bool) -> Iterator[Line]:
    notes = [" ".join(inside_notes(inside))] if whole or roomy else map(printable, inside.notices)
    yield from (Line(Need.NOTES, Text(note, style="dim")) for note in notes)
    busy = packed([_short(row, wide=width >= _WIDE) for row in busy_rows(inside)], width)
    yield from (Line(Need.PERIOD if whole else Need.BUSY, text) for text in busy)
    types = _type_bars(inside) if roomy else _type_legend(inside, width)
    yield from (Line(Need.TYPES, text) for text in types)


def _type_legend(inside: Inside, width: int) -> Iterator[Text]:
    types = type_rows(inside)
    kinds = kinds_of(row.id for row in types)
    legend = [
        _legend(row, kind.letter, kind.colour, wide=False) for row, kind in zip(types, kinds, strict=True)
    ]
    return packed(legend, width)


def _short(row: TimeRow, *, wide: bool) -> Text:
    if row.id == "busy" and not wide:
        return Text(f"{row.name} {row.per_cent}")
    said = f"{row.name} {separated(row.ns)} us {row.per_cent}"
    return Text(f"{said} ({row.note})" if row.note and wide and row.id != "busy" else said)


def _type_bars(inside: Inside) -> Iterator[Text]:
    types = type_rows(inside)
    names = max((len(row.name) for row in types), default=0)
    for row, kind in zip(types, kinds_of(row.id for row in types), strict=True):
        line = Text()
        line.append(kind.letter, style=_filled(kind.colour))
        line.append(f" {row.name:<{names}}  {separated(row.ns):>{NUMBER_CELLS}} us {row.per_cent:>8}  ")
        line.append(bar(row.ns or 0, inside.window_ns, _BAR_CELLS), style=kind.colour)
        line.append(f"  {row.note}", style="dim")
        yield line
