"""The whole way of a lab and an auditor, with a real remote, as README.md shows it."""

import os
import re

from conftest import BIN, REPO, run
from repositories import HERMETIC
from s3_server import NO_CREDENTIALS

SHOWN = re.compile(r"<!-- transcript -->\n+```console\n(.*?)```", re.DOTALL)


def test_the_readme_shows_what_a_lab_and_an_auditor_see(tmp_path, s3_server):
    environment = {
        **HERMETIC,
        **NO_CREDENTIALS,
        **s3_server.credentials,
        "HOME": str(tmp_path / "home"),
        "DVC_SITE_CACHE_DIR": str(tmp_path / "site-cache"),
        "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]),
        "PYTHONPATH": str(REPO / "src"),
    }
    folder = tmp_path / "play"
    folder.mkdir()
    script = ["bash", str(REPO / "tests/lab_and_auditor.sh"), str(folder), str(REPO)]
    result = run([*script, s3_server.url, s3_server.bucket], **environment)
    assert result.returncode == 0, result.stdout + result.stderr
    (shown,) = SHOWN.findall((REPO / "README.md").read_text())
    assert result.stdout == shown
