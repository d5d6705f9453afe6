"""Which iteration an op is in.

Four rules, in this order: (1) Infer ID and Model ID; (2) the model and iteration in the file's name;
(3) the window [Iteration End - Iteration Time, Iteration End) of its device and model that holds its
start; (4) where its Model ID is none and has no step trace, the window that holds its start, if one
model of the device alone has such a window (formats.md section 2.1).  Otherwise it is outside.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import polars as pl

from prof_tui.data.iterations.step_trace import NO_MODEL, ModelKey, StepTrace
from prof_tui.data.tables.table import Table, device_numbers, model_numbers, per_source
from prof_tui.words import _, counted

BY_INFER_ID, BY_FILE, BY_WINDOW, BY_TIME = 1, 2, 3, 4

Window = tuple[int, int, int]
"""(begin_ns, end_ns, label): half open; labels are Iteration IDs or places in a list."""


@dataclass(frozen=True)
class Placement:
    """Per row number of an ops table: where it is."""

    iteration: pl.Series
    """Int64, null outside."""
    model: pl.Series
    """Int64: the model whose iteration it is in, also where the row itself names none."""
    rule: pl.Series
    """UInt8: the number of the rule that placed it, null outside."""
    notices: tuple[str, ...] = ()

    def rules(self) -> list[int]:
        """The rules that placed any row."""
        return sorted(self.rule.drop_nulls().unique().to_list())


def rule_text(rule: int) -> str:
    """What a rule goes by, for the screen."""
    return {
        BY_INFER_ID: _("by Infer ID"),
        BY_FILE: _("by the file's name"),
        BY_WINDOW: _("by start in the iteration's window"),
        BY_TIME: _("by time"),
    }[rule]


def latest_begun(windows: Iterable[Window]) -> list[Window]:
    """Disjoint windows, in time order: where some overlap, the latest that has begun holds."""
    waiting = sorted(window for window in windows if window[0] < window[1])
    borders = sorted({at for begin, end, _label in waiting for at in (begin, end)})
    open_: list[tuple[int, int, int]] = []
    result: list[Window] = []
    place = 0
    for begin, end in pairwise(borders):
        while place < len(waiting) and waiting[place][0] <= begin:
            first, last, _label = waiting[place]
            heapq.heappush(open_, (-first, -place, last))
            place += 1
        while open_ and open_[0][2] <= begin:
            heapq.heappop(open_)
        if open_:
            result.append((begin, end, waiting[-open_[0][1]][2]))
    return result


def only_one(groups: Sequence[Sequence[Window]]) -> list[tuple[int, int, int, int]]:
    """(begin, end, group, label) wherever exactly one group has a window."""
    changes: list[tuple[int, int, int, int]] = []
    for group, windows in enumerate(groups):
        for begin, end, label in windows:
            changes += [(begin, 1, group, label), (end, -1, group, label)]
    changes.sort()
    open_: set[tuple[int, int]] = set()
    result: list[tuple[int, int, int, int]] = []
    for i, (at, change, group, label) in enumerate(changes):
        (open_.add if change > 0 else open_.discard)((group, label))
        until = changes[i + 1][0] if i + 1 < len(changes) else at
        if len(open_) == 1 and until > at:
            [(only, own)] = open_
            result.append((at, until, only, own))
    return result


def windows_of(trace: StepTrace, key: ModelKey) -> list[Window]:
    """Where a model is in which of its iterations: disjoint, in time order, labelled by Iteration ID."""
    return latest_begun(
        (*step.window, step.iteration) for step in trace.of_model(key) if step.window is not None
    )


def place_times(trace: StepTrace, device: int | None, times_ns: pl.Series) -> pl.DataFrame:
    """model and iteration (Int64) of moments of a device: null where not exactly one model has a window."""
    models = [model for own, model in trace.models() if own == device]
    free = only_one([windows_of(trace, (device, model)) for model in models])
    numbered = [(begin, end, number) for number, (begin, end, _group, _label) in enumerate(free)]
    number = _labels_at(times_ns, numbered)
    of_window = pl.DataFrame(
        [(models[group], label) for _begin, _end, group, label in free],
        schema={"model": pl.Int64, "iteration": pl.Int64},
        orient="row",
    )
    return of_window.select(pl.all().gather(number))


def _labels_at(times_ns: pl.Series, windows: Sequence[Window]) -> pl.Series:
    """Int64: the label of the window that holds each moment; null for none.  ``windows`` are disjoint."""
    if not windows:
        return pl.Series([None], dtype=pl.Int64).new_from_index(0, len(times_ns))
    begins, ends, labels = (pl.Series(part, dtype=pl.Int64) for part in zip(*windows, strict=True))
    place = begins.search_sorted(times_ns.fill_null(begins[0] - 1), side="right").cast(pl.Int64) - 1
    clipped = place.clip(0)
    held = (place >= 0) & (times_ns < ends.gather(clipped)).fill_null(False)
    return labels.gather(clipped.set(~held, None))


def place_ops(table: Table, trace: StepTrace) -> Placement:
    """Where each row of an ops table is; the table's device, model and start columns are read."""
    start = table.get("task_start") or table.get("task_started")
    infer = table.get("infer_id")
    table.load(
        [
            column
            for column in table.columns
            if column in (start, infer) or column.id in ("device_id", "model_id")
        ]
    )
    placer = _Placer(trace, device_numbers(table), model_numbers(table))
    if infer is not None:
        placer.put(table.numbers(infer), BY_INFER_ID)
    disagreeing = placer.by_file(per_source(table, "iteration"), per_source(table, "model"))
    if start is not None:
        placer.by_window(table.times(start).ns)
        placer.by_time(table.times(start).ns)
    return Placement(
        placer.iteration, placer.model, placer.rule, tuple(_messages(placer, disagreeing, start is not None))
    )


