"""What a run may spend on an endpoint: requests, tokens and money, held back before a request is sent."""

from decimal import Decimal

import msgspec

from evaltrail.errors import InputError


class Amounts(msgspec.Struct, forbid_unknown_fields=True):
    """The most that a run may spend; None: no limit."""

    requests: int | None = None
    tokens: int | None = None  # of prompts and replies together
    usd: float | None = None


class Prices(msgspec.Struct, forbid_unknown_fields=True):
    """US dollars a million tokens."""

    prompt: float
    completion: float


class Spent(msgspec.Struct, frozen=True):
    """Requests and tokens that were used, or that are held back for what is in flight."""

    requests: int = 0
    prompt: int = 0
    completion: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.requests + other.requests, self.prompt + other.prompt, self.completion + other.completion
        )

    def __sub__(self, other: "Spent") -> "Spent":
        return self + Spent(-other.requests, -other.prompt, -other.completion)


class Budget:
    """Counts what is spent. `reserve` what a request can take at worst, and `settle` it with what it took.

    So nothing is passed by what is in flight, as long as the endpoint keeps to max_tokens. Money is counted in
    decimals: ten times 0.1 is 1.
    """

    def __init__(self, most: Amounts | None, prices: Prices | None):
        self.most, self.prices = most or Amounts(), prices
        self.spent, self.reserved = Spent(), Spent()
        if self.most.usd is not None and prices is None:
            raise InputError("params.yaml", "a budget in usd needs prices", fix=_PRICES)

    @property
    def needs_length(self) -> bool:
        """Whether each request has to say how long its reply may be."""
        return self.most.tokens is not None or self.most.usd is not None

    def reserve(self, worst: Spent) -> bool:
        """Holds back what a request takes at worst; False, and nothing held, where that does not fit."""
        if not self._fits(self.spent + self.reserved + worst):
            return False
        self.reserved += worst
        return True

    def settle(self, worst: Spent, used: Spent) -> None:
        """Of what was held back this much was used; the rest is free again."""
        self.reserved -= worst
        self.spent += used

    def usd(self, amount: Spent) -> Decimal | None:
        """What it costs, None without prices."""
        if self.prices is None:
            return None
        each = [(amount.prompt, self.prices.prompt), (amount.completion, self.prices.completion)]
        return sum((count * Decimal(repr(price)) for count, price in each), Decimal(0)) / 1_000_000

    def _fits(self, amount: Spent) -> bool:
        usd = self.usd(amount) or 0
        pairs = [
            (amount.requests, self.most.requests),
            (amount.prompt + amount.completion, self.most.tokens),
            (usd, None if self.most.usd is None else Decimal(repr(self.most.usd))),
        ]
        return all(most is None or count <= most for count, most in pairs)

    def passed(self, endpoint: str) -> InputError:
        """The one line for a run that ends here."""
        limits = [
            f"{value:,} {name}"
            for name, value in msgspec.structs.asdict(self.most).items()
            if value is not None
        ]
        what = (
            f"another request could pass the budget of {', '.join(limits)}; spent in this run: {self.told()}"
        )
        return InputError(
            endpoint, what, fix="what was answered is in the log: raise the budget or run again to go on"
        )

    def told(self) -> str:
        """What is spent so far, for people."""
        tokens = self.spent.prompt + self.spent.completion
        usd = self.usd(self.spent)
        return f"{self.spent.requests:,} requests, {tokens:,} tokens" + (
            "" if usd is None else f", {usd:.4f} USD"
        )


_PRICES = "add prices: {prompt: ..., completion: ...}, in USD a million tokens"
