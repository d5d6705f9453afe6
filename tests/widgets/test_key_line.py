from hypothesis import given
from hypothesis import strategies as st

from prof_tui.widgets.key_line import Entry, Fitted, fitting

ENTRIES = st.lists(
    st.builds(
        Entry,
        keys=st.text("abc", min_size=1, max_size=3),
        text=st.text("xyz", max_size=8),
        action=st.sampled_from(["a", "help"]),
        last=st.booleans(),
    ),
    max_size=12,
)


def entry(keys: str, text: str, action: str = "", *, last: bool = False) -> Entry:
    return Entry(keys, text, action or keys, last)


def drawn(fitted: Fitted) -> str:
    words = [f"{each.keys} {each.text}".strip() for each in fitted.entries]
    return " " + (" " * fitted.gap).join(words)


FINDING = [
    entry("⏎", "Evidence"),
    entry("n", "Next"),
    entry("esc", "Back", last=True),
    entry("?", "Help", "help", last=True),
    entry("q", "Quit", last=True),
]


def test_blanks_go_first_then_keys_of_the_middle_then_words_of_the_end_but_help() -> None:
    assert drawn(fitting(FINDING, 80)) == " ⏎ Evidence   n Next   esc Back   ? Help   q Quit"
    assert drawn(fitting(FINDING, 45)) == " ⏎ Evidence  n Next  esc Back  ? Help  q Quit"
    assert drawn(fitting(FINDING, 40)) == " ⏎ Evidence  esc Back  ? Help  q Quit"
    assert drawn(fitting(FINDING, 34)) == " ⏎ Evidence esc Back ? Help q Quit"
    assert drawn(fitting(FINDING, 30)) == " ⏎ Evidence esc ? Help q Quit"
    assert drawn(fitting(FINDING, 20)) == " ⏎ Evidence esc ? q"
    assert drawn(fitting(FINDING, 5)) == " esc ? q"


def test_a_click_is_on_the_key_before_or_under_it() -> None:
    fitted = fitting(FINDING, 80)
    line = drawn(fitted)
    for each in fitted.entries:
        found = fitted.at(line.index(f"{each.keys} {each.text}"))
        assert found is each
    assert fitted.at(len(line) + fitted.gap) is None


@given(ENTRIES, st.integers(0, 120))
def test_the_first_ones_and_those_of_the_end_are_on_it(entries: list[Entry], width: int) -> None:
    fitted = fitting(entries, width)
    assert len(drawn(fitted)) == max(fitted.width, 1)
    last = [each.keys for each in entries if each.last]
    shown = [each.keys for each in fitted.entries]
    middle = [each.keys for each in entries if not each.last]
    number = len(shown) - len(last)
    assert shown == middle[:number] + last
    if number:
        assert fitted.width <= width
