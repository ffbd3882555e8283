"""Equal expressions: what counts as the same value, and that no text and no outside force spoils a run."""

import os
import resource
import signal
import subprocess
import sys

import pytest

from evaltrail.benchmarks.cgeval import symbolic
from evaltrail.benchmarks.cgeval.judge import Judge
from evaltrail.errors import InputError


@pytest.fixture(scope="module")
def judge():
    with Judge() as judge:
        yield judge


# (two canonical expressions, whether a mathematician calls them the same)
PAIRS = [
    # roots and powers: real points tell
    (r"\frac{1}{8}x^{-\frac{7}{8}}", r"\frac{1}{8\sqrt[8]{x^{7}}}", True),
    (r"\sqrt{x^{3}}", r"x\sqrt{x}", True),
    (r"\sqrt{x^{3}}", r"x^{\frac{3}{2}}", True),
    (r"-\frac{2}{\sqrt{x^{3}}}", r"-2x^{-\frac{3}{2}}", True),
    (r"\sqrt{a}\sqrt{b}", r"\sqrt{ab}", True),
    (r"\frac{2}{3}\sqrt{x^{3}}+2\sqrt{x}+C", r"\frac{2}{3}x\sqrt{x}+2\sqrt{x}+C", True),
    (r"\ln |x-5|+C", r"\ln (x-5)+C", True),
    (r"\sqrt{x^{2}}", "x", False),
    (r"\sqrt{-x^{2}-1}", r"\sqrt{-1-x^{2}}", True),  # nowhere real
    (r"\sqrt{-x^{2}-1}", r"\sqrt{-2-x^{2}}", False),
    # a constant of integration is added; any other C is a variable
    (r"x^{2}+C", r"x^{2}+1+C", True),
    (r"\sin x+C", r"C+\sin x", True),
    (r"x^{2}+C", r"x^{3}+C", False),
    (r"x^{2}+C", r"x^{2}", False),
    (r"Ce^{x}", r"Ce^{2x}", False),
    (r"Ce^{2x}", r"C\cos x", False),
    ("Cx", "Cx^{2}", False),
    (r"\frac{C}{2\pi }", "C", False),
    (r"\frac{C^{2}}{4\pi }", r"\frac{C^{2}}{2\pi }", False),
    ("x^{2}+Cx", "x^{2}+Cx^{3}", False),
    (r"(x+C)e^{x}", r"xe^{x}+C", False),
    (r"Ce^{x}", r"e^{x}C", True),
    # what has no value is equal to nothing and stops nothing
    (r"\arccos (-(\ln 0)^{2})", "1", False),
    (r"\arcsin (\ln ^{2}0)", "1", False),
    (r"\ln C\sqrt[3]{\frac{1}{0^{-1}}}", "C", False),
    (r"\frac{1}{0}", r"\frac{2}{0}", False),
    # near is not equal; either of two variables may be the greater
    ("2^{100}-1", "2^{100}", False),
    (r"\frac{3^{51}-1}{2}", r"\frac{3^{51}+1}{2}", False),
    ("10^{-21}", "0", False),
    ("|a-b|", "b-a", False),
    (r"\sqrt{(a-b)^{2}}", "b-a", False),
    (r"\sqrt{(a-b)^{2}}", "|b-a|", True),
    ("|x+4|", "x+4", False),
    ("|x-30|", "30-x", False),
    ("(" * 30 + "x" + ")" * 30, "x", True),
    (r"\pi ^{100}", r"\pi ^{100}+1", False),
    ("e^{-100}", "0", False),
    (r"e^{\pi \sqrt{163}}", "262537412640768744", False),
    ("B+C", "B+C+1", False),
    # variables of the same and of different signs, and far from 0
    (r"\sqrt{a^{2}b^{2}}", "ab", False),
    (r"\sqrt{a^{2}b^{2}}", "|ab|", True),
    ("|m||n|", "mn", False),
    (r"\frac{|a|}{a}", r"\frac{|b|}{b}", False),
    ("|a|+|b|", "|a+b|", False),
    ("|a|b", "a|b|", False),
    ("|x-y|", "||x|-|y||", False),
    (r"\sqrt{a^{2}b}", r"a\sqrt{b}", False),
    (r"\sqrt{a^{2}b}", r"|a|\sqrt{b}", True),
    ("|x-100|", "100-x", False),
    ("|x+50|", "x+50", False),
    (r"\frac{\sqrt{abc}}{c}", r"\sqrt{a}\sqrt{b}\frac{1}{\sqrt{c}}", True),
    # powers with variables take no time
    ("(a^{m})^{n}", "a^{mn}", True),
    ("(ab)^{n}", "a^{n}b^{n}", True),
    ("P(1+r)^{n}", "P(1+nr)", False),
    # what may be read in two ways is no formula
    (r"1/2x", r"\frac{1}{2x}", False),
    (r"1/2x", r"\frac{1}{2}x", False),
    (r"\pi /6x", r"\frac{\pi }{6x}", False),
    (r"1/(x+1)(x-2)", r"\frac{1}{(x+1)(x-2)}", False),
    (r"1/2*x", r"\frac{x}{2}", True),
    (r"(1/2)x", r"\frac{x}{2}", True),
    (r"2\frac{1}{2}x", "x", False),
    ("2^{3}^{2}", "64", False),
    (r"\sin xe^{x}", r"\sin (xe^{x})", False),
    (r"\tan x\frac{1}{2}", r"\tan \frac{x}{2}", False),
    (r"\ln |x|*x", r"\ln (|x|x)", False),
    (r"\ln |x|*x", r"x\ln |x|", True),
    (r"\sin 2\sqrt{x}", r"\sin (2\sqrt{x})", True),
    ("1101_{(2)}", "1101_{(8)}", False),
    ("1101_{(2)}", "1101", False),
    ("1e5", "5e", False),
    ("x2", "2x", False),
    ("(x+1)2", "2x+2", False),
    ("[x]", "x", False),
    ("y^{(3)}", "y^{3}", False),
    ("1:2:3", "1:3:2", False),
    ("A^{-1}B^{-1}", "B^{-1}A^{-1}", False),
    (r"\angle ABC", r"\angle BAC", False),
]


