"""What a report holds: the same values that the overview shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.capture.export import no_device
from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Findings
from prof_tui.data.run.models import looked_at
from prof_tui.data.run.overview import Overview, read_overview, table_notices
from prof_tui.data.run.times import Inside, StepTimes
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.errors import UsageError
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


@dataclass(frozen=True)
class Report:
    """One capture, or one device or model of it."""

    overview: Overview
    findings: Findings
    notices: tuple[str, ...]

    def pairs(self) -> list[tuple[StepTimes | None, Inside | None]]:
        """What the step trace and what op_summary say, per device that either has."""
        inside = {one.device: one for one in self.overview.inside}
        steps = self.overview.times.devices
        if not steps:
            return [(None, one) for one in self.overview.inside]
        return [(times, inside.get(times.device)) for times in steps]


def read_report(
    capture: OpenCapture,
    *,
    device: int | None = None,
    model: int | None = None,
    steady_from: int | None = None,
    progress: Progress = go_on,
) -> Report:
    """Read it all; UsageError where the device, model or iteration is not in the capture."""
    _check(capture, device, model)
    if steady_from is not None and not looked_at(capture.steps, device, model):
        raise UsageError(_("There are no iterations here: --steady-from has none to choose from."))
    # Findings first: they judge the rows and hold the columns that the overview then is summed from.
    findings = find(capture, device=device, model=model, steady_from=steady_from, progress=progress)
    overview = read_overview(capture, device=device, model=model, steady_from=steady_from, progress=progress)
    said = (*capture.export.notices, *overview.times.notices, *findings.notices, *table_notices(capture))
    return Report(overview, findings, tuple(dict.fromkeys(said)))


def _check(capture: OpenCapture, device: int | None, model: int | None) -> None:
    known = capture.export.devices
    if device is not None and known and device not in known:
        raise no_device(device, known)
    if model is None:
        return
    models = [own for of, own in capture.steps.models() if device in (None, of)]
    if model not in models:
        text = _("There is no Model ID {model} with iterations here, there are {models}.")
        ids = ", ".join(str(own) for own in dict.fromkeys(models)) or _("none")
        raise UsageError(text.format(model=model, models=ids))
