"""What is known of every row besides its cells: whether it is shown, and whose it is."""

import polars as pl

from prof_tui.data.tables.table import Table


def kept_rows(table: Table) -> pl.Series | None:
    """Boolean per row number: False for damaged rows; None when there are none."""
    left_out: list[int] = []
    base = 0
    for source in table.sources:
        left_out += [base + row for row in source.store.left_out]
        base += source.store.row_count
    if not left_out:
        return None
    return pl.Series([True]).new_from_index(0, base).scatter(left_out, False)


def per_source(table: Table, attribute: str) -> pl.Series:
    """What the files' names say (``device``, ``model`` or ``iteration``), Int64 per row number, else null."""
    parts = [
        pl.Series([getattr(source, attribute)], dtype=pl.Int64).new_from_index(0, source.store.row_count)
        for source in table.sources
    ]
    return pl.concat(parts) if parts else pl.Series([], dtype=pl.Int64)


def device_numbers(table: Table) -> pl.Series:
    """The device of each row, Int64: from the column, else from the file's name; null where unknown."""
    column = table.get("device_id")
    if column is None or column.derived:
        return per_source(table, "device")
    return table.numbers(column).cast(pl.Int64)


def model_numbers(table: Table) -> pl.Series:
    """The Model ID of each row, Int64: from the column, else from the file's name; null where unknown."""
    column = table.get("model_id")
    return per_source(table, "model") if column is None else table.numbers(column).cast(pl.Int64)
