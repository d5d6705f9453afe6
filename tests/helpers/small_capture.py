"""A capture that fits on a screen, with numbers that a test can spell out.

Model 11 has four iterations of 700 us, 1000 us apart but for the last, which begins 1000 us late;
model 1 has one.  Each iteration of model 11 has a MatMul, a Cast and a TopK; one op is outside of all.
"""

from collections.abc import Sequence
from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.write import PROF_NAME, capture_skeleton
from tests.helpers.captures import csv_capture

BEGIN_US = 1_790_000_000_000_000
OP_HEADER = (
    "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,Task Type,"
    "Task Start Time(us),Task Duration(us),Input Shapes"
)
STEP_HEADER = (
    "Device_id,Model ID,Iteration ID,FP Start(us),BP End(us),Iteration End(us),"
    "Iteration Time(us),FP to BP Time(us),Iteration Refresh(us),Data Aug Bound(us)"
)
STATISTIC_HEADER = (
    "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"
)


def at(offset_us: int) -> str:
    return f"{BEGIN_US + offset_us}.000"


def step_lines(device: int = 0) -> list[str]:
    lines = [f"{device},1,1,N/A,N/A,{at(500)},100.000,N/A,N/A,N/A"]
    for iteration in (1, 2, 3, 4):
        late_us = 1000 if iteration == 4 else 0
        begin_us = 1000 * iteration + late_us
        gap = "N/A" if iteration == 1 else f"{300 + late_us}.000"
        lines.append(
            f"{device},11,{iteration},{at(begin_us + 100)},{at(begin_us + 600)},{at(begin_us + 800)},"
            f"700.000,500.000,200.000,{gap}"
        )
    return lines


def op_lines(device: int = 0) -> list[str]:
    lines = [
        f'{device},1,0,2,Assign_0,Assign,AI_VECTOR_CORE,{at(420)},60.000,"8,8"',
        f"{device},4294967295,1,2,Zeros_0,ZerosLike,AI_VECTOR_CORE,{at(900)},7.000,N/A",
    ]
    for iteration in (1, 2, 3, 4):
        begin_us = 1000 * iteration + (1000 if iteration == 4 else 0)
        lines += [
            f"{device},11,{iteration},2,MatMul_{iteration},MatMulV3,AI_CORE,"
            f'{at(begin_us + 100)},{100 + iteration + device}.500,"16,512;512,1024"',
            f"{device},11,{iteration},3,Cast_{iteration},Cast,AI_VECTOR_CORE,"
            f'{at(begin_us + 250)},50.000,"8,8"',
            f'{device},11,{iteration},4,TopK_{iteration},TopK,AI_CPU,{at(begin_us + 400)},30.000,"4096"',
        ]
    return lines


def statistic_lines(device: int = 0) -> list[str]:
    return [
        f"{device},TopK,AI_CPU,4,120.000,30.000,30.000,30.000,15.000",
        f"{device},MatMulV3,AI_CORE,4,{412 + 4 * device}.000,101.500,103.000,104.500,51.000",
        f"{device},Cast,AI_VECTOR_CORE,4,200.000,50.000,50.000,50.000,25.000",
        f"{device},Assign,AI_VECTOR_CORE,1,60.000,60.000,60.000,60.000,8.000",
        f"{device},ZerosLike,AI_VECTOR_CORE,1,7.000,7.000,7.000,7.000,1.000",
    ]


def text(header: str, lines: Sequence[str]) -> str:
    return "\n".join([header, *lines, ""])


def small_capture(parent: Path, devices: Sequence[int] = (0,)) -> OpenCapture:
    """The capture, with the same run on each device; only MatMuls take longer by the device's number."""
    if not (parent / PROF_NAME).exists():
        capture_skeleton(parent, "new", devices)
    return csv_capture(
        parent,
        step_trace=text(STEP_HEADER, [line for device in devices for line in step_lines(device)]),
        op_summary=text(OP_HEADER, [line for device in devices for line in op_lines(device)]),
        op_statistic=text(STATISTIC_HEADER, [line for device in devices for line in statistic_lines(device)]),
    )
