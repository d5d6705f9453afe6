"""Periods as lines: how long, how they went, and which iterations are out of line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rich.text import Text

from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.run.overview import DeviceTimes
from prof_tui.data.run.periods import ModelRun, Spread
from prof_tui.data.run.texts import spread_text, whose
from prof_tui.panes.overview.lines import Line, Need
from prof_tui.widgets.sparkline import bar, groups, sparkline
from prof_tui.words import NOT_AVAILABLE, _, count, counted, separated, share

NUMBER_CELLS = 14
_NAME_CELLS = 15
_SPARK_CELLS = 40
_BAR_CELLS = 10
_MOST_NAMED = 20
"""Iterations out of line that are named: more are longer than any line."""
_ROUNDED_NS = 1_000_000
"""From a millisecond on whole microseconds are as good as all decimals."""
_ODD = "bold red"


def device_line(device: DeviceTimes, width: int, longest_ns: int, top: int) -> Text:
    """Its median period, as a bar of ``longest_ns``, and its periods with ``top`` as the full height.

    Both are the same for all devices, so that lines below each other compare.
    """
    name, times, busy = whose(device), device.steps, device.busy
    if times is not None and times.whole_ns is not None:
        text = Text(f"{name}  {separated(times.whole_ns):>{NUMBER_CELLS}} us  ")
        text.append(bar(times.whole_ns, longest_ns, _BAR_CELLS) + "  ")
        text.append_text(_spark(times.periods_ns, width - text.cell_len, _places(times), top))
        odd = _named(times)
        return text.append_text(odd) if text.cell_len + odd.cell_len <= width else text
    worked = ""
    if busy is not None:
        worked = _("{span} us, busy {share}").format(
            span=separated(busy.window_ns), share=share(busy.busy_ns, busy.window_ns)
        )
    return Text(f"{name}  {worked}")


def step_lines(times: ModelRun, width: int) -> Iterator[Line]:
    """Period and Iteration Time, and the iterations whose period is out of line."""
    odd = _places(times)
    for need, name, spread, values in (
        (Need.PERIOD, _("Period"), times.period, times.periods_ns),
        (Need.ITERATION_TIME, _("Iteration Time"), times.iteration_time, times.iteration_times_ns),
    ):
        number = NOT_AVAILABLE if spread is None else separated(spread.median_ns)
        line = f"{name:<{_NAME_CELLS}}{number:>{NUMBER_CELLS}} us"
        if spread is not None and spread.count > 1:
            line += f"  {_rounded_spread(spread)}"
        spark = _spark(values, width - len(line) - 2, odd)
        yield Line(need, Text.assemble(line, "  ", spark) if spark.plain.strip() else Text(line))
        if need is Need.PERIOD and odd:
            yield Line(Need.ODD, _odd_line(times))


def _odd_line(times: ModelRun) -> Text:
    """``Out of line    2 of 10: iteration 8 (+8,816 us), 5 (+2,226 us)``, the farthest first."""
    odd = sorted(times.outliers, key=lambda step: -abs(_excess_ns(times, step)))
    number = counted(
        "{n} of {all}: iteration", "{n} of {all}: iterations", len(odd), all=count(len(times.steady))
    )
    steps = ", ".join(
        f"{step.iteration} ({_signed(_excess_ns(times, step))} us)" for step in odd[:_MOST_NAMED]
    )
    return Text.assemble((f"{_('Out of line'):<{_NAME_CELLS}}", _ODD), f"{number} {steps}")


def _named(times: ModelRun) -> Text:
    """``  out of line: 5, 8``; empty where none is."""
    odd = [str(step.iteration) for step in times.outliers[:_MOST_NAMED]]
    return Text("  " + _("out of line: {ids}").format(ids=", ".join(odd)) if odd else "", style=_ODD)


def _excess_ns(times: ModelRun, step: Step) -> int:
    return (step.period_ns or 0) - (times.whole_ns or 0)


def _signed(ns: int) -> str:
    if abs(ns) < _ROUNDED_NS:
        return f"{'+' if ns > 0 else ''}{separated(ns)}"
    return f"{'+' if ns > 0 else ''}{count(round(ns / 1000))}"


def _places(times: ModelRun) -> frozenset[int]:
    """Where the outliers are among the steady iterations."""
    outliers = set(times.outliers)
    return frozenset(place for place, step in enumerate(times.steady) if step in outliers)


def _spark(
    values: Sequence[int | None], width: int, odd: Collection[int] = (), top: int | None = None
) -> Text:
    """Blocks, those of ``odd`` places in colour."""
    cells = min(len(values), width, _SPARK_CELLS)
    text = Text()
    if len(values) < 2 or cells < 1:
        return text
    drawn = sparkline(values, cells, top=top)
    for block, places in zip(drawn, groups(len(values), cells), strict=True):
        text.append(block, style=_ODD if any(place in odd for place in places) else "")
    return text


def _rounded_spread(spread: Spread) -> str:
    """In whole microseconds, where these tell the values apart."""
    if spread.low_ns < _ROUNDED_NS:
        return spread_text(spread)
    low, high = (count(round(ns / 1000)) for ns in (spread.low_ns, spread.high_ns))
    text = _("all {low} to {high}") if spread.is_of_all else _("p10 {low}, p90 {high}")
    return text.format(low=low, high=high)
