"""What can go wrong, one class per exit code; a message is one sentence with a next step."""


class ProfTuiError(Exception):
    """Something that the user is told in one sentence.

    ``exit_code`` is what the command line ends with.
    """

    exit_code = 1


class UnreadableError(ProfTuiError):
    """The capture or table is there but can't be read, or is not in this export: exit 1."""


class UsageError(ProfTuiError):
    """A word of the command line, or a query, that can't be meant: exit 2."""

    exit_code = 2


class NothingToOpenError(UsageError):
    """There is no export to open at this path: exit 2."""


class CancelledError(ProfTuiError):
    """The user cancelled a long step: exit 130."""

    exit_code = 130
