"""Captures whose tables a test spells out, and what is shown of them."""

from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Query, Scope, Sort, Where
from prof_tui.data.tables.table import Table
from prof_tui.demo.write import MERGED_DIRECTORY, PROF_NAME, STAMP, capture_skeleton


def csv_capture(parent: Path, /, **tables: str | bytes) -> OpenCapture:
    """A capture of device 0 in the new layout with these CSV files, byte for byte; by type."""
    prof = parent / PROF_NAME
    if not prof.exists():
        capture_skeleton(parent, "new")
    for name, content in tables.items():
        data = content.encode() if isinstance(content, str) else content
        (prof / MERGED_DIRECTORY / f"{name}_{STAMP}.csv").write_bytes(data)
    return OpenCapture(prof)


def csv_table(parent: Path, content: str | bytes, name: str = "op_summary") -> Table:
    return csv_capture(parent, **{name: content}).table(name)


def shown(capture: OpenCapture, table: Table, query: Query | None = None) -> list[list[str | None]]:
    """The cells of the rows that a query gives, in its order."""
    return table.cells(capture.view(table, query or Query()).rows.to_list())


def rows_of(table: Table) -> list[list[str | None]]:
    """The cells of all rows that can be shown, in file order."""
    return shown(OpenCapture(Path()), table)


def column_cells(
    capture: OpenCapture, table: Table, word: str, query: Query | None = None
) -> list[str | None]:
    """The cells under the header that ``word`` names."""
    place = table.columns.index(table.column(word))
    return [row[place] for row in shown(capture, table, query)]


def where(column: str, operator: str, value: str) -> Query:
    return Query(filters=(Where(column, operator, value),))


def sort(column: str, *, descending: bool = False) -> Query:
    return Query(sort=Sort(column, descending))


def within(iteration: int, model: int | None = None, device: int | None = None) -> Query:
    return Query(Scope(device, model, iteration))
