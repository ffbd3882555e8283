"""Live generation through the whole workflow: nothing asked twice, nothing lost, and what stands in no output."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import BIN, REPO, evaltrail, files, run, snakemake, write_project
from evaltrail.exchange import Request
from evaltrail.responses import ResponseLog
from fault_server import choice, says
from obedient_server import ObedientServer, obey

LIVE = """\
datasets:
  tiny: {{benchmark: jeebench, source: source, tables: [table2], default: true}}
defaults:
  client: openai
  model: obedient
  endpoint: {url}
  generation: {{temperature: 0, max_tokens: 20, seed: 7}}
systems:
  one: {{dataset: tiny, label: One, method: normal}}
  many: {{dataset: tiny, label: Many, method: CoT+SC, samples: 3}}
"""
PROBLEMS = 6


@pytest.fixture
def server():
    with ObedientServer() as server:
        yield server


def live_project(folder: Path, server, params: str = LIVE) -> Path:
    return write_project(folder, params.format(url=server.url))


def edit(project: Path, old: str, new: str) -> None:
    text = (project / "params.yaml").read_text()
    assert text.count(old) == 1, text
    (project / "params.yaml").write_text(text.replace(old, new))


def made(project: Path, *arguments: str, **environment) -> subprocess.CompletedProcess:
    result = snakemake(project, *arguments, **environment)
    assert result.returncode == 0, result.stderr
    return result


def replies(project: Path, system: str) -> list[dict]:
    path = project / f"results/tiny/{system}/generations.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_reply_is_asked_for_once_and_is_the_models(tmp_path, server):
    project = live_project(tmp_path / "project", server)
    made(project)
    assert server.count == PROBLEMS * 4
    rows = replies(project, "many")
    prompts = [
        json.loads(line) for line in (project / "results/tiny/many/prompts.jsonl").read_text().splitlines()
    ]
    order = [(row["instance"], row["prompt"], sample) for row in prompts for sample in range(3)]
    assert [(row["instance"], row["sample"]) for row in rows] == [(id, sample) for id, _, sample in order]
    for row, (_, prompt, sample) in zip(rows, order, strict=True):
        assert (row["text"], row["finish"]) == obey(prompt, 7 + sample, [], 20)[:2]
    assert "Nothing to be done" in made(project).stderr
    assert server.count == PROBLEMS * 4


def test_the_authors_empty_system_message_goes_before_the_prompt(tmp_path, server):
    project = live_project(tmp_path / "project", server)
    made(project)
    assert all(body["messages"][0] == {"role": "system", "content": ""} for body in server.bodies)
    assert {len(body["messages"]) for body in server.bodies} == {2}


def test_what_was_made_comes_again_from_the_log_alone(tmp_path, server):
    project = live_project(tmp_path / "project", server)
    made(project)
    before, count = files(project), server.count
    edit(project, "samples: 3", "samples: 2")
    made(project)
    edit(project, "samples: 2", "samples: 3")
    result = made(project, EVALTRAIL_REPLAY="1")
    assert "18 reused" in result.stderr
    assert files(project) == before
    assert server.count == count


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seed: 7", "seed: 7, stop: STOP"),
        ("seed: 7", 'seed: 7, stop: ["answer is", "\\n\\n"]'),
        ("max_tokens: 20", "max_tokens: 12"),
        ("max_tokens: 20", "max_tokens: 40"),
    ],
)
def test_a_changed_stop_or_length_asks_only_what_the_log_cannot_answer(tmp_path, server, old, new):
    project = live_project(tmp_path / "project", server)
    made(project)
    asked_before = [dict(body) for body in server.bodies]
    edit(project, old, new)
    made(project)
    again = server.bodies[len(asked_before) :]
    stops = (
        again[0].get("stop", [])
        if again
        else json.loads(new.partition("stop: ")[2] or "[]")
        if "[" in new
        else ["STOP"]
    )
    limit = int(new.removeprefix("max_tokens: ")) if "max_tokens" in new else 20
    stops = stops if "stop" in new else []

    def unproven(body) -> bool:
        """Whether the first reply does not show what this request would get, by the words of the design."""
        text, finish, count = obey(body["messages"][-1]["content"], body["seed"], [], 20)
        if limit < 20 and count >= limit:
            return True
        return finish == "length" and limit > 20 and not any(stop in text for stop in stops)

    expected = [
        body["messages"][-1]["content"] + str(body["seed"]) for body in asked_before if unproven(body)
    ]
    assert sorted(body["messages"][-1]["content"] + str(body["seed"]) for body in again) == sorted(expected)
    # The same bytes as from a model that was never asked before.
    with ObedientServer() as fresh:
        other = live_project(tmp_path / "other", fresh)
        edit(other, old, new)
        made(other)
    for system in ("one", "many"):
        name = f"results/tiny/{system}/completions.jsonl"
        assert (project / name).read_bytes() == (other / name).read_bytes()


def test_another_model_or_endpoint_never_gets_these_replies(tmp_path, server):
    project = live_project(tmp_path / "project", server)
    made(project)
    edit(project, "model: obedient", "model: other")
    made(project)
    assert server.count == 2 * PROBLEMS * 4
    edit(project, server.url, server.url.replace("127.0.0.1", "localhost"))
    made(project)
    assert server.count == 3 * PROBLEMS * 4


def test_a_replay_names_the_reply_that_the_log_lacks(tmp_path, server):
    project = live_project(tmp_path / "project", server)
    result = snakemake(project, EVALTRAIL_REPLAY="1")
    assert result.returncode == 1
    assert server.count == 0
    told = result.stderr.split("What stopped the run:")[1]
    assert "row Tiny 2016 Paper 1 #1" in told and "has no reply here" in told
    assert not list((project / "results/tiny").rglob("generations.jsonl"))


def test_a_log_beside_the_source_answers_and_is_not_written_to(tmp_path, server):
    project = live_project(tmp_path / "project", server)
    made(project)
    bytes_before = files(project)
    (project / "data/responses").rename(project / "source/log")
    for path in ("results", "data"):
        subprocess.run(["rm", "-r", str(project / path)], check=True)
    count = server.count
    made(project, EVALTRAIL_REPLAY="1")
    assert server.count == count
    assert {path: content for path, content in bytes_before.items() if "responses" not in path} == files(
        project
    )


def generate_command(project: Path) -> list[str]:
    """The command that Snakemake runs for the system `many`."""
    shown = made(project, "--dry-run", "--printshellcmds", "--forcerun", "generate")
    (line,) = {
        line.strip()
        for line in shown.stdout.splitlines() + shown.stderr.splitlines()
        if "evaltrail.generate" in line and "/many/" in line
    }
    return ["bash", "-c", f"exec {line[line.index('python -m') :]}"]


def test_killed_at_any_moment_no_reply_is_lost_and_none_asked_twice(tmp_path, server):
    samples = 34  # 204 requests
    project = live_project(tmp_path / "project", server, LIVE.replace("samples: 3", f"samples: {samples}"))
    made(project, "results/tiny/many/prompts.jsonl")
    command = generate_command(project)
    environment = {
        **os.environ,
        "PYTHONPATH": str(REPO / "src"),
        "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]),
    }
    identity = {"client": "openai", "endpoint": server.url, "model": "obedient"}
    chance = random.Random(1)
    killed = 0
    for _ in range(20):
        asked = server.count
        logged = _logged(project, identity)
        process = subprocess.Popen(
            command, cwd=project, env=environment, stderr=subprocess.DEVNULL, start_new_session=True
        )
        more = chance.randrange(1, 16)
        _until(lambda: server.count >= asked + more or process.poll() is not None)  # noqa: B023
        if process.poll() is not None:
            break
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        killed += 1
        _until(lambda: server.in_flight == 0)
        assert not logged & {_key(body) for body in server.bodies[asked:]}, (
            "a logged reply was asked for again"
        )
    assert killed >= 10
    done = run(command, cwd=project, **environment)
    assert done.returncode == 0, done.stderr
    assert len(_logged(project, identity)) == PROBLEMS * samples
    assert server.count <= PROBLEMS * samples + killed * 4, (
        "but for those in flight at a kill nothing was asked twice"
    )
    with ObedientServer() as fresh:
        other = live_project(tmp_path / "other", fresh, LIVE.replace("samples: 3", f"samples: {samples}"))
        made(other, "results/tiny/many/generations.jsonl")
    name = "results/tiny/many/generations.jsonl"
    assert (project / name).read_bytes() == (other / name).read_bytes()


def _until(condition) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come about in 30 seconds")


def _key(body: dict) -> tuple[str, int]:
    return body["messages"][-1]["content"], body["seed"]


def _logged(project: Path, identity: dict[str, str]) -> set[tuple[str, int]]:
    """What the log can answer, request by request, as another process sees it."""
    prompts = [
        json.loads(line)["prompt"]
        for line in (project / "results/tiny/many/prompts.jsonl").read_text().splitlines()
    ]
    found = set()
    with ResponseLog(project / "data/responses", identity) as log:
        for prompt in prompts:
            for sample in range(34):
                messages = ({"role": "system", "content": ""}, {"role": "user", "content": prompt})
                request = Request(messages, sample, 7 + sample, {"temperature": 0}, max_tokens=20)
                if log.answer(request):
                    found.add((prompt, 7 + sample))
    return found


def test_two_processes_write_at_once(tmp_path, server):
    project = live_project(tmp_path / "project", server, LIVE.replace("samples: 3", "samples: 20"))
    made(project, "results/tiny/many/prompts.jsonl")
    command = generate_command(project)
    environment = {
        **os.environ,
        "PYTHONPATH": str(REPO / "src"),
        "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]),
    }
    both = [
        subprocess.Popen(command, cwd=project, env=environment, stderr=subprocess.DEVNULL) for _ in range(2)
    ]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    checked = evaltrail(project, "log", "check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    count = server.count
    (project / "results/tiny/many/generations.jsonl").unlink()
    made(project, "results/tiny/many/generations.jsonl")
    assert server.count == count


def test_the_key_is_in_no_file_and_no_output(tmp_path, server):
    key = "sk-0123456789abcdefSECRET"
    project = live_project(tmp_path / "project", server)
    edit(project, "client: openai", "client: openai\n  connection: {api_key_env: MY_KEY}")
    result = made(project, "--verbose", "--printshellcmds", MY_KEY=key)
    assert all(headers["authorization"] == f"Bearer {key}" for headers in server.headers)
    written = b"".join(path.read_bytes() for path in project.rglob("*") if path.is_file())
    for text in (written, result.stdout.encode(), result.stderr.encode()):
        assert key.encode() not in text
    refused = snakemake(project, "--forcerun", "generate", MY_KEY=None)
    assert refused.returncode == 0, "all is in the log: no key is needed"
    edit(project, "seed: 7", "seed: 70")
    refused = snakemake(project, MY_KEY=None)
    assert refused.returncode == 1
    assert "the environment variable MY_KEY is not set" in refused.stderr


def test_a_critic_gets_the_solution_and_its_own_answer_is_scored(tmp_path, server):
    critic = "  critic: {{dataset: tiny, label: Critic, method: self-critique, of: one}}\n"
    project = live_project(tmp_path / "project", server, LIVE + critic)
    made(project)
    solution = replies(project, "one")[2]["text"]
    prompt = json.loads((project / "results/tiny/critic/prompts.jsonl").read_text().splitlines()[2])["prompt"]
    assert prompt == (
        "Problem: How much is $2+2$?\nSolution: Let's think step by step.\n\n" + solution + "\n-----------\n"
        "Find any problems(if any) with the given solution. If there are any errors, correct it and give the new answer."
    )
    assert replies(project, "critic")[2]["text"] == obey(prompt, 7, [], 20)[0]
    assert "\nCritic," in (project / "results/tiny_table2.csv").read_text()


def test_a_tools_calls_are_answered_and_every_turn_is_in_the_log(tmp_path, server):
    params = LIVE.replace("label: One", "label: One, tools: calculator").partition("  many")[0]
    project = live_project(tmp_path / "project", server, params)
    calls = [
        {
            "id": "1",
            "type": "function",
            "function": {"name": "add", "arguments": '{{"a": 2, "b": 2}}'.format()},
        },
        {"id": "2", "type": "function", "function": {"name": "root", "arguments": "{}"}},
    ]
    server.script = [says(choice(None, finish="tool_calls", tool_calls=calls)) for _ in range(PROBLEMS)]
    server.script += [says(choice("The answer is 4.")) for _ in range(PROBLEMS)]
    result = made(project)
    assert server.count == 2 * PROBLEMS
    second = server.bodies[-1]["messages"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "tool", "tool"]
    assert second[3]["content"] == "4"
    assert "6 tool calls were answered with an error" in result.stderr
    assert {row["text"] for row in replies(project, "one")} == {"The answer is 4."}
    lines = [
        line
        for path in (project / "data/responses").rglob("*.jsonl")
        for line in path.read_text().splitlines()
    ]
    assert len(lines) == 2 * PROBLEMS
    made(project, "--forcerun", "generate", EVALTRAIL_REPLAY="1")


def test_random_answers_are_drawn_by_their_seed(tmp_path):
    params = (
        "datasets:\n  tiny: {benchmark: jeebench, source: source, tables: [table2], default: true}\n"
        "systems:\n  dice: {dataset: tiny, label: Dice, client: random, method: normal, samples: 2, generation: {seed: 3}}\n"
    )
    project = write_project(tmp_path / "project", params)
    made(project)
    first = replies(project, "dice")
    assert len(first) == 2 * PROBLEMS
    edit(project, "seed: 3", "seed: 4")
    made(project)
    assert replies(project, "dice") != first
    edit(project, "seed: 4", "seed: 3")
    made(project)
    assert replies(project, "dice") == first


# (what params.yaml says, what is wrong with it)
BAD = [
    ("method: normal", "method: normal, of: many", "the method normal does not quote a solution; remove `of`"),
    ("method: normal", "method: self-critique", "the method self-critique quotes a solution; add `of: ID`"),
    ("method: normal", "method: self-critique, of: nobody", "unknown system of the dataset nobody"),
    ("method: normal", "method: self-critique, of: one", "one of one goes in a circle"),
    ("method: normal", "method: normal, answers: recorded", "nobody has read what a model is yet to say"),
    ("  model: obedient\n", "", "has no model"),
    ("client: openai", "client: openia", "did you mean openai?"),
    ("method: normal", "method: normal, api: completions, tools: calculator", "a text completion can call none"),
    ("http://", "http://user:hunter2@", "holds a user or password, which files would show"),
    ("method: normal", "method: normal, client: transformers, model: source", "model: source holds no model; name the folder"),
    ("method: normal", "method: normal, client: transformers, model: source/data", "add `revision: sha256:"),
    ("client: openai", "client: openai\n  connection: {concurency: 3}", "did you mean concurrency?"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), BAD)
def test_params_that_cannot_be_are_named(tmp_path, server, old, new, said):
    project = live_project(tmp_path / "project", server)
    edit(project, old, new)
    result = snakemake(project, "--dry-run")
    assert result.returncode == 1
    assert said in result.stderr
    assert "Traceback" not in result.stderr and "hunter2" not in result.stdout + result.stderr


def test_a_reply_of_no_known_form_is_refused_and_does_not_spoil_the_log(tmp_path, server):
    project = live_project(tmp_path / "project", server)
    odd = choice("The answer is 4.", tool_calls={"id": "1"})
    server.script = [says(odd) for _ in range(4)]
    result = snakemake(project, "--cores", "1")
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "OpenAI's API" in result.stderr.split("What stopped the run:")[1]
    server.script = ObedientServer().script
    made(project)
    assert evaltrail(project, "log", "check").returncode == 0


def test_a_recorded_system_starts_without_the_clients(project):
    """Start-up counts: many small jobs run here."""
    script = "import json, sys; from evaltrail import generate; print(json.dumps([*sys.modules]))"
    loaded = {name.split(".")[0] for name in json.loads(run([sys.executable, "-c", script]).stdout)}
    assert not loaded & {"openai", "torch", "transformers", "tqdm"}


def test_the_plan_counts_what_a_changed_stop_would_ask_and_what_it_costs(tmp_path, server):
    """By hand: 24 dialogues, of which those that neither ended nor have the stop are asked for again."""
    prices = "prices: {{obedient: {{prompt: 1.0, completion: 2.0}}}}\n"
    project = live_project(tmp_path / "project", server, LIVE + prices)
    plan = evaltrail(project, "plan")
    assert "0 replies are in the log, 18 are asked for" not in plan.stdout, "the prompts are not known yet"
    made(project)
    edit(project, "max_tokens: 20", "max_tokens: 40")
    unended = [
        body
        for body in server.bodies
        if obey(body["messages"][-1]["content"], body["seed"], [], 20)[1] == "length"
    ]
    many = [body for body in unended if "step by step" in body["messages"][-1]["content"]]
    assert 0 < len(many) < 18
    said = evaltrail(project, "plan").stdout
    assert f"{18 - len(many)} replies are in the log, {len(many)} are asked for: about " in said
    assert f"at most {40 * len(many):,} tokens of replies, about " in said
    sent = [
        sum(len(json.dumps(body["messages"])) for body in group) // 4
        for group in (many, [b for b in unended if b not in many])
    ]
    usd = sum(sent) * 1.0 / 1e6 + 40 * len(unended) * 2.0 / 1e6
    assert f"about {usd:.4f} USD in all" in said
    assert server.count == 24
