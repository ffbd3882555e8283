"""The rules that find a reply's final answer: small replies, each in a wording that models use."""

import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltrail.benchmarks.jeebench.answers import agrees, allowed, read_recorded
from evaltrail.benchmarks.jeebench.extraction import arithmetic
from evaltrail.benchmarks.jeebench.predict import KINDS, Extraction, predict

OPTIONS = "\n\n(A) {}\n\n(B) {}\n\n(C) {}\n\n(D) {}"
QUESTION = "What holds?" + OPTIONS.format(r"$\frac{3}{2}$", r"$2.5 \mathrm{~m}$", r"$4\pi$", r"$\sqrt{7}$")
ASKS_FALSE = "Which of the statement(s) is(are) FALSE?" + OPTIONS.format("one", "two", "three", "four")
ASKS_NOT = "Which of these CANNOT be a root?" + OPTIONS.format("one", "two", "three", "four")
NONE_LAST = "Find m." + OPTIONS.format("2", "4", "8", "none of these")

# (reply, letter) of a single-correct problem.
SINGLE = [
    ("Answer: B", "B"),
    ("**Answer:** (B)", "B"),
    ("**Answer: B**", "B"),
    ("the correct answer is option B", "B"),
    ("This matches none of the options. The closest option is (C).", "C"),
    ("None of the options match exactly, but the closest option is (C).", "C"),
    (r"Therefore the answer is \boxed{B}", "B"),
    ("The correct choice is [A].", "A"),
    ("So the answer is (a).", "A"),
    ("Hence option (c) is correct.", "C"),
    (r"Hence the length is $\boxed{2.5}$.", "B"),
    (r"So the value is \boxed{12.566370614}.", "C"),
    (r"Hence $x = \frac{3}{2}$.", "A"),
    ("Either (A) or (B) may hold.", None),
    ("Therefore, the answer is either (A) or (B).", None),
    (
        "There is an error in the second step. The corrected solution gives 4pi, so the correct answer is (C), not (B).",
        "C",
    ),
    ("The answer should be (D) instead of (A).", "D"),
    ("The correct answer is not (A) but (C).", "C"),
    ("B", "B"),
    ("(C)", "C"),
    ("D.", "D"),
    ("The answer is D", "D"),
    ("A block of mass 2 slides. A is the area.", None),
    ("I cannot solve this problem.", None),
    ("Thus the energy is given by option (B).", "B"),
    ("This corresponds to choice C.", "C"),
    ("The answer is therefore (A) 3/2.", "A"),
    ("Hence, the correct answer is:\n\n**(D)** $\\sqrt{7}$", "D"),
    ("Comparing with the given options, (B) is the right one.", "B"),
    ("Since (A), (B) and (C) are wrong, the answer is (D).", "D"),
    ("Thus (A) is not correct. (B) is not correct. (D) is not correct.", "C"),
    ("The answer is B) 2.5 m", "B"),
    ("The correct option is B: 2.5 m", "B"),
    ("Correct option: B. 2.5 m", "B"),
    (r"The final answer is $\text{B}$.", "B"),
    (r"So, $\textbf{(B)}$ is the answer.", "B"),
    ("I think the answer is A because a block moves.", "A"),
    ("The answer is A.\n\nThe answer is B.", "B"),
    ("The answer to this question is option D: sqrt 7.", "D"),
    ("Thus, my final answer is C.", "C"),
    ("Hence, (B).", "B"),
    (r"\boxed{(B) 2.5}", "B"),
    (
        "Since the number is NOT even but is prime, the correct statement is:\n\n(B) $n$ is prime, but NOT even.",
        "B",
    ),
    ("The answer is (A) does NOT exist.", "A"),
    ("The solution provided has no errors. The final answer (A) is correct.", "A"),
    ("The given answer (C) is incorrect. The correct answer should be (D).", "D"),
    ("Answer: (B)\n\nNote that (C) would give 5.", "B"),
    ("The correct answer is (B).\n\nExplanation: (A) is wrong because it is too small. (C) is too big.", "B"),
    (r"\boxed{None}", None),
    (r"Final Answer: The final answer is $\boxed{C}$. I hope it is correct.", "C"),
    ("So the correct answer is A only.", "A"),
    ("Final answer: Option A", "A"),
    ("Therefore, option A is correct.", "A"),
    ("the correct option is (A) i.e. 3/2", "A"),
    ("The answer is C. 4π", "C"),
    ("Therefore, answer (B).", "B"),
    ("It is clear that the answer must be (B).", "B"),
    ("The given solution is correct, and there are no errors. The answer is option (C) 4π.", "C"),
    (
        "There is an error in the given solution. The correct expression is x = 5. Therefore, the correct answer is not (A), but (B) 2.5 m.",
        "B",
    ),
    ("The solution is correct until the last step. ... Thus the answer would be (D) instead of (B).", "D"),
    ("So, the correct option is not given in the choices.", None),
    ("However, this value is not among the given options. The closest value is (B) 2.5 m.", "B"),
    (
        "Since the calculated value does not match any of the given options, there might be an error in the problem.",
        None,
    ),
    (
        "None of the given options matches our answer. However, the closest answer is option (A). Therefore, the answer is (A).",
        "A",
    ),
    ("\\boxed{\\text{Option (B)}}", "B"),
    ("Therefore, the answer is $\\boxed{\\text{(C)}\\; 4\\pi}$.", "C"),
    ("Hence $\\boxed{(D)}$", "D"),
    ("The correct answer is option 'B'.", "B"),
    ('The correct answer is "C".', "C"),
    ("Answer:A", "A"),
    ("Option B is the correct choice", "B"),
    ("The option which satisfies this is (D).", "D"),
    ("It can be seen that only (A) satisfies the equation.", "A"),
    ("Thus, the required probability is 4π, i.e., option (C).", "C"),
    ("Therefore, the length is 2.5 m. (Option B)", "B"),
    ("Therefore the value is 2.5 m (B).", "B"),
    ("So we choose (B).", "B"),
    ("So the answer will be (D) as explained above.", "D"),
    ("Hence, our answer is (A).", "A"),
    ("Ans: (C)", "C"),
    ("Ans. C", "C"),
    ("Sol. ... Hence (C) is the right option.", "C"),
    (
        "Thus, option (A) is incorrect. Option (B) is incorrect. Option (C) is the correct answer. Option (D) is incorrect.",
        "C",
    ),
    ("(A) → 1, (B) → 2. I am unable to determine the answer.", None),
    ("## Final Answer\n\nB", "B"),
    ("**Final Answer**\n\nThe answer is (D).", "D"),
    ("The solution looks right.\n\n**Answer**\n\n(C)", "C"),
    ("Out of (B) and (C), the right answer is (C).", "C"),
    ("Having ruled out (B) and (D), the answer is (A).", "A"),
    ("Hence neither (A) nor (C) nor (D) is right, so (B).", "B"),
    ("As (A), (B), and (D) are excluded, (C) must be right.", "C"),
    ("The answer is (A), because (B), (C), and (D) all break the bound.", "A"),
    ("The answer would be (B) if the wall were rough. As it is smooth, we find (D).", "D"),
    ("Answer: d", "D"),
    ("The answer is c.", "C"),
    ("ans: d", "D"),
    (r"\boxed{d}", "D"),
    ("The answer is b) 2.5 m.", "B"),
    ("option d", "D"),
    ("The answer is a wall that moves.", None),
    ("The answer is $(a, m) = (4, 7)$.", None),
    ("(C) $4\\pi$", "C"),
    ("b) 2.5 m", "B"),
    ("(D) $4\\pi$", None),
    ("<answer>C</answer>", "C"),
    ('{"answer": "C"}', "C"),
    ("Correct Answer: (A)\n\nProblem 2: Which holds? (A) one (B) two\nSolution: The answer is (D).", "A"),
    ("The answer is (C).\n\nQuestion 2: another\nAnswer: (A)", "C"),
    ("Problem: which one holds.\nThe answer is (C).", "C"),
    ("Neither (B) nor (C) is correct, so (D) is correct. (A) is wrong.", "D"),
    ("If the wall had moved, it would be (C). So the answer is (B).", "B"),
    ("After excluding the first two options, (C) remains.", "C"),
    ("No, it must be (B).", "B"),
    ("**(A)** No\n**(B)** No\n**(C)** Yes\n**(D)** No", "C"),
    ("No, it is not (B). Yes, the answer is (D).", "D"),
]

