import pytest

from prof_tui.data.timeline.go_to import GoTo, GoToIteration, GoToName, GoToTime, parse_go_to

ZERO_NS = 1_790_000_000_000_000_000
SPAN = (ZERO_NS - 5_000, ZERO_NS + 90_000_000_000)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("12.5", GoToTime(ZERO_NS + 12_500)),
        ("12.5us", GoToTime(ZERO_NS + 12_500)),
        (" 3 ms ", GoToTime(ZERO_NS + 3_000_000)),
        ("2s", GoToTime(ZERO_NS + 2_000_000_000)),
        ("7 ns", GoToTime(ZERO_NS + 7)),
        ("-4", GoToTime(ZERO_NS - 4_000)),
        ("1790000000000001.789", GoToTime(ZERO_NS + 1_789)),
        ("1790000000000001789 ns", GoToTime(ZERO_NS + 1_789)),
        ("iteration 5", GoToIteration(5)),
        ("Iter 21", GoToIteration(21)),
        ("iteration", GoToName("iteration")),
        ("MatMul", GoToName("MatMul")),
        ("3 MatMul", GoToName("3 MatMul")),
        ("٣", GoToName("٣")),
    ],
)
def test_a_time_an_iteration_or_a_name(text: str, place: GoTo) -> None:
    assert parse_go_to(text, ZERO_NS, SPAN) == place
