"""All that stands above the findings in full, for a page of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prof_tui.data.run import texts as run_text
from prof_tui.data.run.facts import RunFacts
from prof_tui.data.run.models import ModelFacts
from prof_tui.data.run.texts import (
    TimeRow,
    busy_rows,
    inside_notes,
    step_notes,
    step_rows,
    type_rows,
    whose,
)
from prof_tui.panes.overview.findings_list import WholeRun
from prof_tui.panes.overview.summary import Pair, joined, span_text
from prof_tui.words import _, duration


def whole_run(
    run: RunFacts, models: Sequence[ModelFacts] | None, span_ns: int | None, pairs: Sequence[Pair]
) -> WholeRun:
    """As far as it is known."""
    sections = [
        (_("Capture"), [run.capture]),
        (_("Run"), [joined([run_text.when(run), run_text.where(run), span_text(span_ns)])]),
        (_("Devices"), run_text.devices(run)),
        (_("Collected with"), [run_text.collected(run.collection)]),
        (_("Exported as"), [run_text.exported(run)]),
        (_("Models"), [] if models is None else run_text.models(models)),
        *((_("Times of {device}").format(device=whose(*pair)), list(_times(pair))) for pair in pairs),
    ]
    return WholeRun(
        tuple((title, tuple(line for line in lines if line)) for title, lines in sections if any(lines))
    )


def _times(pair: Pair) -> Iterator[str]:
    times, inside = pair
    if times is not None:
        yield from step_notes(times)
        yield from map(_row, step_rows(times))
    if inside is not None:
        yield " ".join(inside_notes(inside))
        yield from map(_row, (*busy_rows(inside), *type_rows(inside)))


def _row(row: TimeRow) -> str:
    said = f"{row.name}  {duration(row.ns)}  {row.per_cent}".rstrip()
    return f"{said}  ({row.note})" if row.note else said
