"""Made-up captures of millions of rows for the benchmarks: written as text as they come, never held."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from prof_tui.demo.run import BEGIN_NS, BOOT_NS, Op, Step
from prof_tui.demo.tables import OP_STATISTIC_HEADER, OP_SUMMARY_HEADER, op_cells, step_trace_table
from prof_tui.demo.write import MERGED_DIRECTORY, STAMP, capture_skeleton, write_table
from prof_tui.words import microseconds
from tests.benchmarks.timeline import write_timeline

ROWS_A_FILE = 1_000_000
"""Where msprof cuts a table into slices."""
_OPS_AN_ITERATION = 5_000
_NAMES = 2_000
_SLOWEST_NS = 98_765_432
"""One op in the second half of the table takes this long: it leads the sorted table and no other order."""

_KINDS = (
    Op(op_type="MatMulV3", duration_ns=40_000, cube_pipes={"mac": 640, "mte2": 710, "scalar": 120}),
    Op(op_type="Cast", task_type="AI_VECTOR_CORE", duration_ns=3_000, vector_pipes={"vec": 310, "mte2": 520}),
    Op(op_type="Mul", task_type="AI_VECTOR_CORE", duration_ns=5_000, vector_pipes={"vec": 420, "mte3": 380}),
    Op(op_type="Add", task_type="AI_VECTOR_CORE", duration_ns=4_000, vector_pipes={"vec": 390, "mte2": 450}),
    Op(
        op_type="FlashAttentionScore",
        task_type="MIX_AIC",
        duration_ns=150_000,
        mix_block_num=48,
        cube_pipes={"mac": 550, "mte1": 300},
        vector_pipes={"vec": 410},
    ),
    Op(op_type="LayerNormV3", task_type="AI_VECTOR_CORE", duration_ns=9_000, vector_pipes={"vec": 610}),
    Op(op_type="Index", task_type="AI_CPU", duration_ns=60_000),
    Op(op_type="BatchMatMulV2", duration_ns=30_000, cube_pipes={"mac": 480, "mte2": 820, "fixpipe": 90}),
)


@dataclass
class _Line:
    """A row as text, but for its start, duration and wait."""

    op: Op
    before: str
    after: str


@dataclass(frozen=True)
class _Iteration:
    step: Step
    times: list[tuple[int, int, int]]
    """Start, duration and wait in ns of each op."""


def kept_capture(parent: Path, rows: int, *, timeline: bool = False) -> Path:
    """The PROF in ``parent``, which is written where it isn't there yet."""
    if not parent.exists():
        unfinished = parent.with_name(f"{parent.name}.unfinished")
        write_benchmark_capture(unfinished, rows, timeline=timeline)
        unfinished.rename(parent)
    return next(parent.resolve().iterdir())


