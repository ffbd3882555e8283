"""fetch against a real HTTP server on the loopback interface, which misbehaves as told."""

import hashlib
import io
import itertools
import json
import random
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evaltrail import download, fetch
from evaltrail.errors import InputError

MEMBER = "data/dataset.json"
OTHER = "data/few_shot_examples.json"
# Does not compress, so that the archive is long enough to be cut in the middle.
CONTENT = random.Random(0).randbytes(120_000)
OUTPUT = Path("data/jeebench/raw") / MEMBER


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def git_blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def zipped(entries, method=zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of (name or ZipInfo, content) pairs; names go in as they are, however wicked."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in entries:
            archive.writestr(name, content, method)
    return file.getvalue()


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


ARCHIVE = zipped([("data/", b""), (MEMBER, CONTENT), (OTHER, b"[]\n")])


class Handler(BaseHTTPRequestHandler):
    """Answers GET with `server.content`, each request as the next item of `server.script` says, then well.

    ("cut", k): k bytes, then closes; ("stall", k): k bytes, then silence; ("slow", s): waits in the middle;
    "whole": ignores Range; a number: that status; ("becomes", content, version): the file changes first.
    """

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        act = next(server.script, "ok")
        act, *more = act if isinstance(act, tuple) else (act,)
        if act == "becomes":
            server.content, server.version = more
        start, status = self.start_at(act), None
        if isinstance(act, int):
            status, body = act, b""
        elif start and start >= len(server.content):
            status, body = 416, b""
        else:
            status, body = (206 if start else 200), server.content[start:]
        server.log.append({"status": status, "range": self.headers["Range"], "sent": 0})
        self.send_response(status)
        if status == 206:
            last = len(server.content) - 1
            self.send_header("Content-Range", f"bytes {start}-{last}/{last + 1}")
        for name, value in server.version.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.send(act, body, *more)

    def start_at(self, act) -> int:
        asked, condition = self.headers["Range"], self.headers["If-Range"]
        strong = [value for value in self.server.version.values() if not value.startswith("W/")]
        if not asked or act == "whole" or (condition and condition not in strong):
            return 0
        return int(asked.removeprefix("bytes=").removesuffix("-"))

    def send(self, act, body, *more):
        cut = more[0] if act in ("cut", "stall") else len(body) // 2 if act == "slow" else len(body)
        self.write(body[:cut])
        if act == "slow":
            time.sleep(more[0])
            self.write(body[cut:])
        elif act == "stall":
            self.server.over.wait(20)
        self.close_connection = act in ("cut", "stall")

    def write(self, body):
        self.wfile.write(body)
        self.wfile.flush()
        self.server.log[-1]["sent"] += len(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.content, server.version, server.script, server.log = ARCHIVE, {"ETag": '"one"'}, iter(()), []
    server.over = threading.Event()
    server.url = f"http://127.0.0.1:{server.server_port}/data.zip"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    """An empty project directory to stand in, no mirror, no proxy, no waiting."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EVALTRAIL_MIRROR", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(download, "PAUSE", 0)
    monkeypatch.setattr(download, "TIMEOUT", (2, 0.3))
    return tmp_path


def zip_spec(url: str, archive: bytes = ARCHIVE, **changes) -> dict:
    pin = {"url": url, "git_blob": git_blob(archive)}
    spec = {"benchmark": "jeebench", "member": MEMBER, "sha256": sha256(CONTENT), "archive": pin, "code": "0"}
    return spec | changes


def run(spec: dict, *more: str) -> bytes:
    fetch.main(["--spec", json.dumps(spec), "--output", str(OUTPUT), *more])
    assert [path.name for path in OUTPUT.parent.iterdir()] == [OUTPUT.name]
    return OUTPUT.read_bytes()


def fails(spec: dict, *words: str, more: tuple[str, ...] = ()) -> str:
    """The step stops with one line that holds `words`, and leaves nothing at or beside the output."""
    with pytest.raises(InputError) as caught:
        run(spec, *more)
    line = str(caught.value)
    assert "\n" not in line
    assert [word for word in words if word not in line] == [], line
    assert not OUTPUT.parent.exists() or list(OUTPUT.parent.iterdir()) == []
    return line


def archives() -> list[str]:
    return sorted(path.name for path in fetch.ARCHIVES.iterdir())


# --- the project's own files and mirrors


def test_local_file_is_copied_byte_for_byte():
    Path("mini").mkdir()
    Path("mini/dataset.json").write_bytes(b"\r\n\0\xff" + CONTENT)
    spec = {"benchmark": "jeebench", "member": MEMBER, "sha256": sha256(b"\r\n\0\xff" + CONTENT), "code": "0"}
    assert run(spec, "--source", "mini/dataset.json") == b"\r\n\0\xff" + CONTENT


def test_local_file_missing():
    spec = {"benchmark": "jeebench", "member": MEMBER, "sha256": sha256(CONTENT), "code": "0"}
    fails(spec, "mini/dataset.json", "no such file", more=("--source", "mini/dataset.json"))


def test_local_file_changed_since_the_run_began():
    Path("dataset.json").write_bytes(CONTENT[:-1])
    spec = {"benchmark": "jeebench", "member": MEMBER, "sha256": sha256(CONTENT), "code": "0"}
    fails(spec, "dataset.json", "sha256", "run again", more=("--source", "dataset.json"))


@pytest.mark.parametrize("relative", [False, True])
def test_mirror(relative, monkeypatch, project):
    path = project / "mirror/jeebench" / MEMBER
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    monkeypatch.setenv("EVALTRAIL_MIRROR", "mirror" if relative else str(project / "mirror"))
    assert run(zip_spec("http://127.0.0.1:9/")) == CONTENT


@pytest.mark.parametrize(
    ("content", "pin", "words"),
    [
        (CONTENT[:-1], sha256(CONTENT), ["sha256", sha256(CONTENT), sha256(CONTENT[:-1])]),
        (None, sha256(CONTENT), [f"mirror/jeebench/{MEMBER}", "no such file", "EVALTRAIL_MIRROR"]),
        (CONTENT, None, ["put the published archive at", "only files whose sha256 is known"]),
    ],
    ids=["wrong", "missing", "unknown"],
)
def test_mirror_refused(content, pin, words, monkeypatch, project):
    path = project / "mirror/jeebench" / MEMBER
    path.parent.mkdir(parents=True)
    if content:
        path.write_bytes(content)
    monkeypatch.setenv("EVALTRAIL_MIRROR", str(project / "mirror"))
    fails(zip_spec("http://127.0.0.1:9/", sha256=pin), *words)


def test_mirror_of_the_published_data(mirror, monkeypatch):
    monkeypatch.setenv("EVALTRAIL_MIRROR", str(mirror))
    pin = "c9e46ee7585ff83711e89f18e067ee447c88c08602f837b328c5a169c3011de0"
    assert len(json.loads(run(zip_spec("http://127.0.0.1:9/", sha256=pin)))) == 515


# --- downloads


def test_archive_is_downloaded_once_for_all_members(server):
    assert run(zip_spec(server.url)) == CONTENT
    OUTPUT.unlink()
    assert run(zip_spec(server.url, member=OTHER, sha256=None)) == b"[]\n"
    assert len(server.log) == 1
    assert archives() == [f"{git_blob(ARCHIVE)}.zip", f"{git_blob(ARCHIVE)}.zip.lock"]


def test_plain_file(server):
    server.content = CONTENT
    spec = {"benchmark": "cgeval", "member": "q.csv", "sha256": sha256(CONTENT), "url": server.url}
    assert run(spec | {"archive": None}) == CONTENT
    fails_with = spec | {"sha256": sha256(b"other")}
    OUTPUT.unlink()
    fails(fails_with, server.url, "sha256", "removed")


CHANGED = ("becomes", ARCHIVE, {"ETag": '"two"'})
DATE = {"ETag": 'W/"weak"', "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}


SURVIVED = {
    "cut": ({"ETag": '"one"'}, [("cut", 40_000)], [200, 206]),
    "cut, dated": (DATE, [("cut", 40_000)], [200, 206]),
    "cut twice, no version": ({}, [("cut", 40_000), ("cut", 40_000)], [200, 206, 206]),
    "stall": ({"ETag": '"one"'}, [("stall", 40_000)], [200, 206]),
    "cut, 503": ({"ETag": '"one"'}, [("cut", 40_000), 503], [200, 503, 206]),
    "503 twice": ({"ETag": '"one"'}, [503, 503], [503, 503, 200]),
    "cut, ignores range": ({"ETag": '"one"'}, [("cut", 40_000), "whole"], [200, 200]),
    "cut, 416": ({"ETag": '"one"'}, [("cut", 40_000), 416], [200, 416, 200]),
    "cut, changed": ({"ETag": '"zero"'}, [("cut", 40_000), CHANGED], [200, 200]),
    "cut, changed, dated": (DATE, [("cut", 40_000), CHANGED], [200, 200]),
}


@pytest.mark.parametrize(("version", "script", "statuses"), SURVIVED.values(), ids=SURVIVED)
def test_download_survives(version, script, statuses, server):
    server.version, server.script = version, iter(script)
    if CHANGED in script:
        server.content = bytes(len(ARCHIVE))
    assert run(zip_spec(server.url)) == CONTENT
    assert [request["status"] for request in server.log] == statuses
    starts = [int(request["range"][6:-1]) for request in server.log if request["status"] == 206]
    assert starts == sorted(starts) and 0 not in starts
    # A resumed download sends no more twice than a chunk a break; one that had to restart sends all again.
    sent = sum(request["sent"] for request in server.log) - len(ARCHIVE)
    assert sent == 40_000 if statuses.count(200) > 1 else 0 <= sent <= download.CHUNK * len(starts)


def test_a_part_that_was_complete_is_not_downloaded_again(server):
    fetch.ARCHIVES.mkdir(parents=True)
    (fetch.ARCHIVES / f"{git_blob(ARCHIVE)}.zip.part").write_bytes(ARCHIVE)
    assert run(zip_spec(server.url)) == CONTENT
    assert server.log == []


def test_a_damaged_archive_is_downloaded_again(server):
    fetch.ARCHIVES.mkdir(parents=True)
    (fetch.ARCHIVES / f"{git_blob(ARCHIVE)}.zip").write_bytes(ARCHIVE[:-1])
    assert run(zip_spec(server.url)) == CONTENT
    assert len(server.log) == 1


def test_wrong_blob_id_is_removed_and_downloaded_again(server):
    server.content = ARCHIVE + b"\0"
    fails(
        zip_spec(server.url), server.url, "git_blob", git_blob(ARCHIVE), git_blob(ARCHIVE + b"\0"), "removed"
    )
    assert archives() == [f"{git_blob(ARCHIVE)}.zip.lock"]
    server.content = ARCHIVE
    assert run(zip_spec(server.url)) == CONTENT
    assert server.log[-1]["range"] is None


def test_file_that_changed_unnoticed_is_caught_by_its_pin(server):
    server.version, server.content = {}, bytes(len(ARCHIVE))
    server.script = iter([("cut", 40_000), ("becomes", ARCHIVE, {})])
    fails(zip_spec(server.url), "git_blob", "removed")
    assert run(zip_spec(server.url)) == CONTENT


@pytest.mark.parametrize("status", [403, 404, 410])
def test_status_that_does_not_pass(status, server):
    server.script = itertools.repeat(status)
    fails(zip_spec(server.url), server.url, f"the server answers {status}", "EVALTRAIL_MIRROR")
    assert len(server.log) == 1


def test_tries_are_limited_and_the_part_is_kept(server):
    server.script = iter([("cut", 20_000)] * download.TRIES)
    line = fails(
        zip_spec(server.url), "EVALTRAIL_MIRROR=DIR", f"DIR/jeebench/{MEMBER}", ".zip.part", "goes on"
    )
    assert len(server.log) == download.TRIES
    part = fetch.ARCHIVES / f"{git_blob(ARCHIVE)}.zip.part"
    kept = part.stat().st_size
    assert f"{kept:,} bytes" in line and part.read_bytes() == ARCHIVE[:kept]
    assert run(zip_spec(server.url)) == CONTENT
    assert server.log[-1] == {"status": 206, "range": f"bytes={kept}-", "sent": len(ARCHIVE) - kept}


def test_offline():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/data.zip"
    fails(zip_spec(url), url, "refused", "EVALTRAIL_MIRROR=DIR", f"DIR/jeebench/{MEMBER}")
    # A mirror would be refused for this one, so the advice is another.
    fails(zip_spec(url, sha256=None), f"put the published archive at data/.archives/{git_blob(ARCHIVE)}.zip")


# --- as a command


def command(spec: dict, output: str) -> subprocess.Popen:
    line = [sys.executable, "-m", "evaltrail.fetch", "--spec", json.dumps(spec), "--output", output]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_download_once(server):
    server.script = iter([("slow", 0.8)])
    jobs = [
        command(zip_spec(server.url), "one.json"),
        command(zip_spec(server.url, member=OTHER, sha256=None), "two.json"),
    ]
    assert [(*job.communicate(timeout=30), job.returncode) for job in jobs] == [("", "", 0)] * 2
    assert (Path("one.json").read_bytes(), Path("two.json").read_bytes()) == (CONTENT, b"[]\n")
    assert len(server.log) == 1


def test_killed_download_is_resumed(server):
    server.script = iter([("stall", 80_000)])
    job = command(zip_spec(server.url), "one.json")
    part = fetch.ARCHIVES / f"{git_blob(ARCHIVE)}.zip.part"
    deadline = time.monotonic() + 20
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.02)
    job.send_signal(signal.SIGKILL)
    job.communicate(timeout=10)
    assert run(zip_spec(server.url)) == CONTENT
    assert server.log[-1]["status"] == 206


def test_error_is_one_line(server):
    server.script = iter([404])
    job = command(zip_spec(server.url), "one.json")
    out, err = job.communicate(timeout=30)
    assert (out, job.returncode) == ("", 1)
    assert err.count("\n") == 1 and "404" in err


def test_a_copy_imports_nothing_heavy():
    heavy = {"requests", "tqdm", "filelock", "tenacity", "zipfile"}
    code = f"import sys, evaltrail.fetch; print({heavy} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"


# --- archives and specs that are traps


def unpack(archive: bytes, *words: str, **changes) -> None:
    """The archive is where the download would have put it, pinned as it is, and is refused all the same."""
    fetch.ARCHIVES.mkdir(parents=True, exist_ok=True)
    (fetch.ARCHIVES / f"{git_blob(archive)}.zip").write_bytes(archive)
    fails(zip_spec("http://127.0.0.1:9/", archive, **({"sha256": None} | changes)), *words)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("/etc/x", "absolute"),
        ("//host/x", "absolute"),
        ("../x", "'..'"),
        ("data/../../x", "'..'"),
        ("data/..", "'..'"),
        ("../", "'..'"),
        ("C:x", "drive"),
        ("c:/x", "drive"),
        ("..\\x", "backslash"),
        ("\\\\host\\x", "backslash"),
        (entry("link", stat.S_IFLNK | 0o777), "symbolic link"),
        (entry("pipe", stat.S_IFIFO | 0o600), "no plain file"),
    ],
)
def test_archive_with_a_trap_is_refused_whole(name, reason, project):
    before = sorted(project.parent.iterdir())
    unpack(zipped([(MEMBER, CONTENT), (name, b"../../x")]), "refused", reason)
    assert sorted(project.parent.iterdir()) == before


def test_name_with_a_nul_is_refused():
    unpack(zipped([(MEMBER, b"x"), ("data/a#b", b"x")]).replace(b"a#b", b"a\0b"), "refused", "NUL")


# Its compressed bytes start at 47: a header of 30 and the name of 17.
DEFLATE = zipped([(MEMBER, b"0" * 99)])


def declaring(content: bytes, size: int, crc_of: bytes, method: int) -> bytes:
    """An archive of one member that holds `content` and declares another size, and the CRC of `crc_of`."""
    archive = bytearray(zipped([(MEMBER, content)], method))
    central = archive.index(b"PK\x01\x02")
    struct.pack_into("<I", archive, central + 16, zipfile.crc32(crc_of))
    struct.pack_into("<I", archive, central + 24, size)
    return bytes(archive)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
@pytest.mark.parametrize(
    ("size", "crc_of", "words"),
    [
        (2 << 30, b"0" * 5000, ["refused", "declares 2,147,483,648 bytes"]),
        (4000, b"0" * 5000, ["cannot be unpacked"]),
        (4000, b"0" * 4000, ["cannot be unpacked"]),
        (4000, b"0" * 4001, ["cannot be unpacked", "the 4000 bytes that it declares"]),
        (6000, b"0" * 5000, ["cannot be unpacked"]),
    ],
)
def test_bomb(size, crc_of, words, method):
    unpack(declaring(b"0" * 5000, size, crc_of, method), MEMBER, *words)


@pytest.mark.parametrize(
    ("archive", "changes", "words"),
    [
        (
            ARCHIVE,
            {"member": "data/datasets.json"},
            ["has no member data/datasets.json", f"similar: {MEMBER}"],
        ),
        (ARCHIVE, {"member": "zzz"}, ["has no member zzz", "2 files"]),
        (ARCHIVE, {"member": "data"}, ["has no member data"]),
        (ARCHIVE, {"sha256": sha256(b"other")}, [MEMBER, sha256(CONTENT), sha256(b"other")]),
        (b"no zip", {}, ["cannot be unpacked"]),
        (ARCHIVE.replace(CONTENT[50:90], bytes(40)), {}, ["cannot be unpacked"]),
        (DEFLATE[:47] + b"\xff" + DEFLATE[48:], {}, ["cannot be unpacked", "Error -3"]),
        (
            zipped([(MEMBER, b"1"), (MEMBER.replace("a", "b"), b"2")]).replace(
                b"dbtb/dbtbset", b"data/dataset"
            ),
            {},
            ["2 entries"],
        ),
    ],
    ids=["missing", "missing-unlike", "a-folder", "sha256", "no-zip", "crc", "deflate", "twice"],
)
def test_archive_without_the_member(archive, changes, words):
    unpack(archive, *words, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"member": "../x"},
        {"member": "/x"},
        {"member": "a/../x"},
        {"member": "a\\x"},
        {"member": "C:x"},
        {"member": "a//x"},
        {"member": "./x"},
        {"member": "a/"},
        {"member": "."},
        {"member": ""},
        {"member": "a\0"},
        {"member": None},
        {"benchmark": ".."},
        {"benchmark": "a/b"},
        {"sha256": "c9e4"},
        {"sha256": 1},
        {"archive": {"url": "file:///etc/passwd", "git_blob": "0" * 40}},
        {"archive": {"url": "http://127.0.0.1:9/", "git_blob": "../x"}},
        {"archive": {"url": "http://127.0.0.1:9/"}},
        {"archive": "http://127.0.0.1:9/"},
        {"archive": None},
        {"archive": None, "url": "http://127.0.0.1:9/", "sha256": None},
    ],
    ids=str,
)
def test_spec_refused(changes):
    fails(zip_spec("http://127.0.0.1:9/") | changes, "--spec", "field")
    assert not fetch.ARCHIVES.exists()
