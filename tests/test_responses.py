"""The response log: what append kept is never lost, never another's, never wrong, whoever writes, dies or damages it."""

import contextlib
import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from conftest import REPO
from evaltrail import jsonl, segments
from evaltrail.__main__ import _main as evaltrail
from evaltrail.cut import cut
from evaltrail.errors import InputError
from evaltrail.exchange import Exchange, Reply, Request
from evaltrail.records import Generation
from evaltrail.responses import ResponseLog
from test_jsonl import any_text
from test_reuse import backends, limits, pieces, stops

MODEL = {"client": "openai", "model": "tiny/model", "endpoint": "http://localhost:1/v1"}


def request(sample: int = 0, **more) -> Request:
    messages = ({"role": "system", "content": ""}, {"role": "user", "content": "How much is 2+2?"})
    return Request(messages=messages, sample=sample, **more)


def exchange(sample: int, text: str | None, **more) -> Exchange:
    return Exchange(request(sample, **more), Reply(text, "stop", ended=True), {"seconds": 0.5})


def write(root: Path, *exchanges: Exchange, identity=MODEL) -> Path:
    """Writes a segment and returns its path."""
    with ResponseLog(root, identity) as log:
        before = set(log.folder.glob("*.jsonl"))
        for each in exchanges:
            log.append(each)
        [made] = set(log.folder.glob("*.jsonl")) - before
        return made


def texts(root: Path, samples, identity=MODEL) -> list[str | None]:
    """What the log, opened anew, answers."""
    log = ResponseLog(root, identity)
    return [reply and reply.text for reply in (log.answer(request(sample)) for sample in samples)]


def test_what_is_appended_is_answered_at_once_and_after_opening_again(tmp_path):
    with ResponseLog(tmp_path / "a/b", MODEL) as log:
        assert log.answer(request()) is None
        log.append(exchange(0, "four"))
        log.append(exchange(1, "4"))
        assert log.answer(request(1)).text == "4"
        assert log.answer(request(2)) is None
    assert texts(tmp_path / "a/b", range(3)) == ["four", "4", None]


def test_a_log_that_only_answers_writes_nothing(tmp_path):
    with ResponseLog(tmp_path / "log", MODEL) as log:
        assert log.answer(request()) is None
    assert not list(tmp_path.iterdir())


REPLY = Reply(
    text="4\n\n",
    finish="tool_calls",
    stop="##",
    ended=False,
    model="tiny-1",
    usage={"prompt_tokens": 9, "completion_tokens": 5},
    reasoning="2 + 2",
    tool_calls=({"id": "c1", "function": {"name": "add", "arguments": '{"a": 2}'}},),
    logprobs={"content": [{"token": "4", "logprob": -0.1}]},
)


def test_all_of_a_reply_comes_back(tmp_path):
    asked = request(
        seed=7, sampling={"temperature": 0.5}, tools=({"type": "function"},), stop=("##",), max_tokens=9
    )
    write(tmp_path, Exchange(asked, REPLY, {"seconds": 0.25, "device": "cpu"}))
    assert ResponseLog(tmp_path, MODEL).answer(asked) == REPLY


TEXTS = [
    "",
    "\x00",
    "a\u2028b\u2029c\x85d",
    "\ud800",
    "x\udfffy",
    "é中😀",
    '\r\n\t\\"',
    "\x1b[31m",
    "x" * 1_000_000,
    "中" * 400_000,
    "\n" * 300_000,
]


@pytest.mark.parametrize("text", TEXTS, ids=[f"{len(text)} of {text[:6]!a}" for text in TEXTS])
def test_any_text_comes_back(text, tmp_path):
    write(tmp_path, exchange(0, "before"), exchange(1, text), exchange(2, "after"))
    assert texts(tmp_path, range(3)) == ["before", text, "after"]


@given(asked=any_text, said=any_text)
def test_any_prompt_and_text_come_back(tmp_path_factory, asked, said):
    root = tmp_path_factory.mktemp("log")
    write(root, Exchange(Request(messages=asked, stop=(asked,)), Reply(said, "stop")))
    assert ResponseLog(root, MODEL).answer(Request(messages=asked, stop=(asked,))).text == said