def _messages(placer: _Placer, disagreeing: int, timed: bool) -> Iterable[str]:
    if disagreeing:
        yield counted(
            "{n} op has another Infer ID or Model ID than its file's name says: the op's own is used.",
            "{n} ops have another Infer ID or Model ID than their files' names say: the ops' own are used.",
            disagreeing,
        )
    if (
        timed
        and placer.trace.steps
        and len(placer.iteration)
        and placer.iteration.null_count() == len(placer.iteration)
    ):
        yield _(
            "No op starts inside an iteration: op_summary and step_trace are not of the same run or clock."
        )


class _Placer:
    """Columns that are filled rule by rule; a row that has an iteration keeps it."""

    def __init__(self, trace: StepTrace, device: pl.Series, model: pl.Series) -> None:
        self.trace = trace
        self.device = device
        self.own_model = model
        self.iteration = pl.Series([None], dtype=pl.Int64).new_from_index(0, len(model))
        self.model = model.clone()  # scatter writes in place, and the table keeps this column
        self.rule = pl.Series([None], dtype=pl.UInt8).new_from_index(0, len(model))

    def put(self, iterations: pl.Series, rule: int) -> pl.Series:
        """Take ``iterations`` (null or below 1: none) for rows without one; the numbers of those rows."""
        rows = ((iterations > 0).fill_null(False) & self.iteration.is_null()).arg_true()
        self._scatter(rows, iterations.gather(rows).cast(pl.Int64), rule)
        return rows

    def by_file(self, iterations: pl.Series, models: pl.Series) -> int:
        """Take what the files' names say; how many rows had been placed elsewhere."""
        placed = self.iteration.is_not_null()
        elsewhere = (iterations != self.iteration).fill_null(False) | (models != self.model).fill_null(False)
        rows = self.put(iterations, BY_FILE)
        self._scatter_models(rows, models.fill_null(self.model).gather(rows))
        return int((placed & iterations.is_not_null() & elsewhere).sum())

    def by_window(self, starts: pl.Series) -> None:
        for device, model in self.trace.models():
            rows = (
                self._is(self.device, device) & self._is(self.own_model, model) & self.iteration.is_null()
            ).arg_true()
            labels = _labels_at(starts.gather(rows), windows_of(self.trace, (device, model)))
            held = labels.is_not_null()
            self._scatter(rows.filter(held), labels.filter(held), BY_WINDOW)

    def by_time(self, starts: pl.Series) -> None:
        for device in dict.fromkeys(device for device, _model in self.trace.models()):
            named = [model for own, model in self.trace.models() if own == device]
            modelless = self.own_model.is_null()
            for none in (-1, NO_MODEL):
                if none not in named:
                    modelless = modelless | self._is(self.own_model, none)
            rows = (self._is(self.device, device) & modelless & self.iteration.is_null()).arg_true()
            found = place_times(self.trace, device, starts.gather(rows))
            held = found["iteration"].is_not_null()
            self._scatter(rows.filter(held), found["iteration"].filter(held), BY_TIME)
            self._scatter_models(rows.filter(held), found["model"].filter(held))

    def _scatter(self, rows: pl.Series, iterations: pl.Series, rule: int) -> None:
        if len(rows):
            self.iteration = self.iteration.scatter(rows, iterations)
            self.rule = self.rule.scatter(rows, rule)

    def _scatter_models(self, rows: pl.Series, models: pl.Series) -> None:
        if len(rows):
            self.model = self.model.scatter(rows, models)

    @staticmethod
    def _is(values: pl.Series, wanted: int | None) -> pl.Series:
        return values.is_null() if wanted is None else (values == wanted).fill_null(False)
