"""Where a row is in another view of the same table: filter, find, reload and back keep the row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prof_tui.data.query.view import View


def place_of(view: View, row: int) -> int | None:
    """The place of a row number in a view; None when it isn't in it."""
    found = (view.rows == row).arg_true()
    return int(found[0]) if len(found) else None


def nearest_place(view: View, row: int | None, before: View | None, place: int) -> int:
    """Where the cursor goes in ``view`` so that it stays on ``row``, or on the nearest that is left.

    ``before`` and ``place`` are the view that the cursor was in and where; the first row that followed
    there and is still shown counts as nearest, else the last one before.
    """
    if row is None or not view.matched:
        return 0
    found = place_of(view, row)
    if found is not None:
        return found
    if before is None:
        return 0
    following = before.rows[place:]
    left = following.filter(following.is_in(view.rows.implode()))
    if len(left):
        return place_of(view, int(left[0])) or 0
    earlier = before.rows[:place]
    left = earlier.filter(earlier.is_in(view.rows.implode()))
    return (place_of(view, int(left[-1])) or 0) if len(left) else 0
