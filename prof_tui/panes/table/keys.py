"""The keys of every table pane, declared once: footer, help, palette and README come from here."""

from textual.binding import Binding, BindingType

from prof_tui.words import _


def _key(key: str, action: str, name: str, description: str, tooltip: str, *, show: bool = False) -> Binding:
    """Keys that ask go to the screen at once (priority): what is typed next meets the prompt."""
    asks = action.startswith("screen.")
    return Binding(key, action, description, show=show, tooltip=tooltip, id=f"pane.{name}", priority=asks)


TABLE_PANE_BINDINGS: list[BindingType] = [
    _key(
        "o",
        "sort_column",
        "sort",
        _("Sort"),
        _("Sort by this column: best first, the other way, file order"),
        show=True,
    ),
    _key("O", "screen.ask('sort')", "sort-by", _("Sort by"), _("Choose the column to sort by")),
    _key(
        "u", "row_before_sort", "before-sort", _("Row before sort"), _("Back to the row of before the sort")
    ),
    _key(
        "t",
        "screen.ask('values')",
        "values",
        _("Types"),
        _("Choose Task Types or Core Types, with counts and share of time"),
        show=True,
    ),
    _key(
        "f",
        "screen.ask('filter')",
        "filter",
        _("Filter"),
        _("A condition on any column: Task Duration(us) > 100"),
        show=True,
    ),
    _key(
        "equals_sign",
        "equals_cell",
        "equals",
        _("Equals cell"),
        _("Only rows with this cell's value in this column"),
    ),
    _key("x", "last_filter_off", "filter-off", _("Filter off"), _("Take the last filter off")),
    _key("X", "all_filters_off", "filters-off", _("All filters off"), _("Take all filters off")),
    _key("slash", "screen.ask('find')", "find", _("Find"), _("Find text in all text columns"), show=True),
    _key("n", "next_match(1)", "next-match", _("Next match"), _("The next row that matches")),
    _key("N", "next_match(-1)", "previous-match", _("Previous match"), _("The row before that matches")),
    _key("c", "screen.ask('columns')", "columns", _("Columns"), _("Choose and order the columns")),
    _key(
        "r",
        "relative_times",
        "relative",
        _("Relative times"),
        _("Times from the first row on, or as the file has them"),
    ),
    _key(
        "y",
        "copy('cell')",
        "copy-cell",
        _("Copy cell"),
        _("Copy this cell; Shift+drag selects text with the mouse"),
    ),
    _key("Y", "copy('row')", "copy-row", _("Copy row"), _("Copy this row, a column a line")),
    _key(
        "e",
        "screen.ask('write')",
        "write",
        _("Write"),
        _("Write this view to a CSV or Markdown file, or copy it"),
    ),
]