def write_benchmark_capture(parent: Path, rows: int, *, timeline: bool = False) -> Path:
    """Writes op_summary of so many rows (46 columns) with its step_trace and op_statistic; the PROF.

    ``timeline``: with an msprof JSON of all of them too, about 900 bytes and two slices a row.
    FileExistsError if ``parent`` has one.
    """
    prof = capture_skeleton(parent, "new")
    directory = prof / MERGED_DIRECTORY
    steps: list[Step] = []
    total_ns = [0] * _OPS_AN_ITERATION
    if timeline:
        write_timeline(directory / f"msprof_{STAMP}.json", _timed_ops(rows))
    texts = _iteration_texts(rows, steps, total_ns)
    header = ",".join(OP_SUMMARY_HEADER["new"]) + "\n"
    for part, first in enumerate(range(0, rows, ROWS_A_FILE)):
        sliced = f"_slice_{part}" if rows > ROWS_A_FILE else ""
        repeats = -(-min(ROWS_A_FILE, rows - first) // _OPS_AN_ITERATION)
        with (directory / f"op_summary{sliced}_{STAMP}.csv").open("x") as file:
            file.write(header)
            for _repeat in range(repeats):
                file.write(next(texts))
    step_header, step_rows = step_trace_table(steps, "new")
    write_table(directory, f"step_trace_{STAMP}.csv", step_header, step_rows)
    statistic = _statistic_rows(total_ns, rows)
    write_table(directory, f"op_statistic_{STAMP}.csv", OP_STATISTIC_HEADER["new"], statistic)
    return prof


def _lines() -> Iterator[_Line]:
    for place in range(_OPS_AN_ITERATION):
        kind = _KINDS[place % len(_KINDS)]
        number = place % _NAMES
        name = f"Default/network-TrainOneStepCell/layers-{number // 40}/{kind.op_type}-op{number}"
        width = 2 ** (place % 7 + 4)
        shapes = f"512,{width};{width},1024"
        op = replace(
            kind,
            name=name,
            task_id=place,
            stream_id=2 + place % 3,
            block_num=1 + place % 40,
            input_shapes=shapes,
        )
        cells = op_cells(op, 0, "new")
        yield _Line(op, ",".join(cells[:8]), ",".join(cells[11:]))


def _iterations(lines: Sequence[_Line], rows: int) -> Iterator[_Iteration]:
    """One after the other, as many as so many rows take."""
    begin_ns = BEGIN_NS + BOOT_NS
    slowest = rows * 2 // 3
    for repeat, first in enumerate(range(0, rows, _OPS_AN_ITERATION)):
        clock_ns, times = begin_ns, []
        for place, line in enumerate(lines[: rows - first]):
            wait_ns = ((place * 31_337 + repeat * 7_907) % 9_973) ** 2 // 1_000
            duration_ns = line.op.duration_ns * (1_000 + (place * 7_919 + repeat * 10_477) % 1_009) // 1_000
            duration_ns += (place + repeat * 331) % 997
            if first + place == slowest:
                duration_ns = _SLOWEST_NS
            times.append((clock_ns + wait_ns, duration_ns, wait_ns))
            clock_ns += wait_ns + duration_ns
        yield _Iteration(_step(repeat + 1, begin_ns, clock_ns), times)
        begin_ns = clock_ns + 200_000


def _iteration_texts(rows: int, steps: list[Step], total_ns: list[int]) -> Iterator[str]:
    """The rows of one iteration after the other; adds to ``steps``, and to ``total_ns`` by place."""
    lines = list(_lines())
    for iteration in _iterations(lines, rows):
        texts = []
        for place, (start_ns, duration_ns, wait_ns) in enumerate(iteration.times):
            line = lines[place]
            total_ns[place] += duration_ns
            texts.append(
                f"{line.before},{start_ns // 1000}.{start_ns % 1000:03d}\t,"
                f"{duration_ns // 1000}.{duration_ns % 1000:03d},"
                f"{wait_ns // 1000}.{wait_ns % 1000:03d}000,{line.after}\n"
            )
        steps.append(iteration.step)
        yield "".join(texts)


def _timed_ops(rows: int) -> Iterator[tuple[list[Op], Step]]:
    """The ops of one iteration after the other, when they ran."""
    lines = list(_lines())
    for iteration in _iterations(lines, rows):
        ops = [
            replace(line.op, start_ns=start_ns, duration_ns=duration_ns)
            for line, (start_ns, duration_ns, _wait_ns) in zip(lines, iteration.times, strict=False)
        ]
        yield ops, iteration.step


def _step(iteration_id: int, begin_ns: int, end_ns: int) -> Step:
    return Step(
        iteration_id=iteration_id,
        iteration_end_ns=end_ns + 100_000,
        iteration_time_ns=end_ns + 100_000 - begin_ns,
        fp_start_ns=begin_ns,
        bp_end_ns=end_ns,
        data_aug_bound_ns=None if iteration_id == 1 else 100_000,
    )


def _statistic_rows(total_ns: list[int], rows: int) -> Iterator[tuple[str, ...]]:
    """op_statistic by kind, the largest total first; shortest and longest are what the kind's base allows."""
    whole_ns = sum(total_ns)
    by_kind = []
    for number, kind in enumerate(_KINDS):
        places = range(number, _OPS_AN_ITERATION, len(_KINDS))
        ops = sum(len(range(place, rows, _OPS_AN_ITERATION)) for place in places)
        by_kind.append((sum(total_ns[place] for place in places), ops, kind))
    for kind_ns, ops, kind in sorted(by_kind, key=lambda each: -each[0]):
        average_ns = kind_ns // max(ops, 1)
        durations = (kind_ns, kind.duration_ns, average_ns, 2 * kind.duration_ns)
        ratio = f"{100 * kind_ns / whole_ns:.3f}"
        yield ("0", kind.op_type, kind.task_type, str(ops), *map(microseconds, durations), ratio)
