"""A marked range: sums and unions."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.spans.span import length, union
from prof_tui.data.timeline.events import range_stats
from tests.helpers.traces import Slice, host, stream, trace_index

INDEX = trace_index(
    {
        host(1): [(0, 40, "call"), (10, 10, "inner")],
        stream(2): [(5, 10, "MatMul"), (20, 10, "Cast", "AI_VECTOR_CORE"), (90, 5, "far")],
        stream(3): [(8, 10, "MatMul"), (30, 0, "moment", "EVENT_RECORD"), (31, -9, "broken")],
    }
)


def test_sums_count_overlaps_each_time_and_unions_once() -> None:
    found = range_stats(INDEX, (0, 50))
    assert (found.events, found.sum_ns, found.union_ns) == (7, 80, 40)
    assert found.lanes.rows() == [(0, 2, 50, 40), (1, 2, 20, 20), (2, 3, 10, 10)]
    kinds = [INDEX.kinds[kind] for kind in found.names["kind"]]
    assert list(zip(found.names["name"], kinds, *found.names[:, 2:], strict=True)) == [
        ("call", "CANN", 1, 40, 40),
        ("MatMul", "AI_CORE", 2, 20, 13),
        ("Cast", "AI_VECTOR_CORE", 1, 10, 10),
        ("inner", "CANN", 1, 10, 10),
        ("broken", "AI_CORE", 1, 0, 0),
        ("moment", "EVENT_RECORD", 1, 0, 0),
    ]


def test_durations_are_clipped_to_the_range() -> None:
    found = range_stats(INDEX, (12, 22), lanes=[1, 2])
    assert found.lanes.rows() == [(1, 2, 5, 5), (2, 1, 6, 6)]
    assert (found.sum_ns, found.union_ns) == (11, 8)


def test_the_same_name_of_another_kind_is_another_row() -> None:
    index = trace_index({stream(2): [(0, 2, "op"), (2, 3, "op", "AI_CPU")]})
    assert range_stats(index, (0, 5)).names["sum_ns"].to_list() == [3, 2]


def test_an_empty_range_has_nothing() -> None:
    found = range_stats(INDEX, (60, 80))
    assert (found.events, found.sum_ns, found.union_ns) == (0, 0, 0)
    assert found.lanes.is_empty()
    assert found.names.is_empty()


names = st.sampled_from(["a", "b", "c"])
slices = st.lists(st.tuples(st.integers(0, 60), st.integers(-2, 15), names))


@given(slices, slices, st.tuples(st.integers(0, 40), st.integers(41, 90)))
def test_laws(one: list[Slice], other: list[Slice], span: tuple[int, int]) -> None:
    index = trace_index({stream(2): one, host(1): other})
    found = range_stats(index, span)
    assert found.lanes["events"].sum() == found.names["events"].sum() == found.events
    assert found.lanes["sum_ns"].sum() == found.names["sum_ns"].sum() == found.sum_ns
    assert found.union_ns == length(union([(at, at + ns) for at, ns, *_rest in [*one, *other]], *span))
    for table in (found.lanes, found.names):
        assert (table["union_ns"] <= table["sum_ns"]).all()
        assert (table["union_ns"] <= found.union_ns).all()
    counts = Counter(
        name
        for at, ns, name, *_rest in [*one, *other]
        if at < span[1] and (at >= span[0] or at + ns > span[0])
    )
    assert sum(counts.values()) == found.events
    by_name: Counter[str] = Counter()
    for name, _kind, events, *_times in found.names.iter_rows():
        by_name[name] += events
    assert by_name == counts