@pytest.mark.parametrize(("first", "second", "same"), PAIRS)
def test_pairs(judge, first, second, same):
    assert judge.equal(first, second) is judge.equal(second, first) is same


def test_an_error_of_any_kind_is_no_equality(monkeypatch, capsys):
    def broken(first, second):
        raise ZeroDivisionError if first == "x" else RecursionError

    monkeypatch.setattr(symbolic, "equal", broken)
    monkeypatch.setattr(symbolic, "_limit", lambda what, most: None)
    monkeypatch.setattr(sys, "stdin", ['["x", "1", 1]\n', '["y", "1", 1]\n'])
    symbolic.main()
    assert capsys.readouterr().out == "false\nfalse\n"


def test_a_process_that_something_else_ended_is_asked_again():
    with Judge() as judge:
        assert judge.equal("x+1", "1+x") is True
        os.kill(judge._process.pid, signal.SIGKILL)
        judge._process.wait()
        assert judge.equal("x+x", "2x") is True


def test_one_that_ends_each_time_stops_the_run_in_one_line(monkeypatch):
    monkeypatch.setattr(symbolic.__spec__, "name", "evaltrail.benchmarks.cgeval.latex")
    with (
        Judge() as judge,
        pytest.raises(InputError, match="ended 3 times, last with status 0; see that") as error,
    ):
        judge.equal("x", "y")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_CPU"])
def test_limits_of_the_shell_are_kept(limit):
    most = {"RLIMIT_AS": 3 << 30, "RLIMIT_CPU": 30}[limit]
    what = getattr(resource, limit)
    made = subprocess.run(
        [sys.executable, "-m", symbolic.__name__],
        input='["x+x", "2x", 20]\n',
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(what, (most, most)),
    )
    assert (made.stdout, made.returncode) == ("true\n", 0), made.stderr