def test_a_number_that_json_lacks_is_refused_and_harms_nothing(tmp_path):
    with ResponseLog(tmp_path, MODEL) as log:
        with pytest.raises(InputError, match="a form that no log holds"):
            log.append(replace(exchange(0, "4"), origin={"seconds": float("nan")}))
        log.append(exchange(0, "4"))
    assert texts(tmp_path, [0]) == ["4"]


# The key of a request, made here by hand, so that no version of the code finds the logs of another empty.
CANONICAL = (
    '[{"client":"openai","endpoint":"http://localhost:1/v1","model":"tiny/model"},'
    '{"messages":[{"content":"","role":"system"},{"content":"How much is 2+2?","role":"user"}],"sample":3,'
    '"sampling":{"temperature":0},"seed":5}]'
)
# (another request, whether it has the key)
SAME_KEY = [
    ({}, True),
    ({"stop": ("\n",)}, True),
    ({"max_tokens": 5}, True),
    ({"sampling": {"temperature": 0.0}}, True),
    ({"sampling": {"temperature": 0.5}}, False),
    ({"sampling": {"temperature": 0, "top_p": 1}}, False),
    ({"sampling": {}}, False),
    ({"seed": None}, False),
    ({"seed": 6}, False),
    ({"sample": 4}, False),
    ({"tools": ({"type": "function"},)}, False),
    ({"messages": "How much is 2+2?"}, False),
    ({"messages": ({"role": "user", "content": "How much is 2+2?"},)}, False),
]


@pytest.mark.parametrize(("change", "same"), SAME_KEY)
def test_the_key_is_what_decides_the_text(change, same):
    asked = request(3, seed=5, sampling={"temperature": 0})
    key = segments.key_of(MODEL, replace(asked, **change))
    assert (key == hashlib.sha256(CANONICAL.encode()).hexdigest()) is same


OTHERS = [
    {**MODEL, "model": "tiny/model2"},
    {**MODEL, "endpoint": "http://localhost:2/v1"},
    {**MODEL, "revision": "abc"},
    {**MODEL, "client": "transformers"},
    {"client": "openai", "model": "tiny/model"},
]


@pytest.mark.parametrize("other", OTHERS)
def test_the_log_of_another_model_never_answers(other, tmp_path):
    path = write(tmp_path, exchange(0, "4"), identity=other)
    assert texts(tmp_path, [0]) == [None]
    # not even when its segment lies in the folder of this one
    mine = write(tmp_path, exchange(1, "mine"))
    shutil.copy(path, mine.parent)
    assert texts(tmp_path, [0, 1]) == [None, "mine"]


def test_a_name_that_no_folder_can_have(tmp_path):
    identity = {"client": "transformers", "model": "../../a b\\c:" + "é" * 300}
    path = write(tmp_path, exchange(0, "4"), identity=identity)
    assert path.parent.parent == tmp_path
    assert texts(tmp_path, [0], identity) == ["4"]


@pytest.mark.parametrize(
    "content", [None, b"{}", b'{"client": "openai", "model": "tiny/model"}', b"[1]", b"\xff"]
)
def test_a_folder_that_does_not_say_whose_it_is_is_refused(content, tmp_path):
    path = write(tmp_path, exchange(0, "4")).parent / "identity.json"
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(InputError, match=r"identity\.json"):
        ResponseLog(tmp_path, MODEL)
    assert len(_error(lambda: ResponseLog(tmp_path, MODEL)).splitlines()) == 1


def _error(act) -> str:
    with pytest.raises(InputError) as error:
        act()
    return str(error.value)


