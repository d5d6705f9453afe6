"""Made-up captures: what ``prof-tui demo`` opens and what the tests build their inputs with.

``write_capture`` writes a whole export of a ``Run`` (``demo_run()``, or one made of ``Op`` and ``Step``);
``capture_skeleton`` and ``write_table`` are for an export that is odd in one place.  The same run gives the
same bytes.  No file is ever overwritten.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import Literal

from prof_tui.data.writing.new_files import inside_capture
from prof_tui.demo import tables
from prof_tui.demo.run import BOOT_NS, Op, Run, Step
from prof_tui.demo.tables import (
    CORE_MHZ,
    CUBE_CORES,
    OP_SUMMARY_HEADER,
    Layout,
    Row,
    op_summary_rows,
)
from prof_tui.demo.timeline import HOST_PROCESS_ID, msprof_json, step_trace_json
from prof_tui.demo.training_run import demo_run
from prof_tui.errors import UnreadableError, UsageError
from prof_tui.words import _

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


STAMP = "20260921101601"

Table = tuple[Row, list[Row]]
"""Header and rows."""


def write_capture(
    parent: Path,
    run: Run,
    *,
    layout: Layout,
    name: str = PROF_NAME,
    json_timeline: bool = True,
    slice_rows: int = 0,
    stamp: str = STAMP,
    iterations_exported: Sequence[int] | None = None,
) -> Path:
    """Writes ``run`` as one export into ``parent``, which must be empty or absent; the PROF directory.

    ``slice_rows``: new layout, CSV files of more rows are cut (0: never). ``iterations_exported``: old,
    which has one set of files per iteration of the model that iterates most; None: every iteration of it.
    UsageError if ``parent`` can't be used.
    """
    _claim(parent)
    prof = capture_skeleton(parent, layout, run.devices or (0,), name=name, boot_ns=run.boot_ns)
    in_order = Run(tuple(sorted(run.ops, key=attrgetter("device", "start_ns"))), run.steps, run.boot_ns)
    if layout == "new":
        _write_merged(prof / MERGED_DIRECTORY, in_order.on_wall_clock(), json_timeline, slice_rows, stamp)
    else:
        for device in in_order.devices:
            _write_device(prof / f"device_{device}", in_order, device, json_timeline, iterations_exported)
    return prof


def _claim(parent: Path) -> None:
    """Makes the directory, or sees that it is empty."""
    try:
        parent.mkdir(parents=True, exist_ok=True)
        empty = not any(parent.iterdir())
    except OSError as error:
        message = _("{path} can't be used ({reason}); name a directory that is empty or does not exist yet.")
        raise UsageError(message.format(path=parent, reason=error.strerror)) from error
    if not empty:
        message = _("{path} is not empty; name a directory that is empty or does not exist yet.")
        raise UsageError(message.format(path=parent))


def _write_merged(directory: Path, run: Run, json_timeline: bool, slice_rows: int, stamp: str) -> None:
    """All devices and iterations in one set of files, as the C++ exporter writes them (G3)."""
    for kind, (header, rows) in _merged_tables(run).items():
        if 0 < slice_rows < len(rows):
            for part, first in enumerate(range(0, len(rows), slice_rows)):
                cut = rows[first : first + slice_rows]
                write_table(directory, f"{kind}_slice_{part}_{stamp}.csv", header, cut)
        elif rows:
            write_table(directory, f"{kind}_{stamp}.csv", header, rows)
    if json_timeline:
        write_text(directory / f"msprof_{stamp}.json", msprof_json(run.devices, run.ops, run.steps, "new"))
        if run.steps:
            text = step_trace_json(run.devices, run.steps, "new")
            write_text(directory / f"step_trace_{stamp}.json", text)


def _merged_tables(run: Run) -> dict[str, Table]:
    """By file type; one without rows is not written."""
    ops = run.ops
    return {
        "api_statistic": (tables.API_STATISTIC_HEADER, tables.api_statistic_rows(ops, run.steps)),
        "communication_statistic": (
            tables.COMMUNICATION_STATISTIC_HEADER,
            tables.communication_statistic_rows(ops),
        ),
        "op_statistic": (tables.OP_STATISTIC_HEADER["new"], tables.op_statistic_rows(ops, "new")),
        "op_summary": (OP_SUMMARY_HEADER["new"], op_summary_rows(ops, "new")),
        "step_trace": tables.step_trace_table(run.steps, "new"),
        "task_time": (tables.TASK_TIME_HEADER["new"], tables.task_time_rows(ops, "new")),
    }


def _write_device(
    directory: Path, run: Run, device: int, json_timeline: bool, iterations_exported: Sequence[int] | None
) -> None:
    """One set of files per exported iteration, in each of them the whole step trace (G1c)."""
    steps = [step for step in run.steps if step.device == device]
    for model_id, _steps in Counter(step.model_id for step in steps).most_common(1):
        iterations = [step.iteration_id for step in steps if step.model_id == model_id]
        for iteration in iterations if iterations_exported is None else iterations_exported:
            place = (device, model_id, iteration)
            ops = [op for op in run.ops if (op.device, op.model_id, op.iteration) == place]
            numbers = "_".join(map(str, place))
            for kind, (header, rows) in _iteration_tables(ops, steps).items():
                filename = f"{kind}_{numbers}.csv"
                write_table(directory / "summary", filename, header, rows, newline="\r\n", quoting="minimal")
            if json_timeline:
                shown = [step for step in steps if (step.model_id, step.iteration_id) == place[1:]]
                _write_old_timelines(directory / "timeline", numbers, ops, shown, steps)


def _write_old_timelines(
    directory: Path, numbers: str, ops: Sequence[Op], shown: Sequence[Step], steps: Sequence[Step]
) -> None:
    device = (steps[0].device,)
    write_text(directory / f"msprof_{numbers}.json", msprof_json(device, ops, shown, "old"))
    write_text(directory / f"step_trace_{numbers}.json", step_trace_json(device, steps, "old"))


def _iteration_tables(ops: Sequence[Op], steps: Sequence[Step]) -> dict[str, Table]:
    return {
        "op_statistic": (tables.OP_STATISTIC_HEADER["old"], tables.op_statistic_rows(ops, "old")),
        "op_summary": (OP_SUMMARY_HEADER["old"], op_summary_rows(ops, "old")),
        "step_trace": tables.step_trace_table(steps, "old"),
        "task_time": (tables.TASK_TIME_HEADER["old"], tables.task_time_rows(ops, "old")),
    }


def write_demo(folder: Path, layout: Layout) -> Path:
    """Writes the demo into ``folder``, which must be empty or absent; the PROF directory.

    UsageError where ``folder`` is in use or inside a capture, UnreadableError when the system refuses.
    """
    if inside_capture(folder):
        text = _("{path} is inside a capture, where nothing is written: name a directory elsewhere.")
        raise UsageError(text.format(path=folder))
    try:
        return write_capture(folder, demo_run(), layout=layout)
    except OSError as error:
        text = _("The demo can't be written to {path}: {cause}.")
        raise UnreadableError(text.format(path=folder, cause=error.strerror or error)) from error
