"""The overview as one value, for what prints it; the screen asks for its parts one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.run.facts import RunFacts, run_facts
from prof_tui.data.run.models import ModelFacts, model_facts
from prof_tui.data.run.times import StepTimesFound, step_times
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.errors import UnreadableError

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.run.times import Inside


@dataclass(frozen=True)
class Overview:
    """What the run was, and where its time goes."""

    run: RunFacts
    models: tuple[ModelFacts, ...]
    times: StepTimesFound
    inside: tuple[Inside, ...]
    why_no_inside: str = ""
    """A sentence where op_summary tells nothing."""
    span_ns: int | None = None
    """From the first op's start to the last one's end, of the device where that is longest; else of the
    iterations, the first ones too."""


def read_overview(
    capture: OpenCapture,
    *,
    device: int | None = None,
    model: int | None = None,
    steady_from: int | None = None,
    progress: Progress = go_on,
) -> Overview:
    """Read it all, op_summary too.

    UsageError where ``model`` has no iteration from ``steady_from`` on; UnreadableError when the
    directory can't be listed: a table that can't be read only costs its own part.
    """
    from prof_tui.data.run.device_times import inside_times

    run = run_facts(capture)
    times = step_times(capture.steps.counted_from(steady_from), device=device, model=model)
    why = ""
    inside: tuple[Inside, ...] = ()
    try:
        inside = inside_times(capture, times.devices, device=device, progress=progress)
    except UnreadableError as error:
        why = str(error)
    spans = [one.span_ns for one in inside]
    span_ns = max(spans) if spans else _span_of_iterations(capture.steps)
    return Overview(run, model_facts(capture.steps), times, inside, why, span_ns)


def _span_of_iterations(trace: StepTrace) -> int | None:
    ends = [step.end_ns for step in trace.steps if step.end_ns is not None]
    begins = [begin for step in trace.steps if (begin := step.begin_ns) is not None]
    return max(ends) - min(begins) if ends and begins else None


def table_notices(capture: OpenCapture) -> tuple[str, ...]:
    """Sentences on step_trace and op_summary, as far as they were read."""
    return tuple(notices_and_tables(capture))


def notices_and_tables(capture: OpenCapture) -> dict[str, str]:
    """The same sentences, each with the name of its table."""
    said: dict[str, str] = {}
    for name in ("step_trace", "op_summary"):
        try:
            notices = capture.table(name).notices
        except UnreadableError:
            continue
        for notice in notices:
            said.setdefault(notice, name)
    return said
