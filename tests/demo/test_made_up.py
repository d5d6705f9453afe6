import csv
import json
from collections import defaultdict
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from prof_tui.demo.run import (
    COMMUNICATION,
    NO_MODEL,
    OUTSIDE,
    Facts,
    Op,
    Run,
    Step,
    task_wait_ns,
    totals_by_type,
)
from prof_tui.demo.tables import OP_SUMMARY_HEADER, Layout
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import PROF_NAME, STAMP, capture_skeleton, ticks, write_capture, write_table
from prof_tui.errors import UsageError
from tests.helpers.odd_rows import op_row, step_row

RUN = demo_run(devices=2)
FACTS = cast(Facts, RUN.facts)
LAYOUTS: tuple[Layout, ...] = ("new", "old")


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def header_line(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0]


def merged(prof: Path, kind: str) -> list[dict[str, str]]:
    return table(prof / f"mindstudio_profiler_output/{kind}_{STAMP}.csv")


def contents(prof: Path) -> dict[str, bytes]:
    return {str(p.relative_to(prof)): p.read_bytes() for p in prof.rglob("*") if p.is_file()}


def main_steps(device: int = 0) -> list[Step]:
    return [step for step in RUN.steps if (step.device, step.model_id) == (device, FACTS.main_model)]


def op_of(iteration: int, name: str) -> Op:
    place = (0, FACTS.main_model, iteration, name)
    (found,) = (op for op in RUN.ops if (op.device, op.model_id, op.iteration, op.name) == place)
    return found


@pytest.fixture(scope="module", name="new")
def new_capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_capture(tmp_path_factory.mktemp("new"), RUN, layout="new")


@pytest.fixture(scope="module", name="old")
def old_capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_capture(tmp_path_factory.mktemp("old"), RUN, layout="old")


# The run


@pytest.mark.parametrize("device", [0, 1])
def test_period_is_data_aug_and_fp_to_bp_and_refresh(device: int) -> None:
    for before, step in pairwise(main_steps(device)):
        parts = (step.data_aug_bound_ns, step.fp_to_bp_ns, step.refresh_ns)
        assert sum(part or 0 for part in parts) == step.iteration_end_ns - before.iteration_end_ns


def test_every_op_of_an_iteration_runs_inside_its_window() -> None:
    windows = {(s.device, s.model_id, s.iteration_id): (s.start_ns, s.iteration_end_ns) for s in RUN.steps}
    for op in RUN.ops:
        if op.iteration != OUTSIDE:
            start_ns, end_ns = windows[op.device, op.model_id, op.iteration]
            assert start_ns <= op.start_ns < op.end_ns <= end_ns


def test_task_of_no_model_is_in_no_window() -> None:
    outside = [op for op in RUN.ops if op.iteration == OUTSIDE]
    assert [(op.device, op.model_id, op.name) for op in outside] == [
        (0, NO_MODEL, FACTS.outside_op_name),
        (1, NO_MODEL, FACTS.outside_op_name),
    ]
    for op in outside:
        on_device = [step for step in RUN.steps if step.device == op.device]
        assert all(op.end_ns <= step.start_ns or op.start_ns >= step.iteration_end_ns for step in on_device)


def test_ops_of_one_stream_do_not_overlap() -> None:
    streams: defaultdict[tuple[int, int], list[Op]] = defaultdict(list)
    for op in RUN.ops:
        streams[op.device, op.stream_id].append(op)
    assert {stream for _, stream in streams} == {2, 3, 4, 48}
    for ops in streams.values():
        assert all(before.end_ns <= op.start_ns for before, op in pairwise(ops))


def test_planted_iterations_stand_out() -> None:
    steady = {step.iteration_id: step for step in main_steps() if step.iteration_id > 2}
    stalled, slow = steady.pop(FACTS.stalled_iteration), steady.pop(FACTS.slow_iteration)
    assert (FACTS.stalled_iteration, FACTS.slow_iteration, len(steady)) == (8, 5, 8)
    assert stalled.data_aug_bound_ns == 9_000_000
    usual_ns = max(step.iteration_time_ns for step in steady.values())
    assert max(step.data_aug_bound_ns or 0 for step in steady.values()) <= 188_000
    assert slow.iteration_time_ns > 1.3 * usual_ns
    first, second = main_steps()[:2]
    assert first.data_aug_bound_ns == 35_000_000
    assert first.iteration_time_ns > second.iteration_time_ns > usual_ns


