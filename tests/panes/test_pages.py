from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from prof_tui.panes.pages.page import Page, Section, paragraphs
from prof_tui.panes.pages.row import row_page
from tests.helpers.captures import csv_table


def drawn(*sections: Section) -> list[str]:
    """The lines of a page of 20 cells, without blanks at their ends."""
    console = Console(width=20, file=StringIO())
    with console.capture() as shown:
        console.print(Page((), "", sections, "").draw())
    return [line.rstrip() for line in shown.get().splitlines()]


def test_a_blank_line_stands_between_sections_with_and_without_title() -> None:
    lead, note = Section("", (Text("lead"),)), Section("", (Text("note"),))
    rows = Section("Rows", (Text("  a"), Text("  b")))
    assert drawn(lead, rows, note) == ["lead", "", "Rows", "  a", "  b", "", "note"]
    assert drawn(rows) == ["Rows", "  a", "  b"]


def test_an_empty_section_first_leaves_a_blank_line_above_the_title() -> None:
    assert drawn(Section("", ()), Section("Time", (Text("1"),))) == ["", "Time", "1"]


def test_paragraphs_are_broken_within_their_indent_and_obey_nothing() -> None:
    assert drawn(Section("", (paragraphs(["one two three fours", "a\x1b[31mb"]),))) == [
        "  one two three",
        "  fours",
        "  a\\x1b[31mb",
    ]


def test_a_cell_of_millions_is_drawn_in_part_and_copied_whole(tmp_path: Path) -> None:
    table = csv_table(tmp_path, "Op Name,Task Duration(us)\n" + "Q" * 300_000 + ",1.000\n")
    [cells] = table.cells([0])
    page = row_page(table, tuple(zip(table.columns, cells, strict=True)))
    console = Console(width=300, file=StringIO())
    console.print(page.draw())
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert shown.count("Q") == 200_000
    assert "100,000 more characters; y copies all" in " ".join(shown.split())
    assert page.copied.count("Q") == 300_000
