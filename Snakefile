# evaltrail: from raw replies to tables, one file a step. README.md shows the way of the data.


include: "workflow/rules/common.smk"


rule default:
    """What the datasets marked `default: true` offer, and the report."""
    input:
        tables_of(study.default_datasets(PARAMS)),
        figures_of(study.default_datasets(PARAMS)),
        "results/report.html",


rule everything:
    """The tables and figures of all datasets, and the report."""
    input:
        tables_of(PARAMS["datasets"]),
        figures_of(PARAMS["datasets"]),
        "results/report.html",


rule possible:
    """All that the params can make, also what is made only when it is asked for: this is what the ledger looks at."""
    input:
        rules.everything.input,
        tables_of(PARAMS["datasets"], study.possible_tables),
        figures_of(PARAMS["datasets"], study.possible_figures),
        [path for id in PARAMS["datasets"] for path in study.submissions_of(PARAMS, id)],


onsuccess:
    guard.record()


include: "workflow/rules/data.smk"
include: "workflow/rules/replies.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/tables.smk"
