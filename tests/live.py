"""`make live`: asks the small model again for all that the mini datasets' logs have of it, and shows what differs.

`python tests/live.py SYSTEM...` asks again for these systems alone.
"""

import json
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
    systems = params["systems"]
    (port,) = {urlsplit(its["endpoint"]).port for its in systems.values() if "endpoint" in its}
    if sys.argv[1:]:
        systems = {id: systems[id] for id in sys.argv[1:]}
    with tempfile.TemporaryDirectory() as scratch, running(port):
        project = Path(scratch)
        (project / "params.yaml").write_text(json.dumps({**params, "systems": systems}))
        shutil.copytree(REPO / MINI, project / MINI, ignore=shutil.ignore_patterns("log"))
        command = ["snakemake", "--snakefile", str(REPO / "Snakefile"), "--directory", scratch]
        subprocess.run([*command, "--quiet", "host", "rules"], check=True)
        return subprocess.run(["evaltrail", "diff", ".", scratch], cwd=REPO).returncode


if __name__ == "__main__":
    sys.exit(main())
