"""Size of a capture and how long it took, as far as that is cheap to know: for a list of captures."""

from dataclasses import replace

from prof_tui.data.capture.choice import CaptureSummary
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.facts import collected_ns
from prof_tui.data.run.periods import choose_models
from prof_tui.data.run.texts import seconds_text
from prof_tui.data.tables.open_table import SMALL_FILE_BYTES
from prof_tui.errors import ProfTuiError
from prof_tui.words import _, byte_size


def look_into(summary: CaptureSummary) -> CaptureSummary:
    """``summary`` with devices, size, and the median period of the main model or the collection's length.

    As it is where the capture can't be listed; no length where nothing small tells of it.
    """
    capture = OpenCapture(summary.path)
    try:
        export = capture.export
        size = sum(file.size for each in (*export.tables, *export.timelines) for file in each.files)
        return replace(summary, devices=export.devices, more=(byte_size(size), *_length(capture)))
    except ProfTuiError:
        return summary


def _length(capture: OpenCapture) -> list[str]:
    steps = capture.export.table("step_trace")
    if steps is not None and sum(file.size for file in steps.files) <= SMALL_FILE_BYTES:
        periods = [run.period_ns for run in choose_models(capture.steps).devices]
        if periods and periods[0] is not None:
            return [_("period {time}").format(time=seconds_text(periods[0]))]
    lasted = collected_ns(capture.export)
    return [] if lasted is None else [_("collected for {time}").format(time=seconds_text(lasted))]
