"""What a report holds, the same values that the overview shows, and their order as a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.capture.export import no_device
from prof_tui.data.findings.check import find
from prof_tui.data.findings.finding import Finding, Findings
from prof_tui.data.findings.texts import heading, mean_text, unchecked_texts
from prof_tui.data.run.overview import Overview, read_overview, table_notices
from prof_tui.data.run.periods import model_keys
from prof_tui.data.run.texts import TimeTable, missing_texts, run_texts, time_tables, whose
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.errors import UsageError
from prof_tui.words import _, count

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


@dataclass(frozen=True)
class Report:
    """One capture, or one device or model of it."""

    overview: Overview
    findings: Findings
    notices: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """A report as titles, sentences and tables, for a format to set; not yet printable."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """Label and text of what the run was, without what the capture doesn't say."""
    times: tuple[tuple[str, tuple[TimeTable, ...]], ...]
    """Title and tables of each device."""
    why_no_busy: str
    """A sentence where op_summary tells nothing, else empty."""
    heading: str
    """What stands above the findings."""
    means: str
    """What costs are means of; empty where there are none."""
    findings: tuple[Finding, ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...]
    """Title and lines of what is left: not checked, missing, notices; none is empty."""


def report_document(report: Report) -> Document:
    """What all formats but JSON show, in order."""
    overview, findings = report.overview, report.findings
    title, lacking, missing = _("Where the time goes: {whose}"), findings.not_checked, overview.run.missing
    lists = (
        (_("Not checked"), len(lacking), tuple(unchecked_texts(lacking))),
        (_("Missing"), len(missing), tuple(missing_texts(missing))),
        (_("Notices"), len(report.notices), report.notices),
    )
    return Document(
        overview.run.capture,
        _facts(overview),
        tuple((title.format(whose=whose(one)), tuple(time_tables(one))) for one in overview.devices()),
        overview.why_no_busy or "",
        heading(findings),
        mean_text(findings) if findings.findings else "",
        findings.findings,
        tuple((f"{name} ({count(number)})", texts) for name, number, texts in lists if texts),
    )


def _facts(overview: Overview) -> tuple[tuple[str, str], ...]:
    said = run_texts(overview)
    facts = (
        (_("When"), said.when),
        (_("Where"), said.where),
        *((_("Chip"), text) for text in said.devices),
        (_("Collected"), said.collected),
        (_("Exported"), said.exported),
        *((_("Models"), text) for text in said.models),
        (_("Span"), said.span),
        (_("Whole"), said.whole),
    )
    return tuple((label, text) for label, text in facts if text)


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
    if steady_from is not None and not model_keys(capture.steps, device, model):
        raise UsageError(_("There are no iterations here: --steady-from has none to choose from."))
    # Findings first: they judge the rows and hold the columns that the overview then is summed from.
    findings = find(capture, device=device, model=model, steady_from=steady_from, progress=progress)
    overview = read_overview(capture, device=device, model=model, steady_from=steady_from, progress=progress)
    of_steps = overview.times.notices if overview.times else ()
    said = (*capture.export.notices, *of_steps, *findings.notices, *table_notices(capture))
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