def test_a_missing_reply_is_named(tmp_path):
    write(tmp_path, replace(exchange(0, "4"), reply=Reply("4", "length")))
    log = ResponseLog(tmp_path, MODEL)
    asked = request(2)
    line = str(log.missing(asked, row="JEE 2016 #1"))
    assert f"{log.folder}: row JEE 2016 #1: sample 2 has no reply here" in line
    assert segments.key_of(MODEL, asked)[:12] in line
    line = str(log.missing(request(0, stop=("\n",), max_tokens=9)))
    assert "sample 0: 1 logged" in line
    assert "not for stop ['\\n'] and max_tokens 9" in line
    assert len(line.splitlines()) == 1


def test_of_replies_logged_at_the_same_time_one_is_chosen_whatever_the_segments_are_called(tmp_path):
    with (
        ResponseLog(tmp_path, MODEL) as one,
        ResponseLog(tmp_path, MODEL) as two,
        ResponseLog(tmp_path, MODEL) as three,
    ):
        for log, text in ((one, "first"), (two, "second"), (three, "third")):
            log.append(exchange(0, text))
    paths = sorted(one.folder.glob("*.jsonl"))
    contents = [path.read_bytes() for path in paths]
    chosen = set()
    for turn in range(3):
        for path, content in zip(paths, contents[turn:] + contents[:turn], strict=True):
            path.write_bytes(content)
        chosen.update(texts(tmp_path, [0]))
    assert len(chosen) == 1


def test_the_earlier_reply_goes_on_answering_however_many_follow(tmp_path):
    for n in range(9):
        write(tmp_path, exchange(0, f"text {n}"))
        assert texts(tmp_path, [0]) == ["text 0"]


def test_each_writer_has_its_own_segment_and_sees_the_others_when_it_opens(tmp_path):
    with ResponseLog(tmp_path, MODEL) as one, ResponseLog(tmp_path, MODEL) as two:
        one.append(exchange(1, "one"))
        two.append(exchange(2, "two"))
        one.append(exchange(3, "three"))
        assert [log.answer(request(n)) is None for log in (one, two) for n in (1, 2)] == [
            False,
            True,
            True,
            False,
        ]
        assert len(list(one.folder.glob("*.jsonl"))) == 2
    assert texts(tmp_path, (1, 2, 3)) == ["one", "two", "three"]


def test_append_returns_when_its_line_is_on_the_disk_also_among_threads(tmp_path, monkeypatch):
    synced, early = {}, []
    real = os.fsync

    def fsync(descriptor):
        status = os.fstat(descriptor)
        real(descriptor)
        synced[status.st_ino] = max(synced.get(status.st_ino, 0), status.st_size)

    monkeypatch.setattr(os, "fsync", fsync)
    with ResponseLog(tmp_path, MODEL) as log:

        def work(thread):
            for n in range(20):
                log.append(exchange(100 * thread + n, f"text {thread} {n}"))
                [path] = log.folder.glob("*.jsonl")
                end = path.read_bytes().index(f'text {thread} {n}"'.encode())
                early.extend([n] * (synced.get(path.stat().st_ino, 0) <= end))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not early
    assert synced.keys() >= {
        path.stat().st_ino for path in (tmp_path, log.folder)
    }  # the names are on the disk too
    expected = [f"text {thread} {n}" for thread in range(6) for n in range(20)]
    assert texts(tmp_path, [100 * thread + n for thread in range(6) for n in range(20)]) == expected


# A process that writes replies of some size from sample FIRST on, and says each sample whose append has returned.
WRITER = """\
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_responses import MODEL, exchange
from evaltrail.responses import ResponseLog
root, first, size = Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
with ResponseLog(root, MODEL) as log:
    for sample in range(first, first + int(sys.argv[5])):
        log.append(exchange(sample, str(sample) + "x" * size))
        print(sample, flush=True)
"""


