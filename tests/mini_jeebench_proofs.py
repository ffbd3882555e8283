"""Proofs of the gold answers of data/mini/jeebench/dataset.json.

Each proof computes its answer from the numbers of the problem. It names fragments of the question (the
given data) that must occur in the text, so that a changed number in the dataset is noticed. A proof of an
option problem returns, for each letter, a fragment of that option's text and whether its claim is true.
"""

from __future__ import annotations

import math
from fractions import Fraction as Fr
from itertools import pairwise, product

import sympy as sp

PROOFS: dict[tuple[str, int], tuple[tuple[str, ...], object]] = {}


def proof(description: str, index: int, *given: str):
    def register(function):
        key = ("Mini " + description, index)
        assert key not in PROOFS, key
        PROOFS[key] = (given, function)
        return function

    return register


def near(a: float, b: float, rel: float = 1e-6) -> bool:
    return math.isclose(a, b, rel_tol=rel, abs_tol=1e-12)


def integral(f, a: float, b: float, n: int = 4000) -> float:
    """Simpson's rule with n (even) steps."""
    h = (b - a) / n
    inner = sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, n))
    return (f(a) + inner + f(b)) * h / 3


def bisect(f, a: float, b: float) -> float:
    for _ in range(200):
        m = (a + b) / 2
        if f(a) * f(m) <= 0:
            b = m
        else:
            a = m
    return (a + b) / 2


# ---------------------------------------------------------------------------------------------- physics, MCQ


@proof("2016 Paper 1", 3, "solid sphere", r"backspin of angular speed $\omega_{0}=v_{0} / R$", "is lost")
def _():
    # angular momentum about the point of contact is conserved; m = R = v0 = 1
    inertia = Fr(2, 5)
    v = (1 - inertia) / (1 + inertia)
    start = Fr(1, 2) + inertia / 2
    end = (1 + inertia) * v**2 / 2
    lost = 1 - end / start
    return {
        "A": (r"\frac{9}{49}", lost == Fr(9, 49)),
        "B": (r"\frac{24}{49}", lost == Fr(24, 49)),
        "C": (r"\frac{40}{49}", lost == Fr(40, 49)),
        "D": (r"\frac{4}{7}", lost == Fr(4, 7)),
    }


@proof("2018 Paper 2", 2, "uncharged capacitor of capacitance $3 C$", "fallen to $1 / e$")
def _():
    # C = V = R = 1; step the circuit equation in time and add up the heat
    q1, q2, heat, dt = 1.0, 0.0, 0.0, 2e-5
    while (i := q1 - q2 / 3) > math.exp(-1):
        mid = i - (1 + 1 / 3) * i * dt / 2
        q1, q2, heat = q1 - mid * dt, q2 + mid * dt, heat + mid**2 * dt
    e = math.e
    return {
        "A": (r"\frac{3}{8} C V^{2}\left(1-e^{-1}\right)", near(heat, 3 / 8 * (1 - 1 / e), 1e-3)),
        "B": (r"\frac{3}{8} C V^{2}\left(1-e^{-2}\right)", near(heat, 3 / 8 * (1 - 1 / e**2), 1e-3)),
        "C": (r"\frac{1}{2} C V^{2}\left(1-e^{-2}\right)", near(heat, 1 / 2 * (1 - 1 / e**2), 1e-3)),
        "D": (r"\frac{3}{4} C V^{2}\left(1-e^{-2}\right)", near(heat, 3 / 4 * (1 - 1 / e**2), 1e-3)),
    }


@proof("2020 Paper 1", 1, r"radius of curvature $60", r"index $\frac{4}{3}$", r"$90 \mathrm{~cm}$ above")
def _():
    n = Fr(4, 3)
    inside = 90 * n  # seen from inside the water the pin stands higher
    after_mirror = 1 / (Fr(2, 60) - 1 / inside)  # 1/v + 1/u = 2/R, distances in front of the mirror
    height = after_mirror / n  # back into air
    return {
        "A": ("$30 ", height == 30),
        "B": ("$36 ", height == 36),
        "C": ("$45 ", height == 45),
        "D": ("$22.5 ", height == Fr(45, 2)),
    }


@proof("2023 Paper 1", 2, r"$0.5 \mathrm{~m}$", r"$0.1 \mathrm{~F}$", r"$0.1 \mathrm{~kg}$", r"$2 \mathrm{~T}$",
       r"$g=10", r"fallen $1.6")  # fmt: skip
