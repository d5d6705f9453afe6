"""Columns of a whole table: each file's values behind each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from prof_tui.data.tables.bound import WORDS, is_bound
from prof_tui.data.tables.bound_column import bound_codes
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.stores import Progress, TableSource, reading, report_progress
from prof_tui.data.tables.typed_columns import Distinct, TextColumn, Values

_DTYPES: dict[str, type[pl.DataType]] = {"text": pl.UInt32, "decimal": pl.Float64}
"""Type of a column's values in a file that lacks it; Int64 for the others."""

Texts = Mapping[str, Distinct]
"""By header, the values of each text column that is in the files."""


def load_columns(
    sources: Sequence[TableSource], columns: Sequence[Column], progress: Progress
) -> dict[str, Values]:
    """Typed values by header, over all row numbers of the files; CancelledError when ``progress`` says so."""
    texts = _distinct_texts(columns)
    return _join(columns, texts, [_load(source, columns, texts) for source in _each(sources, progress)])


def skim_columns(
    sources: Sequence[TableSource], columns: Sequence[Column], progress: Progress, *, numbered: bool = False
) -> dict[str, Values] | None:
    """What ``load_columns`` gives, by ``RowStore.skim``; None where a file can't skim or lacks a column."""
    texts, parts = _distinct_texts(columns), []
    for source in _each(sources, progress):
        wanted = _wanted(source, columns, texts)
        with reading(source.file_name):
            found = source.store.skim(wanted, numbered=numbered) if len(wanted) == len(columns) else None
        if found is None:
            return None
        parts.append({column.header: series for column, series in zip(columns, found, strict=True)})
    return _join(columns, texts, parts)


def _each(sources: Sequence[TableSource], progress: Progress) -> Iterator[TableSource]:
    for done, source in enumerate(sources):
        report_progress(progress, done, len(sources))
        yield source


def _distinct_texts(columns: Sequence[Column]) -> Texts:
    return {each.header: Distinct() for each in columns if each.kind == "text" and not is_bound(each)}


def _wanted(
    source: TableSource, columns: Sequence[Column], texts: Texts
) -> list[tuple[Column, pl.Categories]]:
    """The columns that a file has, read as the table has them."""
    own, none = {column.header: column for column in source.store.columns}, pl.Categories()
    return [
        (own[each.header].read_as(each.kind), texts[each.header].categories if each.header in texts else none)
        for each in columns
        if each.header in own
    ]


def _load(source: TableSource, columns: Sequence[Column], texts: Texts) -> dict[str, pl.Series]:
    wanted = _wanted(source, columns, texts)
    with reading(source.file_name):
        loaded = source.store.load(wanted) if wanted else []
    found = {column.header: series for (column, _own), series in zip(wanted, loaded, strict=True)}
    for column in columns:
        if is_bound(column):
            with reading(source.file_name):
                found[column.header] = bound_codes(source.store)
        elif column.header not in found:
            with reading(source.file_name):
                source.store.prepare()
            value = source.named(column.header) if column.derived else None
            absent = pl.Series([value], dtype=_DTYPES.get(column.kind, pl.Int64))
            found[column.header] = absent.new_from_index(0, source.store.row_count)
    return found


def _join(
    columns: Sequence[Column], texts: Texts, parts: Sequence[Mapping[str, pl.Series]]
) -> dict[str, Values]:
    result: dict[str, Values] = {}
    for column in columns:
        whole = pl.concat([part[column.header] for part in parts]).rechunk()
        if column.kind == "int":  # ids and counts are small: a quarter of the memory at most
            whole = whole.shrink_dtype()
        own = texts.get(column.header)
        worked_out = TextColumn(whole, pl.Series(WORDS)) if is_bound(column) else whole
        result[column.header] = worked_out if own is None else own.encoded(whole)
    return result