def start_writer(root: Path, first: int, size: int, count: int) -> subprocess.Popen:
    command = [sys.executable, "-c", WRITER, REPO / "tests", root, str(first), str(size), str(count)]
    environment = {**os.environ, "PYTHONPATH": str(REPO / "src")}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def kill_writers_at_random(root: Path, rounds: int, capsys) -> None:
    """Kills a writer a round; nothing that it said is lost, what is torn is told.

    No line need be torn by chance: a full disk, below, tears one for sure.
    """
    said: dict[int, int] = {}
    for number in range(rounds):
        size = random.choice([10, 10_000, 8_000_000])
        writer = start_writer(root, number * 1_000_000, size, 1_000_000)
        writer.stdout.readline()
        time.sleep(random.random() * 0.3)
        writer.send_signal(signal.SIGKILL)
        rest = writer.communicate()[0]
        said[number * 1_000_000] = size
        said |= dict.fromkeys((int(line) for line in rest.split("\n")[:-1]), size)
        torn = [path for path in root.rglob("*.jsonl") if not path.read_bytes().endswith(b"\n")]
        capsys.readouterr()
        assert texts(root, said) == [str(sample) + "x" * size for sample, size in said.items()]
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == bool(torn)
        assert all(any(str(path) in line for path in torn) for line in lines)


def test_no_reply_is_lost_when_its_writer_is_killed(tmp_path, capsys):
    kill_writers_at_random(tmp_path, 4, capsys)


@pytest.mark.long
def test_no_reply_is_lost_when_its_writers_are_killed_many_times(tmp_path, capsys):
    kill_writers_at_random(tmp_path, 40, capsys)


def test_two_processes_write_at_once(tmp_path):
    writers = [start_writer(tmp_path, first, 100, 200) for first in (0, 100, 1000)]
    assert [writer.communicate()[0].count("\n") for writer in writers] == [200] * 3
    samples = [*range(300), *range(1000, 1200)]
    assert texts(tmp_path, samples) == [f"{sample}{'x' * 100}" for sample in samples]
    assert len(list(tmp_path.rglob("*.jsonl"))) == 3


@contextlib.contextmanager
def file_size_at_most(size: int) -> Iterator[None]:
    """As on a disk that is full: what is written beyond is written in part, then refused."""
    old, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)


def test_after_a_full_disk_all_that_was_kept_is_there_and_writing_goes_on(tmp_path, capsys):
    with ResponseLog(tmp_path, MODEL) as log:
        log.append(exchange(0, "before"))
        with file_size_at_most(20_000):
            line = _error(lambda: log.append(exchange(1, "x" * 30_000)))
        log.append(exchange(1, "again"))
        assert log.answer(request(1)).text == "again"
    assert line.startswith(str(log.folder))
    assert "cannot be written: File too large" in line
    assert texts(tmp_path, range(2)) == ["before", "again"]
    assert "row 2: is set aside" in capsys.readouterr().err


@contextlib.contextmanager
def no_right_to_write(folder: Path) -> Iterator[None]:
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)


def test_a_folder_that_may_only_be_read_answers_and_refuses_in_one_line():
    with tempfile.TemporaryDirectory() as name:  # which, unlike tmp_path, may be opened to all
        root = Path(name)
        root.chmod(0o755)
        folder = write(root, exchange(0, "4")).parent
        before = sorted(root.rglob("*"))
        with no_right_to_write(folder):
            assert texts(root, range(2)) == ["4", None]
            line = _error(lambda: ResponseLog(root, MODEL).append(exchange(1, "5")))
        with no_right_to_write(root):
            other = _error(lambda: ResponseLog(root, {"model": "other"}).append(exchange(1, "5")))
        assert sorted(root.rglob("*")) == before
    assert "Permission denied" in line
    assert "Permission denied" in other
    assert len(line.splitlines()) == len(other.splitlines()) == 1


def three(root: Path) -> tuple[Path, bytes]:
    path = write(root, *(exchange(n, f"text {n}") for n in range(3)))
    return path, path.read_bytes()


def forged(content: bytes) -> bytes:
    """The first line with another request, its checksum made to fit."""
    body = content.splitlines()[0][20:].replace(b"2+2", b"2+3") + b"\n"
    return b'{"crc32":"%08x",' % zlib.crc32(body) + body


