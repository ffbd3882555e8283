"""What the ledger gives to DVC's YAML writer is read back as it was: the writer itself breaks some long texts."""

import pytest
from dvc.utils.serialize import loads_yaml
from hypothesis import given
from hypothesis import strategies as st

from evaltrail import params, specs, stages
from evaltrail.repository import yaml_text

# Folded at their blanks, escaped, or in need of quotes.
TEXTS = st.text(alphabet="ab '\"\\\n:#{}%- \t", max_size=300) | st.text(max_size=200)


def read_back(place: str, text: str) -> str:
    entry = {"stages": {"render-x": {"params": {place: {"systems.x.stop": text}}}}}
    return loads_yaml(yaml_text(entry))["stages"]["render-x"]["params"][place]["systems.x.stop"]


def test_the_writer_does_break_texts():
    """If this fails DVC's writer is mended, and specs need not do without apostrophes."""
    text = '{"shots":null,"strip":true,"template":"{instruction} and so on and on\\n\\nProblem: {question}\\nSolution: Let\'s think"}'
    broken = [text[:end] + "x" * 30 + text[end:] for end in range(20, 60)]
    assert any(read_back("specs.json", one) != one for one in broken)


@given(TEXTS)
def test_a_spec_is_read_back(text):
    spec = specs._spec({"template": text})
    assert read_back("specs.json", spec) == spec


@given(TEXTS)
def test_a_narrow_key_is_read_back_or_left_out(text):
    if stages._survives(text):
        assert read_back("params.yaml", text) == text


@pytest.mark.parametrize(
    "value", [".", "\n", ["\n", "Q:"], 64, True, None, {"stop": "\n", "extra": {"min_p": 0}}, "问"]
)
def test_what_people_look_for_is_not_left_out(value):
    assert stages._survives(value)


def test_a_spec_is_still_the_json_of_its_settings(tmp_path):
    import json

    (tmp_path / "params.yaml").write_text(
        "datasets: {tiny: {benchmark: jeebench, source: published}}\n"
        "systems: {a: {dataset: tiny, recorded_name: GPT4_CoT, method: CoT}}\n"
    )
    read = params.load(tmp_path / "params.yaml", "workflow/schemas/params.schema.yaml")
    assert json.loads(specs.render(read, "a"))["template"].endswith("\nSolution: Let's think step by step.")
