"""How the tokens of a batch are drawn, and where each of its rows ends. Imports torch: to be imported lazily."""

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import torch
from transformers import DynamicCache, GenerationConfig, LogitsProcessor, StoppingCriteria
from transformers.cache_utils import DynamicLayer

from evaltrail.clients.local_weights import Opened
from evaltrail.exchange import Request

_PAD = 0  # any token will do: the attention mask hides it
_WORTH_SHARING = 32  # tokens; computing a prefix apart costs about a token's time


class Sampling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a token is drawn from the logits.

    temperature 0: the likeliest token; of equally likely ones the one of the lowest number. Otherwise, in float64:
    the softmax of logits / temperature; of that the `top_k` likeliest tokens (0: all) and those as likely as the last
    of them; of those, scaled to sum 1, the likeliest whose sum first reaches `top_p`; of those one at random.
    """

    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0

    def __post_init__(self):
        if not (self.temperature >= 0 and 0 < self.top_p <= 1 and self.top_k >= 0):
            raise ValueError("temperature and top_k are 0 or more, top_p is above 0 and at most 1")


@dataclass
class Row:
    """A request on its way: the tokens of its prompt, how many may follow, and those that came so far."""

    request: Request
    prompt: list[int]
    limit: int
    seed: int
    draws: str  # what its random numbers are seeded with
    tokens: list[int] = field(default_factory=list)
    done: bool = False

    def restart(self) -> None:
        self.tokens, self.done = [], False
        self.random = random.Random(self.draws)


def text(tokenizer, row: Row) -> str:
    """What the row's tokens add to its prompt, special tokens left out.

    Decoded together with the prompt: alone, some tokenizers would drop the space before the first word.
    """
    prompt, whole = (_decode(tokenizer, tokens) for tokens in (row.prompt, row.prompt + row.tokens))
    return whole[len(prompt) :] if whole.startswith(prompt) else _decode(tokenizer, row.tokens)


def _decode(tokenizer, tokens: Sequence[int]) -> str:
    return tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)


class _Ends(StoppingCriteria):
    """Ends each row by itself: after an end-of-sequence token, when a stop stands in its text, or at its limit."""

    def __init__(self, rows: Sequence[Row], tokenizer, eos: frozenset[int]):
        self.rows, self.tokenizer, self.eos = rows, tokenizer, eos

    def __call__(self, input_ids, scores, **_):
        for row, token in zip(self.rows, input_ids[:, -1].tolist(), strict=True):
            if not row.done:
                row.tokens.append(token)
                row.done = token in self.eos or len(row.tokens) >= row.limit or self._stopped(row)
        return torch.tensor([row.done for row in self.rows], device=input_ids.device)

    def _stopped(self, row: Row) -> bool:
        stops = row.request.stop
        if not stops:
            return False
        # A stop of n bytes takes n tokens at most. What these last ones show is looked up in the whole text.
        last = row.tokens[-4 - max(len(stop.encode()) for stop in stops) :]
        tail = _decode(self.tokenizer, last)
        return any(stop in tail for stop in stops) and any(
            stop in text(self.tokenizer, row) for stop in stops
        )


class _Choice(LogitsProcessor):
    """Leaves each row the one token that it takes, drawn with the row's own random numbers.

    A draw walks the tokens in the order of their numbers, not of their probabilities: logits that differ in the last
    bits then change a draw with a probability of that size alone.
    """

    def __init__(self, rows: Sequence[Row], sampling: Sampling):
        self.rows, self.sampling = rows, sampling

    def __call__(self, input_ids, scores):
        if torch.isnan(scores).any():
            raise FloatingPointError
        if self.sampling.temperature == 0:
            return scores
        draws = [[row.random.random()] for row in self.rows]
        tokens = draw(scores, torch.tensor(draws, dtype=torch.float64, device=scores.device), self.sampling)
        return torch.full_like(scores, -torch.inf).scatter(1, tokens, 0.0)


def draw(logits, draws, sampling: Sampling):
    """The token that each row of `logits` (rows x tokens) takes by its number of `draws` (rows x 1, 0 <= n < 1)."""
    weights = torch.softmax(logits.double() / sampling.temperature, dim=-1)
    if 0 < sampling.top_k < weights.shape[-1]:
        least = weights.topk(sampling.top_k).values[:, -1:]
        weights = weights.where(weights >= least, 0)
    if sampling.top_p < 1:
        ordered, tokens = weights.sort(dim=-1, descending=True, stable=True)
        before = ordered.cumsum(-1) - ordered
        ordered = ordered.where(before < sampling.top_p * weights.sum(-1, keepdim=True), 0)
        weights = torch.zeros_like(weights).scatter(1, tokens, ordered)
    sums = weights.cumsum(-1)
    # A draw is at most 1 - 2**-53, and that times the sum is less than the sum in float64 too.
    return torch.searchsorted(sums, draws * sums[:, -1:], right=True)


def decode(opened: Opened, rows: Sequence[Row], sampling: Sampling) -> None:
    """Generates the tokens of `rows`, as one batch padded on the left, into the rows themselves.

    A row that was done when an exception came is complete. Raises FloatingPointError when logits are no numbers.
    """
    for row in rows:
        row.restart()
    model, width = opened.model, max(len(row.prompt) for row in rows)
    pads = [width - len(row.prompt) for row in rows]
    ids = [[_PAD] * pad + row.prompt for pad, row in zip(pads, rows, strict=True)]
    mask = [[0] * pad + [1] * (width - pad) for pad in pads]
    model.generate(
        input_ids=torch.tensor(ids, device=model.device),
        attention_mask=torch.tensor(mask, device=model.device),
        generation_config=GenerationConfig(max_new_tokens=max(row.limit for row in rows)),
        logits_processor=[_Choice(rows, sampling)],
        stopping_criteria=[_Ends(rows, opened.tokenizer, opened.eos)],
        **_shared(model, rows, pads),
    )


def _shared(model, rows: Sequence[Row], pads: Sequence[int]) -> dict:
    """What all prompts begin with, computed once: the cache of the batch's first columns, padding included.

    The columns stay where they are without it, so positions and distances do too. Empty where it would save little,
    or where a model keeps more than keys and values of all tokens (windows, states, prompts of an adapter).
    """
    prompts = [row.prompt for row in rows]
    common = itertools.takewhile(
        lambda pair: pair[0] == pair[1], zip(min(prompts), max(prompts), strict=False)
    )
    columns = min(len(list(common)), max(map(len, prompts)) - 1)
    if len(rows) == 1 or columns < _WORTH_SHARING or not _plain(model):
        return {}
    ids = torch.tensor([prompts[0][:columns]], device=model.device)
    config = GenerationConfig(max_new_tokens=1, return_dict_in_generate=True)
    cache = model.generate(input_ids=ids, generation_config=config).cache
    for layer in cache.layers:
        layer.keys, layer.values = (_spread(states, pads) for states in (layer.keys, layer.values))
    return {"cache": cache}


def _plain(model) -> bool:
    peft = getattr(model, "active_peft_config", None)
    layers = DynamicCache(config=model.config).layers
    return not (peft and peft.is_prompt_learning) and all(type(layer) is DynamicLayer for layer in layers)


def _spread(states, pads: Sequence[int]):
    """The states of a prefix (1 x heads x tokens x size) as the first columns of each row, behind its padding."""
    made = torch.zeros_like(states).repeat(len(pads), 1, 1, 1)
    columns = states.shape[2]
    for row, pad in zip(made, pads, strict=True):
        row[:, pad:] = states[0, :, : max(0, columns - pad)]
    return made


def out_of_memory(error: BaseException) -> bool:
    """Whether an exception of torch says that memory ran out; the CPU's has no type of its own."""
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or "can't allocate memory" in str(error)
