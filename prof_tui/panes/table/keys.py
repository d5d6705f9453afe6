"""The keys of every table pane, declared once: footer, palette and both kinds of help come from here."""

from textual.binding import Binding, BindingType

from prof_tui.widgets.keys import key
from prof_tui.words import _


def _key(keys: str, name: str, description: str, tooltip: str, *, show: bool = False) -> Binding:
    """A key that does something with the table, by the name that ``TablePane.action_table`` knows."""
    return key("pane", keys, f"table('{name}')", description, tooltip, name=name.replace("_", "-"), show=show)


def _ask(keys: str, what: str, description: str, tooltip: str, *, show: bool = False) -> Binding:
    """A key that asks, through a dialog of the screen."""
    return key("pane", keys, f"screen.ask('{what}')", description, tooltip, show=show, priority=True)


TABLE_PANE_BINDINGS: list[BindingType] = [
    _key(
        "o",
        "sort_column",
        _("Sort"),
        _("Sort by this column: best first, the other way, file order"),
        show=True,
    ),
    _ask("O", "sort", _("Sort by"), _("Choose the column to sort by")),
    _key("u", "row_before_sort", _("Row before sort"), _("Back to the row of before the sort")),
    _ask(
        "t",
        "values",
        _("Types"),
        _("Choose Task Types or Core Types, with counts and share of time"),
        show=True,
    ),
    _ask("f", "filter", _("Filter"), _("A condition on any column: Task Duration(us) > 100"), show=True),
    _key(
        "equals_sign", "equals_cell", _("Equals cell"), _("Only rows with this cell's value in this column")
    ),
    _key("x", "last_filter_off", _("Filter off"), _("Take the last filter off")),
    _key("X", "all_filters_off", _("All filters off"), _("Take all filters off")),
    _ask("slash", "find", _("Find"), _("Find text in all text columns"), show=True),
    _key("n", "next_match", _("Next match"), _("The next row that matches")),
    _key("N", "previous_match", _("Previous match"), _("The row before that matches")),
    _ask("c", "columns", _("Columns"), _("Choose and order the columns")),
    _key(
        "r", "relative_times", _("Relative times"), _("Times from the first row on, or as the file has them")
    ),
    _key("y", "copy_cell", _("Copy cell"), _("Copy this cell; Shift+drag selects text with the mouse")),
    _key("Y", "copy_row", _("Copy row"), _("Copy this row, a column a line")),
    _ask("e", "write", _("Write"), _("Write this view to a CSV or Markdown file, or copy it")),
    _key("m", "other_source", _("Computed"), _("Computed from op summary, or msprof's own file"), show=True),
]
