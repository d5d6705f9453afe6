from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.training_run import demo_run
from prof_tui.demo.write import write_capture
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import opened
from tests.helpers.small_capture import OP_HEADER, op_lines, text


async def test_the_largest_total_time_comes_first(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_statistic") as user:
        assert user.column("OP Type") == ["MatMulV3", "Cast", "TopK", "Assign", "ZerosLike"]
        assert user.column("Total Time(us)") == ["412.000", "200.000", "120.000", "60.000", "7.000"]
        assert "by Total Time(us) ▼" in user.status
        assert user.title.parts == ("",)


async def test_enter_leads_to_its_ops_and_both_counts_are_said(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_statistic") as user:
        await user.press("enter")
        assert user.pane_name == "op_summary"
        assert user.column("Op Name") == ["MatMul_4", "MatMul_3", "MatMul_2", "MatMul_1"]
        assert "4 matched / 14 total" in user.status
        assert "Count in op_statistic 4" in user.status
        for chip in ("OP Type: MatMulV3 ×", "Task Type: AI_CORE ×"):
            assert chip in user.chips


async def test_back_from_its_ops_is_the_same_row(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_statistic") as user:
        await user.press("j", "j", "enter", "backspace")
        assert user.pane_name == "op_statistic"
        assert user.cursor["OP Type"] == "TopK"


async def test_op_types_of_several_devices_are_never_added(two_devices: OpenCapture) -> None:
    async with opened(two_devices, pane="op_statistic") as user:
        matmuls = [(row["Device_id"], row["Total Time(us)"]) for row in user.rows[:2]]
        assert matmuls == [("1", "416.000"), ("0", "412.000")]
        await user.press("enter")
        assert set(user.column("Device_id")) == {"1"}


async def test_in_the_old_layout_its_ops_are_those_of_its_device_too(tmp_path: Path) -> None:
    """There the column that tells devices apart is made of the files' names, and called otherwise."""
    run = demo_run(devices=2, iterations=6)
    matched = {}
    for layout in ("new", "old"):
        path = write_capture(tmp_path / layout, run, layout=layout, json_timeline=False)
        async with opened(OpenCapture(path), pane="op_statistic") as user:
            await user.press("enter")
            [device] = {row.get("Device_id", row.get("device")) for row in user.rows}
            assert device in ("0", "1")
            matched[layout] = user.pane.answer.view.matched if user.pane.answer else None
            assert user.said == []
    assert matched["new"] == matched["old"]


async def test_a_condition_that_op_summary_has_no_column_for_is_left_out_aloud(tmp_path: Path) -> None:
    capture = csv_capture(
        tmp_path,
        op_summary=text(OP_HEADER.replace("Task Type", "Engine"), op_lines()),
        op_statistic=text("Device_id,OP Type,Core Type,Count", ["0,MatMulV3,AI_CORE,5"]),
    )
    async with opened(capture, pane="op_statistic") as user:
        await user.press("enter")
        assert user.said == ["op_summary has no column for task_type: AI_CORE, which is left out."]
        assert "OP Type: MatMulV3 ×" in user.chips
        await user.press("backspace", "enter")
        assert len(user.said) == 2


async def test_for_an_iteration_it_is_computed_and_its_title_says_so(capture: OpenCapture) -> None:
    async with opened(capture, pane="step_trace") as user:
        await user.press("j", "j", "enter", "3")
        assert user.title.parts == ("computed from op_summary, iteration 3 of Model ID 11",)
        assert user.column("OP Type") == ["MatMulV3", "Cast", "TopK"]
        assert user.column("Count") == ["1", "1", "1"]
        assert user.column("Total Time(us)") == ["103.500", "50.000", "30.000"]
        await user.press("0")
        assert user.title.parts == ("",)
        assert user.column("Count") == ["4", "4", "4", "1", "1"]


async def test_a_missing_file_is_computed_too(tmp_path: Path) -> None:
    capture = csv_capture(tmp_path, op_summary=text(OP_HEADER, op_lines()))
    async with opened(capture, pane="op_statistic") as user:
        assert user.title.parts == ("computed from op_summary",)
        assert user.column("Total Time(us)") == ["412.000", "200.000", "120.000", "60.000", "7.000"]
        assert "There is no op_statistic in this export." in user.pane_notices