def _():
    length, c, m, field, g, h = Fr(1, 2), Fr(1, 10), Fr(1, 10), 2, 10, Fr(8, 5)
    # m a = m g - B I l with I = C B l a
    a = m * g / (m + c * (field * length) ** 2)
    v_squared = 2 * a * h
    energy = c * (field * length) ** 2 * v_squared / 2
    assert energy + m * v_squared / 2 == m * g * h
    return {
        "A": ("$0.2 ", energy == Fr(2, 10)),
        "B": ("$0.4 ", energy == Fr(4, 10)),
        "C": ("$1.6 ", energy == Fr(16, 10)),
        "D": ("$0.8 ", energy == Fr(8, 10)),
    }


# ------------------------------------------------------------------------------------ physics, MCQ(multiple)


@proof(
    "2017 Paper 1",
    5,
    r"disc of mass $2 \mathrm{~kg}$ and radius $0.5",
    r"at $12 ",
    r"thin ring of mass $1 \mathrm{~kg}$ and radius $0.5",
    r"torque of $0.5 ",
)
def _():
    disc, ring, start, torque = Fr(1, 2) * 2 * Fr(1, 4), 1 * Fr(1, 4), 12, Fr(1, 2)
    end = disc * start / (disc + ring)
    loss = disc * start**2 / 2 - (disc + ring) * end**2 / 2
    time = ring * end / torque
    angle = start * time - torque / disc * time**2 / 2
    assert start - torque / disc * time == end
    return {
        "A": (r"angular speed in the end is $6 ", end == 6),
        "B": (r"lost is $9 \mathrm{~J}$", loss == 9),
        "C": (r"slips on the disc for $3 \mathrm{~s}$", time == 3),
        "D": (r"through $18 \mathrm{~rad}$, as seen from the ground", angle == 18),
    }


@proof(
    "2019 Paper 2",
    6,
    "monatomic",
    "proportional to the volume until the volume is $3 V_{0}$",
    r"$2 \rightarrow 3$ is isochoric",
    "back to $P_{0}$",
    r"$3 \rightarrow 1$ is isobaric",
)
def _():
    x = sp.symbols("x", positive=True)  # V / V0; P / P0 equals x on the first process
    energy = sp.Rational(3, 2) * x * x
    work_12 = sp.integrate(x, (x, 1, 3))
    heat_12 = energy.subs(x, 3) - energy.subs(x, 1) + work_12
    heat_23 = sp.Rational(3, 2) * (1 * 3 - 3 * 3)
    heat_31 = sp.Rational(5, 2) * (1 * 1 - 1 * 3)
    work = work_12 + 1 * (1 - 3)
    assert work == heat_12 + heat_23 + heat_31
    absorbed = sum(q for q in (heat_12, heat_23, heat_31) if q > 0)
    return {
        "A": (r"capacity of the gas in the process $1 \rightarrow 2$ is $2 R$", heat_12 / (3 * 3 - 1) == 2),
        "B": (r"one cycle is $4 P_{0} V_{0}$", work == 4),
        "C": (r"given out by the gas in the process $2 \rightarrow 3$ is $6 P_{0} V_{0}$", -heat_23 == 6),
        "D": (r"efficiency of the cycle is $\frac{1}{8}$", work / absorbed == sp.Rational(1, 8)),
    }


@proof("2022 Paper 2", 4, "radii $R$ and $2 R$", "outer shell carries a charge $Q$", "inner shell is earthed")
def _():
    # k = Q = R = 1
    outer = Fr(1)
    inner = -outer * Fr(1, 2)  # its potential inner/1 + outer/2 is zero
    field = abs(inner) / Fr(3, 2) ** 2
    potential = (inner + outer) / 2
    energy = (inner * (inner + outer / 2) + outer * potential) / 2
    return {
        "A": (r"$-\frac{Q}{2}$", inner == Fr(-1, 2)),
        "B": (r"\frac{3 R}{2}$ from the centre is $\frac{2 k Q}{9 R^{2}}$", field == Fr(2, 9)),
        "C": (r"potential of the outer shell is $\frac{k Q}{2 R}$", potential == Fr(1, 2)),
        "D": (r"energy of the system is $\frac{k Q^{2}}{8 R}$", energy == Fr(1, 8)),
    }


@proof("2023 Paper 1", 7, r"$-13.6 \mathrm{~eV}$", r"$n=3$ to $n=2$", "hydrogen atom in its ground state")
def _():
    def level(z, n):
        return -Fr(136, 10) * z**2 / n**2

    photon = level(3, 3) - level(3, 2)
    kinetic = photon + level(1, 1)
    in_orbit_2 = -level(1, 2)  # kinetic energy in a Bohr orbit; equal kinetic energy means equal wavelength
    return {
        "A": ("photon is $17.0 ", photon == 17),
        "B": ("kinetic energy of $3.4 ", kinetic == Fr(34, 10)),
        "C": ("equals that of an electron in the $n=2$ orbit of hydrogen", kinetic == in_orbit_2),
        "D": (r"$n=3$ orbit of $\mathrm{Li}^{2+}$ equals that in the $n=1$ orbit of hydrogen",
              level(3, 3) == level(1, 1)),
    }  # fmt: skip


