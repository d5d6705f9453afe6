"""op_summary of a made-up run: its header, its rows and the PMU cells that its pipes give."""

from collections.abc import Iterable, Sequence
from typing import Literal

from prof_tui.demo.run import COMMUNICATION, OUTSIDE, Op, task_wait_ns
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
