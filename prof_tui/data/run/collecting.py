"""What rules lack, and how to collect or export it: the msprof option and the PROFILING_OPTIONS entry."""

from prof_tui.words import _

STEP_TRACE = _('Collect with "training_trace":"on" in PROFILING_OPTIONS.')
LEVEL_1 = _('Collect with msprof --task-time=l1, or "task_time":"l1" in PROFILING_OPTIONS.')
IS_LEVEL_1 = _(
    "It was collected at level 1 (sample.json): nothing that has it ran, or this msprof does not export it."
)
PIPES = _(
    'Collect with msprof --aic-metrics=PipeUtilization, or "aic_metrics":"PipeUtilization" in '
    "PROFILING_OPTIONS."
)
CONFLICTS = _(
    'Collect with msprof --aic-metrics=ResourceConflictRatio, or "aic_metrics":"ResourceConflictRatio" in '
    "PROFILING_OPTIONS."
)
TASKS = _('Collect with msprof --task-time=on, or "task_trace":"on" in PROFILING_OPTIONS.')
NEWER_EXPORT = _("Export the capture again with a newer msprof: msprof --export=on --output=PROF_XXX.")
STEADY_EXPORT = _(
    "Export a steady iteration: msprof --export=on --output=PROF_XXX --model-id={model} --iteration-id={id}."
)
EXPORT_ITERATION = _(
    "Export it: msprof --export=on --output=PROF_XXX --model-id={model} --iteration-id={id}."
)
NO_PERIOD = _("No steady iteration has a period: it takes the Iteration End of the one before it too.")
MORE_ITERATIONS = _("Collect more iterations.")
