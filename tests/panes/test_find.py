from prof_tui.data.open_capture import OpenCapture
from tests.helpers.driven_app import Driven, opened


async def find(user: Driven, text: str) -> None:
    await user.press("slash")
    await user.enter_text(text)


async def test_find_jumps_and_n_goes_round_with_the_count_said(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await find(user, "cast")
        assert user.cursor["Op Name"] == "Cast_1"
        assert "row 1 of 4 with 'cast'" in user.status
        await user.press("n", "n", "n")
        assert user.cursor["Op Name"] == "Cast_4"
        assert "row 4 of 4" in user.status
        await user.press("n")
        assert user.cursor["Op Name"] == "Cast_1"
        await user.press("N")
        assert user.cursor["Op Name"] == "Cast_4"
        await user.press("g")
        assert "4 rows with 'cast'" in user.status


async def test_it_looks_in_all_text_columns_and_filters_nothing(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await find(user, "512,1024")
        assert "row 1 of 4" in user.status
        assert "14 matched" in user.status
        await find(user, "ai_cpu")
        assert "row 1 of 4" in user.status


async def test_what_is_found_is_marked_in_the_cells(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await find(user, "Mul_1")
        assert user.pane.frame.highlight == "Mul_1"
        line = user.pane.frame.render_line(1 + user.pane.frame.cursor_row)
        [marked] = [segment for segment in line if segment.text == "Mul_1"]
        beside = next(segment for segment in line if segment.text.endswith("Mat"))
        assert marked.style != beside.style


async def test_nothing_found_is_said_and_the_cursor_stays(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("j", "j")
        await find(user, "nowhere")
        assert "0 rows with 'nowhere'" in user.status
        assert user.cursor["Op Name"] == "MatMul_2"
        await user.press("n", "N")
        assert user.cursor["Op Name"] == "MatMul_2"


async def test_an_empty_text_ends_it(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await find(user, "cast")
        await find(user, "")
        assert "with 'cast'" not in user.status
        assert user.pane.frame.highlight == ""


async def test_the_matches_are_counted_anew_after_a_filter(capture: OpenCapture) -> None:
    async with opened(capture, pane="op_summary") as user:
        await find(user, "_4")
        assert "of 3 with" in user.status
        await user.press("f")
        await user.enter_text("Task Type = AI_CPU")
        assert "1 row with '_4'" in user.status
        await user.press("n")
        assert user.cursor["Op Name"] == "TopK_4"
