"""`make live`: asks the small model again for all that the mini datasets' logs have of it, and shows what differs."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from ruamel.yaml import YAML

from llama_server import running

REPO = Path(__file__).parent.parent
MINI = "data/mini"


def main() -> int:
    params = YAML(typ="safe").load(REPO / "params.yaml")
    asked = {id: system for id, system in params["systems"].items() if system.get("client") == "openai"}
    (port,) = {urlsplit(system["endpoint"]).port for system in asked.values()}
    with tempfile.TemporaryDirectory() as scratch, running(port):
        project = Path(scratch)
        shutil.copy(REPO / "params.yaml", project)
        shutil.copytree(REPO / MINI, project / MINI, ignore=shutil.ignore_patterns("log"))
        targets = [f"results/{system['dataset']}/{id}/generations.jsonl" for id, system in asked.items()]
        command = ["snakemake", "--snakefile", str(REPO / "Snakefile"), "--directory", scratch]
        subprocess.run([*command, "--quiet", "host", "rules", "--", *targets], check=True)
        return subprocess.run(["evaltrail", "diff", ".", scratch], cwd=REPO).returncode


if __name__ == "__main__":
    sys.exit(main())
