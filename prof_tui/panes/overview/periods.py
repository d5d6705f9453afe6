"""Periods as lines: how long, how they went, and which iterations are outliers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rich.text import Text

from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.run.overview import DeviceTimes
from prof_tui.data.run.periods import ModelRun, Spread
from prof_tui.data.run.texts import MARK, incomplete_text, partly_text, spread_text, whose
from prof_tui.panes.overview.lines import Line, Need
from prof_tui.widgets.sparkline import bar, groups, sparkline
from prof_tui.words import NOT_AVAILABLE, _, count, counted, separated, share

NUMBER_CELLS = 14
_NAME_CELLS = 15
_SPARK_CELLS = 40
_BAR_CELLS = 10
_MOST_NAMED = 20
"""Outliers that are named: more are longer than any line."""
_ROUNDED_NS = 1_000_000
"""From a millisecond on whole microseconds are as good as all decimals."""
_OUTLIER = "bold red"


def device_line(device: DeviceTimes, width: int, longest_ns: int, top: int) -> Text:
    """The median period of a device, as a bar of ``longest_ns``, and its periods, ``top`` at full height.

    Both are the same for all devices, so that lines below each other compare.
    """
    name, times, busy = whose(device), device.steps, device.busy
    if times is not None and times.whole_ns is not None:
        text = Text(f"{name}  {separated(times.whole_ns):>{NUMBER_CELLS}} us  ")
        text.append(bar(times.whole_ns, longest_ns, _BAR_CELLS) + "  ")
        text.append_text(_draw_spark(times.periods_ns, width - text.cell_len, _find_outliers(times), top))
        outliers = _list_outliers(times)
        return text.append_text(outliers) if text.cell_len + outliers.cell_len <= width else text
    worked = ""
    if busy is not None:
        worked = _("{span} us, busy {share}").format(
            span=separated(busy.window_ns), share=share(busy.busy_ns, busy.window_ns)
        )
    return Text(f"{name}  {worked}")


def step_lines(times: ModelRun, width: int) -> Iterator[Line]:
    """Period and Iteration Time, and the iterations whose period is an outlier."""
    outliers = _find_outliers(times)
    for need, name, spread, values in (
        (Need.PERIOD, _("Period"), times.period, times.periods_ns),
        (Need.ITERATION_TIME, _("Iteration Time"), times.iteration_time, times.iteration_times_ns),
    ):
        number = NOT_AVAILABLE if spread is None else separated(spread.median_ns)
        name = f"{name}{MARK}" if times.lacking else name
        line = f"{name:<{_NAME_CELLS}}{number:>{NUMBER_CELLS}} us"
        if spread is not None and spread.count > 1:
            line += f"  {_format_spread(spread)}"
        spark = _draw_spark(values, width - len(line) - 2, outliers)
        yield Line(need, Text.assemble(line, "  ", spark) if spark.plain.strip() else Text(line))
        if need is Need.PERIOD and outliers:
            yield Line(Need.OUTLIERS, _outlier_line(times))
    if times.partly:
        yield Line(Need.OUTLIERS, Text(partly_text(times), style="dim"))
    if times.lacking:
        yield Line(Need.OUTLIERS, Text(incomplete_text(times), style="dim"))


def _outlier_line(times: ModelRun) -> Text:
    """``Outliers       2 of 10: iteration 8 (+8,816 us), 5 (+2,226 us)``, the farthest first."""
    outliers = sorted(times.outliers, key=lambda step: -abs(_excess_ns(times, step)))
    number = counted(
        "{n} of {all}: iteration", "{n} of {all}: iterations", len(outliers), all=count(len(times.steady))
    )
    steps = ", ".join(
        f"{step.iteration} ({_format_excess(_excess_ns(times, step))} us)" for step in outliers[:_MOST_NAMED]
    )
    return Text.assemble((f"{_('Outliers'):<{_NAME_CELLS}}", _OUTLIER), f"{number} {steps}")


def _list_outliers(times: ModelRun) -> Text:
    """``  outliers: 5, 8``; empty where none is."""
    outliers = [str(step.iteration) for step in times.outliers[:_MOST_NAMED]]
    return Text(
        "  " + _("outliers: {ids}").format(ids=", ".join(outliers)) if outliers else "", style=_OUTLIER
    )


def _excess_ns(times: ModelRun, step: Step) -> int:
    return (step.period_ns or 0) - (times.whole_ns or 0)


def _format_excess(ns: int) -> str:
    if abs(ns) < _ROUNDED_NS:
        return f"{'+' if ns > 0 else ''}{separated(ns)}"
    return f"{'+' if ns > 0 else ''}{count(round(ns / 1000))}"


def _find_outliers(times: ModelRun) -> frozenset[int]:
    """Where the outliers are among the steady iterations."""
    outliers = set(times.outliers)
    return frozenset(place for place, step in enumerate(times.steady) if step in outliers)


def _draw_spark(
    values: Sequence[int | None], width: int, outliers: Collection[int] = (), top: int | None = None
) -> Text:
    """Blocks, those of ``outliers`` places in colour."""
    cells = min(len(values), width, _SPARK_CELLS)
    text = Text()
    if len(values) < 2 or cells < 1:
        return text
    drawn = sparkline(values, cells, top=top)
    for block, places in zip(drawn, groups(len(values), cells), strict=True):
        text.append(block, style=_OUTLIER if any(place in outliers for place in places) else "")
    return text


def _format_spread(spread: Spread) -> str:
    """In whole microseconds, where these tell the values apart."""
    if spread.low_ns < _ROUNDED_NS:
        return spread_text(spread)
    low, high = (count(round(ns / 1000)) for ns in (spread.low_ns, spread.high_ns))
    text = _("all {low} to {high}") if spread.is_of_all else _("p10 {low}, p90 {high}")
    return text.format(low=low, high=high)
