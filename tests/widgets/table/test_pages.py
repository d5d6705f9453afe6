from prof_tui.widgets.table.pages import PAGE_ROWS, PAGES_KEPT, Row, RowPages


def rows(first: int, count: int) -> list[Row]:
    return [Row((str(index),)) for index in range(first, first + count)]


def test_the_window_and_a_page_on_each_side_are_asked_for_in_one_run() -> None:
    assert RowPages().to_ask_for(640, 40, 5000) == [(576, 192)]


def test_the_last_run_ends_with_the_table() -> None:
    assert RowPages().to_ask_for(0, 40, 100) == [(0, 100)]
    assert RowPages().to_ask_for(90, 10, 100) == [(0, 100)]


def test_nothing_is_asked_for_twice() -> None:
    pages = RowPages()
    pages.to_ask_for(0, 40, 5000)
    assert pages.to_ask_for(1, 40, 5000) == []
    pages.put(0, rows(0, 128))
    assert pages.to_ask_for(64, 40, 5000) == [(128, 64)]


def test_a_page_that_was_moved_off_is_asked_for_again() -> None:
    pages = RowPages()
    pages.to_ask_for(0, 40, 5000)
    pages.to_ask_for(4000, 40, 5000)
    assert pages.to_ask_for(0, 40, 5000) == [(0, 128)]


def test_a_run_that_was_given_up_is_asked_for_again() -> None:
    pages = RowPages()
    pages.to_ask_for(0, 40, 5000)
    pages.put(0, [])
    assert pages.to_ask_for(0, 40, 5000) == [(0, 128)]


def test_a_page_that_the_table_outgrew_is_asked_for_again_and_shown_meanwhile() -> None:
    pages = RowPages()
    pages.to_ask_for(0, 40, 10)
    pages.put(0, rows(0, 10))
    assert pages.to_ask_for(0, 40, 10) == []
    assert pages.to_ask_for(0, 40, 30) == [(0, 30)]
    assert pages.row(9) == Row(("9",))
    assert pages.row(10) is None


def test_the_page_longest_out_of_use_is_dropped() -> None:
    pages = RowPages()
    for page in range(PAGES_KEPT):
        pages.put(page * PAGE_ROWS, rows(page * PAGE_ROWS, PAGE_ROWS))
    pages.to_ask_for(0, 40, 10**6)
    pages.put(PAGES_KEPT * PAGE_ROWS, rows(0, PAGE_ROWS))
    assert pages.row(0) == Row(("0",))
    assert pages.row(2 * PAGE_ROWS) is None
