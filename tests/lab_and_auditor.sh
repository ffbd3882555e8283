#!/usr/bin/env bash
# A lab evaluates, records and publishes; an auditor clones, checks and compares. README.md shows what this prints;
# tests/test_lab_and_auditor.py runs it against a real S3 server and holds README.md against it.
# Needs on PATH: git, dvc, snakemake, evaltrail. Arguments: an empty folder, the folder of evaltrail, the address of an
# S3-compatible server, a bucket there. The keys come from the environment, as all S3 tools have them.
set -euo pipefail
folder=$(realpath "$1") repo=$(realpath "$2") endpoint=$3 bucket=$4
exec 2>&1 # one transcript

say() { # shows a command as it is typed, then runs it
    echo "\$ $*"
    eval "$*"
}
quiet() { grep -E '^(evaltrail|proven|removed|[0-9]+ of [0-9]+ steps .100%|Nothing to be done)' || true; }
evaluate() {
    echo "\$ snakemake"
    snakemake --snakefile "$repo/Snakefile" 2>&1 | quiet
}

mkdir "$folder/lab" && cd "$folder/lab"
cp "$repo"/tests/lab_and_auditor/{params.yaml,gitignore} . && mv gitignore .gitignore
cp -r "$repo/data/mini/jeebench" replies

echo "# The lab: a params.yaml, the replies that were recorded, a remote"
say git init --quiet
say dvc init --quiet
say dvc remote add --quiet --default s3 s3://$bucket/study
dvc remote modify s3 endpointurl "$endpoint"
dvc config core.analytics false
evaluate
say evaltrail show results/mini_table2.csv
say git add --all
say git commit --quiet --message "'Two systems'"
say evaltrail record --push
git tag first

echo
echo "# The lab cuts the replies of one system at another stop sequence"
say sed -i "'s/stop: null/stop: Step 3/'" params.yaml
say evaltrail plan
evaluate
say git commit --quiet --all --message "'Cut before the third step'"
say evaltrail record --push
git tag second

echo
echo "# The auditor: a clone, and nothing needs to run"
cd "$folder"
say git clone --quiet lab audit
cd audit
say dvc pull --quiet --run-cache
say evaltrail restore
evaluate
say evaltrail verify --rederive

echo
echo "# What changed between the two versions, and why"
say dvc fetch --quiet --all-tags
say evaltrail diff first second --table table2 || true

echo
echo "# Back to the first stop: the ledger has the files, nothing runs"
say sed -i "'s/stop: Step 3/stop: null/'" params.yaml
say evaltrail restore --pull
evaluate
say git diff --stat first -- results

echo
echo "# A score is raised by hand"
say sed -i "'0,/\"score\": 0.0/s//\"score\": 1.0/'" results/mini/CoT/scores.jsonl
say evaltrail verify || true
