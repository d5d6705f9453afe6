"""The step trace as iterations: windows, periods, the main model, which iterations are steady.

Formulas: formats.md section 2.1; the words main model, steady and period are this program's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from prof_tui.data.spans.span import Span
from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.stores import TableSource
from prof_tui.data.tables.table import Table
from prof_tui.data.tables.units import TICKS, TickClock
from prof_tui.words import _, counted

NO_MODEL = 4294967295
"""UINT32_MAX: what msprof writes for rows of no model (quirk 46)."""

FIRST_STEADY = 3
"""Iterations before this one carry compilation and warm-up (the guide: take Iteration ID > 2)."""

ModelKey = tuple[int | None, int | None]
"""(device, Model ID)."""


@dataclass(frozen=True)
class Reduce:
    """One gradient reduction."""

    start_ns: int | None
    duration_ns: int | None


@dataclass(frozen=True)
class Step:
    """One iteration; times on the ops' clock in ns, None for N/A and for ticks that can't be converted."""

    row: int
    """Row number in the step_trace table."""
    device: int | None
    model: int | None
    iteration: int
    fp_start_ns: int | None
    bp_end_ns: int | None
    end_ns: int | None
    iteration_time_ns: int | None
    fp_to_bp_ns: int | None
    refresh_ns: int | None
    data_aug_ns: int | None
    reduces: tuple[Reduce, ...] = ()
    period_ns: int | None = None
    """This Iteration End minus the model's previous one; None for its first iteration and behind a hole."""

    @property
    def key(self) -> ModelKey:
        return (self.device, self.model)

    @property
    def begin_ns(self) -> int | None:
        """Where its window begins: Iteration End minus Iteration Time."""
        if self.end_ns is None or self.iteration_time_ns is None or self.iteration_time_ns < 0:
            return None
        return self.end_ns - self.iteration_time_ns

    @property
    def window(self) -> Span | None:
        """What starts in it is in the iteration; None where the step trace has no times for it."""
        if self.begin_ns is None or self.end_ns is None or self.begin_ns >= self.end_ns:
            return None
        return self.begin_ns, self.end_ns


@dataclass(frozen=True)
class StepTrace:
    """All iterations of a capture, in the order of device, model and Iteration ID."""

    steps: tuple[Step, ...] = ()
    notices: tuple[str, ...] = ()
    steady_from: int | None = None
    """The first Iteration ID that counts as steady, where the user chose one."""

    def counted_from(self, first: int | None) -> StepTrace:
        """The same iterations, steady from ``first`` on; None: as before."""
        return self if first is None else replace(self, steady_from=first)

    def of_model(self, key: ModelKey) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.key == key)

    def models(self) -> tuple[ModelKey, ...]:
        return tuple(dict.fromkeys(step.key for step in self.steps))

    def find(self, device: int | None, model: int | None, iteration: int) -> Step | None:
        return next((s for s in self.steps if s.key == (device, model) and s.iteration == iteration), None)

    def main_model(self, device: int | None) -> int | None:
        """The device's model with most iterations, ties by summed Iteration Time.

        Never "no model" where another is there; None where the device has no iteration.
        """
        by_model: dict[int | None, list[Step]] = {}
        for step in self.steps:
            if step.device == device:
                by_model.setdefault(step.model, []).append(step)
        real = {model: steps for model, steps in by_model.items() if model not in (NO_MODEL, None, -1)}
        ranked = real or by_model
        return max(ranked, key=lambda model: _weight(ranked[model]), default=None)

    def is_main(self, step: Step) -> bool:
        return step.model == self.main_model(step.device)

    def steady(self, key: ModelKey) -> tuple[Step, ...]:
        """The model's iterations that count: from the chosen one on, may be none.

        Where none was chosen, those after warm-up; all of them where the model has no more than two.
        """
        steps = self.of_model(key)
        first = FIRST_STEADY if self.steady_from is None else self.steady_from
        late = tuple(step for step in steps if step.iteration >= first)
        if self.steady_from is not None:
            return late
        return late if late and len(steps) >= FIRST_STEADY else steps


def _weight(steps: Sequence[Step]) -> tuple[int, int]:
    return len(steps), sum(step.iteration_time_ns or 0 for step in steps)


