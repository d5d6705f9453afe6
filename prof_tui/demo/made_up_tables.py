"""The other tables of a made-up run: iterations, statistics, tasks, host calls."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from statistics import pvariance

from prof_tui.demo.run import COMMUNICATION, Op, Step, Totals, totals_by_type
from prof_tui.demo.tables import MODEL_NAMES, Layout, Row, header, moment
from prof_tui.words import NOT_AVAILABLE, microseconds

STEP_TRACE_HEADER: dict[Layout, Row] = {
    "new": header(
        "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),"
        "FP to BP Time(us),Iteration Refresh(us),Data Aug Bound(us),Model ID"
    ),
    "old": header(
        "Iteration ID,FP Start,BP End,Iteration End,Iteration Time(us),"
        "FP to BP Time(us),Iteration Refresh(us),Data Aug Bound(us),Model ID"
    ),
}
REDUCE_HEADER: dict[Layout, Row] = {
    "new": header("Reduce Start(us),Reduce Duration(us)"),
    "old": header("Reduce Start,Reduce Duration(us)"),
}
"""Once per reduce of the iteration that has most, after the fixed columns, always under the same names."""
_FROM_COUNT_ON = "Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"
OP_STATISTIC_HEADER: dict[Layout, Row] = {
    "new": header(f"Device_id,OP Type,Core Type,{_FROM_COUNT_ON}"),
    "old": header(f"Model Name,OP Type,Core Type,{_FROM_COUNT_ON}"),
}
COMMUNICATION_STATISTIC_HEADER: Row = header(f"Device_id,OP Type,{_FROM_COUNT_ON}")
_TASK = "kernel_name,kernel_type,stream_id,task_id,task_time(us)"
TASK_TIME_HEADER: dict[Layout, Row] = {
    "new": header(f"Device_id,{_TASK},task_start(us),task_stop(us)"),
    "old": header(f"{_TASK},task_start(ns),task_stop(ns)"),
}
API_STATISTIC_HEADER: Row = header("Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance")


def step_cells(step: Step, layout: Layout) -> Row:
    """A row of step_trace without its reduces; the C++ exporter writes 0.000 for N/A (formats.md 2.1)."""
    marks = (step.fp_start_ns, step.bp_end_ns)
    parts = (step.fp_to_bp_ns, step.refresh_ns, step.data_aug_bound_ns)
    missing = {"new": "0.000", "old": NOT_AVAILABLE}[layout]
    missing_mark = {"new": "0.000\t", "old": NOT_AVAILABLE}[layout]
    return (
        *((str(step.device),) if layout == "new" else ()),
        str(step.iteration_id),
        *(missing_mark if ns is None else moment(ns, layout) for ns in marks),
        *(moment(step.iteration_end_ns, layout), microseconds(step.iteration_time_ns)),
        *(missing if ns is None else microseconds(ns) for ns in parts),
        str(step.model_id),
    )


def step_trace_table(steps: Sequence[Step], layout: Layout) -> tuple[Row, list[Row]]:
    """Header and rows of step_trace; an iteration with fewer reduces than another is filled up with N/A."""
    most = max((len(step.reduces) for step in steps), default=0)
    rows = []
    for step in steps:
        pairs = [(moment(start, layout), microseconds(duration)) for start, duration in step.reduces]
        pairs += [(NOT_AVAILABLE, NOT_AVAILABLE)] * (most - len(pairs))
        rows.append((*step_cells(step, layout), *(cell for pair in pairs for cell in pair)))
    return STEP_TRACE_HEADER[layout] + REDUCE_HEADER[layout] * most, rows


def _duration_cells(totals: Totals, whole_ns: int) -> Row:
    durations = (totals.total_ns, min(totals.durations_ns), totals.average_ns, max(totals.durations_ns))
    ratio = 100 * totals.total_ns / whole_ns if whole_ns else 0
    return (str(len(totals.durations_ns)), *map(microseconds, durations), f"{ratio:.3f}")


def _statistic(ops: Iterable[Op]) -> Iterator[tuple[Op, str, str, Row]]:
    """Per device and type, the largest total first: an op, OP Type, Task Type, the cells from Count on."""
    for _, of_device in groupby(ops, attrgetter("device")):
        grouped = list(of_device)
        whole_ns = sum(op.duration_ns for op in grouped)
        for (op_type, task_type), totals in totals_by_type(grouped).items():
            yield grouped[0], op_type, task_type, _duration_cells(totals, whole_ns)


def op_statistic_rows(ops: Iterable[Op], layout: Layout) -> list[Row]:
    """The ops without communication, which has a table of its own."""
    rows = []
    for op, op_type, task_type, cells in _statistic(op for op in ops if op.task_type != COMMUNICATION):
        first = str(op.device) if layout == "new" else MODEL_NAMES.get(op.model_id, NOT_AVAILABLE)
        rows.append((first, op_type, task_type, *cells))
    return rows


def communication_statistic_rows(ops: Iterable[Op]) -> list[Row]:
    """The other side of ``op_statistic_rows``, in the new layout."""
    communication = (op for op in ops if op.task_type == COMMUNICATION)
    return [(str(op.device), op_type, *cells) for op, op_type, _, cells in _statistic(communication)]


def task_time_rows(ops: Iterable[Op], layout: Layout) -> list[Row]:
    """Every task with its stream; a communication op is the wait on the stream that carries it."""
    rows: list[Row] = []
    for op in ops:
        named = (NOT_AVAILABLE, "NOTIFY_WAIT") if op.task_type == COMMUNICATION else (op.name, op.task_type)
        times = [str(op.start_ns), str(op.end_ns)]
        if layout == "new":
            times = [moment(ns, layout) for ns in (op.start_ns, op.end_ns)]
        device = (str(op.device),) if layout == "new" else ()
        rows.append(
            (*device, *named, str(op.stream_id), str(op.task_id), microseconds(op.duration_ns), *times)
        )
    return rows


def api_statistic_rows(ops: Sequence[Op], steps: Sequence[Step]) -> list[Row]:
    """Host calls per level: a model is executed once per iteration, a task is launched once."""
    executions = [step.iteration_time_ns for step in steps]
    calls = {
        ("acl", "aclmdlExecute"): [duration_ns + 41_270 for duration_ns in executions],
        ("model", "ModelExecute"): executions,
        ("node", "launch"): [3_250] * len(ops),
        ("runtime", "KernelLaunch"): [1_830] * len(ops),
    }
    return [("host", *api, *_call_cells(durations_ns)) for api, durations_ns in calls.items() if durations_ns]


def _call_cells(durations_ns: Sequence[int]) -> Row:
    total_ns, calls = sum(durations_ns), len(durations_ns)
    bounds = (round(total_ns / calls), min(durations_ns), max(durations_ns))
    variance = pvariance(ns / 1000 for ns in durations_ns)
    return (microseconds(total_ns), str(calls), *map(microseconds, bounds), f"{variance:.3f}")
