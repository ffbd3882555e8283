# The tables of a dataset, and the report.
#
# takes  data/{dataset}/instances.jsonl, results/{dataset}/{system}/...
# gives  results/{dataset}_{table}.csv
#        results/report.html


rule tables:
    """One table over the dataset's systems."""
    input:
        instances="data/{dataset}/instances.jsonl",
        files=system_files,
    output:
        "results/{dataset}_{table}.csv",
    params:
        spec=lambda wildcards: specs.tables(PARAMS, wildcards.dataset, wildcards.table),
    shell:
        "python -m evaltrail.tables --spec {params.spec:q} --instances {input.instances:q}"
        " --files {input.files:q} --table {output:q}"


rule report:
    """The tables of the shown datasets on one page."""
    input:
        tables_of(specs.shown_datasets(PARAMS)),
    output:
        "results/report.html",
    params:
        spec=lambda wildcards: specs.report(PARAMS),
    shell:
        "python -m evaltrail.report --spec {params.spec:q} --tables {input:q} --report {output:q}"
