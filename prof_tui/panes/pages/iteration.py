"""What stands above an iteration's timeline: its period and parts, how busy it was, where the time went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from prof_tui.data.iterations.step_trace import Step
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.iteration import IterationDetail
from prof_tui.data.query.query import Scope
from prof_tui.panes.colours import kinds_of
from prof_tui.panes.timeline.texts import overlap_lines
from prof_tui.words import (
    NOT_AVAILABLE,
    _,
    count,
    counted,
    duration,
    glyphs,
    printable,
    separated,
    share,
)

if TYPE_CHECKING:
    from prof_tui.data.timeline.model import TraceIndex
    from prof_tui.data.timeline.windows import Seen


def header(detail: IterationDetail) -> Text:
    """The step's times, then busy time and gaps, each from a new line; then notices."""
    lines = [_step_line(detail.step), _busy_line(detail)]
    if detail.notices:
        lines.append(Text(" ".join(printable(notice) for notice in detail.notices), style="dim"))
    text = Text("\n").join(lines)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def with_overlap(text: Text, index: TraceIndex, seen: Seen) -> Text:
    """The header with what the trace tells: computing, communication and idle time of the device."""
    both = Text("\n").join([text, *(Text(line) for line in overlap_lines(index, seen))])
    both.no_wrap, both.overflow = True, "ellipsis"
    return both


def _step_line(step: Step | None) -> Text:
    if step is None:
        return Text(_("no step trace for this iteration"))
    if step.period_ns is None:
        text = _("first: Data Aug {data_aug}, FP to BP {fp_to_bp}, Refresh {refresh} us; no period")
    else:
        text = _("period {period} us = Data Aug {data_aug} + FP to BP {fp_to_bp} + Refresh {refresh}")
    return Text(
        text.format(
            period=separated(step.period_ns),
            data_aug=separated(step.data_aug_ns),
            fp_to_bp=separated(step.fp_to_bp_ns),
            refresh=separated(step.refresh_ns),
        )
    )


def without_ops(capture: OpenCapture, scope: Scope, why: str) -> Text:
    """The step's times where the ops can't be read, and the sentence that says why."""
    iteration = scope.iteration if isinstance(scope.iteration, int) else -1
    step = capture.steps.find(scope.device, scope.model, iteration)
    return Text("\n").join([_step_line(step), Text(printable(why))])


def _busy_line(detail: IterationDetail) -> Text:
    begin_ns, end_ns = detail.window
    gaps = detail.gaps
    return Text(
        counted(
            "{n} op in {window}: busy {busy_share}; idle {gaps} in {gap_count} gaps, longest {longest} us",
            "{n} ops in {window}: busy {busy_share}; idle {gaps} in {gap_count} gaps, longest {longest} us",
            len(detail.ops),
            window=duration(end_ns - begin_ns),
            busy_share=share(detail.busy_ns, end_ns - begin_ns),
            gaps=separated(end_ns - begin_ns - detail.busy_ns),
            gap_count=count(len(gaps)),
            longest=separated(max((end - begin for begin, end in gaps), default=0)),
        )
    )


def placed_by(detail: IterationDetail) -> str:
    """Which rule put the ops into this iteration."""
    return _("ops placed {rules}").format(rules=", ".join(detail.rules) or NOT_AVAILABLE)


def legend(detail: IterationDetail) -> Text:
    """Letter, Task Type, count and share of the summed durations, which may pass the window."""
    text = Text()
    kinds = kinds_of(item.task_type for item in detail.shares)
    for item, kind in zip(detail.shares, kinds, strict=True):
        text.append(f" {kind.letter} ", style=f"reverse {kind.colour}")
        said = _(" {task_type} {count} {share}  ").format(
            task_type=printable(item.task_type),
            count=count(item.count),
            share=share(item.duration_ns, detail.duration_sum_ns),
        )
        text.append(said)
    begin_ns, end_ns = detail.window
    if detail.duration_sum_ns > end_ns - begin_ns > 0:
        text.append(
            _("{mark} sum {share} of the window: ops overlap").format(
                mark=glyphs().separator, share=share(detail.duration_sum_ns, end_ns - begin_ns)
            ),
            style="dim",
        )
    return text