def read_steps(table: Table, clock_of: Callable[[int], TickClock | None]) -> StepTrace:
    """Iterations of the step_trace table; ``clock_of`` converts a device's ticks where the file has ticks."""
    table.load([column for column in table.columns if column.kind in ("int", "time", "duration")])
    columns = {column.id: column for column in reversed(table.columns)}
    iterations = _list(table, columns.get("iteration_id"))
    if iterations is None:
        return StepTrace(
            notices=(_("step_trace has no column Iteration ID: iterations can't be distinguished."),)
        )
    devices = _list(table, columns.get("device_id")) or _of_files(table, lambda source: source.device)
    models = _list(table, columns.get("model_id")) or _of_files(table, lambda source: source.model)
    clocks = _Clocks(clock_of)
    at = {
        id_: _times(table, columns.get(id_), devices, clocks)
        for id_ in ("fp_start", "bp_end", "iteration_end")
    }
    lengths = {
        id_: _list(table, columns.get(id_)) or [None] * table.row_count
        for id_ in ("iteration_time", "fp_to_bp", "refresh", "data_aug")
    }
    reduces = _reduces(table, devices, clocks)
    steps = [
        Step(
            row,
            devices[row],
            models[row],
            iteration,
            at["fp_start"][row],
            at["bp_end"][row],
            at["iteration_end"][row],
            lengths["iteration_time"][row],
            lengths["fp_to_bp"][row],
            lengths["refresh"][row],
            lengths["data_aug"][row],
            reduces[row],
        )
        for row, iteration in enumerate(iterations)
        if iteration is not None
    ]
    return StepTrace(tuple(_with_periods(steps)), (*clocks.notices, *_unusable_ends(columns, table)))


def _unusable_ends(columns: Mapping[str, Column], table: Table) -> Iterator[str]:
    """What is said of Iteration Ends that are no times of the run."""
    from prof_tui.data.spans.times import count_faults

    column = columns.get("iteration_end")
    if column is None or column.unit == TICKS:
        return
    named = table.numbers(columns["iteration_id"]).is_not_null()
    for number, why in count_faults(table.times(column).fault.filter(named)):
        yield counted(
            "step_trace: {n} Iteration End is no time of this run ({why}) and marks no iteration.",
            "step_trace: {n} Iteration Ends are no times of this run ({why}) and mark no iterations.",
            number,
            why=why,
        )


class _Clocks:
    """One clock per device, asked for once, and what is said when a device has none."""

    def __init__(self, clock_of: Callable[[int], TickClock | None]) -> None:
        self._clock_of = clock_of
        self._known: dict[int | None, TickClock | None] = {}
        self.notices: list[str] = []

    def ns(self, ticks: int | None, device: int | None) -> int | None:
        if device not in self._known:
            self._known[device] = None if device is None else self._clock_of(device)
            if self._known[device] is None:
                self.notices.append(
                    _(
                        "step_trace of device {device} counts ticks and the start logs that convert them "
                        "are missing: no FP Start, BP End and Iteration End marks."
                    ).format(device="N/A" if device is None else device)
                )
        clock = self._known[device]
        return None if clock is None or ticks is None else clock.ns(ticks)


def _of_files(table: Table, number: Callable[[TableSource], int | None]) -> list[int | None]:
    """The number that each row has from its file's name."""
    return [number(source) for source in table.sources for _row in range(source.store.row_count)]


def _list(table: Table, column: Column | None) -> list[int | None] | None:
    return None if column is None else table.numbers(column).to_list()


def _times(
    table: Table, column: Column | None, devices: Sequence[int | None], clocks: _Clocks
) -> list[int | None]:
    if column is None:
        return [None] * table.row_count
    if column.unit != TICKS:
        return table.times(column).ns.to_list()
    values = table.numbers(column).to_list()
    return [clocks.ns(ticks, device) for ticks, device in zip(values, devices, strict=True)]


def _reduces(table: Table, devices: Sequence[int | None], clocks: _Clocks) -> list[tuple[Reduce, ...]]:
    starts = [_times(table, c, devices, clocks) for c in table.columns if c.id == "reduce_start"]
    lengths = [_list(table, c) or [] for c in table.columns if c.id == "reduce_duration"]
    pairs = list(zip(starts, lengths, strict=False))
    return [
        tuple(Reduce(s[row], d[row]) for s, d in pairs if s[row] is not None or d[row] is not None)
        for row in range(table.row_count)
    ]


def _with_periods(steps: Iterable[Step]) -> list[Step]:
    """Steps in order, each with its period: from the ends, else from its parts."""
    ordered = sorted(
        steps, key=lambda step: (none_first(step.device), none_first(step.model), step.iteration)
    )
    result: list[Step] = []
    for step in ordered:
        before = result[-1] if result and result[-1].key == step.key else None
        result.append(replace(step, period_ns=_period(before, step)))
    return result


def none_first(number: int | None) -> int:
    """Sort key of a device or model."""
    return -2 if number is None else number  # -1 is how some exports spell "no model"


def _period(before: Step | None, step: Step) -> int | None:
    if before is None:
        return None
    follows = step.iteration == before.iteration + 1
    if follows and before.end_ns is not None and step.end_ns is not None:
        return step.end_ns - before.end_ns
    parts = (step.data_aug_ns, step.fp_to_bp_ns, step.refresh_ns)
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None
