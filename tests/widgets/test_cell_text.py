import re
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from prof_tui.data.writing.text import wrapped
from prof_tui.widgets.cell_text import cut_middle, cut_start, fit, found_spans
from prof_tui.words import cell_width, clusters, cut, glyphs, printable, use_ascii

AWKWARD = st.sampled_from(
    [
        "a",
        "é",
        "e\u0301",
        "卷",
        "積",
        "ﾊ",
        "👍🏽",
        "👩\u200d👩\u200d👧",
        "🇨🇳",
        "☁\ufe0f",
        "\u200d",
        "\ufe0f",
        "\u0301",
        "\x1b",
        "\n",
        " ",
    ]
)
ANY_TEXT = st.one_of(st.lists(AWKWARD, max_size=40).map("".join), st.text(max_size=60))


@pytest.fixture(autouse=True, params=[False, True], ids=["unicode", "ascii"])
def _glyph_table(request: pytest.FixtureRequest) -> Iterator[None]:
    use_ascii(request.param)
    yield
    use_ascii(False)


@given(ANY_TEXT)
def test_a_text_has_one_width_on_the_screen_and_in_a_report(text: str) -> None:
    assert cell_width(text) == cell_len(text)
    assert cell_width(printable(text)) == cell_len(printable(text))


@given(ANY_TEXT, st.integers(2, 30))
def test_a_line_of_a_report_breaks_no_cluster_and_is_never_too_wide(text: str, width: int) -> None:
    lines = wrapped(printable(text).replace("--", "").replace(".", ""), width).splitlines()
    assert all(cell_len(line) <= width for line in lines)
    whole = {part for word in printable(text).split() for part in _parts(word)}
    assert {part for line in lines for word in line.split() for part in _parts(word)} <= whole


def _parts(word: str) -> set[str]:
    return {word[start:stop] for start, stop, size in clusters(word) if size and "\u200d" in word[start:stop]}


@given(ANY_TEXT, st.integers(0, 40), st.booleans())
def test_a_cell_is_exactly_as_wide_as_its_column(text: str, width: int, right: bool) -> None:
    assert cell_len(fit(text, width, right)) == width


@pytest.mark.parametrize("mark", ["\ufe0f", "\u200d", "\u0301"])
def test_a_text_may_begin_and_end_with_a_mark(mark: str) -> None:
    assert clusters(f"{mark}卷{mark}") == [(0, 1, 0), (1, 3, 2)]


@given(ANY_TEXT, st.integers(0, 40), st.booleans())
def test_a_cell_that_keeps_its_end_is_exactly_as_wide_too(text: str, width: int, right: bool) -> None:
    assert cell_len(fit(text, width, right, keep_end=True)) == width


@given(ANY_TEXT, st.integers(1, 40))
def test_what_a_cut_at_the_start_leaves_is_the_end(text: str, width: int) -> None:
    shown, whole = cut_start(text, width), printable(text).rstrip("\u200d")
    assert shown == whole or whole.endswith(shown[1:])


def test_a_path_is_cut_at_its_start() -> None:
    assert cut_start("Default/network/layers-1/MatMul-op3", 14) in (
        "…1/MatMul-op3",
        "…-1/MatMul-op3",
        "~-1/MatMul-op3",
    )


@given(ANY_TEXT, st.integers(0, 40), ANY_TEXT)
def test_cells_in_a_row_are_as_wide_as_their_sum(text: str, width: int, neighbour: str) -> None:
    assert cell_len(f"{fit(text, width)} {fit(neighbour, 9)} ") == width + 11


@given(ANY_TEXT, st.integers(1, 40))
def test_a_cut_never_splits_a_cluster(text: str, width: int) -> None:
    shown, whole = cut(text, width), printable(text)
    if shown != whole.rstrip("\u200d"):
        kept = shown[:-1]
        assert whole.startswith(kept)
        rest = whole[len(kept) :].lstrip("\u200d")
        ends = {stop for _, stop, _ in clusters(whole)} | {0}
        assert len(whole) - len(rest) in ends or len(kept) in ends


@given(ANY_TEXT, st.integers(0, 40))
def test_nothing_a_terminal_obeys_is_left(text: str, width: int) -> None:
    assert not [char for char in fit(text, width) if unicodedata.category(char) in ("Cc", "Cs")]


def test_what_fits_is_not_cut() -> None:
    assert fit("Conv2D", 6) == "Conv2D"
    assert fit("1.500", 8, right=True) == "   1.500"


def test_no_width_holds_nothing_and_one_cell_the_mark() -> None:
    assert fit("Conv2D", 0) == ""
    assert fit("a", 1) == "a"
    assert len(fit("ab", 1)) == 1


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("卷积_特征", 9, "卷积_特征"),
        ("卷积_特征", 8, "卷积_特…"),
        ("卷积_特征", 7, "卷积_… "),
        ("e\u0301mbedding", 4, "e\u0301mb…"),
        ("ab👍🏽cd", 5, "ab👍🏽…"),
        ("ab👍🏽cd", 4, "ab… "),
        ("🇨🇳🇨🇳", 3, "🇨🇳…"),
        ("🇨🇳🇨🇳", 2, "… "),
        ("👩\u200d👩\u200d👧!!", 3, "👩\u200d👩\u200d👧…"),
    ],
)
def test_wide_characters_are_kept_whole(text: str, width: int, expected: str) -> None:
    use_ascii(False)
    assert fit(text, width) == expected


def test_a_cell_of_a_million_marks_is_only_looked_at_in_part() -> None:
    use_ascii(False)
    assert cell_len(fit("e" + "\u0301" * 1_000_000, 3)) == 3


def test_matches_are_found_in_any_case() -> None:
    assert found_spans("MatMul_matmul", re.compile("mat", re.IGNORECASE)) == [(0, 3), (7, 10)]


def test_a_match_grows_to_whole_clusters() -> None:
    assert found_spans("xe\u0301y", re.compile("e")) == [(1, 3)]
    assert found_spans("ab👍🏽", re.compile("b")) == [(1, 2)]


@given(ANY_TEXT, st.text(min_size=1, max_size=2))
def test_matches_stand_apart_in_order(text: str, needle: str) -> None:
    end = 0
    for start, stop in found_spans(text, re.compile(re.escape(needle), re.IGNORECASE)):
        assert end <= start < stop <= len(text)
        end = stop


def test_a_cut_in_the_middle_leaves_both_ends() -> None:
    assert cut_middle("abcdefghij", 10) == "abcdefghij"
    assert cut_middle("abcdefghijk", 10) == f"abcde{glyphs().ellipsis}hijk"
    assert cut_middle("abc" * 5_000 + "z", 7) == f"abc{glyphs().ellipsis}bcz"
    assert cut_middle("", 10) == ""
    assert cell_len(cut_middle("\u6f22" * 10, 9)) == 9