# (what was done, to the content of a segment of three lines, the row that is named)
DAMAGE = [
    ("a text edited", lambda content: content.replace(b"text 1", b"text 7"), 2),
    ("a key edited", lambda content: content.replace(b'"key":"', b'"key":"f', 1), 1),
    ("a checksum edited", lambda content: b'{"crc32":"00000000' + content[18:], 1),
    ("bytes lost", lambda content: content.replace(b'"finish":"stop"', b"", 1), 1),
    ("a line end lost", lambda content: content.replace(b"\n", b"", 1), 1),
    ("an empty line", lambda content: content.replace(b"\n", b"\n\n", 1), 2),
    ("the end of the last but one line lost", lambda content: content[:-900] + b"\n" + content[-300:], None),
    ("zeros in the place of a page", lambda content: content[:100] + bytes(100) + content[200:], 1),
    ("CRLF", lambda content: content.replace(b"\n", b"\r\n"), 1),
    ("another file", lambda content: b"{}\n[]\n", 1),
]


@pytest.mark.parametrize(("change", "row"), [case[1:] for case in DAMAGE], ids=[case[0] for case in DAMAGE])
def test_damage_is_named_when_the_log_is_opened(change, row, tmp_path):
    path, content = three(tmp_path)
    path.write_bytes(change(content))
    line = _error(lambda: ResponseLog(tmp_path, MODEL))
    assert line.startswith(f"{path}: row {row or ''}")
    assert "changed or damaged" in line


@pytest.mark.parametrize("kept", [0, 1, 95, 300])
def test_a_segment_cut_short_answers_what_is_left_and_tells_of_the_torn_line(kept, tmp_path, capsys):
    path, content = three(tmp_path)
    first = content.index(b"\n") + 1
    path.write_bytes(content[: first + kept])
    assert texts(tmp_path, range(3)) == ["text 0", None, None]
    told = capsys.readouterr().err
    assert told.startswith(f"evaltrail: {path}: row 2: is set aside" if kept else "")
    assert told.count("\n") == (kept > 0)


def test_torn_lines_of_many_segments_are_told_in_one_line(tmp_path, capsys):
    for _ in range(3):
        path = write(tmp_path, exchange(0, "4"))
        path.write_bytes(path.read_bytes()[:-5])
    capsys.readouterr()
    ResponseLog(tmp_path, MODEL)
    told = capsys.readouterr().err
    assert "(and 2 more" in told
    assert told.count("\n") == 1


