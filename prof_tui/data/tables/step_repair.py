"""Put back the N/A that the C++ exporter writes as 0.000 in step_trace.

It has no branch for missing times (formats.md section 2.1, quirk 16): inference graphs get 0.000 as FP
Start and BP End and so as what follows from them, and each model's first row as its Data Aug Bound.
"""

from collections.abc import Sequence

from prof_tui.data.tables.cells import to_ns
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.repairs import Tally
from prof_tui.words import NOT_AVAILABLE, ngettext

_FOLLOWING = ("fp_start", "bp_end", "fp_to_bp", "refresh", "data_aug")


def repair_zeros(columns: Sequence[Column], rows: list[list[str]], tally: Tally) -> None:
    """Replace zeros that stand for N/A, in place; ``tally`` says how many cells."""
    place = {column.id: i for i, column in reversed(list(enumerate(columns)))}
    firsts = _first_rows(rows, place)
    repaired = 0
    for number, row in enumerate(rows):
        ids = _FOLLOWING if _zero(row, place, "fp_start") else ("data_aug",) if number in firsts else ()
        for id_ in ids:
            if _zero(row, place, id_):
                row[place[id_]] = NOT_AVAILABLE
                repaired += 1
    if repaired:
        tally.notes.append(
            ngettext(
                "{n} zero that stands for a missing time is shown as N/A",
                "{n} zeros that stand for missing times are shown as N/A",
                repaired,
            ).format(n=repaired)
        )


def _first_rows(rows: Sequence[Sequence[str]], place: dict[str, int]) -> set[int]:
    """Places of the rows with the lowest Iteration ID of their device and model."""
    firsts: dict[tuple[str, str], tuple[int, int]] = {}
    for number, row in enumerate(rows):
        model = (_cell(row, place, "device_id"), _cell(row, place, "model_id"))
        iteration = _cell(row, place, "iteration_id")
        this = (int(iteration) if iteration.isdecimal() else 0, number)
        firsts[model] = min(this, firsts.get(model, this))
    return {number for _iteration, number in firsts.values()}


def _cell(row: Sequence[str], place: dict[str, int], id_: str) -> str:
    return row[place[id_]] if id_ in place else ""


def _zero(row: Sequence[str], place: dict[str, int], id_: str) -> bool:
    return id_ in place and to_ns(row[place[id_]], 1000) == 0