def test_slow_op_is_slow_in_one_iteration_only() -> None:
    name = FACTS.slow_op_name
    usual = [op_of(i, name).duration_ns for i in range(3, 13) if i != FACTS.slow_iteration]
    assert 18 < op_of(FACTS.slow_iteration, name).duration_ns / max(usual) < 22
    assert max(usual) < 1.1 * min(usual)


def test_ai_cpu_ops_have_an_int64_input_and_are_long() -> None:
    ops = [op for op in RUN.ops if op.task_type == "AI_CPU"]
    assert {op.name for op in ops} == set(FACTS.ai_cpu_op_names)
    assert all("INT64" in op.input_dtypes and op.duration_ns > 20_000 for op in ops)
    assert len(ops) == 2 * 2 * 12


def test_tensor_cells_of_an_op_speak_of_as_many_tensors() -> None:
    for op in RUN.ops:
        counts = {text.count(";") for text in (op.input_shapes, op.input_dtypes, op.input_formats)}
        assert len(counts) == 1, op.name


def test_wait_is_per_device_over_all_streams() -> None:
    ops = [
        Op(start_ns=0, duration_ns=50, stream_id=2),
        Op(start_ns=20, duration_ns=10, stream_id=3),
        Op(start_ns=45, duration_ns=10, stream_id=2),
        Op(start_ns=99, duration_ns=1, device=1),
    ]
    assert task_wait_ns(ops) == [0, 0, 15, 0]


def test_too_few_iterations_are_refused() -> None:
    assert demo_run(iterations=6).facts is not None
    with pytest.raises(ValueError, match="6 iterations"):
        demo_run(iterations=5)


# The new layout


REAL_OP_SUMMARY_HEADER = (
    "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start Time(us),"
    "Task Duration(us),Task Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,Input Shapes,"
    "Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats,Context ID,"
    "aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),"
    "aic_scalar_ratio,aic_mte1_time(us),aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,"
    "aic_fixpipe_time(us),aic_fixpipe_ratio,aic_icache_miss_rate,aiv_time(us),aiv_total_cycles,"
    "aiv_vec_time(us),aiv_vec_ratio,aiv_scalar_time(us),aiv_scalar_ratio,aiv_mte2_time(us),"
    "aiv_mte2_ratio,aiv_mte3_time(us),aiv_mte3_ratio,aiv_icache_miss_rate,cube_utilization(%)"
)


def test_headers_are_those_of_real_exports(new: Path) -> None:
    directory = new / "mindstudio_profiler_output"
    assert header_line(directory / f"op_summary_{STAMP}.csv") == REAL_OP_SUMMARY_HEADER
    assert header_line(directory / f"task_time_{STAMP}.csv") == (
        "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)"
    )
    assert header_line(directory / f"api_statistic_{STAMP}.csv") == (
        "Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance"
    )
    assert header_line(directory / f"op_statistic_{STAMP}.csv") == (
        "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"
    )


