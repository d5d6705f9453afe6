"""Exported tables of one or two rows, to lie anywhere under any name."""

import json
from pathlib import Path

OPS = (
    "Device_id,Stream ID,Task ID,Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us)\n"
    "{device},3,1,{name},Cast,AI_CORE,1790000000000100.000\t,10.500\n"
)
STATISTIC = (
    "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n"
    "0,Cast,AI_CORE,1,10.5,10.5,10.5,10.5,100\n"
)
EVENTS = json.dumps(
    [{"name": "Cast_0", "ph": "X", "pid": 1, "tid": 2, "ts": "1790000000000100.000", "dur": 10.5, "args": {}}]
)
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:0011\nsize 175385569\n"


def ops(name: str = "Cast_0", device: int = 0) -> str:
    """An op_summary of one op."""
    return OPS.format(name=name, device=device)


def put(path: Path, text: str) -> Path:
    """Write a file, its folders too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
