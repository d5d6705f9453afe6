"""For each finding a small run that has it, with rows beside it that look alike and don't count.

Those are: the same ops in iteration 2, which is no steady one, and communication kernels on the same cores.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.write import MERGED_DIRECTORY, PROF_NAME, STAMP
from tests.helpers.judged_run import BEGIN_US, USUAL, Cells, Iteration, op, run_capture
from tests.helpers.steady_ops import each

Made = tuple[float, float, str, Cells]

FLAT = Iteration()
CELLS: Cells = {
    "Input_Shapes": "8",
    "Input_Data_Types": "FLOAT",
    "HF32_Eligible": "NO",
    "OP_State": "static",
    "Block_Num": 48,
    "Mix_Block_Num": 0,
    "vec_ratio": 0.1,
    "memory_bound": 0,
    "icache_miss_rate": 0,
    "vec_bank_cflt_ratio": 0,
    "cube_utilization(%)": "N/A",
}
CUBE: Cells = {"Task_Type": "AI_CORE", "Block_Num": 24}
KERNELS: tuple[Made, ...] = (
    (600, 30, "allgatherAicpuKernel_1", {"Task_Type": "AI_CPU", "OP_Type": "AllGather"}),
    (640, 30, "allgatherAivKernel_1", {"OP_Type": "AllGather"}),
    (680, 30, "Gather_1", {"OP_Type": "allgatherAivKernel", "Task_Type": "AI_CORE"}),
)


@dataclass(frozen=True)
class Run:
    ops: Sequence[Cells] | None
    iterations: Sequence[Iteration] = USUAL
    advice: object = None
    """What prof_rule_0.json holds; None: there is no such file."""
    files: Mapping[str, str] = field(default_factory=dict)
    """More files of the export, by name."""

    def write(self, parent: Path) -> OpenCapture:
        capture = run_capture(parent, self.ops, self.iterations)
        folder = parent / PROF_NAME / MERGED_DIRECTORY
        if self.advice is not None:
            (folder / "prof_rule_0.json").write_text(json.dumps(self.advice))
        for name, content in self.files.items():
            (folder / name).write_text(content)
        return OpenCapture(capture.path)


def _run(*made: Made, **kernel: object) -> Run:
    """``made`` in each steady iteration, and what looks alike; ``kernel``: cells of the kernels."""
    full = [(at, us, name, {**CELLS, **cells}) for at, us, name, cells in made]
    kernels = [(at, us, name, {**CELLS, **kernel, **cells}) for at, us, name, cells in KERNELS]
    before = [op(1000 + at, us, name, **cells) for at, us, name, cells in full]
    return Run([*before, *each(*full, *kernels)])


def _two(name: str, more: Cells, **kernel: object) -> Run:
    """An op of 40 us that has ``more``, twice an iteration, beside one of 100 us that has not."""
    return _run(
        (100, 40, f"{name}_1", more), (200, 40, f"{name}_2", more), (300, 100, "Relu_1", {}), **kernel
    )


def _bound(header: str, value: float) -> Run:
    return _two("Mul", {header: value}, **{header: value})


def _odd(odd: Iteration, late_us: float = 0, ops: Iterable[Cells] | None = None) -> Run:
    """The sixth of ten iterations is odd."""
    return Run(None if ops is None else list(ops), (*(FLAT,) * 5, odd, *(FLAT,) * 4))


_BEGINNINGS = (2000, 3000, 4000, 5000, 6600, 7600, 8600, 9600)
_SLOW = replace(FLAT, computing=1450)
_SHORTS: tuple[Made, ...] = tuple((700.0 + 2 * i, 1.0, f"Relu_{i}", {}) for i in range(8))
_WAITING: tuple[Made, ...] = (
    (50, 40, "Mul_1", {"Task_Wait_Time(us)": 50}),
    (150, 40, "Add_1", {"Task_Wait_Time(us)": 60}),
    (250, 40, "Sub_1", {"Task_Wait_Time(us)": 30}),
)
_GAPS: tuple[Made, ...] = tuple(
    (100.0 + 21 * i, 10.0, f"Mul_{i}", {"Task_Wait_Time(us)": 11 if i else 0}) for i in range(8)
)
_TIMES: tuple[Made, ...] = tuple(
    (100.0 * i, us, f"{name}_1", {})
    for i, (name, us) in enumerate(zip("ABCDEF", (6, 70, 4, 10, 2, 8), strict=True))
)
_ADVICE = [
    {"Rule Type": "Memory", "result": [{"Rule Suggestion": "Fuse", "Tuning Data": ["Mul_1", "Mul_2"]}]}
]
_FOUR: tuple[Made, ...] = tuple((100.0 + 50 * i, 20.0, f"TransData_{i}", {}) for i in range(4))
_TASKS = Run([op(2100 + 20 * i, 10, f"Mul_{i}", Task_ID=i) for i in range(3)])
_TASK_TIME = "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)"
_TRACED = [
    {"name": "process_name", "pid": 3, "ph": "M", "args": {"name": "Ascend Hardware"}},
    {"name": "process_labels", "pid": 3, "ph": "M", "args": {"labels": "NPU 0"}},
    {"name": "thread_name", "pid": 3, "tid": 2, "ph": "M", "args": {"name": "Stream 2"}},
    {
        "name": "Mul_0",
        "pid": 3,
        "tid": 2,
        "ts": f"{BEGIN_US + 2100}.100",
        "dur": 10,
        "ph": "X",
        "args": {"Task Type": "AI_VECTOR_CORE", "Task Id": 0},
    },
]

RUNS: Mapping[str, Run] = {
    "aicpu_communication": _two("TopK", {"Task_Type": "AI_CPU"}),
    "aicpu_share": _two("TopK", {"Task_Type": "AI_CPU", "Input_Data_Types": "INT64"}),
    "block_below_cores": _two("Mul", {"Block_Num": 6}, Block_Num=6),
    "block_not_multiple": _two("MatMul", {**CUBE, "Block_Num": 36}, Block_Num=36),
    "bound_bank_conflict": _bound("vec_bank_cflt_ratio", 0.1),
    "bound_fixpipe": _bound("fixpipe_ratio", 0.9),
    "bound_icache_miss": _bound("icache_miss_rate", 0.1),
    "bound_mac": _bound("mac_ratio", 0.9),
    "bound_memory": _bound("memory_bound", 1.5),
    "bound_mte1": _bound("mte1_ratio", 0.9),
    "bound_mte2": _bound("mte2_ratio", 0.9),
    "bound_mte3": _bound("mte3_ratio", 0.9),
    "bound_scalar": _bound("scalar_ratio", 0.9),
    "bound_vector": _bound("vec_ratio", 0.9),
    "communication_not_overlapped": _run(
        (100, 100, "hcom_allReduce_1", {"Task_Type": "COMMUNICATION", "OP_Type": "hcom_allReduce_"}),
        (300, 100, "Relu_1", {}),
    ),
    "cube_utilization_low": _two("MatMul", {**CUBE, "cube_utilization(%)": 20}),
    "data_bound": Run(None, (replace(FLAT, data_aug=200),) * 5),
    "dispatch_bound": Run(each(*_GAPS)),
    "dynamic_ops": _two("Mul", {"OP_State": "dynamic"}),
    "float32_share": _run(
        (100, 40, "Mul_1", {}), (200, 40, "Cast_1", {}), (300, 40, "Add_1", {"Task_Type": "AI_CPU"})
    ),
    "format_ops_share": _two("Cast", {}),
    "hf32_unused": _two("MatMul", CUBE),
    "incomplete_files": Run(None, files={f"msprof_{STAMP}.json": '[{"name": "a", "ph": "X", '}),
    "incomplete_iterations": Run(
        [op(1000 * n + 20 * i, 10, f"Mul_{i}", **CELLS) for n in range(5) for i in range(4 if n == 3 else 8)]
    ),
    "incomplete_op_statistic": replace(
        _TASKS,
        files={f"op_statistic_{STAMP}.csv": "Device_id,OP Type,Core Type,Count\n0,Mul,AI_VECTOR_CORE,4\n"},
    ),
    "incomplete_slices": replace(_TASKS, files={f"op_summary_slice_2_{STAMP}.csv": "Op Name\n"}),
    "incomplete_task_time": replace(
        _TASKS,
        files={
            f"task_time_{STAMP}.csv": f"{_TASK_TIME}\n0,a,AI_VECTOR_CORE,2,0,10,{BEGIN_US + 2100}.100,"
            f"{BEGIN_US + 2110}.100\n"
        },
    ),
    "incomplete_timeline": replace(_TASKS, files={f"msprof_{STAMP}.json": json.dumps(_TRACED)}),
    "iteration_communication": _odd(
        _SLOW,
        ops=[
            op(at + 100 + 200 * i, 160 if at == 5000 else 10, f"hcom_{i}", Task_Type="COMMUNICATION")
            for at in _BEGINNINGS
            for i in range(4)
        ]
        + [op(at + 950, 10, "Relu_1") for at in _BEGINNINGS],
    ),
    "iteration_more_ops": _odd(
        _SLOW,
        ops=[
            op(at + 60 + 30 * i, 20, f"Mul_{i}")
            for at in _BEGINNINGS
            for i in range(45 if at == 5000 else 10)
        ],
    ),
    "iteration_short": _odd(replace(FLAT, computing=450)),
    "iteration_slow": _odd(replace(FLAT, refresh=400)),
    "iteration_slow_op": _odd(
        _SLOW,
        ops=[
            made
            for at in _BEGINNINGS
            for made in (op(at + 100, 620 if at == 5000 else 20, "Mul_1"), op(at + 800, 20, "Add_1"))
        ],
    ),
    "iteration_stall": _odd(replace(FLAT, data_aug=850)),
    "no_bound": _two("Mul", {"Input_Data_Types": "INT8"}),
    "prof_rule": replace(_two("Mul", {}), advice=_ADVICE),
    "refresh_share": Run(None, (replace(FLAT, refresh=200),) * 5),
    "slow_device": Run(None, (*USUAL, *(replace(FLAT, device=1, computing=950),) * 5)),
    "top_op_types": Run(each(*_TIMES)),
    "top_ops": Run(each(*_TIMES)),
    "transdata_count": _run(*_FOUR),
    "uneven_kinds": Run(
        [op(at + 100, us, "Mul_1", **CELLS) for at, us in ((2000, 20), (3000, 20), (4000, 60))]
        + [op(at + 300, 20, "Mul_1", **{**CELLS, "Input_Shapes": "9"}) for at in (2000, 3000)]
    ),
    "wait_share": Run(each(*_WAITING, *_SHORTS)),
    "warm_up": Run(None, (replace(FLAT, computing=4950), *(FLAT,) * 4)),
}
