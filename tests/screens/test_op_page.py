from prof_tui.data.open_capture import OpenCapture
from tests.helpers.driven_app import Driven, opened


async def page_of(user: Driven, name: str) -> str:
    await user.go_to(row=user.column("Op Name").index(name))
    await user.press("enter")
    assert user.screen_name == "RowView"
    return user.words


async def test_it_says_where_the_op_stands_among_others(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        page = await page_of(user, "MatMul_3")
        assert user.title.parts == ("MatMul_3",)
        assert "In iteration 3 of Model ID 11 (by start in the iteration's window)" in page
        assert "Task Duration 103.500 us: rank 2 of 14 ops of its device, 13.0 % of their summed time" in page
        assert "4 ops, rank 2; min 101.500 us, median 103.000 us, max 104.500 us" in page
        assert "Before it on the device: TopK_2, ended 670.000 us earlier" in page
        assert "After it on the device: Cast_3, 46.500 us later" in page


async def test_it_explains_every_column_of_the_file(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary", size=(140, 80)) as user:
        page = await page_of(user, "MatMul_3")
        for column in ("Device_id 0", "Task ID 3", "Stream ID 2", "Task Start Time(us) 1790000000003100.000"):
            assert column in page
        assert "The operator's name in the graph." in page


async def test_steps_beyond_the_last_op_are_not_remembered(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await page_of(user, "MatMul_3")
        await user.press(*"nnnnnnnnnnnnnnnnnn")
        last = user.title.parts
        await user.press("p")
        assert user.title.parts != last
        await user.press("n")
        assert user.title.parts == last


async def test_p_and_n_go_along_the_device_and_enter_to_the_iteration(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await page_of(user, "MatMul_3")
        await user.press("n")
        assert user.title.parts == ("Cast_3",)
        await user.press("p", "p")
        assert user.title.parts == ("TopK_2",)
        await user.press("enter")
        assert user.screen_name == "IterationScreen"
        assert user.chip.endswith("iteration 2")
        assert user.cursor["Op Name"] == "TopK_2"


async def test_an_op_outside_of_all_iterations_is_reachable_and_its_page_says_so(
    capture: OpenCapture,
) -> None:
    async with opened(capture, pane="op_summary") as user:
        page = await page_of(user, "Zeros_0")
        assert "In no iteration: it is outside" in page
        await user.press("enter")
        assert user.screen_name == "RowView"
        assert "Iteration" not in user.text.splitlines()[-1]


async def test_y_copies_all_its_columns(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await page_of(user, "Cast_2")
        await user.press("y")
        assert "Op Name: Cast_2\nOP Type: Cast\nTask Type: AI_VECTOR_CORE" in user.app.clipboard


async def test_a_row_of_another_table_has_a_page_without_rank(capture: OpenCapture) -> None:
    async with opened(capture, pane="files") as user:
        await user.press("j", "enter", "enter")
        assert user.screen_name == "RowView"
        assert "Among the others" not in user.text
        assert "OP Type TopK" in user.words
