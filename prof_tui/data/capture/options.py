"""How to get what an export lacks: the options of a collection, and what to export again.

Options as msprof spells them, entries as PROFILING_OPTIONS takes them (the guide's table of files and
parameters).
"""

from dataclasses import dataclass

from prof_tui.words import _


@dataclass(frozen=True)
class Option:
    """What has something collected."""

    flag: str
    """The option of msprof; empty where only PROFILING_OPTIONS has it."""
    entry: str = ""
    """The entry of PROFILING_OPTIONS that does the same; empty where none is known."""
    noted_as: str = ""
    """The key of sample.json that says ``on`` where it was given; empty where none does."""
    made: str = ""
    """The sentence of ``made_by`` where there is more to say than the option."""

    @property
    def made_by(self) -> str:
        """One sentence: the option without which a file is missing."""
        return self.made or _("Collected with {option}.").format(option=self.flag)

    @property
    def how(self) -> str:
        """One sentence: how to collect it the next time."""
        return _("Collect with {options}.").format(options=self)

    @property
    def remedy(self) -> str:
        """One sentence: what to add to the collection there was."""
        if not self.flag:
            return _("Add {entry} to PROFILING_OPTIONS.").format(entry=self.entry)
        return _("Add {option} to msprof, or {entry} to PROFILING_OPTIONS.").format(
            option=self.flag, entry=self.entry
        )

    def __str__(self) -> str:
        """Both spellings within a sentence."""
        text = (
            _("msprof {option}, or {entry} in PROFILING_OPTIONS")
            if self.flag
            else _("{entry} in PROFILING_OPTIONS")
        )
        return text.format(option=self.flag, entry=self.entry)


ACL = Option("--ascendcl=on", "", "acl", _("Collected with --ascendcl=on by an exporter before autumn 2023."))
RUNTIME_API = Option(
    "--runtime-api=on",
    '"runtime_api":"on"',
    "runtimeApi",
    _("Collected with --runtime-api=on by an exporter before autumn 2023."),
)
COMMUNICATION = Option(
    "--hccl=on",
    '"hccl":"on"',
    "hcclTrace",
    _("Collected with --hccl=on, or --task-time=l1, when several devices communicate."),
)
AI_CPU = Option("--aicpu=on", '"aicpu":"on"', "aicpuTrace")
L2 = Option("--l2=on", '"l2":"on"', "l2CacheTaskProfiling")
TX = Option(
    "--msproftx=on",
    '"msproftx":"on"',
    "msproftx",
    _("Collected with --msproftx=on when the program calls the msproftx marks."),
)
GE_API = Option("--ge-api=on", "", "geApi")
TASK_MEMORY = Option("--task-memory=on", "", "taskMemory")
HARDWARE_MEMORY = Option("--sys-hardware-mem=on", "", "hardware_mem")
DEVICE_CPU = Option("--sys-cpu-profiling=on", "", "cpu_profiling")
SYSTEM = Option(
    "--sys-profiling=on",
    "",
    "sys_profiling",
    _("Collected with --sys-profiling=on, or on the host with --host-sys-usage=cpu,mem."),
)
PROCESS = Option(
    "--sys-pid-profiling=on",
    "",
    "pid_profiling",
    _("Collected with --sys-pid-profiling=on, or on the host with --host-sys-usage=cpu,mem."),
)
IO = Option("--sys-io-profiling=on", "", "io_profiling")
INTERCONNECTION = Option("--sys-interconnection-profiling=on", "", "interconnection_profiling")
DVPP = Option("--dvpp-profiling=on", "", "dvpp_profiling")
INSTRUCTIONS = Option("--instr-profiling=on", "", "instrProfiling")

SWITCHES = {
    option.noted_as: option.flag.partition("=")[0]
    for option in (
        ACL,
        RUNTIME_API,
        COMMUNICATION,
        AI_CPU,
        L2,
        TX,
        GE_API,
        TASK_MEMORY,
        HARDWARE_MEMORY,
        DEVICE_CPU,
        SYSTEM,
        PROCESS,
        IO,
        INTERCONNECTION,
        DVPP,
        INSTRUCTIONS,
    )
}
"""Keys of sample.json and the options of msprof that they stand for, as the collector's own test has it."""

TASKS = Option(
    "--task-time=on", '"task_trace":"on"', made=_("Collected with --task-time=on (the default) or l0.")
)
LEVEL_1 = Option(
    "--task-time=l1",
    '"task_time":"l1"',
    made=_("Collected with --task-time=l1 (the default); --task-time=l0 leaves it out."),
)
STEP_TRACE = Option(
    "",
    '"training_trace":"on"',
    made=_("Written when a graph ran in iterations with --task-time=on; runs of single operators have none."),
)
API = Option(
    "--ascendcl=on --runtime-api=on",
    '"runtime_api":"on"',
    made=_(
        "Collected with --ascendcl=on (the default) and --runtime-api=on; "
        "exporters before autumn 2023 write acl_statistic and runtime_api instead."
    ),
)
MODEL = Option(
    "--model-execution=on", made=_("Collected with --model-execution=on by an exporter before autumn 2023.")
)
STACK = Option(
    "--runtime-api=on --task-time=on",
    made=_("Collected with --runtime-api=on and --task-time=on by an exporter before autumn 2023."),
)
SAMPLED = Option("--ai-core=on --aic-mode=sample-based")
HOST = Option("--host-sys=cpu,mem,disk,network")
SYSCALLS = Option("--host-sys=osrt")
PIPES = Option("--aic-metrics=PipeUtilization", '"aic_metrics":"PipeUtilization"')
CONFLICTS = Option("--aic-metrics=ResourceConflictRatio", '"aic_metrics":"ResourceConflictRatio"')
CHIP = Option("", made=_("Written by newer exporters on chips that record it."))
ADVICE = Option("", made=_("Written by the exporter itself, without an option."))

IS_LEVEL_1 = _(
    "It was collected at level 1 (sample.json): nothing that has it ran, or this msprof does not export it."
)
MORE_ITERATIONS = _("Collect more iterations.")
NO_PERIOD = _("No steady iteration has a period: it takes the Iteration End of the one before it too.")
COPY_AGAIN = _(
    "Copy the files again and compare their sizes, or export the capture again: "
    "msprof --export=on --output=PROF_XXX."
)
NEWER_EXPORT = _("Export the capture again with a newer msprof: msprof --export=on --output=PROF_XXX.")
STEADY_EXPORT = _(
    "Export a steady iteration: msprof --export=on --output=PROF_XXX --model-id={model} --iteration-id={id}."
)
EXPORT_ITERATION = _(
    "Export it: msprof --export=on --output=PROF_XXX --model-id={model} --iteration-id={id}."
)
