# The replies: what is sent for each instance, and what came back.
#
# takes  data/{dataset}/instances.jsonl, data/{dataset}/raw/...
# gives  results/{dataset}/{system}/prompts.jsonl
#        results/{dataset}/{system}/generations.jsonl


rule render:
    """The exact prompt of each instance."""
    input:
        instances="data/{dataset}/instances.jsonl",
        examples=examples,
    output:
        "results/{dataset}/{system}/prompts.jsonl",
    params:
        spec=lambda wildcards: specs.render(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.render --spec {params.spec:q} --instances {input.instances:q}"
        " --examples {input.examples:q} --prompts {output:q}"


rule generate:
    """The raw replies, every sample, untouched."""
    input:
        instances="data/{dataset}/instances.jsonl",
        prompts="results/{dataset}/{system}/prompts.jsonl",
        recorded=raw_file("recorded"),
    output:
        "results/{dataset}/{system}/generations.jsonl",
    params:
        spec=lambda wildcards: specs.generate(PARAMS, wildcards.system),
    shell:
        "python -m evaltrail.generate --spec {params.spec:q} --instances {input.instances:q}"
        " --prompts {input.prompts:q} --recorded {input.recorded:q} --generations {output:q}"
