"""The values of a made-up run: ops, iterations, and what their tables add up to.

Times are int nanoseconds since boot (CLOCK_MONOTONIC_RAW); ``Run.boot_ns`` turns them into wall-clock time.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from operator import attrgetter

NO_MODEL = 4294967295
"""Model ID of a task that belongs to no model (formats.md 1.4)."""
OUTSIDE = 0
"""``Op.iteration`` of a task that ran in no iteration."""
COMMUNICATION = "COMMUNICATION"
COMMUNICATION_STREAM = 48
MAIN_MODEL = 11
BOOT_NS = 1_789_929_094_323_000_000
"""When the made-up machine started: collection began at 2026-09-21 10:15:30.123 UTC."""
BEGIN_NS = 56_635_864_652_490
"""Since boot: when the first task may run."""


@dataclass(frozen=True)
class Op:
    """One task of a device.

    ``cube_pipes`` and ``vector_pipes``: busy shares of the pipes of the two kinds of core in thousandths
    (``{"mac": 620, "mte2": 710}``); empty: that core did not run. Shapes without quotes; empty: N/A.
    """

    name: str = "MatMulV3_1"
    op_type: str = "MatMulV3"
    task_type: str = "AI_CORE"
    start_ns: int = 0
    duration_ns: int = 10_000
    device: int = 0
    model_id: int = MAIN_MODEL
    iteration: int = OUTSIDE
    stream_id: int = 2
    task_id: int = 0
    block_num: int = 24
    mix_block_num: int = 0
    input_shapes: str = "512,1024;1024,1024"
    input_dtypes: str = "FLOAT16;FLOAT16"
    input_formats: str = "ND;ND"
    output_shapes: str = "512,1024"
    output_dtypes: str = "FLOAT16"
    output_formats: str = "ND"
    cube_pipes: Mapping[str, int] = field(default_factory=dict, hash=False)
    vector_pipes: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def end_ns(self) -> int:
        return self.start_ns + self.duration_ns


@dataclass(frozen=True)
class Step:
    """One iteration of one model on one device, a row of step_trace.

    ``fp_start_ns`` and ``bp_end_ns`` None: an inference graph. ``data_aug_bound_ns`` None: it is the first.
    ``reduces`` are (start, duration) pairs.
    """

    iteration_id: int = 1
    iteration_end_ns: int = 1_000_000
    iteration_time_ns: int = 1_000_000
    fp_start_ns: int | None = None
    bp_end_ns: int | None = None
    data_aug_bound_ns: int | None = None
    device: int = 0
    model_id: int = MAIN_MODEL
    reduces: tuple[tuple[int, int], ...] = ()

    @property
    def start_ns(self) -> int:
        return self.iteration_end_ns - self.iteration_time_ns

    def later(self, by_ns: int) -> "Step":
        """The same iteration ``by_ns`` later."""
        marks = (self.fp_start_ns, self.bp_end_ns)
        fp_start_ns, bp_end_ns = (None if ns is None else ns + by_ns for ns in marks)
        return replace(
            self,
            iteration_end_ns=self.iteration_end_ns + by_ns,
            fp_start_ns=fp_start_ns,
            bp_end_ns=bp_end_ns,
            reduces=tuple((start_ns + by_ns, duration_ns) for start_ns, duration_ns in self.reduces),
        )

    @property
    def fp_to_bp_ns(self) -> int | None:
        if self.fp_start_ns is None or self.bp_end_ns is None:
            return None
        return self.bp_end_ns - self.fp_start_ns

    @property
    def refresh_ns(self) -> int | None:
        return None if self.bp_end_ns is None else self.iteration_end_ns - self.bp_end_ns


@dataclass(frozen=True)
class Facts:
    """What was planted into the demo, the same on every device."""

    main_model: int
    init_model: int
    warm_up_iterations: tuple[int, ...]
    stalled_iteration: int
    slow_iteration: int
    slow_op_name: str
    slow_factor: int
    """About how many times longer the slow op takes than in another iteration."""
    stall_factor: int
    """About how many times longer Data Aug Bound is than in another iteration."""
    ai_cpu_op_names: tuple[str, ...]
    """AI CPU ops of every iteration; each has an INT64 input and takes over 20 us."""
    outside_op_name: str
    """A task of no model, once on each device, between two iterations."""


@dataclass(frozen=True)
class Run:
    """Ops of every device and its iterations, both in order of (device, time)."""

    ops: tuple[Op, ...] = ()
    steps: tuple[Step, ...] = ()
    boot_ns: int = 0
    """Nanoseconds since the epoch when the machine started: the new layout writes wall-clock times."""
    facts: Facts | None = None

    @property
    def devices(self) -> tuple[int, ...]:
        return tuple(sorted({op.device for op in self.ops} | {step.device for step in self.steps}))

    def on_wall_clock(self) -> "Run":
        """The same run with every time since the epoch."""
        return replace(
            self,
            ops=tuple(replace(op, start_ns=op.start_ns + self.boot_ns) for op in self.ops),
            steps=tuple(step.later(self.boot_ns) for step in self.steps),
            boot_ns=0,
        )


@dataclass(frozen=True)
class Totals:
    """Count and durations of the ops that one row of op_statistic speaks of."""

    durations_ns: tuple[int, ...]

    @property
    def total_ns(self) -> int:
        return sum(self.durations_ns)

    @property
    def average_ns(self) -> int:
        return round(self.total_ns / len(self.durations_ns))


def totals_by_type(ops: Iterable[Op]) -> dict[tuple[str, str], Totals]:
    """(OP Type, Task Type) of these ops and what they took, the largest total first."""
    durations: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for op in ops:
        durations[op.op_type, op.task_type].append(op.duration_ns)
    totals = {key: Totals(tuple(values)) for key, values in durations.items()}
    return dict(sorted(totals.items(), key=lambda item: -item[1].total_ns))


def task_wait_ns(ops: Sequence[Op]) -> list[int]:
    """Time from the end of the op before, on any stream of the device, 0 for the first (formats.md 3.1).

    ``ops`` in order of (device, start).
    """
    waits = []
    for _, of_device in groupby(ops, attrgetter("device")):
        rows = list(of_device)
        waits += [0, *(max(0, op.start_ns - before.end_ns) for before, op in pairwise(rows))]
    return waits
