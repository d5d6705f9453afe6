"""What the command line says of the shared cases, where a case tells its words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Cli

_CASES = Path(__file__).parents[3] / "shared" / "cases"


def _asking(*keys: str) -> list[str]:
    """The cases that expect one of these."""
    wanted = (path for path in sorted(_CASES.glob("*/expect.json")))
    return [path.parent.name for path in wanted if set(keys) & json.loads(path.read_text()).keys()] or [
        "none"
    ]


def _expected(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "expect.json").read_text())
    return read


@pytest.mark.parametrize("case", _asking("says"))
def test_a_case_is_answered_in_the_expected_words(
    cli: Cli, shared_case: Callable[[str], Path], case: str
) -> None:
    folder = shared_case(case)
    for asked in _expected(folder)["says"]:
        command, path, *more = asked["args"]
        ran = cli(command, folder / path, *more)
        said = ran.out + ran.err
        assert any(word in said for word in asked["any"])
        assert [word for word in asked.get("lacks", ()) if word in said] == []
        assert ran.code == asked.get("exit", ran.code)


@pytest.mark.parametrize("case", _asking("status_not_ok"))
def test_a_file_that_is_no_table_of_its_kind_is_not_ok(
    cli: Cli, shared_case: Callable[[str], Path], case: str
) -> None:
    folder = shared_case(case)
    for capture, tables in _expected(folder)["status_not_ok"].items():
        listed = json.loads(cli("files", folder / capture, "--format", "json").out)["tables"]
        statuses = {table["name"]: table["status"] for table in listed}
        assert {statuses[name] for name in tables} <= {"damaged", "unsupported"}


@pytest.mark.parametrize("case", _asking("report_devices"))
def test_a_report_is_of_the_expected_devices(cli: Cli, shared_case: Callable[[str], Path], case: str) -> None:
    folder = shared_case(case)
    [capture] = [path for path in folder.iterdir() if path.is_dir()]
    report = json.loads(cli("report", capture, "--format", "json").out)
    assert [each["device"] for each in report["run"]["devices"]] == _expected(folder)["report_devices"]
