"""op_summary of a made-up run: its header, its rows and the PMU cells that its pipes give."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from statistics import pvariance
from typing import Literal

from prof_tui.demo.run import COMMUNICATION, OUTSIDE, Op, Step, Totals, task_wait_ns, totals_by_type
from prof_tui.words import NOT_AVAILABLE, microseconds

Layout = Literal["new", "old"]
"""new: generation G3 of formats.md, as the C++ exporter writes it; old: G1c."""
Row = tuple[str, ...]
"""Cells in the order of a header."""

CUBE_CORES, CORE_MHZ = 24, 1800
_TENSORS = "Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats"
_NEW_PMU = (
    "aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),aic_scalar_ratio,"
    "aic_mte1_time(us),aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,aic_fixpipe_time(us),aic_fixpipe_ratio,"
    "aic_icache_miss_rate,aiv_time(us),aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,aiv_scalar_time(us),"
    "aiv_scalar_ratio,aiv_mte2_time(us),aiv_mte2_ratio,aiv_mte3_time(us),aiv_mte3_ratio,aiv_icache_miss_rate,"
    "cube_utilization(%)"
)
_OLD_PMU = (
    "aicore_time(us),total_cycles,vec_time(us),vec_ratio,mac_time(us),mac_ratio,scalar_time(us),scalar_ratio,"
    "mte1_time(us),mte1_ratio,mte2_time(us),mte2_ratio,mte3_time(us),mte3_ratio,icache_miss_rate,memory_bound"
)


def header(text: str) -> Row:
    """The names of a header line."""
    return tuple(text.split(","))


OP_SUMMARY_HEADER: dict[Layout, Row] = {
    "new": header(
        "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start Time(us),"
        "Task Duration(us),Task Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,"
        f"{_TENSORS},Context ID,{_NEW_PMU}"
    ),
    "old": header(
        "Model Name,Model ID,Task ID,Stream ID,Infer ID,Op Name,OP Type,Task Type,Task Start Time,"
        f"Task Duration(us),Task Wait Time(us),Block Dim,Mix Block Dim,{_TENSORS},{_OLD_PMU}"
    ),
}
MODEL_NAMES = {1: "init", 11: "decoder"}


def moment(ns: int, layout: Layout) -> str:
    """A point in time as a cell: microseconds, in the new layout with the TAB that its exporter appends."""
    return microseconds(ns) + ("\t" if layout == "new" else "")


def _ratio(thousandths: int) -> str:
    return f"{thousandths / 1000:.3f}"


def _core_time_ns(op: Op) -> int:
    """Without launch and end response, which Task Duration contains."""
    return op.duration_ns - min(1_200, op.duration_ns // 10)


def _cycles(core_time_ns: int, blocks: int) -> str:
    return str(core_time_ns * CORE_MHZ // 1000 * blocks)


def _pipe_cells(core_time_ns: int, shares: Iterable[int]) -> list[str]:
    cells = []
    for share in shares:
        cells += [microseconds(core_time_ns * share // 1000), _ratio(share)]
    return cells


def _new_pmu(op: Op) -> list[str]:
    """formats.md 3.2, 910B: the cube core, the vector core, cube utilisation."""
    core_ns = _core_time_ns(op)
    cube_ns, vector_ns = (core_ns if pipes else 0 for pipes in (op.cube_pipes, op.vector_pipes))
    vector_blocks = op.mix_block_num or op.block_num
    cube_shares = (op.cube_pipes.get(pipe, 0) for pipe in ("mac", "scalar", "mte1", "mte2", "fixpipe"))
    vector_shares = (op.vector_pipes.get(pipe, 0) for pipe in ("vec", "scalar", "mte2", "mte3"))
    utilisation = 100 * cube_ns * op.block_num / (op.duration_ns * CUBE_CORES) if cube_ns else 0
    return [
        *(microseconds(cube_ns), _cycles(cube_ns, op.block_num), *_pipe_cells(cube_ns, cube_shares)),
        _ratio(2 if cube_ns else 0),
        *(microseconds(vector_ns), _cycles(vector_ns, vector_blocks), *_pipe_cells(vector_ns, vector_shares)),
        _ratio(12 if vector_ns else 0),
        f"{utilisation:.3f}",
    ]


def _old_pmu(op: Op) -> list[str]:
    """formats.md 3.2, 910: one core that has all pipes; memory bound may pass 1."""
    core_ns, shares = _core_time_ns(op), {**op.vector_pipes, **op.cube_pipes}
    pipes = _pipe_cells(
        core_ns, (shares.get(name, 0) for name in ("vec", "mac", "scalar", "mte1", "mte2", "mte3"))
    )
    fullest = max(shares.get("mac", 0), shares.get("vec", 0))
    bound = shares.get("mte2", 0) / fullest if fullest else 0
    return [microseconds(core_ns), _cycles(core_ns, op.block_num), *pipes, _ratio(7), f"{bound:.3f}"]


def _tensor_cells(op: Op) -> list[str]:
    inputs = [f'"{op.input_shapes}"', op.input_dtypes, op.input_formats]
    outputs = [f'"{op.output_shapes}"', op.output_dtypes, op.output_formats]
    return [
        *(inputs if op.input_shapes else [NOT_AVAILABLE] * 3),
        *(outputs if op.output_shapes else [NOT_AVAILABLE] * 3),
    ]


def op_cells(op: Op, wait_ns: int, layout: Layout) -> Row:
    """A row of op_summary; a communication op has neither task nor tensors, an AI CPU op no PMU values."""
    communication = op.task_type == COMMUNICATION
    task = [NOT_AVAILABLE] * 2 if communication else [str(op.task_id), str(op.stream_id)]
    runs_on_core = bool(op.cube_pipes or op.vector_pipes)
    if layout == "new":
        state, mixed, hf32 = [NOT_AVAILABLE] * 3 if communication else ["static", str(op.mix_block_num), "NO"]
        pmu = _new_pmu(op) if runs_on_core else [NOT_AVAILABLE] * 25
        return (
            *(str(op.device), str(op.model_id), *task, op.name, op.op_type, state, op.task_type),
            *(moment(op.start_ns, layout), microseconds(op.duration_ns)),
            *(f"{microseconds(wait_ns)}000" if wait_ns else "0", str(op.block_num), mixed, hf32),
            *(*_tensor_cells(op), NOT_AVAILABLE, *pmu),
        )
    infer_id = str(op.iteration) if op.iteration != OUTSIDE else NOT_AVAILABLE
    pmu = _old_pmu(op) if runs_on_core else [NOT_AVAILABLE] * 16
    return (
        *(MODEL_NAMES.get(op.model_id, NOT_AVAILABLE), str(op.model_id), *task, infer_id),
        *(op.name, op.op_type, "HCCL" if communication else op.task_type),
        *(moment(op.start_ns, layout), microseconds(op.duration_ns)),
        *(microseconds(wait_ns) if wait_ns else "0", str(op.block_num), str(op.mix_block_num)),
        *(*_tensor_cells(op), *pmu),
    )


def op_summary_rows(ops: Sequence[Op], layout: Layout) -> list[Row]:
    """``ops`` in order of (device, start)."""
    return [op_cells(op, wait, layout) for op, wait in zip(ops, task_wait_ns(ops), strict=True)]


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