# (reply, letters) of a multiple-correct problem.
MULTIPLE = [
    ("Therefore, the correct options are (A), (C) and (D).", "ACD"),
    ("Hence, A and D are correct", "AD"),
    ("Hence, A and D are correct.", "AD"),
    ("Thus, only (B) is correct.", "B"),
    ("(A) True. (B) False. (C) True. (D) False.", "AC"),
    ("(A) True\n(B) False\n(C) True\n(D) False", "AC"),
    ("options A, B, C are all correct", "ABC"),
    ("None of the options is right.", None),
    (r"Therefore, the answer is \boxed{ACD}.", "ACD"),
    (r"$\boxed{\text{(A), (D)}}$", "AD"),
    (r"\boxed{A, C}", "AC"),
    (r"\boxed{A,B,D}", "ABD"),
    (r"\boxed{\text{A and C}}", "AC"),
    (r"The answer is $\boxed{\mathrm{BC}}$", "BC"),
    ("(A) and (B) are TRUE, (C) and (D) are FALSE.", "AB"),
    ("None of (A), (B), (C), (D) is correct.", None),
    ("The correct options are:\n\n(A) $x=1$\n\n(C) $y=2$", "AC"),
    ("Final answer:\n- (A) the first\n- (D) the fourth\n", "AD"),
    ("The only FALSE statement is (D).", "ABC"),
    ("All are TRUE.", "ABCD"),
    ("Therefore, all the options are correct.", "ABCD"),
    ("All of the above statements are true.", "ABCD"),
    (
        "Option (A) is correct.\n\nOption (B) is incorrect because it is.\n\nOption (C) is correct.\n\nso the answer is not \\boxed{(D)}.",
        "AC",
    ),
    (r"The correct options are \boxed{(A)} and \boxed{(C)}.", "AC"),
    ("The given solution is correct. The correct answer is indeed (A) and (B).", "AB"),
    ("Thus, the correct answer is (A), (B), and (D), while (C) is incorrect.", "ABD"),
    ("All except (B) are correct.", "ACD"),
    ("All options are correct except (C).", "ABD"),
    ("Final Answer: (A, C, D)", "ACD"),
    ("Answer: A, B and C", "ABC"),
    ("ANSWER: ABD", "ABD"),
    ("Ans. (B), (C)", "BC"),
    ("Correct options: A, C", "AC"),
    ("Correct answers: **A**, **D**", "AD"),
    ("A, C", "AC"),
    (
        "So, statement (A) is true.\nSo, statement (B) is not true.\nSo, statement (C) is true.\nSo, statement (D) is not true.",
        "AC",
    ),
    ("**(A)** Correct\n\n**(B)** Incorrect\n\n**(C)** Incorrect\n\n**(D)** Correct", "AD"),
    (
        "(A) It follows that x = 1. This is correct.\n(B) Here x = 2. This is incorrect.\n(C) Right: true.\n(D) no, false.",
        "AC",
    ),
    ("The correct statements are A and D.", "AD"),
    ("Thus A, B and D hold.", "ABD"),
    ("Thus options (A) and (C) satisfy the conditions.", "AC"),
    ("The solution provided is incorrect. The correct answer is (B) and (D).", "BD"),
    ("Options (A), (B) and (C) are correct, option (D) is incorrect.", "ABC"),
    ("Final answer: (A) and (D) are correct, (B) and (C) are incorrect.", "AD"),
    ("True statements: (A), (B)\nFalse statements: (C), (D)", "AB"),
    ("Hence the answer is A,D.", "AD"),
    ("Option A and option C are correct.", "AC"),
    ("Therefore, the correct answer is (A) $P(A)=1$ and (C) $f(B)=2$.", "AC"),
    ("Based on the above, the options that are correct are A and C.", "AC"),
    ("Hence, statements (A), (C) are correct and statements (B), (D) are incorrect.", "AC"),
    ("(A), (B), and (C) are correct; (D) is wrong", "ABC"),
    ("Correct: (A), (D). Incorrect: (B), (C).", "AD"),
    ("Not correct: (B), (C). Correct: (A), (D).", "AD"),
    ("The given solution is correct, and the correct options are (A), (B), and (D).", "ABD"),
    (
        "There are no errors in the given solution. The final answer remains the same: (B), (C), and (D).",
        "BCD",
    ),
    ("New answer: (B) and (D) are true.", "BD"),
    ("The new answer is:\n\n(A), (C)", "AC"),
    (
        "(A) It only holds for small x, so option (A) is correct. (B) Nothing, so option (B) is correct. (C) so option (C) is incorrect.",
        "AB",
    ),
    ("All of the options are incorrect.", None),
    ("Thus all options (A), (B), (C) and (D) are correct.", "ABCD"),
    ("Answer:\nA\nC", "AC"),
    ("The following statements are correct:\n\n1. (A) first\n2. (C) third", "AC"),
    ("Therefore, the correct answer is (A) and (C) since (B) fails.", "AC"),
    ("Options (A), (C) and (D) are the correct answers.", "ACD"),
    ("So, the correct answer is (A), (B) and (D).\n\n(C) is not correct as it is too big.", "ABD"),
    ("Only options (A) and (D) are true.", "AD"),
    ("Hence (A) and (D) only.", "AD"),
    ("The correct answer(s) is/are (A), (D)", "AD"),
    ("Correct Answer(s): A, D", "AD"),
    ("statement (A): true; statement (B): false; statement (C): false; statement (D): true", "AD"),
    ("A: True\nB: False\nC: True\nD: False", "AC"),
    ("A is true, B is false, C is true, and D is false.", "AC"),
    ("A) True\nB) False\nC) False\nD) True", "AD"),
    ("- Option A: Correct\n- Option B: Incorrect\n- Option C: Correct\n- Option D: Incorrect", "AC"),
    (
        "(A) True: yes\n\n(B) False: no\n\n(C) True\n\n(D) False\n\nTherefore, the correct options are (A) and (C).",
        "AC",
    ),
    (
        "In summary, we found that (A) is false, (B) is true, (C) is false, and (D) is true. So the correct answer is (B) and (D).",
        "BD",
    ),
    (
        "The given solution has a mistake in evaluating option (C). Option (C) should be correct.\n\nSo the final answer should be:\n\n(A), (B), and (C) are correct.",
        "ABC",
    ),
    (
        "The problem with the given solution is that it assumes a wrong sign. Hence only options (B) and (C) are correct.",
        "BC",
    ),
    ("Final answer: The correct statements are (A), (B), and (D).", "ABD"),
    ("Final Answer: (A) and (D) are possible values.", "AD"),
    ("Thus, the options that satisfy the condition are (B) and (C).", "BC"),
    ("Therefore, the intervals that contain the value are:\n\n(A) $(1,2)$\n(C) $(2,3)$", "AC"),
    ("So, the matrices in options (A), (C) and (D) are the squares of some matrix.", "ACD"),
    ("Therefore, options (A), (B), and (D) can be the values of p, while option (C) cannot.", "ABD"),
    ("Hence, the reaction gives products given in (A), (B), and (D).", "ABD"),
    (
        "(A) This is correct because x.\n(B) This is not correct because y.\n(C) This is correct because z.\n(D) This is incorrect because w.",
        "AC",
    ),
    (
        "Option (A): True. Because it is.\n\nOption (B): False. Because it is not.\n\nOption (C): True.\n\nOption (D): False.",
        "AC",
    ),
    (
        "Let's check each option.\n\n(A) We have x = 2. So, (A) is correct.\n\n(B) We have x = 3. So, (B) is incorrect.\n\n(C) So, (C) is correct.\n\n(D) So, (D) is incorrect.",
        "AC",
    ),
    (
        "Let's check each option:\n\n(A) We have x = 2, so option (A) is true.\n\n(B) We have x = 3, so option (B) is false.\n\n(C) so option (C) is true.\n\n(D) so option (D) is true.\n\nIn conclusion, options (A), (C), and (D) are true.",
        "ACD",
    ),
    ("Thus the correct answers are [A], [B] and [D].", "ABD"),
    ("Therefore, the answer is \\boxed{[A], [C]}.", "AC"),
    ("Therefore, the answer is \\boxed{\\text{(A), (B) and (C)}}.", "ABC"),
    ("Therefore, the answer is \\boxed{(A)(C)(D)}", "ACD"),
    ("\\boxed{\\text{Option A and C}}", "AC"),
    ("Thus, the answer is \\boxed{ABD}.\n\nNote: (C) is false because the sign is negative.", "ABD"),
    ("The statements (A) and (C) are the only correct ones.", "AC"),
    ("We conclude that A, B, and C are true while D is false.", "ABC"),
    ("Both (A) and (B) are correct.", "AB"),
    ("Hence both options (C) and (D) are right.", "CD"),
    ("(A), (B) and (C)", "ABC"),
    ("Therefore, the final answer is:\n\n$\\boxed{\\text{(A), (D)}}$", "AD"),
    ("Thus, (A) and (C) are not correct, (B) and (D) are correct.", "BD"),
    ("The incorrect options are (A) and (B), so the correct options are (C) and (D).", "CD"),
    ("Therefore, neither (A) nor (B) is correct. (C) and (D) are correct.", "CD"),
    ("**Final Answer**\n\nThe options (A) and (C) are correct.", "AC"),
    ("### Answer\n\n(A), (D)\n", "AD"),
    ("Having discarded (A), the correct options are (C) and (D).", "CD"),
    ("Eliminating (A) and (B), the answer is (C) and (D).", "CD"),
    ("This excludes option (D), so the correct options are (A), (B), and (C).", "ABC"),
    ("So (A) and (B) can be ruled out, leaving (C) and (D).", "CD"),
    ("Hence neither (C) nor (D) is true, while both (A) and (B) are.", "AB"),
    ("Neither (B) nor (C) holds, and the answer is (A), (D).", "AD"),
    ("Every statement but (D) is true.", "ABC"),
    ("All options apart from (C) are true.", "ABD"),
    ("Apart from (D), all options are true.", "ABC"),
    ("All but (A) are true.", "BCD"),
    ("None of the statements except (B) is true.", "B"),
    ("Unlike (A), options (C) and (D) are true.", "CD"),
    ("Unlike (A) and (B), (C) and (D) are true.", "CD"),
    ("Only option (D) is false.", "ABC"),
    ("(B) is the only false statement.", "ACD"),
    ("The incorrect statements are (A) and (B).", "CD"),
    ("So, (D) is false and the rest are true.", "ABC"),
    ("So, (D) is true and the remaining statements are false.", "D"),
    ("Statements (B)-(D) are true.", "BCD"),
    ("So statements A through C are true.", "ABC"),
    ("The correct options are B to D.", "BCD"),
    ("Hence statements B) and D) are true.", "BD"),
    ("(A) ✗\n(B) ✓\n(C) ✓\n(D) ✗", "BC"),
    ("(A) ✗\n(B) ✗\n(C) ✗\n(D) ✓", "D"),
    ("- Option A: ❌\n- Option B: ✅\n- Option C: ❌\n- Option D: ✅", "BD"),
    ("- **A**: False\n- **B**: True\n- **C**: False\n- **D**: True", "BD"),
    ("**A.** False\n**B.** True\n**C.** True\n**D.** False", "BC"),
    ("(A) No\n(B) Yes\n(C) Yes\n(D) No", "BC"),
    ("| A | False |\n| B | True |\n| C | True |\n| D | False |", "BC"),
    ("| (A) | False |\n| (B) | True |\n| (C) | True |\n| (D) | False |", "BC"),
    ("(B)\n(D)", "BD"),
    ("Correct options: (B) because of symmetry, (D) because of parity.", "BD"),
    ("The right options are (B) because f is odd, and (D) because f is bounded.", "BD"),
    ("Correct statements: (B) (since f is odd) and (D) (since f(1) = 4).", "BD"),
    ("The answer is (B) because (A) is false, (C) is false, and (D) is false.", "B"),
    ("Correct option: B. Correct option: D.", "BD"),
    ("Answer: A\nC\nD", "ACD"),
    ("The final answer is (C).\n\nNote: (D) would be correct if g were odd.", "C"),
    ("The answer is (B) and (C). Option (A) would be right only if m > 0.", "BC"),
    ("Either (B) or (C) is true.", None),
    ("BCD", "BCD"),
    ("**AC**", "AC"),
    ("Ans: (b), (d)", "BD"),
    ("The answer is b) and d).", "BD"),
    ("Answer: b, d", "BD"),
    ("The correct options are (B), (C) and (D). The rest are false.", "BCD"),
    ("(A) Yes, since g is even.\n(B) No, since g(1)=3.\n(C) Yes, as shown.\n(D) No, it fails.", "AC"),
]

