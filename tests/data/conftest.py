"""Both ways to read a CSV file."""

import pytest

from prof_tui.data.tables import open_table


@pytest.fixture(params=["in memory", "in its file"])
def either_store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runs with rows held in memory and with rows that stay in their file."""
    if request.param == "in its file":
        monkeypatch.setattr(open_table, "SMALL_FILE_BYTES", 0)
