"""Which predicted span answers which gold span: the alignment that the official scripts take, to the last bit.

They hand the matrix of F1s to `scipy.optimize.linear_sum_assignment` and average what it picks. Of several best
alignments the one picked can decide the last bit of the mean, and with it the second decimal. So this is the same
algorithm (shortest augmenting paths; D. F. Crouse, "On implementing 2D rectangular assignment algorithms", 2016) with
scipy's order of additions and scipy's choice between equals. Matrices here are a few spans wide, where a call of numpy
and scipy costs more than the search.
"""

from math import inf


def mean_of_aligned(scores: list[list[float]]) -> float:
    """The mean of what the best one-to-one alignment of rows (gold spans) and columns (predicted spans) scores.

    scores: rows of equal length, at least one of each, all values within 0..1. A span without a partner counts 0.
    """
    rows, columns = len(scores), len(scores[0])
    if rows == 1 or columns == 1:
        return max(map(max, scores)) / max(rows, columns)
    if rows <= columns:
        pairs = ((row, column) for column, row in enumerate(_assigned(scores)))
    else:
        pairs = enumerate(_assigned([list(column) for column in zip(*scores, strict=True)]))
    taken = [0.0] * max(rows, columns)
    for row, column in pairs:
        if row is not None and column is not None:
            taken[row] = scores[row][column]
    return _mean(taken)


def _mean(values: list[float]) -> float:
    """The mean as numpy computes it: from 8 values on it adds pairwise, below that one after the other.

    `sum` will not do: from Python 3.12 on it corrects the rounding errors.
    """
    if len(values) >= 8:
        import numpy

        return float(numpy.mean(values))
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def _assigned(gains: list[list[float]]) -> list[int | None]:
    """The row of each column in the alignment of greatest total gain. There are no more rows than columns."""
    columns = range(len(gains[0]))
    row_prices, column_prices = [0.0] * len(gains), [0.0] * len(columns)
    row_of: list[int | None] = [None] * len(columns)
    column_of: list[int | None] = [None] * len(gains)
    for start in range(len(gains)):
        row, length = start, 0.0  # of the shortest path so far
        lengths, came_from = [inf] * len(columns), [start] * len(columns)
        left = list(reversed(columns))
        rows_seen, columns_seen = [], []
        while row is not None:
            rows_seen.append(row)
            shortest, at = inf, 0
            for place, column in enumerate(left):
                through = length - gains[row][column] - row_prices[row] - column_prices[column]
                if through < lengths[column]:
                    lengths[column], came_from[column] = through, row
                # of equally short ways one to a free column
                if lengths[column] < shortest or (lengths[column] == shortest and row_of[column] is None):
                    shortest, at = lengths[column], place
            length, column = shortest, left[at]
            left[at] = left[-1]
            left.pop()
            columns_seen.append(column)
            row = row_of[column]
        row_prices[start] += length
        for row in rows_seen[1:]:
            row_prices[row] += length - lengths[column_of[row]]
        for seen in columns_seen:
            column_prices[seen] -= length - lengths[seen]
        row = None
        while row != start:  # back along the path, each row gives up its column for the next
            row = came_from[column]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
    return row_of
