"""A report in one of its formats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from prof_tui.data.report.as_json import report_json
from prof_tui.data.report.as_markdown import report_markdown
from prof_tui.data.report.as_text import report_text
from prof_tui.data.report.report import Report

ReportFormat = Literal["text", "md", "json"]


def write_report(report: Report, format_: ReportFormat) -> Iterator[str]:
    """In pieces of whole lines."""
    if format_ == "json":
        return iter([report_json(report)])
    return report_markdown(report) if format_ == "md" else report_text(report)