def test_damage_after_the_log_was_opened_is_named_when_it_is_read(tmp_path):
    path, content = three(tmp_path)
    log = ResponseLog(tmp_path, MODEL)
    path.write_bytes(content.replace(b"text 1", b"text 7"))
    assert log.answer(request(0)).text == "text 0"
    assert _error(lambda: log.answer(request(1))).startswith(f"{path}: row 2: ")
    first, second, third = content.splitlines(keepends=True)
    path.write_bytes(first + third + second)
    assert _error(lambda: log.answer(request(1))).startswith(f"{path}: was changed")
    path.write_bytes(content[: len(content) // 2])
    assert _error(lambda: log.answer(request(2))).startswith(f"{path}: row ")
    assert _error(lambda: log.missing(request(2))).startswith(f"{path}: row ")


def test_a_line_whose_request_was_changed_with_its_checksum_never_answers(tmp_path):
    path, content = three(tmp_path)
    path.write_bytes(forged(content) + content)
    log = ResponseLog(tmp_path, MODEL)
    assert _error(lambda: log.answer(request(0))).startswith(
        f"{path}: row 1: the key is not that of the request"
    )
    assert log.answer(request(1)).text == "text 1"


@given(data=st.data())
def test_no_damage_makes_a_wrong_answer(tmp_path_factory, data):
    root = tmp_path_factory.mktemp("log")
    path, content = three(root)
    start = data.draw(st.integers(0, len(content)))
    end = min(len(content), start + data.draw(st.integers(0, 40)))
    path.write_bytes(
        content[:start]
        + data.draw(st.binary(max_size=5) | st.sampled_from([b"\n", b'"', b"0"]))
        + content[end:]
    )
    try:
        found = texts(root, range(3))
    except InputError as error:
        assert str(error).startswith(f"{path}: row ")
    else:
        assert all(text in (f"text {n}", None) for n, text in enumerate(found))


@settings(max_examples=60)
@given(
    systems=st.lists(backends(pieces), min_size=1, max_size=4),
    edits=st.lists(st.tuples(stops, limits, stops), min_size=2, max_size=4),
)
def test_completions_are_the_same_bytes_with_and_without_the_log(tmp_path_factory, systems, edits):
    """Each edit sets the stops and the limit that are sent, and where `cut` cuts; a backend stands for a prompt."""
    folder = tmp_path_factory.mktemp("study")
    for sent, limit, cuts in edits:
        fresh, logged = [], []
        with ResponseLog(folder / "log", MODEL) as log:
            for n, backend in enumerate(systems):
                asked = request(n, stop=tuple(sent), max_tokens=limit)
                new = backend.ask(asked)
                reply = log.answer(asked)
                if reply is None:
                    log.append(new)
                    reply = new.reply
                fresh.append(
                    cut(Generation("i", n, new.reply.text, new.reply.finish, None, None, None), cuts)
                )
                logged.append(cut(Generation("i", n, reply.text, reply.finish, None, None, None), cuts))
        jsonl.write(folder / "fresh.jsonl", fresh)
        jsonl.write(folder / "logged.jsonl", logged)
        assert (folder / "fresh.jsonl").read_bytes() == (folder / "logged.jsonl").read_bytes()


def log_of(project: Path) -> Path:
    return project / "data/responses"


def check(project: Path, capsys) -> tuple[int, list[str]]:
    """The exit status of `evaltrail log check` and what it prints."""
    status = evaltrail(["log", "check", "--directory", str(project)])
    return status, capsys.readouterr().out.splitlines()


def test_check_reads_all_and_finds_nothing_wrong(tmp_path, capsys):
    longer = replace(exchange(0, "4\n\nQ"), request=request(stop=("##",)))
    path = write(log_of(tmp_path), Exchange(request(stop=("\n",)), Reply("4", "stop", "\n")), longer)
    other = write(log_of(tmp_path), exchange(0, "5"), identity=OTHERS[0])
    status, said = check(tmp_path, capsys)
    assert status == 0
    assert sorted(said) == sorted(
        [f"{path}: 2 lines, 0 torn", f"{other}: 1 lines, 0 torn", "nothing is wrong"]
    )


# (what was done, to the content of a segment of three lines, the row and what is said of it)
WRONG = [
    ("torn", lambda content: content[:-9], 3, "the line is torn"),
    ("edited", lambda content: content.replace(b"text 1", b"text 7"), 2, "the line was changed or damaged"),
    ("another request", lambda content: content + forged(content), 4, "the key is not that of the request"),
]


@pytest.mark.parametrize(
    ("change", "row", "what"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_check_names_file_and_row_of_a_wrong_line(change, row, what, tmp_path, capsys):
    path, content = three(log_of(tmp_path))
    path.write_bytes(change(content))
    status, said = check(tmp_path, capsys)
    assert status == 1
    assert said[0].startswith(f"{path}: row {row}: {what}")
    lines = len(change(content).splitlines())
    assert said[1:] == [f"{path}: {lines} lines, {int(what.endswith('torn'))} torn", "1 wrong"]


# (another exchange with the key of a first that sent no stop and was told "4\n\nQ: 5", whether they differ)
TWICE = [
    (exchange(0, "4\n\nQ: 5"), False),
    (exchange(0, "4\n\nQ: 6"), True),
    (Exchange(request(), Reply("4\n\nQ: 5", "length")), True),
    (Exchange(request(stop=("\n\n",)), Reply("4", "stop", "\n\n")), False),
    (Exchange(request(stop=("\n\n",)), Reply("5", "stop", "\n\n")), True),
    (Exchange(request(max_tokens=2), Reply("5", "length")), False),  # 5 may be what a smaller limit gives
]


@pytest.mark.parametrize(("second", "differ"), TWICE)
def test_check_names_replies_of_one_key_that_differ(second, differ, tmp_path, capsys):
    first = write(log_of(tmp_path), exchange(1, "other"), exchange(0, "4\n\nQ: 5"))
    path = write(log_of(tmp_path), exchange(2, "other"), exchange(3, "other"), second)
    status, said = check(tmp_path, capsys)
    assert status == int(differ)
    named = [line for line in said if "of the same key" in line]
    assert len(named) == int(differ)
    assert all(f"{first}: row 2" in line and f"{path}: row 3" in line for line in named)


def test_check_names_a_folder_that_is_not_whose_it_says(tmp_path, capsys):
    path = write(log_of(tmp_path), exchange(0, "4"))
    path.parent.rename(path.parent.with_name("tiny-model-000000000000"))
    status, [line, _] = check(tmp_path, capsys)
    assert status == 1
    assert "tiny-model-000000000000/identity.json: is not the identity" in line


@pytest.mark.parametrize("command", [["check"], ["show", "12"]])
def test_without_a_log_one_line_says_so(command, tmp_path):
    line = _error(lambda: evaltrail(["log", *command, "--directory", str(tmp_path)]))
    assert line.startswith(f"{log_of(tmp_path)}: holds no log")


def show(project: Path, key: str, capsys) -> str:
    assert evaltrail(["log", "show", key, "--directory", str(project)]) == 0
    return capsys.readouterr().out


def test_show_prints_the_request_and_all_replies_of_a_key(tmp_path, capsys):
    asked = request(2, stop=("##",), max_tokens=9, seed=5)
    path = write(log_of(tmp_path), exchange(1, "other"), Exchange(asked, REPLY, {"device": "cpu"}))
    second = write(log_of(tmp_path), Exchange(replace(asked, stop=()), Reply("four\n5", "length")))
    key = segments.key_of(MODEL, asked)
    assert show(tmp_path, key[:9].upper(), capsys) == SHOWN.format(
        key=key, path=path, second=second, four=" " * 4
    )


SHOWN = """\
key      {key}
model    client "openai"  endpoint "http://localhost:1/v1"  model "tiny/model"
request  sample 2  seed 5  sampling {{}}  tools []
  system
{four}
  user
    How much is 2+2?

reply    {path}: row 2
sent     stop ["##"]  max_tokens 9
came     finish "tool_calls"  stop "##"  ended false  model "tiny-1"  usage {{"prompt_tokens": 9, "completion_tokens": 5}}
origin   device "cpu"
  text
    4
{four}
{four}
  reasoning
    2 + 2
  tool_calls
    [{{"id": "c1", "function": {{"name": "add", "arguments": "{{\\"a\\": 2}}"}}}}]
  logprobs
    {{"content": [{{"token": "4", "logprob": -0.1}}]}}

reply    {second}: row 1
sent     stop []  max_tokens 9
came     finish "length"  stop null  ended false  model null  usage null
origin
  text
    four
    5
"""


def test_show_prints_nothing_that_steers_a_terminal(tmp_path, capsys):
    write(log_of(tmp_path), exchange(0, "\x1b[2J\x9b2J\u202e\ud800\r\x07 é\tx"))
    assert "    \\x1b[2J\\x9b2J\\u202e\\ud800\\r\\x07 é\tx\n" in show(tmp_path, "", capsys)


def test_show_asks_for_more_digits_where_several_keys_begin_so(tmp_path):
    write(log_of(tmp_path), *(exchange(n, "4") for n in range(40)))
    keys = sorted(segments.key_of(MODEL, request(n)) for n in range(40))
    line = _error(lambda: evaltrail(["log", "show", "", "--directory", str(tmp_path)]))
    assert "40 keys begin" in line
    assert keys[0][:8] in line
    line = _error(lambda: evaltrail(["log", "show", "xyz", "--directory", str(tmp_path)]))
    assert "no key begins with xyz" in line
