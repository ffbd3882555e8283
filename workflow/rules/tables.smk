# The tables of a dataset, their figures, and the report.
#
# takes  data/{dataset}/instances.jsonl, results/{dataset}/{system}/..., data/{dataset}/annotations.csv
# gives  results/{dataset}_{table}.csv
#        results/{dataset}_submission_{system}.csv
#        results/figures/{dataset}_{table}.svg
#        results/report.html


rule tables:
    """One table over the dataset's systems."""
    input:
        instances="data/{dataset}/instances.jsonl",
        files=system_files,
        person=lambda wildcards: filter(isfile, study.person_file(PARAMS, **wildcards)),
    output:
        "results/{dataset}_{table}.csv",
    params:
        spec=lambda wildcards: specs.tables(PARAMS, **wildcards),
    shell:
        "python -m evaltrail.tables --spec {params.spec:q} --instances {input.instances:q}"
        " --files {input.files:q} --person {input.person:q} --table {output:q}"


rule submission:
    """A system's replies in the form in which the benchmark's site takes them."""
    input:
        instances="data/{dataset}/instances.jsonl",
        prompts="results/{dataset}/{system}/prompts.jsonl",
        completions="results/{dataset}/{system}/completions.jsonl",
    output:
        "results/{dataset}_submission_{system}.csv",
    params:
        spec=lambda wildcards: specs.submission(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.submission --spec {params.spec:q} --instances {input.instances:q}"
        " --prompts {input.prompts:q} --completions {input.completions:q} --submission {output:q}"


rule figures:
    """A table as a picture."""
    input:
        table="results/{dataset}_{table}.csv",
    output:
        "results/figures/{dataset}_{table}.svg",
    params:
        spec=lambda wildcards: specs.figures(PARAMS, **wildcards),
    shell:
        "python -m evaltrail.figures --spec {params.spec:q} --table {input.table:q} --figure {output:q}"


rule report:
    """The tables and figures of the shown datasets on one page."""
    input:
        tables=tables_of(study.shown_datasets(PARAMS)),
        figures=figures_of(study.shown_datasets(PARAMS)),
    output:
        "results/report.html",
    params:
        spec=lambda wildcards: specs.report(PARAMS),
    shell:
        "python -m evaltrail.report --spec {params.spec:q} --tables {input.tables:q}"
        " --figures {input.figures:q} --report {output:q}"
