"""What bounds the ops of a block or of a whole file: ``bound_word`` over columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from prof_tui.data.tables.bound import (
    BANKS,
    CONFLICTS,
    ICACHE,
    LEAST_NS,
    MEMORY,
    MEMORY_BOUND,
    NO_BOUND,
    PIPES,
    SATURATED,
    WORDS,
    PipeColumns,
    duration_of,
    pipe_columns,
)
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.stores import RowStore, TableSource


def bound_words(frame: pl.DataFrame, columns: PipeColumns, duration: str) -> pl.Series:
    """``bound_word`` of each row of a frame that has these columns by header; an Enum of ``WORDS``.

    ``duration``: the name of its column of durations in ns.
    """
    measured = {pipe: found for pipe, found in columns.pipes.items() if found}
    largest = frame.select(
        *(_greatest(found).alias(pipe) for pipe, found in measured.items()),
        _greatest(columns.memory).alias(MEMORY),
        _greatest(columns.banks).alias(BANKS),
        _greatest(columns.icache).alias(ICACHE),
        pl.col(duration).alias("ns"),
    ).with_columns(
        pl.max_horizontal(*measured).alias("fullest") if measured else pl.lit(0.0).alias("fullest")
    )
    fullest = pl.col("fullest")
    holds = [
        *((pipe, (fullest > SATURATED) & (pl.col(pipe) == fullest)) for pipe in PIPES if pipe in measured),
        (MEMORY, pl.col(MEMORY) > MEMORY_BOUND),
        (BANKS, pl.col(BANKS) > CONFLICTS),
        (ICACHE, pl.col(ICACHE) > CONFLICTS),
        (NO_BOUND, (fullest > 0) & (pl.col("ns") > LEAST_NS)),
    ]
    codes = (pl.when(held).then(pl.lit(WORDS.index(word), dtype=pl.UInt8)) for word, held in holds)
    return largest.select(pl.coalesce(codes).cat.to(pl.Enum(WORDS)).alias("bound")).to_series()


def _greatest(columns: Sequence[Column]) -> pl.Expr:
    if not columns:
        return pl.lit(0.0)
    return pl.max_horizontal(*(pl.col(column.header) for column in columns))


def bound_codes(store: RowStore) -> pl.Series:
    """Numbers of the words of a file's rows in ``WORDS`` (UInt8); null where none fits.

    Reads the ratios and keeps none of them.
    """
    duration, found = duration_of(store.columns), pipe_columns(store.columns)
    if duration is None:
        store.prepare()
        return pl.Series([None], dtype=pl.UInt8).new_from_index(0, store.row_count)
    wanted = (duration, *found.all)
    read = store.load([(column, pl.Categories()) for column in wanted])
    frame = pl.DataFrame({column.header: values for column, values in zip(wanted, read, strict=True)})
    return bound_words(frame, found, duration.header).to_physical()


def measured(sources: Iterable[TableSource], counting: pl.Series) -> bool:
    """Whether any pipe has a ratio over 0 in any of the ``counting`` rows (Boolean per row number).

    Reads file by file until one has; keeps nothing.
    """
    base = 0
    for source in sources:
        pipes = [column for own in pipe_columns(source.store.columns).pipes.values() for column in own]
        inside = counting.slice(base, source.store.row_count)
        base += source.store.row_count
        if pipes and inside.any():
            read = source.store.load([(column, pl.Categories()) for column in pipes])
            if any((values.filter(inside) > 0).any() for values in read):
                return True
    return False
