"""Whether tables that hold the same ops agree: op_summary, task_time, the timeline's streams, op_statistic.

Tasks are compared one by one (``prof_tui.data.tables.same_tasks``), without events, placeholders, the
profiler's own tasks and communication, which each file lists in another way.  A task without operator
information is a ``KERNEL_…`` in task_time and in the timeline; op_summary lists such only where it has no
Task Types at all, at level 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from prof_tui.data.capture.completeness import TWINS, Completeness, Lack, LackId, Unchecked, joined
from prof_tui.data.tables.cells import MISSING
from prof_tui.data.tables.communication import communicating_rows, matching
from prof_tui.data.tables.same_tasks import match_tasks, tasks_of_table
from prof_tui.data.tables.stores import Progress, go_on
from prof_tui.data.tables.table import Table, device_numbers, kept_rows
from prof_tui.data.tables.task_types import COLLECTIVE, KERNEL, computes
from prof_tui.data.tables.typed_columns import TextColumn
from prof_tui.data.timeline.op_link import tasks_of_lanes
from prof_tui.errors import UnreadableError
from prof_tui.words import NOT_AVAILABLE, _, byte_size, count, counted, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.model import TraceIndex

_COMPARED = ("stream", "task", "start_ns")
"""Of a task only what tells it: names and lengths are worth another reading for a page alone."""
_MOST_KINDS = 3


def check_tables(capture: OpenCapture, progress: Progress = go_on) -> Completeness:
    """op_summary beside each of its twins; reads those, the timeline only where it is small or was read."""
    try:
        table = capture.table("op_summary")
        table.prepare()
    except UnreadableError as error:
        return Completeness(unchecked=tuple(Unchecked(id_, _("tables"), str(error)) for id_ in TWINS))
    checks = zip(TWINS, (_check_task_time, _check_timeline, _check_statistic), strict=True)
    return joined(_checked(id_, check, capture, table, progress) for id_, check in checks)


_NAMES: Mapping[LackId, str] = {
    "incomplete_task_time": "task_time",
    "incomplete_timeline": _("the timeline"),
    "incomplete_op_statistic": "op_statistic",
}

Check = Callable[["OpenCapture", Table, Progress], Iterator[Lack]]


def _checked(
    id_: LackId, check: Check, capture: OpenCapture, table: Table, progress: Progress
) -> Completeness:
    try:
        return Completeness(tuple(check(capture, table, progress)))
    except UnreadableError as error:
        return Completeness(unchecked=(Unchecked(id_, _NAMES[id_], str(error)),))


# Tasks


@dataclass(frozen=True)
class _Ops:
    """The tasks of one file that compute."""

    name: str
    table: str
    """The file type."""
    tasks: pl.DataFrame
    """Those without a usable start stand for themselves in the other file, wherever it has their ids."""
    kinds: Callable[[pl.Series], Iterable[str]]
    """What tasks are called that have these numbers."""


def _compare(id_: LackId, one: _Ops, other: _Ops) -> Iterator[Lack]:
    timed = {ops.table: ops.tasks.drop_nulls("start_ns") for ops in (one, other)}
    alone, others_alone = _apart(timed[one.table], timed[other.table])
    pairs = match_tasks(alone, others_alone)
    for ops, left, found, beside in (
        (one, alone, pairs["number"], other),
        (other, others_alone, pairs["other"], one),
    ):
        missing = left.join(found.rename("number").to_frame(), on="number", how="anti")
        untimed = beside.tasks.filter(pl.col("start_ns").is_null())
        missing = missing.join(untimed, on=["device", "stream", "task"], how="anti", nulls_equal=True)
        if len(missing):
            kinds = _by_number(Counter(ops.kinds(missing["number"])))
            yield _lack(id_, ops.name, beside.name, beside.table, kinds, len(timed[ops.table]))


def _apart(own: pl.DataFrame, others: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tasks that have none with the very same ids and start beside them: few, of one and the same clock.

    Told by 64-bit hashes, in a quarter of the time that the search for the nearest takes.
    """
    told = pl.struct("device", "stream", "task", "start_ns").hash().alias("hash")
    one, other = (tasks.select(told)["hash"] for tasks in (own, others))
    return own.filter(~one.is_in(other.implode())), others.filter(~other.is_in(one.implode()))


