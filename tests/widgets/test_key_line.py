from hypothesis import given
from hypothesis import strategies as st

from prof_tui.widgets.key_line import Entry, fitting

ENTRIES = st.lists(
    st.builds(
        Entry,
        keys=st.text("abc", min_size=1, max_size=3),
        text=st.text("xyz", max_size=8),
        action=st.just("a"),
        last=st.booleans(),
    ),
    max_size=12,
)


def entry(keys: str, text: str, *, last: bool = False) -> Entry:
    return Entry(keys, text, keys, last)


def test_what_does_not_fit_is_left_out_before_help_and_quit() -> None:
    entries = [
        entry("o", "Sort"),
        entry("f", "Filter"),
        entry("?", "Help", last=True),
        entry("q", "Quit", last=True),
    ]
    assert [each.keys for each in fitting(entries, 100)] == ["o", "f", "?", "q"]
    assert [each.keys for each in fitting(entries, 30)] == ["o", "?", "q"]
    assert [each.keys for each in fitting(entries, 5)] == ["?", "q"]


@given(ENTRIES, st.integers(0, 120))
def test_the_line_is_full_or_everything_is_on_it(entries: list[Entry], width: int) -> None:
    shown = fitting(entries, width)
    assert [each for each in entries if each.last] == [each for each in shown if each.last]
    rest = [each for each in shown if not each.last]
    assert rest == [each for each in entries if not each.last][: len(rest)]
    if rest:
        assert sum(each.width for each in shown) <= width
