"""How many n-grams two sequences share, for many pairs at once.

A sequence is a run of equal `owner` in one flat array of symbols: owner 2k is the first of pair k, 2k + 1 the second.
All counts are of whole numbers, so they depend neither on how the pairs were grouped nor on the machine.
"""

import numpy as np

_MOST_BITS = 63


def totals(owner: np.ndarray, pairs: int, orders: int) -> np.ndarray:
    """The number of n-grams of each sequence: int64 [orders, 2 * pairs], row n - 1 for n-grams."""
    lengths = np.bincount(owner, minlength=2 * pairs)
    return np.maximum(lengths - np.arange(orders)[:, None], 0)


def matched(symbols: np.ndarray, owner: np.ndarray, pairs: int, orders: int) -> np.ndarray:
    """The clipped number of n-grams that both sequences of a pair have: int64 [orders, pairs].

    Clipped: an n-gram that occurs a times here and b times there counts min(a, b) times.
    symbols: int64, 0 or more; owner: int64, rising.
    """
    found = np.zeros((orders, pairs), np.int64)
    place = (
        np.arange(len(symbols)) + owner
    )  # one place is left free behind each sequence: no n-gram goes across
    owner_at = np.zeros(len(symbols) + 2 * pairs, np.int64)
    owner_at[place] = owner
    key = _packed(owner >> 1, symbols)
    for order in range(orders):
        if not len(place):
            break
        key, place = _sorted(key << 1 | owner_at[place] & 1, place)
        # Runs of one n-gram in one sequence. Where two neighbours differ in their last bit alone, both have it.
        start = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
        size = np.diff(start, append=len(key))
        first = np.flatnonzero(key[start[1:]] ^ key[start[:-1]] == 1)
        in_both = np.minimum(size[first], size[first + 1])
        pair = owner_at[place[start[first]]] >> 1
        found[order] = np.bincount(pair, weights=in_both, minlength=pairs)
        # An n-gram can be in both only where the two (n-1)-grams that make it are: few are left to be sorted.
        name = np.full(len(start), -1)
        name[first] = name[first + 1] = np.arange(len(first))
        name_at = np.full(len(owner_at), -1)
        name_at[place] = np.repeat(name, size)
        place = np.flatnonzero((name_at[:-1] >= 0) & (name_at[1:] >= 0))
        key = _packed(name_at[place], name_at[place + 1])
    return found


def _bits(numbers: np.ndarray) -> int:
    return int(numbers.max(initial=0)).bit_length()


def _packed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """One number for each pair of numbers, different for different pairs."""
    return first << _bits(second) | second


def _sorted(key: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`key` in rising order, and the places that belong to it."""
    bits = _bits(place)
    if _bits(key) + bits > _MOST_BITS:  # texts of millions of characters
        order = np.argsort(key)
        return key[order], place[order]
    both = np.sort(key << bits | place)  # three times as fast as argsort
    return both >> bits, both & ((1 << bits) - 1)