# (question, reply, letters): the question asks for what does not hold.
TURNED = [
    (ASKS_FALSE, "Hence the FALSE statements are (A) and (B).", "AB"),
    (ASKS_FALSE, "(A) is true. (B) is false. (C) is false. (D) is true.", "BC"),
    (
        ASKS_FALSE,
        "Statements (A), (B) and (D) are FALSE, and (C) is TRUE. Therefore, the correct options are (A), (B), (D).",
        "ABD",
    ),
    (ASKS_FALSE, "The only false statement is (C).", "C"),
    (NONE_LAST, "So m = 9. Therefore, (D) none of these.", "D"),
    (NONE_LAST, "So m = 9, and the answer is none of these.", "D"),
    (ASKS_NOT, "Therefore, [A] and [D] cannot be a root of the equation.", "AD"),
    (ASKS_NOT, "Therefore, the correct options are (A), (D).", "AD"),
    (ASKS_FALSE, "The incorrect statements are (A) and (B).", "AB"),
]

# (reply, number); an Integer is a non-negative whole number.
INTEGER = [
    ("Therefore n=2", "2"),
    ("The answer is -2.", None),
    ("The answer is 2.5.", None),
    ("The answer is 12.00", "12"),
    ("There are three such values, so the answer is three.", "3"),
    ("Therefore, the number of solutions is zero.", "0"),
    ("Hence there are 4 solutions.", "4"),
    (r"Therefore, the answer is \boxed{5}.", "5"),
    ("Hence $n = 2^{5} = 32$.", "32"),
    ("The number of ways is $5! = 120$.", "120"),
    (r"the answer is $\binom{5}{2}$", "10"),
    ("So the answer is $10^{9999999}$", None),
    (r"The answer is $2\alpha$", None),
    ("The answer is 1,134.", "1134"),
    (r"Answer: $\boxed{\text{6}}$", "6"),
    ("Answer: 6 (six)", "6"),
    ("There are no errors in the solution. The answer is 4.", "4"),
    ("The answer is 4, not 5.", "4"),
    ("So, $a = 2$, $b = 3$ and $a+b = 5$.", "5"),
    ("Thus, the number of such compounds is 6 (P, Q, R, S, T, U).", "6"),
    ("So 6 is the answer.", "6"),
    ("Therefore, there are 9 such numbers.", "9"),
    ("The answer is (5).", "5"),
    ("The answer is 5th.", None),
    ("Thus the total number of isomers is 4+2=6.", "6"),
    ("So, the value of $n$ is $\\boxed{n=7}$.", "7"),
    ("Answer is 8.", "8"),
    ("Thus the required number is 625.", "625"),
    ("Therefore, the answer is \\boxed{3}, since the others vanish.", "3"),
    ("Final answer: 4 moles of gas are released.", "4"),
    ("Final answer: There are 4 solutions.", "4"),
    ("The number of real roots is one.", "1"),
    ("We get $n = 6$, so there are six of them.", "6"),
    ("The final answer is 30 degrees.", "30"),
    ("Hence, $|z|^2 = 9$.", "9"),
    ("The greatest integer is $\\lfloor 5.3 \\rfloor = 5$.", "5"),
    ("Therefore the value of $k$ is 2 or 3.", None),
    ("The answer is 4 (since n > 0).", "4"),
    ("so x is equal to 4", "4"),
    ("The largest area is 7 at a = 4.", "7"),
    ("The least count is 7, attained at a = 4.", "7"),
    ("The answer is 7 for k = 3.", "7"),
    ("Therefore, the answer is 4 (a = 0, 1, 2, 5).", "4"),
    ("Thus the count is 4, namely a = 0, 1, 2, 5.", "4"),
    ("At a = 4, the area is 7.", "7"),
    ("If a = 2 and b = 3, then for c = 1 the total is 9.", "9"),
    ("The answer is therefore 9.", "9"),
    ("The total is thus 9.", "9"),
    ("The total is indeed 9.", "9"),
    ("This yields 9.", "9"),
    ("ans: 14", "14"),
    ("Ans. 14", "14"),
    ("<answer>14</answer>", "14"),
    ("Hence y = 3 or y = 7.", None),
    (r"\boxed{6} or \boxed{8}", None),
    ("The least such k is 8, as k = 7 gives 45 < 50.", "8"),
    ("The quotient at t = 3 is given by h(3)/k(3) = 5.", "5"),
    ("When n = 4 for m = 3, we have k = 7.", "7"),
]

