# The data: a benchmark's raw files, and the instances in the one shape that all benchmarks share.
#
# takes  the published archive (or EVALTRAIL_MIRROR), or a folder of the user's own
# gives  data/{dataset}/raw/{member}
#        data/{dataset}/instances.jsonl


rule fetch:
    """A raw file, byte for byte: pinned by sha256 when published, watched as an input when local."""
    input:
        source=lambda wildcards: study.local_source(PARAMS, **wildcards),
    output:
        "data/{dataset}/raw/{member}",
    params:
        spec=lambda wildcards: specs.fetch(PARAMS, wildcards.dataset, wildcards.member),
    shell:
        "python -m evaltrail.fetch --spec {params.spec:q} --source {input.source:q} --output {output:q}"


rule extract:
    """The benchmark's instances, in its own order."""
    input:
        raw=lambda wildcards: study.dataset_file(PARAMS, wildcards.dataset),
    output:
        "data/{dataset}/instances.jsonl",
    params:
        spec=lambda wildcards: specs.extract(PARAMS, wildcards.dataset),
    shell:
        "python -m evaltrail.extract --spec {params.spec:q} --raw {input.raw:q} --instances {output:q}"
