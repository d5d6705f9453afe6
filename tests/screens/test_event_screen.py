from textual.widgets import OptionList

from prof_tui.data.open_capture import OpenCapture
from prof_tui.screens.event import EventView
from tests.helpers.driven_app import Driven, opened


async def go_to(user: Driven, name: str) -> None:
    await user.press("g")
    await user.enter_text(name)
    assert user.event_name == name


def places(user: Driven) -> list[str]:
    """The list below the page."""
    return [jump.text for jump in user.screen.query_one(EventView).jumps]


async def choose(user: Driven, words: str) -> None:
    """Enter on the place of the list that holds these words."""
    at = next(i for i, text in enumerate(places(user)) if words in text)
    user.screen.query_one(OptionList).highlighted = at
    await user.press("enter")


async def test_it_says_lane_times_iteration_and_all_arguments(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Cast_3")
        await user.press("enter")
        assert user.screen_name == "EventView"
        for words in (
            "Ascend Hardware (NPU 0)",
            "Stream 3",
            "1790000000003250.000 us, 2,160.000 us from the timeline's start, 150.000 us from the start",
            "50.000 us, rank 1 of 1 of this name",
            "3 of Model ID 11",
            "Task Type AI_VECTOR_CORE",
            "connection_id 31",
        ):
            assert words in user.words, words


async def test_it_leads_to_the_launch_and_back_along_it(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Cast_3")
        await user.press("enter")
        await choose(user, "Launched by Node@launch, CANN / Thread 1, start 1790000000003245.000 us")
        assert user.title.parts == ("Node@launch",)
        await choose(user, "Launched Cast_3, Ascend Hardware / Stream 3")
        assert user.title.parts == ("Cast_3",)
        await user.press("backspace", "backspace", "backspace")
        assert (user.screen_name, user.event_name) == ("CaptureScreen", "Cast_3")


async def test_it_leads_into_the_timeline_and_back_to_the_page(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Cast_3")
        await user.press("enter")
        await choose(user, "Launched by")
        await user.press("v")
        assert (user.screen_name, user.event_name) == ("CaptureScreen", "Node@launch")
        await user.press("backspace")
        assert (user.screen_name, user.title.parts) == ("EventView", ("Node@launch",))


async def test_its_list_leads_into_the_timeline(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Cast_3")
        await user.press("enter")
        await choose(user, "In the timeline")
        assert (user.screen_name, user.event_name) == ("CaptureScreen", "Cast_3")


async def test_it_leads_to_its_row_of_op_summary_and_that_leads_back(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Cast_3")
        await user.press("enter")
        await choose(user, "Its row of op summary")
        assert (user.screen_name, user.title.parts) == ("RowView", ("Cast_3",))
        await user.press("n", "v")
        assert (user.screen_name, user.pane_name, user.event_name) == ("CaptureScreen", "timeline", "TopK_3")


async def test_it_leads_to_its_iteration_with_the_cursor_on_it(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Cast_3")
        await user.press("enter")
        await choose(user, "Iteration 3")
        assert user.screen_name == "IterationScreen"
        assert user.cursor["Op Name"] == "Cast_3"


async def test_a_host_call_has_no_row_and_says_why(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Model@execute")
        await user.press("enter")
        assert "Only tasks of streams and communication ops are in op_summary." in user.words
        assert not [text for text in places(user) if "op summary" in text]


async def test_copying_takes_all_arguments(traced: OpenCapture) -> None:
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Cast_3")
        await user.press("enter", "Y")
        assert any("connection_id: 31" in text for text in user.said) or user.said


async def test_what_the_two_clocks_say_of_one_task(traced: OpenCapture) -> None:
    [file] = (file for each in traced.export.tables if each.name == "op_summary" for file in each.files)
    file.path.write_text(file.path.read_text().replace("3250.000,50", "3250.100,50"))
    async with opened(traced, pane="timeline") as user:
        await go_to(user, "Cast_3")
        await user.press("enter")
        assert "The same task is placed 0.100 us later in op_summary." in user.words
        await choose(user, "Its row of op summary")
        assert "Cast_3" in user.title.parts[0]
        await user.press("v")
        assert user.event_name == "Cast_3"
        assert "The op is placed 0.100 us earlier in the timeline." in user.said