NUMERIC = [
    ("Final Answer: 12.50", "12.5"),
    ("The answer is 5 (rounded to 2 decimal places).", "5"),
    (r"x = \frac{7}{3}", "2.33333333333"),
    (r"Thus $x = \frac{7}{3} \approx 2.33$.", "2.33"),
    (r"Hence the ratio is $2\sqrt{3}$.", "3.46410161514"),
    (r"So $Y = 1.2 \times 10^{-3} \mathrm{~mol~L^{-1}}$.", "0.0012"),
    (r"The answer is \boxed{-14.6}", "-14.6"),
    ("The answer is 1,234.5 kJ/mol.", "1234.5"),
    (r"The answer is $\frac{GM}{2R}$.", None),
    (r"Therefore the value is $5\%$.", "5"),
    ("Therefore, the length is 5 cm.", "5"),
    (r"**Final Answer:** $\boxed{0.33}$", "0.33"),
    (r"The final answer is $\dfrac{1}{4}$", "0.25"),
    ("So the answer is 1/2.", "0.5"),
    ("Answer: −3.5", "-3.5"),
    ("The answer is approximately 3.14 (correct to two decimal places).", "3.14"),
    ("Rounded to two decimal places, the answer is 4.23.", "4.23"),
    ("The final answer, correct to 2 decimal places, is 4.23", "4.23"),
    ("Therefore, the answer is 6.02e23", None),
    ("the limit does not exist.", None),
    (r"Therefore the temperature is $100^{\circ} \mathrm{C}$.", "100"),
    ("Therefore the angle is 30°.", "30"),
    ("Therefore, the speed is 25 m/s.", "25"),
    (r"Hence $T = 5 \pi$ s", "15.7079632679"),
    (r"$$\boxed{x=5}$$", "5"),
    (r"Thus, $\boxed{5 \text{ cm}}$", "5"),
    (r"\boxed{1.5\,\mathrm{m/s^2}}", "1.5"),
    ("The given solution is correct. The answer is 7.", "7"),
    ("There is a mistake: the answer is not 5 but 7.", "7"),
    ("The new answer is 0.12.", "0.12"),
    (r"The corrected answer is $x \approx 0.12$ M.", "0.12"),
    (r"$\ln 2$ is the answer", "0.69314718056"),
    (r"The answer is $\ln 2$.", "0.69314718056"),
    (r"The answer is $2\ln 2 + 1$.", "2.38629436112"),
    ("= 5", "5"),
    ("5", "5"),
    ("0.5 m", "0.5"),
    ("So the values are 2 and 3.", None),
    ("Let x be 5. Then we go on.", None),
    (r"Therefore the answer is $5.0 \times 10^3$ J", "5000"),
    ("Therefore the value is 3 x 10^8 m/s", "300000000"),
    (r"the answer is $8 + 4\sqrt{2}$", "13.6568542495"),
    ("Therefore, $m = 1.5$ and so the mass is 1.5 kg.", "1.5"),
    (r"The required value is $\frac{3\pi}{4} = 2.36$.", "2.36"),
    ("Final Answer: The final answer is $5.25$. I hope it is correct.", "5.25"),
    (r"So the area is $2\sqrt{3} \mathrm{~m} / \mathrm{s}$.", "3.46410161514"),
    ("Therefore it is 3.0 × 10² m.", "300"),
    ("Therefore it is 3×10⁻³ m.", "0.003"),
    ("So, the correct answer should be 0.63 instead of 0.36.", "0.63"),
    (r"Therefore, the resistance is $2.5 \Omega$.", "2.5"),
    (r"Therefore, the resistance is $\frac{5}{2} \Omega$.", "2.5"),
    (r"Hence $\mu = 0.25$.", "0.25"),
    (r"The charge is $5 \mu \mathrm{C}$.", "5"),
    ("The charge is 5 μC.", "5"),
    ("The new answer is:\n\n$$\\boxed{3.50}$$", "3.5"),
    ("Corrected answer: 12.3 g", "12.3"),
    ("The given solution is correct. The final answer is 0.62.", "0.62"),
    ("Therefore, the answer is $5.0$ m/s$^2$.", "5"),
    ("Hence the final temperature is 300 K.", "300"),
    ("Answer: 2.5 kJ mol^{-1}", "2.5"),
    ("Answer: 2.5 × 10^-3 kJ/mol", "0.0025"),
    (r"The answer is $\frac{3}{4}\pi^2$", "7.40220330082"),
    ("Hence $k = e^{-1}$", "0.367879441171"),
    (r"the answer is $-\frac{1}{2}$.", "-0.5"),
    (r"$x = \pm 2$", None),
    (r"Therefore, $P = 0.4 \times 5 = 2$ atm", "2"),
    ("Hence the probability is 3/8 = 0.375.", "0.375"),
    (r"Answer: $\approx 0.38$", "0.38"),
    (r"Therefore, the value of $\alpha^{2}+\beta^{2}$ is equal to 13.", "13"),
    ("Therefore, the answer is approximately equal to 2.41 (upto 2 decimal places).", "2.41"),
    (r"Thus the required distance is $d = 1.2\,\text{m} = 120\,\text{cm}$.", "120"),
    ("We have $x=3$. The result is 3", "3"),
    ("Therefore, the value is 0.5R.", None),
    ("Therefore, the value is $0.5 R$.", None),
    ("Therefore, the value is $5x + 3$.", None),
    ("Therefore, the answer is \\boxed{6.75}.", "6.75"),
    ("Hence, the answer is \\boxed{\\frac{5}{4}}", "1.25"),
    ("The correct value of X should be 2.35 (rounded to 2 decimal places).", "2.35"),
    ("So, the corrected solution is:\n\nX = 12.4\n\nTherefore, the new answer is X = 12.4.", "12.4"),
    ("The given solution is correct, and the final answer is $\\tau = 2.00$ seconds.", "2"),
    ("So, the final temperature is approximately 299.7 K.", "299.7"),
    ("Therefore, the minimum possible value is $\\boxed{-1.25}$ (correct up to 2 decimal places).", "-1.25"),
    ("Final Answer: The value of $x$ is $\\boxed{0.80}$ mol.", "0.8"),
    ("Final answer: 2.30 (rounded to 2 decimal places)", "2.3"),
    ("Therefore, the value of $\\frac{a}{b}$ is $3 : 2 = 1.5$.", "1.5"),
    ("Hence, the percentage yield is 62.5%.", "62.5"),
    ("Hence, the work done is $-4.8 \\times 10^{2}$ J.", "-480"),
    ("Thus $V = 2.46 \\text{ L}$ (to two decimal places).", "2.46"),
    ("The mass is $m = \\frac{1}{2} \\cdot 3 = 1.5$ kg, which is the final answer.", "1.5"),
    ("Final answer: $\\Delta H \\approx -166.28$ kJ/mol.", "-166.28"),
    ("Therefore, the answer to two decimal places is 0.31.", "0.31"),
    ("So the answer is 12.00.", "12"),
    ("Thus the answer is approximately 1.7 x 10^-5 m.", "0.000017"),
    ("Therefore, $\\alpha = 0.5$ and $\\beta = 1.5$, giving $\\alpha+\\beta = \\boxed{2}$.", "2"),
    ("**Final Answer**\n\n12.5 J", "12.5"),
    ("### Final Answer\n\n$$\\boxed{0.25}$$\n", "0.25"),
    ("The answer is .75", "0.75"),
    ("The answer is -.75.", "-0.75"),
    (r"\boxed{.125}", "0.125"),
    (r"\boxed{2\frac{1}{4}}", "2.25"),
    (r"The answer is $-1\frac{1}{2}$.", "-1.5"),
    ("The answer is 4 1/2.", "4.5"),
    ("The answer is 1/4 (0.25).", "0.25"),
    ("The answer is 0.25 (1/4).", "0.25"),
    ("The answer is 0.25 (= 1/4).", "0.25"),
    ("The answer is 6.00 (exactly).", "6"),
    ("The answer is 0.25 (approximately).", "0.25"),
    ("The answer is 0.125 or 12.5%.", "0.125"),
    (r"Thus the length is $\frac{7}{2}$ or $3.5$.", "3.5"),
    ("The final answer is 4.75 N, taking g = 9.81 m/s².", "4.75"),
    ("Thus t = 1.39 (using ln 2 = 0.695).", "1.39"),
    ("Thus the area is 12.56 if we take π = 3.14.", "12.56"),
    ("Hence, P(Y = 3) = 0.125.", "0.125"),
    ("The answer is minus 1.5.", "-1.5"),
    (r"The answer is \$7.25.", "7.25"),
    ("The answer is 6.00 ± 0.05.", "6"),
    (r"\boxed{6 \text{ or } -6}", None),
    (r"$y = 3$ or $y = 7$.", None),
    ("The largest area is $7$ (at $a=4$).", "7"),
    ("Hence $P = 0.4$ for $n = 12$ and $k = 5$.", "0.4"),
    ("So a = 2, and for b = 3, ab = 6.", "6"),
    ("Hence t > 8.", None),
    ("The answer > 8.", None),
    ("Therefore 4 < t < 6.", None),
    (r"So t \in [3,5].", None),
    (r"\boxed{(-27)^{1/3}}", None),
    (r"\boxed{(7)\beta}", None),
    (r"\boxed{(7)y}", None),
    ("The force is F = 2 × 7 = 14 N for m = 2 kg.", "14"),
    ("P(Y = 1) = 0.3 and P(Y = 2) = 0.1, so the sum P = 0.4", "0.4"),
]

