import pytest

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Scope
from prof_tui.panes.registry import PANES
from tests.helpers.driven_app import opened


def test_the_keys_count_from_one_in_the_order_of_the_panes() -> None:
    assert [kind.key for kind in PANES.values()] == list(range(1, len(PANES) + 1))
    assert [kind.name for kind in PANES.values()] == list(PANES)


@pytest.mark.parametrize("name", PANES)
def test_a_pane_is_made_with_its_name_and_scope(capture: OpenCapture, name: str) -> None:
    pane = PANES[name].make(capture, Scope(device=1))
    assert (pane.id, pane.table_name, pane.scope) == (name, name, Scope(device=1))


def test_there_is_no_pane_of_an_unknown_name() -> None:
    with pytest.raises(KeyError, match="typo"):
        PANES["typo"]


async def test_each_key_leads_to_its_pane(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        for kind in PANES.values():
            await user.press(str(kind.key))
            assert user.pane_name == kind.name
            assert (f"{kind.key} {kind.title}", True) in user.title.places
