"""The files of a made-up capture that are not tables, and the writing of one table in any dialect."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from prof_tui.demo.run import BOOT_NS
from prof_tui.demo.tables import CORE_MHZ, CUBE_CORES, Layout
from prof_tui.demo.timeline import HOST_PROCESS_ID

PROF_NAME = "PROF_000001_20260921101530123_QWERTZUIOPASDFGH"
MERGED_DIRECTORY = "mindstudio_profiler_output"
OLD_DIRECTORIES = ("summary", "timeline")
COLLECTION_BEGIN_NS = 56_635_800_000_000
"""Since boot, on the host; what the start logs say."""
COLLECTION_END_NS = COLLECTION_BEGIN_NS + 500_000_000
DEVICE_COUNTER = 5_663_577_001_234
"""The tick counter of every device at ``COLLECTION_BEGIN_NS``."""
NS_PER_TICK = 10
"""hwts_frequency 100 (MHz)."""


def ticks(ns: int) -> int:
    """Nanoseconds since boot as the device counter that G1a and G1b write (formats.md 2)."""
    return (ns - COLLECTION_BEGIN_NS) // NS_PER_TICK + DEVICE_COUNTER


def write_text(path: Path, text: str, encoding: str = "utf-8") -> Path:
    """Writes a file that must not be there yet (FileExistsError), line ends as given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding=encoding, newline="") as file:
        file.write(text)
    return path


def write_table(
    directory: Path,
    filename: str,
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    newline: str = "\n",
    encoding: str = "utf-8",
    bom: bool = False,
    quoting: Literal["none", "minimal"] = "none",
) -> Path:
    """Writes one CSV as it is told to, however odd; ``directory`` is made if absent.

    ``quoting`` none joins cells with commas as the C++ exporter does, minimal is Python's (formats.md 1.4).
    FileExistsError if there is such a file.
    """
    lines = [header, *rows]
    if quoting == "none":
        body = "".join(",".join(line) + newline for line in lines)
    else:
        buffer = io.StringIO(newline="")
        csv.writer(buffer, lineterminator=newline).writerows(lines)
        body = buffer.getvalue()
    return write_text(directory / filename, ("\ufeff" if bom else "") + body, encoding)


def capture_skeleton(
    parent: Path,
    layout: Layout,
    devices: Sequence[int] = (0,),
    *,
    name: str = PROF_NAME,
    boot_ns: int = BOOT_NS,
) -> Path:
    """Makes a PROF that looks exported and has not one table; its path. FileExistsError if it is there."""
    prof = parent / name
    prof.mkdir(parents=True)
    _write_side(prof / "host", "", "Host", layout, (), boot_ns)
    for device in devices:
        directory = prof / f"device_{device}"
        _write_side(directory, f".{device}", f"Device{device}", layout, (device,), boot_ns)
        counter = f"clock_monotonic_raw: {COLLECTION_BEGIN_NS}\ncntvct: {DEVICE_COUNTER}\n"
        write_text(directory / f"dev_start.log.{device}", counter)
        for inner in OLD_DIRECTORIES if layout == "old" else ():
            (directory / inner).mkdir()
    if layout == "new":
        (prof / MERGED_DIRECTORY).mkdir()
    return prof


def _write_side(
    directory: Path, suffix: str, section: str, layout: Layout, devices: Sequence[int], boot_ns: int
) -> None:
    """What host and device directories have in common; ``suffix`` ends the names on the device side."""
    (directory / "data").mkdir(parents=True)
    info = _info(layout, devices)
    start_log = (
        f"[{section}]\nclock_monotonic_raw: {COLLECTION_BEGIN_NS}\ncntvct: {DEVICE_COUNTER}\ncntvct_diff: 0\n"
    )
    texts = {
        f"info.json{suffix}": json.dumps(info),
        "sample.json": json.dumps(_SAMPLE),
        f"host_start.log{suffix}": start_log,
        f"start_info{suffix}": json.dumps(_moment_info("Begin", COLLECTION_BEGIN_NS, boot_ns)),
        f"end_info{suffix}": json.dumps(_moment_info("End", COLLECTION_END_NS, boot_ns)),
    }
    for name, text in texts.items():
        write_text(directory / name, text)


_SAMPLE = {
    "ai_core_metrics": "PipeUtilization",
    "ai_core_profiling": "on",
    "ai_core_profiling_mode": "task-based",
    "app": "train.py",
    "app_dir": "",
    "hcclTrace": "on",
    "prof_level": "level1",
    "runtimeApi": "off",
    "taskTime": "l1",
}


def _info(layout: Layout, devices: Sequence[int]) -> dict[str, object]:
    chips = [
        {
            "id": device,
            "ai_core_num": CUBE_CORES,
            "aiv_num": 2 * CUBE_CORES,
            "ai_cpu_core_num": 6,
            "aic_frequency": str(CORE_MHZ),
            "aiv_frequency": str(CORE_MHZ),
            "hwts_frequency": str(1000 // NS_PER_TICK),
        }
        for device in devices
    ]
    return {
        "DeviceInfo": chips,
        "devices": ",".join(map(str, devices)),
        "hostname": "demo",
        "pid": str(HOST_PROCESS_ID),
        "pid_name": "python",
        "platform_version": "5" if layout == "new" else "1",
        "rank_id": -1,
        "version": "1.0",
    }


def _moment_info(side: Literal["Begin", "End"], since_boot_ns: int, boot_ns: int) -> dict[str, str]:
    microseconds = (boot_ns + since_boot_ns) // 1000
    date = datetime.fromtimestamp(microseconds // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    return {
        "clockMonotonicRaw": str(since_boot_ns),
        f"collectionTime{side}": str(microseconds),
        f"collectionDate{side}": f"{date}.{microseconds % 1_000_000:06d}",
    }