# (kind, reply, answer) of replies that were cut off by length.
CUT_OFF = [
    ("MCQ", "Therefore, the correct answer is (B). Let us check once mo", "B"),
    ("MCQ", "So the field is zero. Hence (A) would give 3, and for (B) we h", None),
    ("MCQ", r"The answer is $\boxed{C}$.", "C"),
    ("MCQ", "The correct opt", None),
    ("MCQ(multiple)", "Option (A) is correct. Option (B) is wrong. For option (C) we ha", None),
    ("Integer", "The final answer is 12.\n\nTo verify it, we insert n = 12 in", "12"),
    ("Integer", "Hence n = 4. With this value the sum is n + 1 = ", None),
    ("Numeric", r"Thus $x = \boxed{0.25}$. As a check, 4x = ", "0.25"),
    ("Numeric", "The final answer is 1", None),
]

# (text, value) of expressions.
EXPRESSIONS = [
    (r"\frac{7}{3}", "2.33333333333"),
    (r"\dfrac12", "0.5"),
    (r"2\sqrt{3}", "3.46410161514"),
    (r"\sqrt[3]{8}", "2"),
    (r"8+4\sqrt{2}", "13.6568542495"),
    (r"\frac{8\sqrt{2}}{5\pi}", "0.720253052926"),
    (r"1.2 \times 10^{-3}", "0.0012"),
    ("1.2 x 10^-3", "0.0012"),
    ("3×10⁸ m/s", "300000000"),
    ("1,234.5", "1234.5"),
    ("5!", "120"),
    (r"\binom{5}{2}", "10"),
    (r"5\log_{10} 3", "2.3856062736"),
    (r"e^{-1}", "0.367879441171"),
    (r"(1+2)\left(3+4\right)", "21"),
    (r"5 \mathrm{~kJ} \mathrm{~mol}^{-1}", "5"),
    (r"100^{\circ} \mathrm{C}", "100"),
    (r"5.6\%", "5.6"),
    ("-0.0", "0"),
    (r"\frac{GM}{2R}", None),
    (r"2\alpha", None),
    ("2m", None),
    (r"\infty", None),
    (r"\sin 4", None),
    ("1/0", None),
    ("9^9^9^9", None),
    ("10^9999999", None),
    ("(-1)^{0.5}", None),
    ("", None),
    (".5", "0.5"),
    (". 5", "5"),
    (r"3\frac{1}{2}", "3.5"),
    (r"3\dfrac12", "3.5"),
    (r"3\frac{5}{2}", "7.5"),
    (r"2^3\frac{1}{2}", "4"),
    (r"\frac12\frac{1}{2}", "0.25"),
]

