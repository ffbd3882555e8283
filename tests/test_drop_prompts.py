"""DROP's prompts, each method's written out in full, and the examples that are drawn for few-shot ones."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import REPO, write_json
from evaltrail import extract, jsonl, params, render, specs
from evaltrail.benchmarks.drop.extract import load
from evaltrail.benchmarks.drop.render import as_text, fields
from evaltrail.errors import InputError
from evaltrail.facts import benchmark_facts
from evaltrail.records import Instance, Prompt


def given_as(number="", month="", year="", spans=()):
    return {"number": number, "date": {"day": "", "month": month, "year": year}, "spans": list(spans)}


# (passage id, passage, query id, question, answer); the first is asked, and two others have golds to show
QUESTIONS = [
    ("nfl_1", "Seven ships left {port}. ", "asked", "How many ships left?", given_as("7")),
    ("nfl_1", "Seven ships left {port}. ", "same", "Which port?", given_as(spans=["{port}"])),
    ("history_1", "The flag is red and green.", "spans", "Which colours?", given_as(spans=["red", "green"])),
    ("history_2", "It fell in August 1567.", "date", "When did it fall?", given_as(month="August", year="1567")),
    ("history_3", "Nothing is known.", "none", "Who?", given_as()),
]  # fmt: skip


def document():
    made = {}
    for id, text, query_id, question, answer in QUESTIONS:
        entry = made.setdefault(id, {"passage": text, "qa_pairs": []})
        entry["qa_pairs"].append({"query_id": query_id, "question": question, "answer": answer})
    return made


def rendered(folder, method, shots=None):
    """The prompt of the first question under a method, through params.yaml, spec and steps as in a run."""
    write_json(folder / "drop_dataset_dev.json", document())
    system = {"dataset": "tiny", "client": "random", "method": method, **({"shots": shots} if shots else {})}
    dataset = {"benchmark": "drop", "source": str(folder), "file": "drop_dataset_dev.json"}
    write_json(folder / "params.yaml", {"datasets": {"tiny": dataset}, "systems": {"it": system}})
    schema = REPO / "workflow/schemas/params.schema.yaml"
    loaded = params.load(folder / "params.yaml", schema)
    raw, instances, prompts = (
        str(folder / name) for name in ("drop_dataset_dev.json", "instances.jsonl", "prompts.jsonl")
    )
    extract.main(["--spec", specs.extract(loaded, "tiny"), "--raw", raw, "--instances", instances])
    examples = ["--examples", instances] if shots else []
    files = ["--instances", instances, "--prompts", prompts, *examples]
    render.main(["--spec", specs.render(loaded, "it"), *files])
    return next(jsonl.read(prompts, Prompt)).prompt


PROMPTS = [
    ("zero-shot", "Passage: Seven ships left {port}. \nQuestion: How many ships left?\nAnswer:"),
    ("lm-eval", "Seven ships left {port}.  How many ships left?"),
    (
        "chat",
        "Read the passage and answer the question with a number, a date, or words of the passage, and with nothing else.\n\n"
        "Passage: Seven ships left {port}. \n\nQuestion: How many ships left?",
    ),
]


@pytest.mark.parametrize(("method", "prompt"), PROMPTS, ids=[case[0] for case in PROMPTS])
def test_a_prompt_without_examples(tmp_path, method, prompt):
    assert rendered(tmp_path, method) == prompt


# (method, what stands before the examples, each of them, what stands behind)
FEW_SHOT = [
    (
        "few-shot",
        "",
        "Passage: The flag is red and green.\nQuestion: Which colours?\nAnswer: red, green\n\n",
        "Passage: It fell in August 1567.\nQuestion: When did it fall?\nAnswer: August 1567\n\n",
        "Passage: Seven ships left {port}. \nQuestion: How many ships left?\nAnswer:",
    ),
    (
        "simple-evals",
        "You will be asked to read a passage and answer a question. Some examples of passages and Q&A are provided below."
        "\n\n# Examples",
        "\n---\nPassage: The flag is red and green.\nQuestion: Which colours?\nAnswer:  red, green\n",
        "\n---\nPassage: It fell in August 1567.\nQuestion: When did it fall?\nAnswer:  August 1567\n",
        "\n# Your Task\n"
        "\n---\nPassage: Seven ships left {port}. \nQuestion: How many ships left?\nAnswer: "
        '\n\nThink step by step, then write a line of the form "Answer: $ANSWER" at the end of your response.\n'
        "                    ",
    ),
]


@pytest.mark.parametrize(
    ("method", "before", "one", "other", "behind"), FEW_SHOT, ids=[case[0] for case in FEW_SHOT]
)
def test_a_prompt_with_both_examples_that_there_are(tmp_path, method, before, one, other, behind):
    prompt = rendered(tmp_path, method, {"count": 2, "seed": 3})
    assert prompt in (before + one + other + behind, before + other + one + behind)


def test_examples_that_the_dataset_lacks_are_told_in_one_line(tmp_path):
    with pytest.raises(InputError) as error:
        rendered(tmp_path, "few-shot", {"count": 3})
    assert str(error.value) == (
        f"{tmp_path}/instances.jsonl: has 2 examples from other passages than that of asked; "
        "lower the count of `shots` or draw them from another dataset"
    )


@pytest.mark.parametrize(
    ("gold", "text"),
    [("7", "7"), ("  1287", "  1287"), (("red", "green"), "red, green"), (("a, b", "c", ""), "a, b, c, ")],
)
def test_a_gold_as_one_text(gold, text):
    assert as_text(gold) == text


def test_an_example_shows_its_first_gold_without_white_space_around(tmp_path):
    example = instance("x", "other", golds=("  1287", "7"))
    assert drawn(tmp_path, [example], 1, wording="{answer}|")(instance("i", "own")) == ["1287"]


def test_nothing_in_an_example_is_a_template(tmp_path):
    example = Instance("x", "", "span", "{answer}", ("{passage}",), {"passage": "{question} {0} %s $x"})
    written = drawn(tmp_path, [example], 1, wording="{passage}|{question}|{answer}|")(instance("i", "own"))
    assert written == ["{question} {0} %s $x", "{answer}", "{passage}"]


# --- what is drawn ---


def instance(id, passage, golds=("7",)):
    return Instance(id, "", "number", f"Which is {id}?", golds, {"passage": passage})


def drawn(folder, pool, count, seed=0, wording="{question}|"):
    """A function from an instance to the examples drawn for it, as the wording shows them."""
    jsonl.write(folder / "pool.jsonl", pool)
    of_instance = fields(str(folder / "pool.jsonl"), {"count": count, "seed": seed, "wording": wording})
    return lambda asked: of_instance(asked)["examples"].split("|")[:-1]


MANY = [instance(f"m{n}", f"passage {n // 5}") for n in range(100)]


@given(
    pool=st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=12),
    count=st.integers(1, 6),
    seed=st.integers(0, 9),
)
def test_examples_are_different_answered_questions_of_other_passages(tmp_path_factory, pool, count, seed):
    folder = tmp_path_factory.mktemp("pool")
    made = [instance(str(n), text, ("7",) if answered else ()) for n, (text, answered) in enumerate(pool)]
    may_be = {row.question for row in made if row.references and row.extra["passage"] != "a"}
    draw = drawn(folder, made, count, seed)
    if len(may_be) >= count:
        questions = draw(instance("asked", "a"))
        assert len(questions) == len(set(questions)) == count and set(questions) <= may_be
    else:
        with pytest.raises(InputError, match=f"pool.jsonl: has {len(may_be)} examples from other passages"):
            draw(instance("asked", "a"))


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return lambda seed=0: drawn(tmp_path_factory.mktemp("many"), MANY, 3, seed)


@given(asked=st.permutations(MANY[:12]), left_out=st.sets(st.integers(0, 11)))
def test_examples_do_not_depend_on_what_else_is_asked(many, asked, left_out):
    draw, afresh = many(), many()
    kept = [row for n, row in enumerate(asked) if n not in left_out]
    assert {row.id: draw(row) for row in kept} == {row.id: afresh(row) for row in MANY[:12] if row in kept}


def test_another_seed_or_another_instance_draws_others(many):
    asked = [instance(f"i{n}", "own") for n in range(10)]
    draws = {tuple(draw(row)) for draw in map(many, range(10)) for row in asked}
    assert len(draws) == 100
    assert len({question for draw in draws for question in draw}) > 80


def test_of_an_instance_the_id_alone_chooses_where_its_passage_rules_nothing_out(many):
    draw = many()
    assert draw(instance("i", "own")) == draw(Instance("i", "", "span", "Who?", (), {"passage": "another"}))


def test_a_question_that_the_dataset_repeats_is_one_example(tmp_path):
    repeated = [Instance(f"r{n}", "", "number", "Again?", ("7",), {"passage": "p"}) for n in range(50)]
    questions = drawn(tmp_path, [*repeated, instance("x", "q")], 2)(instance("i", "own"))
    assert sorted(questions) == ["Again?", "Which is x?"]


def test_the_instance_itself_is_no_example(tmp_path):
    assert drawn(tmp_path, MANY[:6], 1)(MANY[0]) == [MANY[5].question]


def test_without_shots_there_are_no_examples():
    of_instance = fields(None, None)
    assert of_instance(instance("i", "own")) == {"passage": "own", "question": "Which is i?"}


# --- the published file ---


def test_zero_shot_prompts_are_the_published_contexts(mirror):
    path = mirror / "drop/drop_v0_dev.jsonl.gz"
    with gzip.open(path) as file:
        contexts = [json.loads(line)["context"] for line in file]
    facts = benchmark_facts("drop")
    wording = {
        "template": facts["methods"]["zero-shot"],
        "texts": {},
        "types": None,
        "strip": facts["strip"],
    }
    prompts = [row.prompt for row in render.render(load(path), wording, fields(None, None), path)]
    assert len(prompts) == 9536
    assert [n for n, pair in enumerate(zip(prompts, contexts, strict=True)) if pair[0] != pair[1]] == []
