"""What the run was and where its time goes, as one value that is read part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prof_tui.data.capture.completeness import UNKNOWN, Completeness
from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.run.facts import RunFacts, run_facts
from prof_tui.data.run.file_ends import check_files
from prof_tui.data.run.periods import ModelFacts, ModelRuns, choose_models, model_facts
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.errors import UnreadableError

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.run.busy import BusyTimes
    from prof_tui.data.run.periods import ModelRun


@dataclass(frozen=True)
class DeviceTimes:
    """Where the time of one device goes: what its step trace says, and what its ops say."""

    steps: ModelRun | None
    busy: BusyTimes | None
    """At least one of the two is there."""

    @property
    def device(self) -> int | None:
        """None where the file tells no devices apart."""
        if self.steps is not None:
            return self.steps.device
        return None if self.busy is None else self.busy.device

    @property
    def whole_ns(self) -> int:
        """How long an iteration takes; without iterations, how long the device worked."""
        if self.steps is not None and self.steps.whole_ns is not None:
            return self.steps.whole_ns
        return 0 if self.busy is None else self.busy.window_ns


@dataclass(frozen=True)
class Overview:
    """What the run was, and where its time goes, as far as it was read."""

    run: RunFacts
    models: tuple[ModelFacts, ...] | None = None
    """``models`` and ``times``: None until the step trace was read."""
    times: ModelRuns | None = None
    busy: tuple[BusyTimes, ...] = ()
    why_no_busy: str | None = None
    """None until op_summary was read; a sentence where it tells nothing, else empty."""
    span_ns: int | None = None
    """From the first op's start to the last one's end, of the device where that is longest; else of the
    iterations, the first ones too."""
    completeness: Completeness = UNKNOWN
    """What the capture is known to lack."""

    @property
    def steps(self) -> tuple[ModelRun, ...]:
        """The iterations of each device that has any."""
        return () if self.times is None else self.times.devices

    def devices(self, device: int | None = None) -> list[DeviceTimes]:
        """Each device that has iterations, else that has ops; ``device`` alone where it is among them."""
        busy = {one.device: one for one in self.busy}
        found = [DeviceTimes(steps, busy.get(steps.device)) for steps in self.steps]
        found = found or [DeviceTimes(None, one) for one in self.busy]
        return [one for one in found if device in (None, one.device)] or found


def read_overview(
    capture: OpenCapture,
    *,
    device: int | None = None,
    model: int | None = None,
    steady_from: int | None = None,
    known: Overview | None = None,
    told: Callable[[Overview], None] = lambda overview: None,
    soon: bool = False,
    progress: Progress = go_on,
) -> Overview:
    """Read it all, op_summary too; ``told`` is called with what is known whenever that is more.

    ``known``: what an earlier reading found, which stays until it is read anew.  ``soon``: before all names
    of ops are read, which may tell of more communication.
    UsageError where ``model`` has no iteration from ``steady_from`` on; UnreadableError when the
    directory can't be listed: a table that can't be read only costs its own part.
    """
    overview = replace(known, run=run_facts(capture)) if known else Overview(run_facts(capture))
    told(overview)
    known_lacks = capture.completeness or check_files(capture.export)
    trace = capture.steps.counted_from(steady_from)
    times = choose_models(trace, device=device, model=model, completeness=known_lacks)
    overview = replace(overview, models=model_facts(capture.steps), times=times, completeness=known_lacks)
    told(overview)
    # It brings polars, for which what was told so far shall not wait.
    from prof_tui.data.run.busy import read_busy_times

    try:
        busy = read_busy_times(capture, times.devices, device=device, soon=soon, progress=progress)
    except UnreadableError as error:
        overview = replace(overview, busy=(), why_no_busy=str(error))
    else:
        lacking = known_lacks.lacking(_ops_from(capture))
        marked = tuple(replace(one, lacking=lacking) for one in busy)
        overview = replace(overview, busy=marked, why_no_busy="")
    spans = [one.span_ns for one in overview.busy]
    overview = replace(overview, span_ns=max(spans) if spans else _span_of_iterations(capture.steps))
    told(overview)
    return overview


def _ops_from(capture: OpenCapture) -> str:
    """The file type that busy times are summed from."""
    files = capture.export.table("op_summary")
    missing = files is None or files.status == "missing"
    return next(iter(capture.traces.names()), "") if missing else "op_summary"


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
            notices = list(capture.table(name).notices)
        except UnreadableError as error:
            told_elsewhere = name == "op_summary" or not capture.export.has_table(name)
            notices = [] if told_elsewhere else [str(error)]
        for notice in notices:
            said.setdefault(notice, name)
    return said