# (kind, extract, answer): what people wrote, as an answer of its kind.
RECORDED = [
    ("MCQ", "B", "B"),
    ("MCQ", "AC", None),
    ("MCQ(multiple)", "DBA", "ABD"),
    ("MCQ", "None", None),
    ("MCQ", "N/A", None),
    ("MCQ", "", None),
    ("MCQ", None, None),
    ("MCQ", "5", None),
    ("MCQ(multiple)", "A and B", "AB"),
    ("Integer", "12", "12"),
    ("Integer", "12.0", "12"),
    ("Integer", "-7", None),
    ("Integer", "2.5", None),
    ("Integer", "A", None),
    ("Numeric", "-14.60", "-14.60"),
    ("Numeric", "1/2", "0.5"),
    ("Numeric", "1/0", None),
    ("Numeric", "N/A", None),
    ("Numeric", "None", None),
    ("Numeric", "B", None),
    ("Numeric", "1.2.3", None),
    ("Numeric", None, None),
]

# (kind, predicted, recorded, whether they agree).
AGREEMENT = [
    ("MCQ", "B", "B", True),
    ("MCQ", "B", "C", False),
    ("MCQ", None, None, True),
    ("MCQ", None, "AC", False),
    ("MCQ(multiple)", "AB", "A", False),
    ("Numeric", "0.866025403784", "0.87", True),
    ("Numeric", "0.44", "0.4", True),
    ("Numeric", "5.3", "5", False),
    ("Numeric", "5.005", "5", True),
    ("Numeric", "-2", "2", False),
    ("Numeric", "2", None, False),
    ("Integer", "12", "12", True),
]