def test_every_row_has_as_many_cells_as_its_header(new: Path, old: Path) -> None:
    for path in (*new.rglob("*.csv"), *old.rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            widths = {len(row) for row in csv.reader(file)}
        assert len(widths) == 1, path.name


def test_op_statistic_adds_up_op_summary(new: Path) -> None:
    sums: defaultdict[tuple[str, ...], list[Decimal]] = defaultdict(list)
    for row in merged(new, "op_summary"):
        if row["Task Type"] != COMMUNICATION:
            key = (row["Device_id"], row["OP Type"], row["Task Type"])
            sums[key].append(Decimal(row["Task Duration(us)"]))
    rows = merged(new, "op_statistic")
    assert {(r["Device_id"], r["OP Type"], r["Core Type"]) for r in rows} == set(sums)
    for row in rows:
        values = sums[row["Device_id"], row["OP Type"], row["Core Type"]]
        assert int(row["Count"]) == len(values)
        assert Decimal(row["Total Time(us)"]) == sum(values)
        assert (Decimal(row["Min Time(us)"]), Decimal(row["Max Time(us)"])) == (min(values), max(values))
        assert abs(Decimal(row["Avg Time(us)"]) - sum(values, Decimal()) / len(values)) <= Decimal("0.0005")


def test_ratios_of_a_device_sum_to_100_and_fall(new: Path) -> None:
    for device in ("0", "1"):
        ratios = [Decimal(r["Ratio(%)"]) for r in merged(new, "op_statistic") if r["Device_id"] == device]
        assert abs(sum(ratios, Decimal()) - 100) <= Decimal("0.0005") * len(ratios)
        assert ratios == sorted(ratios, reverse=True)


def test_communication_has_a_statistic_of_its_own(new: Path) -> None:
    rows = merged(new, "communication_statistic")
    durations_us = defaultdict(list)
    for row in merged(new, "op_summary"):
        if row["Task Type"] == COMMUNICATION:
            assert (row["Task ID"], row["Stream ID"], row["aicore_time(us)"]) == ("N/A", "N/A", "N/A")
            durations_us[row["Device_id"]].append(Decimal(row["Task Duration(us)"]))
    assert {r["Device_id"]: Decimal(r["Total Time(us)"]) for r in rows} == {
        device: sum(values) for device, values in durations_us.items()
    }


def test_pipe_times_are_ratios_of_the_core_time(new: Path) -> None:
    pipes = 0
    for row in merged(new, "op_summary"):
        for prefix, core in (("aic", "aicore_time(us)"), ("aiv", "aiv_time(us)")):
            for pipe in ("mac", "vec", "scalar", "mte1", "mte2", "mte3", "fixpipe"):
                ratio = row.get(f"{prefix}_{pipe}_ratio", "N/A")
                if ratio != "N/A":
                    pipes += 1
                    time = Decimal(row[f"{prefix}_{pipe}_time(us)"])
                    assert 0 <= Decimal(ratio) <= 1
                    assert abs(time - Decimal(ratio) * Decimal(row[core])) <= Decimal("0.001")
        if row["Task Type"] == "AI_CPU":
            assert row["cube_utilization(%)"] == "N/A"
    assert pipes > 1000


def test_times_of_the_new_layout_are_wall_clock_microseconds_with_a_tab(new: Path) -> None:
    starts = [row["Task Start Time(us)"] for row in merged(new, "op_summary") if row["Device_id"] == "0"]
    first = RUN.ops[0].start_ns + RUN.boot_ns
    assert starts[0] == f"{first // 1000}.{first % 1000:03d}\t"
    assert first // 1000 == 1789985730187653
    assert starts == sorted(starts)


def test_new_step_trace_writes_0_for_what_is_not_there(tmp_path: Path) -> None:
    run = Run(steps=(Step(iteration_id=1, iteration_end_ns=2_000_000, iteration_time_ns=800_250),))
    (row,) = merged(write_capture(tmp_path, run, layout="new"), "step_trace")
    assert row["FP Start(us)"] == row["BP End(us)"] == "0.000\t"
    assert row["FP to BP Time(us)"] == row["Iteration Refresh(us)"] == row["Data Aug Bound(us)"] == "0.000"
    assert (row["Iteration End(us)"], row["Iteration Time(us)"]) == ("2000.000\t", "800.250")


def test_slices_are_numbered_from_0_and_each_has_the_header(tmp_path: Path) -> None:
    run = Run(ops=tuple(Op(start_ns=n * 20_000, task_id=n) for n in range(5)))
    directory = write_capture(tmp_path, run, layout="new", slice_rows=2) / "mindstudio_profiler_output"
    parts = [table(directory / f"op_summary_slice_{part}_{STAMP}.csv") for part in range(3)]
    assert [[row["Task ID"] for row in part] for part in parts] == [["0", "1"], ["2", "3"], ["4"]]
    assert not (directory / f"op_summary_{STAMP}.csv").exists()
    assert (directory / f"op_statistic_{STAMP}.csv").exists()


def test_ops_that_take_no_time_or_less_can_be_written(tmp_path: Path) -> None:
    pipes = {"mac": 500}
    run = Run(ops=(Op(duration_ns=0, cube_pipes=pipes), Op(op_type="Add", start_ns=9_000, duration_ns=-250)))
    rows = merged(write_capture(tmp_path, run, layout="new"), "op_summary")
    assert [row["Task Duration(us)"] for row in rows] == ["0.000", "-0.250"]


# The old layout


def test_old_files_hold_one_iteration_each(old: Path) -> None:
    for iteration in range(1, 13):
        rows = table(old / f"device_1/summary/op_summary_1_11_{iteration}.csv")
        assert {(r["Model ID"], r["Infer ID"]) for r in rows} == {("11", str(iteration))}
        assert rows[0]["Task Wait Time(us)"] == "0"
        assert len(rows) == 49


def test_old_step_trace_is_the_same_bytes_in_every_iteration(old: Path) -> None:
    for kind in ("summary/step_trace_0_11_*.csv", "timeline/step_trace_0_11_*.json"):
        files = list((old / "device_0").glob(kind))
        assert len(files) == 12
        assert len({file.read_bytes() for file in files}) == 1
    models = [r["Model ID"] for r in table(old / "device_0/summary/step_trace_0_11_1.csv")]
    assert models == ["1"] * 2 + ["11"] * 12


def test_old_op_statistic_adds_up_op_summary(old: Path) -> None:
    summary = table(old / "device_0/summary/op_summary_0_11_5.csv")
    computing = [Decimal(r["Task Duration(us)"]) for r in summary if r["Task Type"] != "HCCL"]
    rows = table(old / "device_0/summary/op_statistic_0_11_5.csv")
    assert sum(Decimal(r["Total Time(us)"]) for r in rows) == sum(computing)
    assert abs(sum((Decimal(r["Ratio(%)"]) for r in rows), Decimal()) - 100) <= Decimal("0.0005") * len(rows)
    assert {r["Model Name"] for r in rows} == {"decoder"}


def test_old_dialect(old: Path) -> None:
    body = (old / "device_0/summary/op_summary_0_11_3.csv").read_bytes()
    assert body.count(b"\r\n") == body.count(b"\n") == 50
    assert b'"""2048,1024;1024;1024"""' in body
    (row,) = (
        r
        for r in table(old / "device_0/summary/op_summary_0_11_3.csv")
        if r["Op Name"] == FACTS.ai_cpu_op_names[0]
    )
    start_ns = op_of(3, FACTS.ai_cpu_op_names[0]).start_ns
    assert row["Task Start Time"] == f"{start_ns // 1000}.{start_ns % 1000:03d}"
    assert row["aicore_time(us)"] == "N/A"


def test_old_step_trace_has_na_for_what_is_not_there(old: Path) -> None:
    first = table(old / "device_0/summary/step_trace_0_11_1.csv")[0]
    assert (first["Model ID"], first["Data Aug Bound(us)"]) == ("1", "N/A")


def test_only_the_chosen_iterations_are_exported(tmp_path: Path) -> None:
    prof = write_capture(tmp_path, RUN, layout="old", iterations_exported=(1, 3), json_timeline=False)
    assert sorted(p.name for p in (prof / "device_0/summary").glob("op_summary*")) == [
        "op_summary_0_11_1.csv",
        "op_summary_0_11_3.csv",
    ]
    assert not any(prof.rglob("*_11_*.json"))


# Timelines


def test_timelines_parse_and_hold_every_task(new: Path, old: Path) -> None:
    events = json.loads((new / f"mindstudio_profiler_output/msprof_{STAMP}.json").read_text())
    layers = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert set(layers.values()) == {"CANN", "Ascend Hardware", "Communication", "Overlap Analysis"}
    tasks = [e for e in events if e["ph"] == "X" and "Task Type" in e["args"]]
    assert len(tasks) == len(RUN.ops)
    assert all(isinstance(e["ts"], str) for e in tasks)
    events = json.loads((old / "device_0/timeline/msprof_0_11_5.json").read_text())
    tasks = [e for e in events if e["ph"] == "X" and "Task Type" in e["args"]]
    assert len(tasks) == 49
    assert all(isinstance(e["ts"], float) for e in tasks)


def test_flows_go_from_a_launch_to_a_later_task(new: Path) -> None:
    events = json.loads((new / f"mindstudio_profiler_output/msprof_{STAMP}.json").read_text())
    pids = {e["pid"]: e["args"]["labels"] for e in events if e["name"] == "process_labels"}
    starts = {(e["tid"], e["id"]): Decimal(e["ts"]) for e in events if e["ph"] == "s"}
    ends = [(pids[e["pid"]], e["id"], Decimal(e["ts"])) for e in events if e["ph"] == "f"]
    host_threads = {"NPU 0": 195781, "NPU 1": 195782}
    assert len(starts) == len(ends) == len(RUN.ops)
    assert all(starts[host_threads[device], flow] <= at for device, flow, at in ends)


def test_step_trace_timeline_draws_each_iteration_once(new: Path) -> None:
    events = json.loads((new / f"mindstudio_profiler_output/step_trace_{STAMP}.json").read_text())
    bars = [e for e in events if e.get("cat") == "Iteration Time"]
    assert [e["args"]["Iteration Time(us)"] for e in bars] == [s.iteration_time_ns / 1000 for s in RUN.steps]


# Writing


@pytest.mark.parametrize("layout", LAYOUTS)
def test_written_twice_is_the_same_bytes(layout: Layout, tmp_path: Path) -> None:
    first = write_capture(tmp_path / "a", demo_run(), layout=layout)
    second = write_capture(tmp_path / "b", demo_run(), layout=layout)
    assert contents(first) == contents(second)
    assert sum(map(len, contents(first).values())) < 1_000_000


def test_a_directory_that_is_not_empty_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=f"{tmp_path} is not empty"):
        write_capture(tmp_path, RUN, layout="new")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_file_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(UsageError, match="taken"):
        write_capture(tmp_path / "taken", RUN, layout="new")
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_skeleton_has_no_table(layout: Layout, tmp_path: Path) -> None:
    prof = capture_skeleton(tmp_path, layout, (0, 10))
    assert prof == tmp_path / PROF_NAME
    assert not list(prof.rglob("*.csv"))
    inner = {p.name for p in (prof / "device_10").iterdir()}
    assert {"info.json.10", "host_start.log.10", "dev_start.log.10"} <= inner
    assert (prof / "mindstudio_profiler_output").is_dir() == (layout == "new")
    assert (prof / "device_0/summary").is_dir() == (layout == "old")


