# The scores: replies cut at the stop sequence, read, and scored.
#
# takes  data/{dataset}/instances.jsonl, results/{dataset}/{system}/generations.jsonl, data/{dataset}/adjudications.csv
# gives  results/{dataset}/{system}/completions.jsonl
#        results/{dataset}/{system}/predictions.jsonl
#        results/{dataset}/{system}/scores.jsonl, metrics.json
#        results/{dataset}/{system}/thresholds.json


rule cut:
    """Each reply up to the stop sequence."""
    input:
        generations="results/{dataset}/{system}/generations.jsonl",
    output:
        "results/{dataset}/{system}/completions.jsonl",
    params:
        spec=lambda wildcards: specs.cut(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.cut --spec {params.spec:q} --generations {input.generations:q}"
        " --completions {output:q}"


rule predict:
    """The answer that the rules find in each completion; a recorded reading stands beside it."""
    input:
        instances="data/{dataset}/instances.jsonl",
        completions="results/{dataset}/{system}/completions.jsonl",
        generations="results/{dataset}/{system}/generations.jsonl",
        adjudications=lambda wildcards: study.adjudications_of(wildcards.dataset),
    output:
        "results/{dataset}/{system}/predictions.jsonl",
    params:
        spec=lambda wildcards: specs.predict(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.predict --spec {params.spec:q} --instances {input.instances:q}"
        " --completions {input.completions:q} --generations {input.generations:q}"
        " --adjudications {input.adjudications:q} --predictions {output:q}"


rule score:
    """The score of each instance, and their means."""
    input:
        instances="data/{dataset}/instances.jsonl",
        predictions="results/{dataset}/{system}/predictions.jsonl",
        completions=lambda wildcards: study.completions_of(PARAMS, wildcards.system),
        references=lambda wildcards: study.references_of(PARAMS, wildcards.dataset),
    output:
        scores="results/{dataset}/{system}/scores.jsonl",
        metrics="results/{dataset}/{system}/metrics.json",
    params:
        spec=lambda wildcards: specs.score(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.score --spec {params.spec:q} --instances {input.instances:q}"
        " --predictions {input.predictions:q} --completions {input.completions:q}"
        " --references {input.references:q} --scores {output.scores:q} --metrics {output.metrics:q}"


rule tune:
    """The confidences below which the system had better not answer, found on the validation part."""
    input:
        instances="data/{dataset}/instances.jsonl",
        scores="results/{dataset}/{system}/scores.jsonl",
    output:
        "results/{dataset}/{system}/thresholds.json",
    params:
        spec=lambda wildcards: specs.tune(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.tune --spec {params.spec:q} --instances {input.instances:q}"
        " --scores {input.scores:q} --thresholds {output:q}"