def _by_number(kinds: Counter[str]) -> tuple[tuple[str, int], ...]:
    """The most frequent first."""
    return tuple(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


def _lack(
    id_: LackId, having: str, lacking: str, table: str, kinds: tuple[tuple[str, int], ...], total: int
) -> Lack:
    missing = sum(number for _kind, number in kinds)
    named = [f"{count(number)} {kind}" for kind, number in kinds[:_MOST_KINDS]]
    if len(kinds) > _MOST_KINDS:
        named.append(counted("{n} more kind", "{n} more kinds", len(kinds) - _MOST_KINDS))
    text = counted(
        "{lacking} lacks {n} of {total} ops of {having} ({kinds})",
        "{lacking} lacks {n} of {total} ops of {having} ({kinds})",
        missing,
        lacking=lacking,
        having=having,
        total=count(total),
        kinds=", ".join(named),
    )
    return Lack(id_, text, missing, (table,), kinds, _RULE)


_RULE = _(
    "The same ops stand in both: found again by device, stream, task id and nearest start within 10 us, "
    "without events, placeholders, the profiler's own tasks and communication."
)


def _summary_ops(table: Table, progress: Progress) -> _Ops:
    """The ops of op_summary that compute and have a start; UnreadableError where they can't be told."""
    _need(table, ("task_start", "task_id", "stream_id"))
    ids = ("task_start", "task_id", "stream_id", "device_id", "task_type")
    table.load([column for id_ in ids if (column := table.get(id_))], progress)
    kept = ~communicating_rows(table)
    if (types := _texts(table, "task_type")) is not None:
        kept = kept & types.matching(_holds(types.values, lambda text: text in MISSING or computes(text)))
    return _Ops(
        "op_summary", "op_summary", _tasks(table, kept), _kinds_of(table, ("op_type", "task_type", "op_name"))
    )


def _check_task_time(capture: OpenCapture, table: Table, progress: Progress) -> Iterator[Lack]:
    other = capture.table("task_time")
    if other.get("task_started") is None:
        raise UnreadableError(_("This task_time holds sums and no single tasks."))
    _need(other, ("task_id", "stream_id", "kernel_type"))
    if _parts(table) != _parts(other):
        raise UnreadableError(_("op_summary and task_time are of other iterations or devices."))
    ids = ("task_started", "task_id", "stream_id", "device_id", "kernel_type", "kernel_name")
    other.load([column for id_ in ids if (column := other.get(id_))], progress)
    types = other.texts(other.column("kernel_type"))
    kept = types.matching(_holds(types.values, _is_listed(types.values.to_list())))
    if (names := _texts(other, "kernel_name")) is not None:
        kept = kept & ~matching(names, COLLECTIVE) & ~matching(names, KERNEL)
    ops = _Ops("task_time", "task_time", _tasks(other, kept), _kinds_of(other, ("kernel_type",)))
    yield from _compare("incomplete_task_time", _summary_ops(table, progress), ops)


def _check_timeline(capture: OpenCapture, table: Table, progress: Progress) -> Iterator[Lack]:
    index = capture.traces.read_unasked(lambda _done, _bytes: progress(0, 1))
    if index is None:
        raise UnreadableError(_why_no_index(capture))
    if index.damaged:
        raise UnreadableError(_("The timeline is damaged."))
    parts = {(file.device, file.model, file.iteration) for file in index.files}
    if {part for part in parts if part[2] is not None} != {p for p in _parts(table) if p[2] is not None}:
        raise UnreadableError(_("op_summary and the timeline are of other iterations."))
    lanes = index.lanes_where(lambda lane: lane.is_stream)
    if not lanes:
        raise UnreadableError(_("The timeline has no tasks of a device."))
    tasks = tasks_of_lanes(index, lanes, capture.export.only_device)
    if tasks["task"].null_count() == len(tasks):
        raise UnreadableError(_("The tasks of the timeline have no Task Id."))
    yield from _compare("incomplete_timeline", _summary_ops(table, progress), _traced_ops(index, tasks))


def _why_no_index(capture: OpenCapture) -> str:
    names = capture.traces.names()
    if not names:
        return capture.why_no_timeline()
    size = byte_size(capture.traces.size_bytes(names[0]))
    return _("The timeline has {size} and was not read; 5 reads it.").format(size=size)


def _traced_ops(index: TraceIndex, tasks: pl.DataFrame) -> _Ops:
    kinds = pl.Series(list(index.kinds), dtype=pl.String)
    own = kinds.gather(index.events["kind"].gather(tasks["number"]))
    listed = _is_listed(own.unique().to_list())
    name = pl.col("name")
    collective = name.str.contains(COLLECTIVE.pattern) | name.str.contains(KERNEL.pattern)
    kept = tasks.filter(own.is_in([kind for kind in kinds if listed(kind)])).filter(~collective)

    def kinds_of(numbers: pl.Series) -> Iterable[str]:
        return (printable(kind) for kind in kinds.gather(index.events["kind"].gather(numbers)))

    bare = kept.with_columns(name=pl.lit(None, pl.String), ns=pl.lit(None, pl.Int64))
    return _Ops(_("the timeline"), index.name, bare.drop_nulls("task"), kinds_of)


def _is_listed(types: Sequence[str | None]) -> Callable[[str], bool]:
    """Which of a file's types op_summary lists."""
    typed = any(computes(text or "") and not (text or "").startswith("KERNEL_") for text in types)
    return lambda text: computes(text) and not (typed and text.startswith("KERNEL_"))


def _need(table: Table, ids: Iterable[str]) -> None:
    if any(table.get(id_) is None for id_ in ids):
        text = _("{table} has no ids or no starts of its tasks.")
        raise UnreadableError(text.format(table=table.name))


def _parts(table: Table) -> set[tuple[int | None, int | None, int | None]]:
    """What the names of the files say that they are of."""
    return {(source.device, source.model, source.iteration) for source in table.sources}


def _tasks(table: Table, wanted: pl.Series) -> pl.DataFrame:
    """Sound rows as tasks, without those that lack ids; UnreadableError where some are rounded."""
    kept = kept_rows(table)
    rows = (wanted if kept is None else wanted & kept).arg_true()
    tasks = tasks_of_table(table, rows, _COMPARED).drop_nulls(["stream", "task"])
    odd = [cells for source in table.sources for cells in source.store.tally.odd_cells.values()]
    if any(cells.rounded for cells in odd):
        raise UnreadableError(_("Times or ids of {table} are rounded.").format(table=table.name))
    return tasks


def _kinds_of(table: Table, ids: Sequence[str]) -> Callable[[pl.Series], Iterable[str]]:
    """The first of some columns that says anything of each row."""

    def kinds(rows: pl.Series) -> Iterable[str]:
        said = pl.Series([None], dtype=pl.String).new_from_index(0, len(rows))
        for id_ in ids:
            if (values := _texts(table, id_)) is not None:
                own = values.values.gather(values.codes.gather(rows))
                said = said.set(said.is_null() | said.is_in(list(MISSING)), None)
                said = pl.select(pl.coalesce(said, own)).to_series()
        return (printable(each or NOT_AVAILABLE) for each in said)

    return kinds


def _texts(table: Table, id_: str) -> TextColumn | None:
    column = table.get(id_)
    return None if column is None else table.texts(column)


def _holds(values: pl.Series, holds: Callable[[str], bool]) -> pl.Series:
    return pl.Series([holds(text or "") for text in values], dtype=pl.Boolean)


# Counts


def _check_statistic(capture: OpenCapture, table: Table, progress: Progress) -> Iterator[Lack]:
    statistic = capture.table("op_statistic")
    if statistic.get("count") is None or table.get("op_type") is None:
        raise UnreadableError(_("op_statistic has no Count, or op_summary no OP Type."))
    if _parts(table) != _parts(statistic):
        raise UnreadableError(_("op_summary and op_statistic are of other iterations or devices."))
    table.load([column for id_ in ("op_type", "device_id") if (column := table.get(id_))], progress)
    said, own = _said_counts(statistic), _own_counts(table)
    for having, lacking, more, less in (
        ("op_statistic", "op_summary", said, own),
        ("op_summary", "op_statistic", own, said),
    ):
        missing = {
            key: number - less.get(key, 0) for key, number in more.items() if number > less.get(key, 0)
        }
        kinds: Counter[str] = Counter()
        for (_device, op_type), number in missing.items():
            kinds[printable(op_type)] += number
        if kinds:
            total, named = sum(more.values()), _by_number(kinds)
            yield _lack("incomplete_op_statistic", having, lacking, lacking, named, total)


def _said_counts(statistic: Table) -> dict[tuple[int | None, str], int]:
    counts = statistic.numbers(statistic.column("Count")).cast(pl.Int64)
    return _summed(
        device_numbers(statistic), statistic.texts(statistic.column("OP Type")), counts, kept_rows(statistic)
    )


def _own_counts(table: Table) -> dict[tuple[int | None, str], int]:
    """Ops by device and OP Type, without communication."""
    kept, types = kept_rows(table), table.texts(table.column("OP Type"))
    own = ~communicating_rows(table)
    ones = pl.Series([1], dtype=pl.Int64).new_from_index(0, len(own))
    return _summed(device_numbers(table), types, ones, own if kept is None else own & kept)


def _summed(
    device: pl.Series, types: TextColumn, counts: pl.Series, kept: pl.Series | None
) -> dict[tuple[int | None, str], int]:
    """Counts by device and OP Type; types that are N/A or communicate are in op_summary alone."""
    frame = pl.DataFrame({"device": device.cast(pl.Int64), "code": types.codes, "count": counts})
    frame = frame if kept is None else frame.filter(kept)
    summed = frame.drop_nulls(["code", "count"]).group_by("device", "code").agg(pl.col("count").sum())
    found = {(own, str(types.values[code])): number for own, code, number in summed.iter_rows()}
    return {
        (own, text): number
        for (own, text), number in found.items()
        if text not in MISSING and not COLLECTIVE.search(text)
    }
