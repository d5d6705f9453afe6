"""One pass over op_summary for all rules that sum over rows: block by block, and only sums are kept.

A file of the export is read at a time (msprof cuts them at a million rows), with just the columns that
some rule asks for, and summed in slices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from prof_tui.data.run.ops import Ops
from prof_tui.data.tables.bound import BOUND, pipe_columns
from prof_tui.data.tables.bound_column import bound_words
from prof_tui.data.tables.cells import MISSING
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.stores import Progress, TableSource, report_progress
from prof_tui.data.tables.typed_columns import Distinct
from prof_tui.words import NOT_AVAILABLE

BLOCK_ROWS = 250_000

_HELD_TEXTS = {"op_name": "name", "op_type": "type", "task_type": "task"}
_UNTYPED = "untyped"


@dataclass(frozen=True)
class Sums:
    """What a rule wants summed.

    A block has one row per op in scope with a valid duration: ``row``, ``device``, ``ns``; the codes
    ``name``, ``type``, ``task``, ``untyped`` (the name where the type is N/A); the flags ``communicates``,
    ``on_ai_cpu``, ``on_cube``, ``on_vector``, ``first`` (of its iteration); ``bound``, and every column
    read, by its id.
    """

    group: tuple[str, ...] = ()
    """Columns of a block to group by: texts come out as texts."""
    where: pl.Expr | None = None
    values: tuple[pl.Expr, ...] = (pl.len().cast(pl.Int64).alias("count"), pl.col("ns").sum())
    """Each is added over the blocks, but for those of ``extremes``."""
    extremes: tuple[pl.Expr, ...] = ()
    """Values of which the least or greatest is kept: their names begin with ``min`` or ``max``."""

    def of(self, block: pl.LazyFrame) -> pl.LazyFrame:
        """The sums over one block."""
        rows = block if self.where is None else block.filter(self.where)
        wanted = (*self.values, *self.extremes)
        return rows.group_by(self.group).agg(wanted) if self.group else rows.select(wanted)

    def merge(self, parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
        """The sums of several blocks as those of all."""
        whole = pl.concat(parts, how="vertical_relaxed")
        merged = [
            pl.col(name).min()
            if name.startswith("min")
            else pl.col(name).max()
            if name.startswith("max")
            else pl.col(name).sum()
            for name in whole.columns
            if name not in self.group
        ]
        return whole.group_by(self.group).agg(merged) if self.group else whole.select(merged)


BY_TYPE = Sums(("type",))
"""Worked out once for all rules that name this very object."""


@dataclass
class Totals:
    """What one pass found."""

    frames: list[pl.DataFrame]
    """One per ``Sums``, groups and values."""
    says: set[str] = field(default_factory=set)
    """The columns asked for that have a value in any row in scope."""
    total_ns: int = 0
    """Summed durations of all ops in scope."""
    count: int = 0


def sum_up(
    ops: Ops, first_rows: pl.Series, wanted: Sequence[Sums], ids: Sequence[str], progress: Progress
) -> Totals:
    """Sum over all blocks; CancelledError when ``progress``, called before each block, says so."""
    own = {id_: ops.column(id_) for id_ in ids if id_ != BOUND}
    texts = {id_: Distinct() for id_, column in own.items() if column and column.kind == "text"}
    lengths = {id_ for id_, column in own.items() if column and column.kind == "duration"}
    distinct = {id(sums): sums for sums in wanted}
    parts: dict[int, list[pl.DataFrame]] = {key: [] for key in distinct}
    result = Totals([])
    base, rows = 0, ops.table.row_count
    first = pl.Series([False]).new_from_index(0, rows).scatter(first_rows, True)
    for source in ops.table.sources:
        report_progress(progress, base, rows)
        for block in _blocks(ops, source, base, first, ids, texts):
            report_progress(progress, base, rows)
            result.total_ns += int(block["ns"].sum())
            result.count += len(block)
            unsaid = [id_ for id_ in ids if id_ not in result.says]
            result.says |= {id_ for id_ in unsaid if _says(block, id_, texts, zeros=id_ in lengths)}
            found = pl.collect_all([sums.of(block.lazy()) for sums in distinct.values()])
            for key, frame in zip(parts, found, strict=True):
                parts[key].append(frame)
        parts = {key: [distinct[key].merge(own)] if own else [] for key, own in parts.items()}
        base += source.store.row_count
    decode = _decoder(ops, texts)
    frames = {key: decode(own[0]) if own else pl.DataFrame() for key, own in parts.items()}
    result.frames = [frames[id(sums)] for sums in wanted]
    return result


def _blocks(
    ops: Ops,
    source: TableSource,
    base: int,
    first: pl.Series,
    ids: Sequence[str],
    texts: dict[str, Distinct],
) -> Iterator[pl.DataFrame]:
    rows = source.store.row_count
    mask = ops.in_scope.slice(base, rows)
    if not mask.any():
        return
    read = _read(source, ids, texts)
    pipes = pipe_columns(source.store.columns)
    for at in range(0, rows, BLOCK_ROWS):
        inside = mask.slice(at, BLOCK_ROWS)
        if not inside.any():
            continue
        held = _held_columns(ops, base + at, len(inside))
        cells = {name: values.slice(at, len(inside)) for name, values in read.items()}
        firsts = first.slice(base + at, len(inside)).alias("first")
        frame = pl.DataFrame({**held, **cells}).with_columns(firsts)
        usable = inside & (frame["ns"] >= 0).fill_null(False)
        frame = frame if usable.all() else frame.filter(usable)
        yield frame.with_columns(bound_words(frame, pipes, "ns").alias(BOUND)) if BOUND in ids else frame


def _held_columns(ops: Ops, first: int, count: int) -> dict[str, pl.Series]:
    """The held columns of ``count`` rows from row number ``first`` on, by the names that ``Sums`` use."""
    assert ops.ns is not None
    flags = ops.flags
    whole = {
        "device": ops.device,
        "ns": ops.ns,
        "communicates": flags.communicates,
        "on_ai_cpu": flags.on_ai_cpu,
        "on_cube": flags.on_cube,
        "on_vector": flags.on_vector,
    }
    found = {name: values.slice(first, count) for name, values in whole.items()}
    nothing = pl.Series([None], dtype=pl.UInt32)
    for id_, name in _HELD_TEXTS.items():
        values = ops.texts(id_)
        found[name] = nothing.new_from_index(0, count) if values is None else values.codes.slice(first, count)
    found["row"] = pl.int_range(first, first + count, dtype=pl.UInt32, eager=True)
    typed = ops.typed
    found[_UNTYPED] = (
        nothing.new_from_index(0, count)
        if typed is None
        else found["name"].zip_with(~typed.slice(first, count), nothing.cast(found["name"].dtype))
    )
    return found


def _read(source: TableSource, ids: Sequence[str], texts: dict[str, Distinct]) -> dict[str, pl.Series]:
    """The columns of a file by id, and by header the pipe columns that ``bound`` is made of."""
    own: dict[str, Column] = {column.id: column for column in reversed(source.store.columns)}
    wanted = {id_: own[id_] for id_ in ids if id_ in own}
    if BOUND in ids:
        pipes = pipe_columns(source.store.columns)
        wanted |= {column.header: column for column in pipes.all}
    columns = list(dict.fromkeys(wanted.values()))
    unused = pl.Categories()
    read = source.store.load([(c, texts[c.id].categories if c.id in texts else unused) for c in columns])
    by_header = {column.header: values for column, values in zip(columns, read, strict=True)}
    result = {name: by_header[column.header] for name, column in wanted.items()}
    for id_ in ids:
        if id_ not in result and id_ != BOUND:
            dtype = pl.UInt32 if id_ in texts else pl.Float64
            result[id_] = pl.Series([None], dtype=dtype).new_from_index(0, source.store.row_count)
    return result


def _says(block: pl.DataFrame, id_: str, texts: dict[str, Distinct], *, zeros: bool) -> bool:
    """Whether any cell has a value; ``zeros``: 0 is one, else a column of zeros was not collected."""
    values = block[id_]
    if id_ in texts:
        named = texts[id_].categories.to_series()
        codes = values.drop_nulls().unique()
        return not named.gather(codes.cast(pl.UInt32)).is_in(list(MISSING)).all()
    if zeros or id_ == BOUND:
        return values.null_count() < len(values)
    return bool((values != 0).any())


def _decoder(ops: Ops, texts: dict[str, Distinct]) -> Callable[[pl.DataFrame], pl.DataFrame]:
    named: dict[str, pl.Series] = {id_: own.categories.to_series() for id_, own in texts.items()}
    for id_, name in _HELD_TEXTS.items():
        values = ops.texts(id_)
        if values is not None:
            named[name] = values.values

    if "name" in named:
        named[_UNTYPED] = named["name"]

    def decode(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.with_columns(
            (
                named[name].gather(frame[name].cast(pl.UInt32))
                if name in named
                else frame[name].cast(pl.String)
            )
            .fill_null(NOT_AVAILABLE)
            .alias(name)
            for name in frame.columns
            if name in named or name in (*_HELD_TEXTS.values(), _UNTYPED, BOUND)
        )

    return decode