def test_ticks_convert_back_with_the_start_logs(tmp_path: Path) -> None:
    device = capture_skeleton(tmp_path, "old") / "device_0"
    host_log = (device / "host_start.log.0").read_text().splitlines()
    device_log = (device / "dev_start.log.0").read_text().splitlines()
    mhz = float(json.loads((device / "info.json.0").read_text())["DeviceInfo"][0]["hwts_frequency"])
    at_ns = main_steps()[0].iteration_end_ns // 10 * 10
    elapsed_ns = (ticks(at_ns) - int(device_log[1].split()[1])) * 1000 / mhz
    assert elapsed_ns + int(host_log[1].split()[1]) == at_ns


def test_odd_tables(tmp_path: Path) -> None:
    path = write_table(tmp_path, "a.csv", ["x", "y"], [["1"], ["a,b", 'q"', "3"]])
    assert path.read_bytes() == b'x,y\n1\na,b,q",3\n'
    quoted = write_table(tmp_path, "b.csv", ["x"], [['"1,2"']], newline="\r\n", bom=True, quoting="minimal")
    assert quoted.read_bytes() == b'\xef\xbb\xbfx\r\n"""1,2"""\r\n'
    chinese = write_table(tmp_path, "c.csv", ["卷积"], [], encoding="gbk")
    assert chinese.read_bytes() == "卷积\n".encode("gbk")
    with pytest.raises(FileExistsError):
        write_table(tmp_path, "a.csv", ["x"], [])


def test_rows_take_cells_by_keyword() -> None:
    row = op_row(name="Mul_1", duration="3.5", aic_mac_ratio="N/A")
    assert tuple(row) == OP_SUMMARY_HEADER["new"]
    assert (row["Op Name"], row["Task Duration(us)"], row["aic_mac_ratio"]) == ("Mul_1", "3.5", "N/A")
    assert op_row("old", block_dim="8")["Block Dim"] == "8"
    assert step_row(iteration_id="7", data_aug_bound="N/A")["Iteration ID"] == "7"
    with pytest.raises(KeyError):
        op_row(durations="1")


def test_totals_come_largest_first() -> None:
    ops = [Op(op_type="Add", duration_ns=2), Op(duration_ns=7), Op(op_type="Add", duration_ns=1)]
    totals = totals_by_type(ops)
    assert [(kind, t.total_ns, t.average_ns) for (kind, _), t in totals.items()] == [
        ("MatMulV3", 7, 7),
        ("Add", 3, 2),
    ]