# Texts made to take long, or to fill the memory.
HOSTILE = {
    "nested braces": "the answer is \\boxed{" + "{" * 10_000 + "}" * 10_001,
    "open boxes": "\\boxed{" * 20_000,
    "boxes in lines": "\\boxed{x}\n" * 3_000,
    "backslashes": "The answer is " + "\\" * 100_000,
    "power": "The answer is $10^{9999999}$",
    "tower": "The answer is $9^{9^{9^{9}}}$",
    "factorials": "The answer is 9!!!!!!!!!",
    "letters": "(A) " * 250_000,
    "letters in lines": "(A)\n(B)\n" * 20_000,
    "options": "The options are:\n" + "(A) x:\n(B) y\n" * 5_000,
    "dollars": "The answer is " + "$" * 200_000,
    "digits": "The answer is " + "9" * 100_000,
    "decimals": "\\boxed{0." + "1" * 100_000 + "}",
    "blanks": "the answer is" + " " * 100_000 + "5",
    "lines": "\n" * 200_000,
    "sentences": "So x is y.\n" * 20_000,
    "fractions": "The answer is " + "\\frac{" * 5_000,
    "logarithms": "the answer is $" + "\\ln(" * 20 + "2" + ")" * 20 + "$",
    "verdicts": "correct " * 40_000,
    "denials": "is not " * 40_000,
    "adverbs": "(A) " + "really " * 2_000 + "true",
    "units": "the answer is 5 " + "m1  " * 200 + "!",
    "signs": "the answer is " + "-" * 290 + "5",
    "stars": "answer" + "*" * 100_000 + "x",
    "conditions": "= 5 at x =" * 1_600,
    "suppositions": "would be if " * 1_400,
    "exceptions": "all but (A) " * 1_400,
    "ranges": "(A)-" * 4_000,
    "lines of letters": "Answer: A\n" + "B\n" * 8_000,
    "table rows": "| A | True |\n" * 1_200,
    "further problems": "The answer is B\n" + "Problem 2:\n" * 100_000,
    "mixed numbers": "The answer is " + r"3\frac{1}{2}" * 1_300,
}


def answer(kind: str, question: str, text: str, finish: str = "stop") -> str | None:
    found = predict(kind, question, text, finish)
    assert (found.start is None) == (found.end is None)
    if found.start is not None:
        assert 0 <= found.start <= found.end <= len(text)
    return found.answer


@pytest.mark.parametrize("text, expected", SINGLE)
def test_single_correct(text, expected):
    assert answer("MCQ", QUESTION, text) == expected


@pytest.mark.parametrize("text, expected", MULTIPLE)
def test_multiple_correct(text, expected):
    assert answer("MCQ(multiple)", QUESTION, text) == expected


@pytest.mark.parametrize("question, text, expected", TURNED)
def test_questions_that_ask_for_what_does_not_hold(question, text, expected):
    assert answer("MCQ(multiple)", question, text) == expected


@pytest.mark.parametrize("text, expected", INTEGER)
def test_integer(text, expected):
    assert answer("Integer", "", text) == expected


@pytest.mark.parametrize("text, expected", NUMERIC)
def test_numeric(text, expected):
    assert answer("Numeric", "", text) == expected


@pytest.mark.parametrize("kind, text, expected", CUT_OFF)
def test_cut_off_replies_count_only_what_was_stated(kind, text, expected):
    assert answer(kind, QUESTION, text, "length") == expected


@pytest.mark.parametrize(
    "kind, text, finish, rule",
    [
        ("MCQ", "None of the given options is right.", "stop", "none-of-options"),
        ("MCQ", "The answer is (A) and (B).", "stop", "forbidden"),
        ("MCQ", "Hence, (B).", "stop", "concluded"),
        ("MCQ", "The answer is (B).", "stop", "stated"),
        ("MCQ", r"\boxed{B}", "stop", "boxed"),
        ("MCQ", r"So it equals $\boxed{4\pi}$.", "stop", "option-text"),
        ("MCQ", "Some words.", "stop", None),
        ("MCQ", "Some wor", "length", "cut-off"),
        ("MCQ(multiple)", "(A) is true. (B) is false. (C) is true.", "stop", "judged"),
        ("Integer", "The answer is -2.", "stop", "forbidden"),
        ("Numeric", r"The answer is $2\alpha$.", "stop", "symbolic"),
        ("Numeric", "Hence the limit does not exist.", "stop", "refused"),
        ("Numeric", "It is 0.5.", "stop", "last-sentence"),
    ],
)
def test_the_rule_is_named(kind, text, finish, rule):
    assert predict(kind, QUESTION, text, finish).rule == rule


