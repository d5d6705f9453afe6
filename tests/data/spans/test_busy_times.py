import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.spans.busy import BusyTimes, busy_times
from prof_tui.data.spans.span import length, union

OPS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=12)
WINDOW = st.tuples(st.integers(-3, 55), st.integers(0, 30))


def numbers(*values: int) -> pl.Series:
    return pl.Series(values, dtype=pl.Int64)


def of(ops: list[tuple[int, int]]) -> BusyTimes:
    [found] = busy_times(frame(ops), [pl.lit(True)])
    return found


def frame(ops: list[tuple[int, int]]) -> pl.DataFrame:
    return pl.DataFrame(sorted(ops), schema={"start": pl.Int64, "ns": pl.Int64}, orient="row")


@given(OPS, st.lists(WINDOW, min_size=1, max_size=4))
def test_busy_within_windows_is_the_length_of_the_clipped_union(
    ops: list[tuple[int, int]], windows: list[tuple[int, int]]
) -> None:
    begins, ends = numbers(*(b for b, _ in windows)), numbers(*(b + n for b, n in windows))
    spans = [(start, start + ns) for start, ns in ops if ns]
    wanted = [length(union(spans, begin, begin + ns)) for begin, ns in windows]
    assert of(ops).within(begins, ends).to_list() == wanted


@given(OPS, st.integers(-3, 55))
def test_begun_counts_the_ops_before_a_moment(ops: list[tuple[int, int]], moment: int) -> None:
    assert of(ops).begun(numbers(moment)).to_list() == [sum(start < moment for start, _ns in ops)]


def test_no_ops_are_never_busy() -> None:
    assert of([]).within(numbers(0, 5), numbers(5, 9)).to_list() == [0, 0]


def test_times_that_a_float_would_round_stay_exact() -> None:
    start = 1_790_000_000_000_000_001
    assert of([(start, 3)]).within(numbers(start - 1), numbers(start + 2)).to_list() == [2]


@given(OPS)
def test_a_selection_is_what_those_ops_alone_are(ops: list[tuple[int, int]]) -> None:
    long = pl.col("ns") > 4
    found = busy_times(frame(ops), [long, pl.lit(True), ~long])
    alone = [of([op for op in ops if op[1] > 4]), of(ops), of([op for op in ops if op[1] <= 4])]
    assert [each.covered.to_list() for each in found] == [each.covered.to_list() for each in alone]
    assert [each.reach.to_list() for each in found] == [each.reach.to_list() for each in alone]
