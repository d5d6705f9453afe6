"""The same task in two files whose clocks, ids and names differ."""

from collections.abc import Sequence

import polars as pl
import pytest

from prof_tui.data.tables.same_tasks import TASKS, apart_text, match_tasks

Task = tuple[int | None, int | None, int | None, int | None, str | None]
"""stream, task, start_ns, ns, name."""


def tasks(*rows: Task, device: int | None = 0) -> pl.DataFrame:
    numbered = [(number, device, *row) for number, row in enumerate(rows)]
    return pl.DataFrame(numbered, schema=TASKS, orient="row")


def pairs(own: pl.DataFrame, others: pl.DataFrame) -> list[tuple[int, int, int]]:
    return match_tasks(own, others).rows()


def moved(frame: pl.DataFrame, by_ns: int) -> pl.DataFrame:
    return frame.with_columns(pl.col("start_ns") + by_ns)


@pytest.mark.parametrize("apart_ns", [0, 100, -100, 1_600, -1_600, 9_999])
def test_clocks_that_are_apart(apart_ns: int) -> None:
    own = tasks((2, 1, 100_000, 50, "a"), (2, 2, 130_000, 50, "b"), (3, 1, 100_000, 50, "c"))
    expected = [(0, 0, apart_ns), (1, 1, apart_ns), (2, 2, apart_ns)]
    assert pairs(own, moved(own, apart_ns)) == expected
    assert pairs(moved(own, apart_ns), own) == [(a, b, -apart_ns) for a, b, _apart in expected]


def test_beyond_10_us_it_is_another_task() -> None:
    own = tasks((2, 1, 100_000, 50, "a"))
    assert pairs(own, moved(own, 10_000)) == [(0, 0, 10_000)]
    assert pairs(own, moved(own, 10_001)) == []


def test_task_ids_that_wrap_go_with_the_nearest() -> None:
    starts = [round_ * 40_000_000 for round_ in range(3)]
    own = tasks(*((2, task, start + task * 500, 50, None) for start in starts for task in (0, 1, 65_535)))
    others = moved(own, 1_600)
    assert pairs(own, others) == [(number, number, 1_600) for number in range(9)]
    lost = others.filter(pl.col("number") != 4)
    assert pairs(own, lost) == [(number, number, 1_600) for number in range(9) if number != 4]


def test_equal_keys_close_together_go_by_less_than_half_of_the_way() -> None:
    own = tasks((2, 7, 0, 50, "a"), (2, 7, 3_000, 50, "a"))
    assert pairs(own, moved(own, 1_499)) == [(0, 0, 1_499), (1, 1, 1_499)]
    assert pairs(own, moved(own, 1_500)) == []
    assert pairs(own, moved(own, 2_900)) == [(1, 0, -100)]


def test_tasks_of_one_key_that_start_together_go_by_their_lengths() -> None:
    own = tasks((2, 7, 0, 5_000, "a"), (2, 7, 0, 90_000, "b"))
    others = tasks((2, 7, 100, 90_001, "b"), (2, 7, 100, 5_000, "a"))
    assert pairs(own, others) == [(0, 1, 100), (1, 0, 100)]


def test_a_row_that_stands_twice_is_found_once_in_a_file_that_has_it_once() -> None:
    own = tasks((2, 7, 0, 50, "a"), (2, 7, 0, 50, "a"), (2, 8, 900, 50, "a"))
    found = pairs(own, tasks((2, 7, 0, 50, "a"), (2, 8, 900, 50, "a")))
    assert [(other, apart) for _own, other, apart in found] == [(0, 0), (1, 0)]


def test_other_names_with_other_lengths_are_another_task() -> None:
    own = tasks((2, 7, 0, 5_000, "a"))
    assert pairs(own, tasks((2, 7, 0, 5_000, "b"))) == [(0, 0, 0)]
    assert pairs(own, tasks((2, 7, 0, 95_000, "kernel_a"))) == [(0, 0, 0)]
    assert pairs(own, tasks((2, 7, 0, 95_000, "b"))) == []
    assert pairs(own, tasks((2, 7, 0, 95_000, None))) == [(0, 0, 0)]


def test_another_device_and_another_stream_are_other_tasks() -> None:
    own = tasks((2, 7, 0, 50, "a"))
    assert pairs(own, tasks((2, 7, 0, 50, "a"), device=1)) == []
    assert pairs(own, tasks((2, 9, 500, 50, "x"), (3, 7, 0, 50, "a"))) == []
    assert pairs(own, tasks((3, 7, 0, 50, "a"))) == [(0, 0, 0)]


@pytest.mark.parametrize("ids", [(None, None), (2, None), (None, 7)])
def test_without_ids_the_name_tells(ids: tuple[int | None, int | None]) -> None:
    own = tasks((None, None, 0, 90, "hcom_allReduce_1"), (None, None, 400, 90, "hcom_allReduce_2"))
    others = tasks((*ids, 1_700, 90, "hcom_allReduce_2"), (*ids, 100, 95, "hcom_allReduce_1"))
    assert pairs(own, others) == [(0, 1, 100), (1, 0, 1_300)]
    assert pairs(others, own) == [(0, 1, -1_300), (1, 0, -100)]


def test_a_stream_that_the_other_file_does_not_know_is_no_id() -> None:
    own = tasks((2, 7, 0, 50, "a"), (2, 8, 90, 50, "b"))
    assert pairs(own, tasks((1026, 7, 10, 50, "a"), (1026, 8, 100, 50, "c"))) == [(0, 0, 10)]


def test_a_task_without_a_start_is_not_found() -> None:
    own = tasks((2, 7, None, 50, "a"), (2, 8, 90, 50, "b"))
    assert pairs(own, own) == [(1, 1, 0)]


def test_nothing_meets_nothing() -> None:
    assert pairs(tasks(), tasks()) == []
    assert match_tasks(tasks((2, 7, 0, 50, "a")), tasks()).schema == match_tasks(tasks(), tasks()).schema


def test_ids_of_any_size_are_told_apart() -> None:
    big = (1 << 62) - 1
    rows: Sequence[Task] = [(big, -big, 0, 5, None), (-big, big, 0, 5, None), (0, 0, 0, 5, None)]
    own = tasks(*rows)
    assert pairs(own, own) == [(0, 0, 0), (1, 1, 0), (2, 2, 0)]


def test_what_is_said_of_the_difference() -> None:
    assert apart_text(100, "op_summary") == "placed 0.100 us later in op_summary"
    assert apart_text(-1_600, "task_time") == "placed 1.600 us earlier in task_time"
    assert apart_text(0, "op_summary") == ""