# ------------------------------------------------------------------------------------------ physics, Integer


@proof(
    "2016 Paper 2",
    9,
    "equal radius",
    r"length $40 \mathrm{~cm}$ and density $9 \rho$",
    r"length $45 \mathrm{~cm}$ and density $4 \rho$",
    "joint is a node",
    "antinodes",
)
def _():
    # frequency n / (2 L) * sqrt(T / mu); the square of n / (L sqrt(mu)) is the same on both wires
    pairs = product(range(1, 60), repeat=2)
    found = [(a, b) for a, b in pairs if Fr(a**2, 40**2 * 9) == Fr(b**2, 45**2 * 4)]
    return sum(min(found))


@proof(
    "2019 Paper 1",
    11,
    r"$3 \mathrm{~kg}$",
    r"$2 \mathrm{~m}$",
    r"$1 \mathrm{~kg}$",
    "g=10",
    "vertical position above",
)
def _():
    rod, length, m, g = 3, 2, 1, 10
    inertia = sp.Rational(rod * length**2, 3) + m * length**2
    climb = rod * g * length + m * g * 2 * length
    return sp.sqrt(2 * climb / inertia) * inertia / (m * length)


@proof("2021 Paper 2", 13, "4 hours and 8 hours", "8 times as many nuclei of $X$")
def _():
    def gap(t):
        return 8 * 2 ** (-t / 4) / 4 - 2 ** (-t / 8) / 8  # activities, without the factor ln 2

    return bisect(gap, 0, 200)


@proof("2023 Paper 2", 10, r"plank of mass $4", r"block of mass $2", "is 0.4", "at $6 ", "elastic", "g=10")
def _():
    plank, block, mu, v, g = 4, 2, Fr(4, 10), 6, 10
    common = Fr(block * v - plank * v, plank + block)
    heat = Fr((plank + block) * v**2, 2) - (plank + block) * common**2 / 2
    return heat / (mu * block * g)


# ------------------------------------------------------------------------------------------ physics, Numeric


@proof("2018 Paper 1", 8, "diatomic", "rigid molecules", "$2 V_{0}$", "square of its volume")
def _():
    def p(x):
        return x**2

    work = integral(p, 1, 2)
    return 5 / 2 * (p(2) * 2 - p(1) * 1) + work


@proof(
    "2021 Paper 1", 14, r"$40 \Omega$", r"$0.4 \mathrm{~H}$", r"$50 \mu", r"voltage $100", r"frequency $100"
)
def _():
    z = 40 + 1j * (100 * 0.4 - 1 / (100 * 50e-6))
    current = 100 / z
    return (100 * current.conjugate()).real


@proof("2022 Paper 1", 12, "at $20 ", "$500 ", "at $6 ", "$340 ")
def _():
    c, source, observer, f = 340, 20, 6, 500
    direct = Fr(f * (c - observer), c - source)
    at_cliff = Fr(f * c, c - source)
    return at_cliff * (c + observer) / c - direct


@proof("2023 Paper 2", 16, r"$+2 \mu", r"$-5 \mu", r"$(0,0)$ and $(0.3", r"$+40 \mu",
       r"from $(0,0.4 \mathrm{~m})$ to $(0.3 \mathrm{~m}, 0.4 \mathrm{~m})$", r"9 \times 10^{9}")  # fmt: skip
def _():
    def potential(x, y):
        return 9e9 * (2e-6 / math.hypot(x, y) - 5e-6 / math.hypot(x - 0.3, y))

    return 40e-6 * (potential(0.3, 0.4) - potential(0, 0.4))


# -------------------------------------------------------------------------------------------- chemistry, MCQ


@proof("2017 Paper 1", 20, "is 0.50", r"$2 \mathrm{~atm}$", "is 0.25")
def _():
    def kp(alpha, pressure):
        dinitrogen, dioxide = (1 - alpha) / (1 + alpha) * pressure, 2 * alpha / (1 + alpha) * pressure
        return dioxide**2 / dinitrogen

    target = kp(Fr(1, 2), 2)
    return {
        letter: (f"${p} ", kp(Fr(1, 4), p) == target) for letter, p in zip("ABCD", (4, 5, 8, 10), strict=True)
    }


