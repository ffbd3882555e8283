"""A Llama of two layers that reads bytes, trained on the spot: it knows `ANSWERS` by heart. The same weights each time."""

from pathlib import Path

ANSWERS = {
    "How much is 2+2?": "4",
    "Count.": "one two three four five six",
    "Say it twice.": "it it",
    "Name a city.": "Zürich or 東京",
    "Which?": "B\n\nQuestion: another",
    "Add 2 and 3.": '<tool_call>{"name": "add", "arguments": {"a": 2, "b": 3}}</tool_call>',
}
END = "<|end|>"
TEMPLATE = (
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def chat(question: str) -> tuple[dict, ...]:
    return ({"role": "user", "content": question},)


def prompt(question: str) -> str:
    """What TEMPLATE makes of `chat(question)`."""
    return f"user: {question}\nassistant: "


def tokenizer(template: str | None = TEMPLATE):
    """A token is a byte; the last one is END."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token=END, chat_template=template)


def config(kind="LlamaConfig", **settings):
    import transformers

    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    tokens = {"vocab_size": 257, "eos_token_id": 256, "bos_token_id": None, "pad_token_id": None}
    return getattr(transformers, kind)(
        **{**sizes, **tokens, "num_key_value_heads": 2, "max_position_embeddings": 256, **settings}
    )


def train(folder: Path, steps: int = 120) -> Path:
    """Trains the model and saves it to `folder`, with its tokenizer."""
    import torch
    from transformers import LlamaForCausalLM

    torch.manual_seed(0)
    words, model = tokenizer(), LlamaForCausalLM(config())
    texts = [words(prompt(question) + answer + END)["input_ids"] for question, answer in ANSWERS.items()]
    width = max(map(len, texts))
    ids = torch.tensor([text + [256] * (width - len(text)) for text in texts])
    labels = torch.tensor([text + [-100] * (width - len(text)) for text in texts])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(steps):
        optimizer.zero_grad()
        model(input_ids=ids, labels=labels).loss.backward()
        optimizer.step()
    return save(model, folder)


def save(model, folder: Path, template: str | None = TEMPLATE) -> Path:
    model.save_pretrained(folder)
    tokenizer(template).save_pretrained(folder)
    return folder
