from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.widgets.sparkline import bar, sparkline, stacked_bar
from prof_tui.words import use_ascii


@pytest.fixture(autouse=True)
def _unicode() -> Iterator[None]:
    use_ascii(False)
    yield
    use_ascii(False)


def test_heights_go_from_zero_to_the_largest() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7, 8], 20) == "▁▂▃▄▅▆▇██"


def test_a_missing_value_is_a_gap() -> None:
    assert sparkline([8, None, 0], 20) == "█ ▁"
    assert sparkline([None, None], 20) == "  "


def test_a_single_peak_survives_any_width() -> None:
    values = [1] * 999
    values[500] = 100
    assert sparkline(values, 10) == "▁▁▁▁▁█▁▁▁▁"


def test_nothing_to_draw_is_empty() -> None:
    assert sparkline([], 20) == ""
    assert sparkline([1, 2], 0) == ""


@given(st.lists(st.one_of(st.none(), st.integers(-(10**18), 10**18)), max_size=50), st.integers(0, 30))
def test_a_sparkline_is_never_longer_than_asked(values: list[int | None], width: int) -> None:
    assert len(sparkline(values, width)) == min(width, len(values))


def test_a_bar_shows_the_part_and_the_rest() -> None:
    assert bar(1, 4, 8) == "██░░░░░░"
    assert bar(0, 4, 4) == "░░░░"
    assert bar(9, 4, 4) == "████"
    assert bar(1, 0, 4) == "░░░░"


def test_more_than_nothing_is_seen_in_a_bar() -> None:
    assert bar(1, 10**9, 4) == "█░░░"


def test_bars_are_ascii_where_only_that_can_be_shown() -> None:
    use_ascii(True)
    assert bar(1, 2, 4) == "##.."
    assert sparkline([0, 8], 4) == ".#"


@given(st.lists(st.integers(-5, 10**19), max_size=12), st.integers(0, 300))
def test_parts_add_up_to_the_width(parts: list[int], width: int) -> None:
    widths = stacked_bar(parts, width)
    assert sum(widths) == (width if any(part > 0 for part in parts) else 0)
    assert all(cells >= 0 for cells in widths)
    assert len(widths) == len(parts)


def test_the_largest_remainder_gets_the_odd_cell() -> None:
    assert stacked_bar([1, 1, 1], 10) == [4, 3, 3]
    assert stacked_bar([70, 15, 15], 10) == [7, 2, 1]


def test_with_a_top_of_its_own_pictures_compare() -> None:
    assert sparkline([4, 4], 20, top=8) == "▅▅"
    assert sparkline([8, 9], 20, top=8) == "██"