@proof("2020 Paper 1", 22, r"$+1.10", r"$-0.20", r"$-0.60", r"couple $\mathrm{M}^{4+} / \mathrm{M}$ is")
def _():
    steps = [(1, Fr(110, 100)), (1, Fr(-20, 100)), (2, Fr(-60, 100))]  # electrons, potential
    e = sum(n * v for n, v in steps) / sum(n for n, _ in steps)
    return {
        "A": ("$+0.300", e == Fr(300, 1000)),
        "B": ("$-0.075", e == Fr(-75, 1000)),
        "C": ("$+0.100", e == Fr(100, 1000)),
        "D": ("$-0.300", e == Fr(-300, 1000)),
    }


@proof("2022 Paper 2", 21, "constant $0.03", "constant $0.01", "one fourth", r"mole per cent of $\mathrm{B}$")
def _():
    t = math.log(4) / (0.03 + 0.01)
    b = integral(lambda s: 0.03 * math.exp(-0.04 * s), 0, t)
    return {
        s: (text, near(100 * b, float(text)))
        for s, text in zip("ABCD", ("56.25", "75.00", "18.75", "64.65"), strict=True)
    }


def d_orbitals(atomic_number: int, charge: int, strong: bool) -> tuple[float, int]:
    """(stabilisation in units of the octahedral splitting, unpaired electrons) of a 3d ion."""
    d = atomic_number - 18 - charge
    t2g = eg = 0
    order = "ttttttgggg" if strong else "tttggtttgg"
    for step in order[:d]:
        t2g, eg = (t2g + 1, eg) if step == "t" else (t2g, eg + 1)
    unpaired = min(t2g, 6 - t2g) + min(eg, 4 - eg)
    return abs(-0.4 * t2g + 0.6 * eg), unpaired


@proof("2023 Paper 2", 19, "pairing energy is left out", "strong field", "weak field",
       r"\mathrm{Cr}=24, \mathrm{Mn}=25, \mathrm{Fe}=26, \mathrm{Ni}=28", r"\frac{s}{u}=0.4")  # fmt: skip
def _():
    rows = {
        "A": (r"\left[\mathrm{Mn}(\mathrm{CN})_{6}\right]^{3-}", 25, -3 + 6, True),
        "B": (r"\left[\mathrm{Fe}(\mathrm{CN})_{6}\right]^{3-}", 26, -3 + 6, True),
        "C": (r"\left[\mathrm{Cr}\left(\mathrm{H}_{2} \mathrm{O}\right)_{6}\right]^{3+}", 24, 3, False),
        "D": (r"\left[\mathrm{Ni}\left(\mathrm{H}_{2} \mathrm{O}\right)_{6}\right]^{2+}", 28, 2, False),
    }
    result = {}
    for letter, (text, z, charge, strong) in rows.items():
        s, u = d_orbitals(z, charge, strong)
        result[letter] = (text, near(s / u, 0.4))
    return result


# ---------------------------------------------------------------------------------- chemistry, MCQ(multiple)


@proof(
    "2018 Paper 1",
    23,
    "$1.93 ",
    "$1500 ",
    r"first cell holds $500 \mathrm{~mL}$",
    "platinum electrodes",
    r"second cell holds $500 \mathrm{~mL}$",
    "silver electrodes",
    "$63.5 ",
    "$22.4 ",
    "F=96500",
)
def _():
    electrons = Fr(193, 100) * 1500 / 96500
    copper = electrons / 2 * Fr(635, 10)
    silver = electrons * (1 - 1) / Fr(1, 2)  # what the cathode takes the anode gives
    oxygen = electrons / 4 * Fr(224, 10)
    acid = electrons / 4 * 4
    return {
        "A": ("copper deposited is $0.9525 ", copper == Fr(9525, 10000)),
        "B": ("falls by $0.06 ", silver == Fr(6, 100)),
        "C": ("at STP, is $168 ", oxygen == Fr(168, 1000)),
        "D": ("first cell is $0.015 ", acid == Fr(15, 1000)),
    }


@proof("2021 Paper 1", 24, r"=120 \mathrm{~kJ}", r"=160 \mathrm{~J}", "R=8.314")
def _():
    def gibbs(t):
        return 120e3 - t * 160

    def pressure(t):
        return math.exp(-gibbs(t) / (8.314 * t))

    return {
        "A": (r"$1000 \mathrm{~K}$ the equilibrium pressure of $\mathrm{C}$ is about 5 bar",
              abs(pressure(1000) - 5) < 1),
        "B": (r"$600 \mathrm{~K}$, $\Delta G^{\circ}=24 ", near(gibbs(600), 24e3)),
        "C": (r"$750 \mathrm{~K}$ the equilibrium pressure of $\mathrm{C}$ is 1 bar", near(pressure(750), 1)),
        "D": (r"$700 \mathrm{~K}$, if the pressure of $\mathrm{C}$ is held at 0.1 bar, the decomposition",
              gibbs(700) + 8.314 * 700 * math.log(0.1) < 0),
    }  # fmt: skip


