# The replies: what is sent for each instance, and what came back.
#
# takes  data/{dataset}/instances.jsonl, data/{dataset}/raw/...
# gives  results/{dataset}/{system}/prompts.jsonl
#        results/{dataset}/{system}/generations.jsonl


rule render:
    """The exact prompt of each instance."""
    input:
        instances="data/{dataset}/instances.jsonl",
        examples=lambda wildcards: study.examples_of(PARAMS, wildcards.system),
        solutions=lambda wildcards: study.solutions_of(PARAMS, wildcards.system),
    output:
        "results/{dataset}/{system}/prompts.jsonl",
    params:
        spec=lambda wildcards: specs.render(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.render --spec {params.spec:q} --instances {input.instances:q}"
        " --examples {input.examples:q} --solutions {input.solutions:q} --prompts {output:q}"


rule generate:
    """The raw replies, every sample, untouched."""
    input:
        instances="data/{dataset}/instances.jsonl",
        prompts="results/{dataset}/{system}/prompts.jsonl",
        recorded=lambda wildcards: study.recorded_of(PARAMS, wildcards.system),
    output:
        "results/{dataset}/{system}/generations.jsonl",
    # Models are asked one after the other: each has limits and a budget of its own.
    threads: lambda wildcards: workflow.cores if study.is_live(PARAMS, wildcards.system) else 1
    resources:
        connection=lambda wildcards: study.connection(PARAMS, wildcards.system),
    params:
        spec=lambda wildcards: specs.generate(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.generate --spec {params.spec:q} --instances {input.instances:q}"
        " --prompts {input.prompts:q} --recorded {input.recorded:q} --connection {resources.connection:q}"
        " --generations {output:q}"