def test_the_place_counts_code_points_of_the_reply():
    text = "α 𝛽 \r\n\r\nTherefore, the value is $12.5$ J. "
    found = predict("Numeric", "", text, "stop")
    assert (found.answer, text[found.start : found.end]) == ("12.5", "12.5$ J")


def test_the_place_outlives_the_window():
    text = "x" * 50_000 + "\nThe answer is (C)."
    found = predict("MCQ", QUESTION, text, "stop")
    assert (found.answer, text[found.start : found.end]) == ("C", "The answer is (C).")


def test_an_unknown_kind_is_an_error():
    with pytest.raises(ValueError, match="unknown kind of problem"):
        predict("Essay", "", "The answer is 5.", "stop")


@pytest.mark.parametrize("text, expected", EXPRESSIONS)
def test_the_value_of_an_expression(text, expected):
    value = arithmetic.evaluate(text)
    assert (None if value is None else arithmetic.written(value)) == expected


@pytest.mark.parametrize(
    "text",
    [
        r"\frac{7}{3}",
        r"2\sqrt{3}",
        r"\sqrt[3]{5}",
        r"8+4\sqrt{2}",
        r"\frac{8\sqrt{2}}{5\pi}",
        r"\frac{3}{2}^2",
        r"-\frac{1}{2}",
        r"\frac{80}{9}\ln 5 - \frac{140}{9}",
        r"\log_{2} 7",
        r"\frac{1}{1+\frac{1}{2}}",
        r"2^{3}\times 3^{2}",
        r"\binom{6}{3}",
    ],
)
def test_values_are_those_of_a_general_latex_parser(text):
    latex2sympy2_extended = pytest.importorskip("latex2sympy2_extended")
    expected = float(latex2sympy2_extended.latex2sympy(text).evalf())
    assert float(arithmetic.evaluate(text)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind, extract, expected", RECORDED)
def test_recorded_answers(kind, extract, expected):
    assert allowed(kind, read_recorded(kind, extract or "None")) == expected


@pytest.mark.parametrize("kind, predicted, recorded, expected", AGREEMENT)
def test_agreement(kind, predicted, recorded, expected):
    assert agrees(kind, predicted, recorded) is expected


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_texts_take_no_time(kind, name):
    for finish in ("stop", "length"):
        began = time.perf_counter()
        predict(kind, QUESTION, HOSTILE[name], finish)
        predict(kind, HOSTILE[name], "The answer is 3.", finish)
        assert time.perf_counter() - began < 2  # 0.1 on an idle core


PIECES = (
    "(A)|(B)|[C]|A|B|(a)| |\n|\r\n|. |the answer is|correct|not|\\boxed{|}|{|$|\\frac|\\sqrt|12|3.5|^|_|=|is|and"
    "|none of|all|except|True|false|(|)|[|]|:|\\text{|m|kg|×10|but|So|-|,|;|\ud800|\0|é|①|１|²|\u2028|1e9|\\ln|\\|!"
)
TEXTS = st.lists(st.sampled_from(PIECES.split("|")), max_size=40).map("".join)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(KINDS),
    TEXTS,
    st.sampled_from(["stop", "length", None]),
)
def test_any_text_gives_an_answer_of_its_kind_or_none(kind, text, finish):
    found = predict(kind, QUESTION, text, finish)
    assert found == predict(kind, QUESTION, text, finish)
    check_form(kind, found, text)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(KINDS), st.text(max_size=80), st.text(max_size=200))
def test_any_question_and_text_are_read(kind, question, text):
    check_form(kind, predict(kind, question, text, "stop"), text)


def check_form(kind: str, found: Extraction, text: str) -> None:
    if found.start is not None:
        assert 0 <= found.start <= found.end <= len(text)
    if found.answer is None:
        return
    assert found.rule and found.start is not None
    assert allowed(kind, read_recorded(kind, found.answer)) == found.answer
    if kind == "MCQ":
        assert len(found.answer) == 1


@settings(max_examples=100, deadline=None)
@given(
    st.sets(st.sampled_from("ABCD"), min_size=1),
    st.sampled_from(["({})", "[{}]", "{}", r"\text{{({})}}", "**({})**"]),
)
def test_every_set_of_letters_in_every_dress(chosen, dress):
    letters = [dress.format(letter) for letter in sorted(chosen)]
    listed = " and ".join([", ".join(letters[:-1]), letters[-1]] if len(letters) > 1 else letters)
    expected = "".join(sorted(chosen))
    for text in (
        f"The correct options are {listed}.",
        f"Final answer: {listed}",
        rf"Thus $\boxed{{{listed}}}$",
    ):
        assert predict("MCQ(multiple)", QUESTION, text, "stop").answer == expected


@settings(max_examples=100, deadline=None)
@given(st.integers(-(10**6), 10**6).map(lambda hundredths: f"{hundredths / 100:.2f}"))
def test_every_number_in_every_sentence(written):
    expected = arithmetic.written(Decimal(written))
    for text in (
        f"The answer is {written}.",
        f"Hence $x = {written}$",
        rf"\boxed{{{written}}}",
        f"It is {written} kJ/mol.",
    ):
        assert predict("Numeric", "", text, "stop").answer == expected


# Values known from the unit circle.
TRIGONOMETRY = [
    (r"2\sin\frac{\pi}{6}", 1),
    (r"\sin^{2}(\pi/6)", 0.25),
    (r"\tan^{-1}(1)", 0.7853981633974483),
    (r"\arctan 1", 0.7853981633974483),
    (r"\frac{1}{2}\tan(\frac{\pi}{4})", 0.5),
    (r"\sin 4", None),  # degrees or radians
    (r"\sin(x)", None),
    (r"\sin(\pi/" + "(" * 20, None),
    (r"\sin(9^{9^{9^{9}}}\pi)", None),
    (r"\cos(\pi)^{99999}", None),
    (r"\sin(9^9^9\pi)", None),
    (r"\sin(\pi 9^{9}^{9})", None),
]


@pytest.mark.parametrize("text, value", TRIGONOMETRY)
def test_trigonometric_values(text, value):
    found = arithmetic.evaluate(text)
    assert found is None if value is None else float(found) == pytest.approx(value, rel=1e-12)