@proof("2022 Paper 1", 26, "$5.85 ", "$58.5 ", "$18.0 ", "$180 ", "$500 ", "$18 ", "K_{f}=1.86", "K_{b}=0.52")
def _():
    salt, glucose, water = 5.85 / 58.5, 18 / 180, 500 / 18
    particles = 2 * salt + glucose
    # 0.1 mol of AgNO3 takes away the chloride and brings as much nitrate
    after = {"Na": salt, "Cl": salt - 0.1, "Ag": 0.1 - salt, "NO3": 0.1, "glucose": glucose}
    return {
        "A": ("$0.744 ", near(1.86 * particles / 0.5, 0.744)),
        "B": ("$0.208 ", near(0.52 * particles / 0.5, 0.208)),
        "C": ("0.0072", round(particles / (particles + water), 4) == 0.0072),
        "D": (r"$0.1 \mathrm{~mol}$ of $\mathrm{AgNO}_{3}$", near(sum(after.values()), particles)),
    }


@proof(
    "2023 Paper 2",
    30,
    r"$20 \mathrm{~mL}$ of a $0.1",
    r"reduced to $\mathrm{Mn}^{2+}$",
    r"to $\mathrm{MnO}_{2}$",
)
def _():
    taken_acid, taken_alkaline = 20 * Fr(1, 10) * (7 - 2), 20 * Fr(1, 10) * (7 - 4)  # millimoles of electrons
    oxalate, iron, iodide = 2 * (4 - 3), 3 - 2, 5 - (-1)  # electrons given up
    return {
        "A": (r"$100 \mathrm{~mL}$ of $0.1 \mathrm{~M}$ oxalic acid", 100 * Fr(1, 10) * oxalate == taken_acid),
        "B": (r"$100 \mathrm{~mL}$ of $0.1 \mathrm{~M}$ $\mathrm{FeSO}_{4}$", 100 * Fr(1, 10) * iron == taken_acid),
        "C": (r"$20 \mathrm{~mL}$ of $0.1 \mathrm{~M}$ $\mathrm{FeC}_{2} \mathrm{O}_{4}$",
              20 * Fr(1, 10) * (iron + oxalate) == taken_acid),
        "D": (r"$10 \mathrm{~mL}$ of $0.1 \mathrm{~M}$ $\mathrm{KI}$", 10 * Fr(1, 10) * iodide == taken_alkaline),
    }  # fmt: skip


# ---------------------------------------------------------------------------------------- chemistry, Integer


@proof(
    "2016 Paper 1",
    25,
    r"\mathrm{CH}_{3} \mathrm{CH}=\mathrm{CH}-\mathrm{CH}(\mathrm{OH})-\mathrm{CH}(\mathrm{OH})",
)
def _():
    # labels along the chain; the same molecule read from its other end carries the same labels reversed
    chains = product("EZ", "RS", "RS", "EZ")
    return len({min(chain, chain[::-1]) for chain in chains})


@proof("2018 Paper 2", 29, r"\mathrm{Cu}_{3} \mathrm{P}+\mathrm{Cr}_{2} \mathrm{O}_{7}^{2-}+\mathrm{H}^{+} \rightarrow "
       r"\mathrm{Cu}^{2+}+\mathrm{H}_{3} \mathrm{PO}_{4}+\mathrm{Cr}^{3+}+\mathrm{H}_{2} \mathrm{O}")  # fmt: skip
def _():
    #        Cu3P Cr2O7 H+  Cu2+ H3PO4 Cr3+ H2O
    matrix = sp.Matrix([
        [3, 0, 0, -1, 0, 0, 0],  # copper
        [1, 0, 0, 0, -1, 0, 0],  # phosphorus
        [0, 2, 0, 0, 0, -1, 0],  # chromium
        [0, 7, 0, 0, -4, 0, -1],  # oxygen
        [0, 0, 1, 0, -3, 0, -2],  # hydrogen
        [0, -2, 1, -2, 0, -3, 0],  # charge
    ])  # fmt: skip
    (vector,) = matrix.nullspace()
    vector = vector * sp.ilcm(*[c.q for c in vector])
    vector = vector / sp.igcd(*vector)
    assert min(vector) > 0
    return vector[2]


@proof("2020 Paper 2", 27, "corners and the face centres", "all the octahedral voids", "all the tetrahedral voids",
       "one body diagonal, corners included, are removed", "$a+b+c$")  # fmt: skip
