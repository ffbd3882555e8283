"""An S3-compatible server on loopback: moto's, which speaks S3 over HTTP and keeps all in its memory.

It takes any credentials; that there are some is the client's own demand.
"""

import contextlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import requests


class S3Server(NamedTuple):
    """url: where it answers; bucket: one that is there; credentials: the variables that hold some."""

    url: str
    bucket: str
    credentials: dict[str, str]


# No variables of who runs the tests, no metadata service of a cloud, no proxy.
NO_CREDENTIALS = {
    "AWS_SHARED_CREDENTIALS_FILE": None,
    "AWS_CONFIG_FILE": None,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": None,
    "AWS_SECRET_ACCESS_KEY": None,
    "AWS_PROFILE": None,
    "AWS_SESSION_TOKEN": None,
    "NO_PROXY": "127.0.0.1",
}


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[S3Server]:
    """A server with an empty bucket, ready to answer, for as long as the block takes. `folder` takes its log."""
    log = folder / "s3-server.log"
    command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", "0"]
    with open(log, "wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as server:
        try:
            url = _url(server, log)
            made = requests.put(f"{url}/ledger", proxies={"http": ""}, timeout=60)
            assert made.ok, made.text
            yield S3Server(url, "ledger", {"AWS_ACCESS_KEY_ID": "lab", "AWS_SECRET_ACCESS_KEY": "not-secret"})
        finally:
            server.terminate()


def _url(server: subprocess.Popen, log: Path) -> str:
    """Where the server listens: it takes a free port and then says which."""
    while server.poll() is None:
        if found := re.search(r"Running on (http://127\.0\.0\.1:\d+)", log.read_text()):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory) -> Iterator[S3Server]:
    with serve(tmp_path_factory.mktemp("s3")) as server:
        yield server
