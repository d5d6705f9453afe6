"""How to collect or export what a rule lacks: the msprof option and the PROFILING_OPTIONS entry."""

from prof_tui.words import _

STEP_TRACE = _(
    'Collect with "training_trace":"on" in PROFILING_OPTIONS; a run of single operators has no iterations.'
)
LEVEL_1 = _('Collect with msprof --task-time=l1, or "task_time":"l1" in PROFILING_OPTIONS.')
PIPES = _('Collect with msprof --aic-metrics=PipeUtilization, or "aic_metrics":"PipeUtilization".')
CONFLICTS = _(
    'Collect with msprof --aic-metrics=ResourceConflictRatio, or "aic_metrics":"ResourceConflictRatio".'
)
TASKS = _('Collect with msprof --task-time=on, or "task_trace":"on" in PROFILING_OPTIONS.')
NEWER_EXPORT = _("Export the capture again with a newer msprof: msprof --export=on --output=PROF_XXX.")
STEADY_EXPORT = _(
    "Export a steady iteration: msprof --export=on --output=PROF_XXX --model-id={model} --iteration-id={id}."
)