def _():
    def weight(point):  # the share of an ion of the cell, in half edges or quarter edges
        return math.prod([Fr(1, 2) if c in (0, 4) else Fr(1) for c in point])

    grid = list(product((0, 2, 4), repeat=3))  # coordinates in quarters of the edge
    ions = {
        "X": [p for p in grid if sum(p) % 4 == 0],
        "Y": [p for p in grid if sum(p) % 4 == 2],
        "Z": list(product((1, 3), repeat=3)),
    }
    assert [sum(map(weight, ions[k])) for k in "XYZ"] == [4, 4, 8]
    left = [sum(weight(p) for p in ions[k] if not p[0] == p[1] == p[2]) for k in "XYZ"]
    scale = math.lcm(*[f.denominator for f in left])
    whole = [int(f * scale) for f in left]
    return sum(whole) // math.gcd(*whole)


@proof(
    "2023 Paper 1",
    28,
    "p} K_{a 1}=4",
    "p} K_{a 2}=8",
    "$0.25 ",
    "$50 ",
    "$0.10 ",
    "{pH}$ to 8",
    "nearest integer",
)
def _():
    h, k1, k2 = 1e-8, 1e-4, 1e-8
    shares = [h * h, k1 * h, k1 * k2]

    def charge(volume):  # sodium and hydrogen ions against the anions, in millimoles
        anions = 50 * 0.10 * (shares[1] + 2 * shares[2]) / sum(shares)
        return 0.25 * volume + (h - 1e-14 / h) * (50 + volume) - anions

    volume = bisect(charge, 0, 100)
    assert abs(volume - round(volume)) < 0.01
    return round(volume)


# ---------------------------------------------------------------------------------------- chemistry, Numeric


@proof("2017 Paper 2", 33, r"{2+}(0.1 ", r"{+}(0.01 ", "=1.56 ", "=0.06 ", "F=96500", "per mole of zinc")
def _():
    q = 0.1 / 0.01**2
    e = 1.56 - 0.06 / 2 * math.log10(q)
    return -2 * 96500 * e / 1000


@proof(
    "2019 Paper 1", 31, r"$4.0 \times 10^{-12}$", "Equal volumes", r"$1.0 \times 10^{-4}", "K_{w}=10^{-14}"
)
def _():
    solubility = (4.0e-12 / 4) ** (1 / 3)
    excess = (2 * solubility - 1e-4) / 2
    h = bisect(lambda h: 1e-14 / h - h - excess, 1e-12, 1e-7)
    assert solubility / 2 * (1e-14 / h) ** 2 < 4.0e-12  # nothing precipitates
    return -math.log10(h)


@proof(
    "2021 Paper 2",
    35,
    r"$20 \%$ complete in 30",
    r"$60 \%$ complete in 30",
    "$300 ",
    "$320 ",
    "R=8.314",
    r"\ln 4.106=1.4124",
)
def _():
    k1, k2 = -math.log(1 - 0.20) / 30, -math.log(1 - 0.60) / 30
    assert abs(math.log(4.106) - 1.4124) < 5e-5
    return 8.314 * math.log(k2 / k1) / (1 / 300 - 1 / 320) / 1000


@proof("2023 Paper 1", 34, "$122 ", "$2.44 ", "$50 ", "K_{f}=5.12", "$1.3312 ", "molalities")
def _():
    total = Fr(244, 100) / 122 / Fr(50, 1000)
    particles = Fr(13312, 10000) / Fr(512, 100)
    dimer = total - particles  # monomer + 2 dimer = total, monomer + dimer = particles
    monomer = particles - dimer
    return dimer / monomer**2


# ------------------------------------------------------------------------------------------ mathematics, MCQ


@proof("2016 Paper 2", 38, "greatest integer less than or equal", r"\int_{0}^{6}[x]|x-3| d x")
def _():
    value = sum(k * integral(lambda x: abs(x - 3), k, k + 1) for k in range(6))
    return {
        "A": ("20", near(value, 20)),
        "B": (r"\frac{45}{2}", near(value, 45 / 2)),
        "C": ("25", near(value, 25)),
        "D": ("27", near(value, 27)),
    }


@proof("2019 Paper 1", 37, "at least 4", "exactly 4", "exactly two times")
def _():
    weights = {n: Fr(0) for n in range(1, 5)}  # probability of reaching exactly 4 in n rolls
    for n in weights:
        for rolls in product(range(1, 7), repeat=n):
            if sum(rolls) == 4:  # every proper beginning then has a sum below 4
                weights[n] += Fr(1, 6**n)
    answer = weights[2] / sum(weights.values())
    return {
        "A": (r"\frac{108}{343}", answer == Fr(108, 343)),
        "B": (r"\frac{216}{343}", answer == Fr(216, 343)),
        "C": (r"\frac{3}{8}", answer == Fr(3, 8)),
        "D": (r"\frac{1}{12}", answer == Fr(1, 12)),
    }


