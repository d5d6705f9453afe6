"""The keys of a table, each declared once; help, palette and README read them from here."""

from textual.binding import Binding, BindingType

from prof_tui.words import _


def _key(keys: str, action: str, name: str, description: str, tooltip: str, *, show: bool = False) -> Binding:
    return Binding(keys, action, description, show=show, tooltip=tooltip, id=f"table.{name}")


TABLE_BINDINGS: list[BindingType] = [
    _key("enter", "enter_row", "enter", _("Open"), _("Go into what this row stands for"), show=True),
    _key("up,k", "step_row(-1)", "up", _("Up"), _("The row above")),
    _key("down,j", "step_row(1)", "down", _("Down"), _("The row below")),
    _key("left,h", "step_column(-1)", "left", _("Left"), _("The column on the left")),
    _key("right,l", "step_column(1)", "right", _("Right"), _("The column on the right")),
    _key("pageup", "page(-1)", "page_up", _("Page up"), _("One screen of rows up")),
    _key("pagedown", "page(1)", "page_down", _("Page down"), _("One screen of rows down")),
    _key("g", "first_row", "first_row", _("First row"), _("The first row of the table")),
    _key("G", "last_row", "last_row", _("Last row"), _("The last row of the table")),
    _key("home", "first_column", "first_column", _("First column"), _("The leftmost column")),
    _key("end", "last_column", "last_column", _("Last column"), _("The rightmost column")),
    _key("less_than_sign", "widen(-4)", "narrower", _("Narrower"), _("Make this column narrower")),
    _key("greater_than_sign", "widen(4)", "wider", _("Wider"), _("Make this column wider")),
]