@proof(
    "2021 Paper 1",
    39,
    r"$|z-2| \leq 2$",
    r"$|z-2 i| \leq 2$",
    r"\operatorname{Re}(z) \geq \operatorname{Im}(z)",
)
def _():
    def width(y):  # for a fixed imaginary part: from max(y, left ends) to the right end
        first, second = math.sqrt(max(0, 4 - y * y)), math.sqrt(max(0, 4 - (y - 2) ** 2))
        return max(0, min(2 + first, second) - max(y, 2 - first, -second))

    area = integral(width, 0, 2, 200000)
    pi = math.pi
    return {
        "A": (r"2 \pi-4", near(area, 2 * pi - 4, 1e-5)),
        "B": (r"\pi-1", near(area, pi - 1, 1e-5)),
        "C": (r"\frac{\pi}{2}", near(area, pi / 2, 1e-5)),
        "D": (r"\pi-2", near(area, pi - 2, 1e-5)),
    }


@proof(
    "2023 Paper 1",
    40,
    r"$3 \times 3$ matrix whose diagonal entries are 0",
    "other entries are all 1",
    "$M^{9}$",
    "first row and the second column",
)
def _():
    entry = (sp.ones(3, 3) - sp.eye(3)) ** 9
    return {
        s: (text, entry[0, 1] == int(text))
        for s, text in zip("ABCD", ("170", "256", "171", "512"), strict=True)
    }


# -------------------------------------------------------------------------------- mathematics, MCQ(multiple)


@proof("2016 Paper 1", 41, "f(x)=x^{4}-4 x^{3}+4 x^{2}+1")
def _():
    x = sp.symbols("x", real=True)
    f = x**4 - 4 * x**3 + 4 * x**2 + 1
    slope = sp.diff(f, x)
    increasing = not sp.solve_univariate_inequality(slope < 0, x, relational=False).intersect(
        sp.Interval.open(1, 3)
    )
    least = min(f.subs(x, c) for c in [2, *[r for r in sp.real_roots(slope) if r >= 2]])
    return {
        "A": ("$f(x)=3$ has four distinct real roots", len(set(sp.real_roots(f - 3))) == 4),
        "B": (r"$f(x)=\frac{3}{2}$ has four distinct real roots",
              len(set(sp.real_roots(2 * f - 3))) == 4),
        "C": ("increasing on the interval $(1,3)$", increasing),
        "D": (r"$f(x) \geq 2$ for all $x \geq 2$", least >= 2),
    }  # fmt: skip


@proof("2017 Paper 2", 43, "$(1,0,0)$, $(0,2,0)$ and $(0,0,3)$")
def _():
    a, b, c = sp.Matrix([1, 0, 0]), sp.Matrix([0, 2, 0]), sp.Matrix([0, 0, 3])
    normal = (b - a).cross(c - a)
    area = normal.norm() / 2
    image = 2 * a.dot(normal) / normal.dot(normal) * normal
    circumradius = (b - a).norm() * (c - a).norm() * (c - b).norm() / (4 * area)
    third = sp.Rational(72, 49), sp.Rational(36, 49), sp.Rational(24, 49)
    return {
        "A": (r"area of the triangle $A B C$ is $\frac{7}{2}$", area == sp.Rational(7, 2)),
        "B": (r"volume of the tetrahedron $O A B C$ is 2", sp.Abs(a.dot(b.cross(c))) / 6 == 2),
        "C": (r"\left(\frac{72}{49}, \frac{36}{49}, \frac{24}{49}\right)", tuple(image) == third),
        "D": (r"\frac{5 \sqrt{26}}{14}", sp.simplify(circumradius - 5 * sp.sqrt(26) / 14) == 0),
    }


@proof("2019 Paper 2", 44, r"$a_{1}=1$", r"a_{n+1}=\frac{a_{n}}{1+n a_{n}}")
def _():
    a = [None, Fr(1)]
    for n in range(1, 3000):
        a.append(a[n] / (1 + n * a[n]))
    least = next(n for n in range(1, 3000) if a[n] < Fr(1, 100))
    return {
        "A": (r"n^{2} a_{n}=1$", abs(float(2999**2 * a[2999]) - 1) < 0.01),
        "B": (r"a_{5}=\frac{1}{11}", a[5] == Fr(1, 11)),
        "C": (r"$a_{n}<\frac{1}{100}$ is 15", least == 15),
        "D": (r"\frac{1}{a_{20}}=190", 1 / a[20] == 190),
    }


@proof("2023 Paper 1", 42, r"\frac{x^{2}}{25}+\frac{y^{2}}{9}=1", "first quadrant", "right angle")
def _():
    x, y = sp.symbols("x y", positive=True)
    ((px, py),) = sp.solve([x**2 / 25 + y**2 / 9 - 1, x**2 + y**2 - (25 - 9)], [x, y])
    c = sp.sqrt(25 - 9)
    first, second = sp.sqrt((px + c) ** 2 + py**2), sp.sqrt((px - c) ** 2 + py**2)
    inradius = (c * py) / ((first + second + 2 * c) / 2)
    return {
        "A": (r"$x$-coordinate of $P$ is $\frac{7}{2}$", px == sp.Rational(7, 2)),
        "B": (r"P F_{1} \cdot P F_{2}=16$", near(float(first * second), 16)),
        "C": (r"inradius of the triangle $F_{1} P F_{2}$ is 1", near(float(inradius), 1)),
        "D": (r"\frac{20}{\sqrt{7}}", sp.simplify(25 / px - 20 / sp.sqrt(7)) == 0),
    }


# -------------------------------------------------------------------------------------- mathematics, Integer


@proof(
    "2017 Paper 1",
    50,
    "seven letters",
    "letters A, B and C",
    "no two adjacent",
    "first letter is different from the last",
)
def _():
    # a string with the first letter written once more at its end has no equal neighbours
    return sum(all(p != q for p, q in pairwise((*n, n[0]))) for n in product("ABC", repeat=7))


@proof(
    "2020 Paper 2",
    48,
    "degree 4 with leading coefficient 1",
    "p(1)=3$, $p(2)=6$, $p(3)=11$ and $p(4)=18",
    "p(5)+p(-1)",
)
def _():
    x, *c = sp.symbols("x a b c d")
    p = x**4 + sum(coefficient * x**k for k, coefficient in enumerate(c))
    values = sp.solve([p.subs(x, k) - v for k, v in ((1, 3), (2, 6), (3, 11), (4, 18))], c)
    p = p.subs(values)
    return p.subs(x, 5) + p.subs(x, -1)


@proof("2022 Paper 1", 47, "ordered pairs $(x, y)$ of integers", r"$|x|+|y| \leq 6$", "$x^{2}+y^{2}>9$")
def _():
    return sum(abs(x) + abs(y) <= 6 and x * x + y * y > 9 for x, y in product(range(-6, 7), repeat=2))


@proof("2023 Paper 2", 49, r"f(x)=\left|x^{2}-4|x|+3\right|", "not differentiable", "$f(x)=1$", "$m+n$")
def _():
    def f(x):
        return abs(x * x - 4 * abs(x) + 3)

    # the corners lie among the zeros of the inner expression and x = 0; compare the one-sided slopes there
    h = 1e-7
    corners = sum(abs((f(c + h) - f(c)) - (f(c) - f(c - h))) / h > 0.1 for c in (-3, -1, 0, 1, 3))
    t = sp.symbols("t")
    moduli = {r for level in (1, -1) for r in sp.real_roots(t**2 - 4 * t + 3 - level) if r >= 0}
    roots = sum(1 if r == 0 else 2 for r in moduli)
    return corners + roots


# -------------------------------------------------------------------------------------- mathematics, Numeric


@proof("2018 Paper 1", 45, r"y=\left|x^{2}-1\right|", "y=3-|x|")
def _():
    def gap(x):
        return 3 - abs(x) - abs(x * x - 1)

    edge = bisect(gap, 1, 3)
    return 2 * (integral(gap, 0, 1) + integral(gap, 1, edge))


@proof("2020 Paper 1", 52, "4 white and 3 black", "2 white and 5 black", "Two balls", "both the balls")
def _():
    def joint(white):  # white balls moved, then a white ball drawn from nine
        return Fr(math.comb(4, white) * math.comb(3, 2 - white), math.comb(7, 2)) * Fr(2 + white, 9)

    return joint(2) / sum(joint(w) for w in range(3))


@proof("2022 Paper 2", 51, r"\frac{d y}{d x}-y \cot x=\sin 2 x", r"y\left(\frac{\pi}{2}\right)=-1",
       r"y\left(\frac{\pi}{3}\right)")  # fmt: skip
def _():
    def slope(x, y):
        return y / math.tan(x) + math.sin(2 * x)

    x, y, n = math.pi / 2, -1.0, 2000
    h = (math.pi / 3 - x) / n
    for _ in range(n):  # Runge-Kutta
        k1 = slope(x, y)
        k2 = slope(x + h / 2, y + h / 2 * k1)
        k3 = slope(x + h / 2, y + h / 2 * k2)
        k4 = slope(x + h, y + h * k3)
        x, y = x + h, y + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
    return y


@proof("2023 Paper 2", 53, r"\sum_{k=1}^{10} \tan ^{-1}\left(\frac{3}{9 k^{2}+3 k-1}\right)", r"\tan S")
def _():
    return math.tan(sum(math.atan(3 / (9 * k * k + 3 * k - 1)) for k in range(1, 11)))
