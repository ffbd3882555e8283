"""Computations: where the final answer stands, whether it is the reference's, and what steps earn."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltrail.benchmarks.cgeval import mathematics
from evaltrail.benchmarks.cgeval.exact import number
from evaltrail.benchmarks.cgeval.final_answer import final_answer
from evaltrail.benchmarks.cgeval.judge import Judge
from evaltrail.benchmarks.cgeval.latex import canonical
from evaltrail.benchmarks.cgeval.mathematics import Reference, reference, scores, verdict

NUMBER, WORDS, EXPRESSION = mathematics.TYPES

# reply, its final answer, where the steps end
FINAL_ANSWERS = [
    ("解：5×1=5\n最终答案：5元", "5元", "解：5×1=5\n"),
    ("解：5\n最终答案:5元", "5元", "解：5\n"),
    ("解：5\r\n最终答案：5元\r\n", "5元", "解：5\r\n"),
    ("解：5\u2028最终答案：5元\u2028完", "5元", "解：5\u2028"),
    ("解\n**最终答案**：5元", "5元", "解\n"),
    ("解\n**最终答案：5元**", "5元", "解\n"),
    ("解\n**最终答案：** 5元。", "5元", "解\n"),
    ("解\n**最终答案**：**5**元", "5元", "解\n"),
    ("解\n## 最终答案：5元", "5元", "解\n"),
    ("解\n> - 最终答案 ： `5元`", "5元", "解\n"),
    ("最终答案：$x=1$ 或 $x=-3$。", "x=1 或 x=-3", ""),
    (r"最终答案：\(x=1\)", "x=1", ""),
    (r"最终答案：$$\frac{1}{2}$$", r"\frac{1}{2}", ""),
    (r"最终答案：\[\boxed{\frac{1}{2}}\]", r"\frac{1}{2}", ""),
    (r"最终答案：$\boxed{x=1}$ 或 $\boxed{x=2}$", r"\boxed{x=1} 或 \boxed{x=2}", ""),
    (r"\boxed{最终答案：x=1}", "x=1", ""),
    (r"$\text{最终答案：}x=1$", "x=1", ""),
    (r"\[\textbf{最终答案}：x^{2}\]", "x^{2}", ""),
    ("最终答案：x**2+1", "x**2+1", ""),
    ("最终答案：1\n重算。\n最终答案：2\n完", "2", "最终答案：1\n重算。\n"),
    ("解\n最终答案：\n\n$$\nx=1\n$$\n\n希望有帮助", "x=1", "解\n"),
    ("解\n最终答案：\n5元\n", "5元", "解\n"),
    ("解\n最终答案：", None, "解\n"),
    ("解\n最终答案：5\n最终答案：。", None, "解\n最终答案：5\n"),
    ("解\n“最终答案：7.35元”", "7.35元", "解\n"),
    ('解\n"最终答案：7.35元"', "7.35元", "解\n"),
    ("解\n「最终答案：7.35元」", "7.35元", "解\n"),
    ("解\n最终答案：“7.35元”", "7.35元", "解\n"),
    ("解\n3. 最终答案：5元", "5元", "解\n"),
    ("解\n4. **最终答案**：5元", "5元", "解\n"),
    ("解\n【最终答案】：5元", "5元", "解\n"),
    ("解\n【最终答案：5元】", "5元", "解\n"),
    ("解\n✅ **最终答案：5元**", "5元", "解\n"),
    ("解\n<b>最终答案：</b>5元", "5元", "解\n"),
    ("解\n__最终答案：5元__", "5元", "解\n"),
    ("解\n最终答案是：5元！", "5元", "解\n"),
    ("解\n最终答案为：5", "5", "解\n"),
    ("解\n最終答案：5", "5", "解\n"),
    ("解\n最终答案：\n书架64元\n台灯38元", "书架64元, 台灯38元", "解\n"),
    ("解\n最终答案：\n- 书架64元\n- 台灯38元", "书架64元, 台灯38元", "解\n"),
    ("解\n最终答案：\n1. 书架64元\n2. 台灯38元", "书架64元, 台灯38元", "解\n"),
    ("解\n最终答案：\n1.5元\n2.5元", "1.5元, 2.5元", "解\n"),
    ("解\n最终答案：\n```latex\nx=3\n```", "x=3", "解\n"),
    ("最终答案：- x+1", "- x+1", ""),
    ("所以最终答案：5", None, "所以最终答案：5"),
    ("最终答案是5", None, "最终答案是5"),
    ("答案：5", None, "答案：5"),
    ("x=1", None, "x=1"),
    ("", None, ""),
]


@pytest.mark.parametrize(("reply", "answer", "steps"), FINAL_ANSWERS)
def test_the_final_answer_is_what_its_last_line_says(reply, answer, steps):
    found = final_answer(EXPRESSION, reply)
    assert (found.answer, reply[: found.steps]) == (answer, steps)
    assert (found.answer is None) == (found.rule == "none")


def test_the_place_of_the_final_answer_is_kept():
    reply = "解\n最终答案：$x=1$ 或 $x=-3$。\n完"
    found = final_answer(EXPRESSION, reply)
    assert (reply[found.start : found.end], found.rule) == ("$x=1$ 或 $x=-3$。", "final-line")


def test_a_calculation_needs_no_final_line():
    assert final_answer(NUMBER, " 88\n")[:2] == ("88", "last-number")
    assert final_answer(NUMBER, "88\n\n希望对你有帮助！")[:2] == ("88", "last-number")
    assert final_answer(NUMBER, "解：\n12+3=15\n15×2=30\n")[:2] == ("15×2=30", "last-number")
    assert final_answer(NUMBER, "零")[:2] == ("零", "last-number")
    assert final_answer(NUMBER, "解\n最终答案：88")[:2] == ("88", "final-line")
    assert final_answer(NUMBER, " \n")[:2] == (None, "none")


# type, final answer, reference, strict, symbolic
VERDICTS = [
    (NUMBER, "88", "88", True, True),
    (NUMBER, "88.0", "88", True, True),
    (NUMBER, "８８", "88", True, True),
    (NUMBER, "**88**", "88", True, True),
    (NUMBER, "62+26=88", "88", True, True),
    (NUMBER, "（16+4）×2=20×2=40", "40", True, True),
    (NUMBER, "1,000", "1000", True, True),
    (NUMBER, "1/2", "0.5", True, True),
    (NUMBER, "−3", "-3", True, True),
    (NUMBER, "50%", "0.5", True, True),
    (NUMBER, "89", "88", False, False),
    (NUMBER, "答案是88", "88", False, False),
    (NUMBER, "88元", "88", False, False),
    (NUMBER, "88或89", "88", False, False),
    (NUMBER, "7……3", "7……3", True, True),
    (NUMBER, "1/2=0.5", "0.5", True, True),
    (NUMBER, "1/2=3", "3", False, False),
    (NUMBER, "2+1=4=3", "3", False, False),
    (WORDS, "1元,1次", "1元,1次", True, True),
    (WORDS, "1 元，1 次", "1元,1次", True, True),
    (WORDS, "1.0元、1次", "1元,1次", True, True),
    (WORDS, "1次,1元", "1元,1次", False, False),
    (WORDS, "1元", "1元,1次", False, False),
    (WORDS, "1元,1次,1人", "1元,1次", False, False),
    (WORDS, "1,1", "1元,1次", False, False),
    (WORDS, "2元,1次", "1元,1次", False, False),
    (WORDS, "甲袋12千克,乙袋20千克", "12千克,20千克", True, True),
    (WORDS, r"$12\text{千克}$,$20\,\mathrm{千克}$", "12千克,20千克", True, True),
    (WORDS, "12kg", "12千克", False, False),
    (WORDS, "0.5小时", r"\frac{1}{2}小时", True, True),
    (WORDS, r"21\frac{9}{11}分钟", "21又9/11分钟", True, True),
    (WORDS, "21 9/11分钟", "240/11分钟", True, True),
    (WORDS, "1,480千克", "1480千克", True, True),
    (WORDS, "12,345,678元", "12345678元", True, True),
    (WORDS, "100,200,300", "100, 200, 300", True, True),
    (WORDS, "25％", "25%", True, True),
    (WORDS, "0.25", "25%", False, True),
    (WORDS, "25", "25%", False, False),
    (WORDS, "2小时30分", "2小时30分", True, True),
    (WORDS, "90平方米", "90 平方米", True, True),
    (WORDS, "不变", "不变", True, True),
    (WORDS, "1/0元", "5元", False, False),
    (WORDS, "1/0元", "2/0元", False, False),
    (WORDS, "15 000元", "15 0元", False, False),
    (WORDS, "64 000棵", "64000棵", True, True),
    (WORDS, r"64\,000棵", "64000棵", True, True),
    (WORDS, "80㎡", "80m²", True, True),
    (WORDS, "5℃", "5°C", True, True),
    (WORDS, "15本练习簿需要7.35元", "7.35元", False, False),
    (WORDS, "15本练习簿需要7.35元", "15元", False, False),
    (WORDS, "0.49×15=7.35（元）", "7.35元", True, True),
    (WORDS, "x=4.9×1.5=7.35元", "7.35元", True, True),
    (WORDS, "12元=3角", "13元=3角", False, False),
    (WORDS, "2x=6元", "6元", False, False),
    (WORDS, "（1）30克，（2）10克", "30克,10克", False, False),
    (WORDS, "(64元,38元)", "64元,38元", True, True),
    (WORDS, "64元和38元", "64元,38元", True, True),
    (WORDS, r"\approx 21.82分钟", "21.82分钟", True, True),
    (WORDS, r"6点$32\frac{8}{11}$分", "6点32又8/11分", True, True),
    (WORDS, "7点32又8/11分", "6点32又8/11分", False, False),
    (WORDS, "需要2小时30分", "2小时30分", True, True),
    # what is said before a value
    (WORDS, "不是5元", "5元", False, False),
    (WORDS, "<5元", "5元", False, False),
    (WORDS, "超过10天", "10天", False, False),
    (WORDS, "多于10天", "超过10天", True, True),
    (WORDS, "最多可买5支", "5支", True, True),
    (WORDS, "零下5℃", "5℃", False, False),
    (WORDS, "上涨1%", "下降1%", False, False),
    (WORDS, "下降1%", "1%", True, True),
    (WORDS, "甲比乙少10人", "甲比乙多10人", False, False),
    (WORDS, "乙车快10千米", "甲车快10千米", False, False),
    (WORDS, "上午2点", "下午2点", False, False),
    (WORDS, "向西30米", "向东30米", False, False),
    (WORDS, "南仓310吨,北仓170吨", "北仓310吨,南仓170吨", False, False),
    (WORDS, "南仓170吨,北仓310吨", "北仓310吨,南仓170吨", True, True),
    (WORDS, "台灯单价64元,书架单价38元", "书架64元,台灯38元", False, False),
    (WORDS, "小红比小明多5个", "小明比小红多5个", False, False),
    (WORDS, "哥哥比弟弟大3岁", "弟弟比哥哥大3岁", False, False),
    (WORDS, "A比B多5", "B比A多5", False, False),
    (WORDS, "小明12岁", "小红12岁", False, False),
    (WORDS, "一等奖5人", "二等奖5人", False, False),
    (WORDS, "还差5元", "还剩5元", False, False),
    (WORDS, "贵5元", "便宜5元", False, False),
    (WORDS, "提前3天", "推迟3天", False, False),
    (WORDS, "早到5分钟", "迟到5分钟", False, False),
    (WORDS, "增加到5倍", "增加了5倍", False, False),
    (WORDS, "降低到20%", "降低了20%", False, False),
    (WORDS, "减少到3/5", "减少了3/5", False, False),
    (WORDS, "第5天", "5天", False, False),
    (WORDS, "5天", "第5天", False, False),
    (WORDS, "晚上8:30", "上午8:30", False, False),
    (WORDS, "第二天上午8点", "当天上午8点", False, False),
    (WORDS, "三月5日", "四月5日", False, False),
    (WORDS, "师傅做50个,徒弟做40个", "徒弟加工50个,师傅加工40个", False, False),
    (WORDS, "第一次行5千米,第二次行6千米", "第二次走了5千米,第一次走了6千米", False, False),
    (WORDS, "大船需租5条,小船需租3条", "小船应租5条,大船应租3条", False, False),
    (WORDS, "爸爸现在40岁,小明现在10岁", "小明今年40岁,爸爸今年10岁", False, False),
    (WORDS, "大人10元,小孩5元", "儿童10元,成人5元", False, False),
    (WORDS, "长方形的宽是5米,长是3米", "长5米,宽3米", False, False),
    (WORDS, "鸡23只,鸡12只", "鸡23只,兔12只", False, False),
    (WORDS, "宽12厘米,宽8厘米", "长12厘米,宽8厘米", False, False),
    (WORDS, "千分之5", "百分之5", False, False),
    (WORDS, "百分之5", "5", False, False),
    (WORDS, "三分之1", "1", False, False),
    (WORDS, "一百零5元", "5元", False, False),
    (WORDS, "二十5", "5", False, False),
    (WORDS, "€5", "¥5", False, False),
    (WORDS, "n+5个", "5个", False, False),
    (WORDS, "a5元", "5元", False, False),
    (WORDS, "x+5元", "x=5元", False, False),
    (WORDS, "x5元", "x=5元", False, False),
    (WORDS, "±x=5元", "x=5元", False, False),
    (WORDS, "√x=5元", "x=5元", False, False),
    (WORDS, "错误:5×3=15元", "15元", False, False),
    (WORDS, "除了5元", "5元", False, False),
    (WORDS, "将近5元", "5元", False, False),
    (WORDS, "6元=5元", "5元", False, False),
    (WORDS, "‑5℃", "5℃", False, False),
    (WORDS, "﹣5℃", "5℃", False, False),
    (WORDS, "─5℃", "5℃", False, False),
    (WORDS, "➖5℃", "5℃", False, False),
    (WORDS, "-¥5元", "5元", False, False),
    (WORDS, "x+1=5元", "5元", False, False),
    (WORDS, "书架的价格是64元", "书架64元", True, True),
    (WORDS, "共12元", "12元", True, True),
    (WORDS, "一共需要12元", "共12元", True, True),
    (WORDS, "还剩下5元", "还剩5元", True, True),
    (WORDS, "台灯38元,书架64元", "书架64元,台灯38元", True, True),
    (WORDS, "长是5米,宽是3米", "长5米,宽3米", True, True),
    (WORDS, "长方形的长5米,长方形的宽3米", "长5米,宽3米", True, True),
    (WORDS, "甲车每小时60千米,乙车每小时50千米", "60千米,50千米", True, True),
    (WORDS, "上午8点30分", "8点30分", True, True),
    (WORDS, "1/2×6=3元", "3元", True, True),
    (WORDS, r"\frac{1}{2}\times6=3元", "3元", True, True),
    (WORDS, "(12+3)×2=30元", "30元", True, True),
    (WORDS, "总价=30元", "30元", True, True),
    (WORDS, "x=5", "5", True, True),
    (WORDS, "x=5,y=6", "5,6", True, True),
    (WORDS, "小明:5个", "5个", True, True),
    (WORDS, "答:5元", "5元", True, True),
    (WORDS, "¥5", "¥5", True, True),
    (WORDS, "约5元", "5元", True, True),
    (WORDS, "面积为12平方厘米", "12平方厘米", True, True),
    (WORDS, "下降了1%", "1%", True, True),
    (WORDS, "A商品5元,B商品6元", "5元,6元", True, True),
    (EXPRESSION, "x=3（x=-1不能舍去）", "x=3", False, False),
    (EXPRESSION, "x=3（x=-1不应舍去）", "x=3", False, False),
    (EXPRESSION, "x=3（x=-1不舍去）", "x=3", False, False),
    (EXPRESSION, "x=3（x=3舍去）", "x=3", False, False),
    (EXPRESSION, "y=3（x=3舍去）", "y=3", False, False),
    (EXPRESSION, "值域为(0,1)", "定义域为(0,1)", False, False),
    (EXPRESSION, r"\overline{A\cap B}", r"\overline{A}\cap B", False, False),
    (EXPRESSION, r"P(\overline{A}B)", r"P(\overline{AB})", False, False),
    (EXPRESSION, r"\bar{z+1}", r"\bar{z}+1", False, False),
    (EXPRESSION, r"\vec{a}\times\vec{b}", r"\vec{a}\cdot\vec{b}", False, False),
    (EXPRESSION, "0.333...", "0.333", False, False),
    (EXPRESSION, "3.14...", "3.14", False, False),
    (EXPRESSION, "1,2,3,...", "1,2,3", False, False),
    (EXPRESSION, "1+x+x^2+...", "1+x+x^2+", False, False),
    (EXPRESSION, "5！", "5", False, False),
    (EXPRESSION, "n！", "n", False, False),
    (EXPRESSION, "R*", "R", False, False),
    (EXPRESSION, "A*", "A", False, False),
    (EXPRESSION, "5*", "5", False, False),
    (EXPRESSION, "f`(x)=2x", "f(x)=2x", False, False),
    (EXPRESSION, "y`=2x", "y=2x", False, False),
    (EXPRESSION, "x**-1", "x-1", False, False),
    (EXPRESSION, "e**-x", "e-x", False, False),
    (EXPRESSION, "x**-2+3", "x-2+3", False, False),
    (EXPRESSION, "2**π", "2π", False, False),
    (EXPRESSION, "x**√2", "x√2", False, False),
    (EXPRESSION, "~~x=1~~", "x=1", False, False),
    (EXPRESSION, "1<br>2", "12", False, False),
    (EXPRESSION, "x<p>2", "x2", False, False),
    (EXPRESSION, "x=1，\nx=2", "x=1", False, False),
    (EXPRESSION, "x=1\n或 x=2", "x=1", False, False),
    (NUMBER, "0.333...", "0.333", False, False),
    (NUMBER, "~~88~~", "88", False, False),
    (NUMBER, "5！", "5", False, False),
    (NUMBER, "1. 88", "1.88", False, False),
    (NUMBER, "\n1\n234", "1234", False, False),
    (NUMBER, "\n12\n345", "12345", False, False),
    (WORDS, "~~5元~~", "5元", False, False),
    (WORDS, "甲5元，\n乙6元", "甲5元", False, False),
    (EXPRESSION, "x=3（x=-1舍去）", "x=3", True, True),
    (EXPRESSION, "$x=3$（$x=-1$舍去）", "x=3", True, True),
    (EXPRESSION, "x=3（x=-1不合题意，舍去）", "x=3", True, True),
    (EXPRESSION, "值域为(0,1)", "(0,1)", True, True),
    (EXPRESSION, "a的取值范围是a>1", "a>1", True, True),
    (EXPRESSION, "不等式组的解集为 x>3", "x>3", True, True),
    (EXPRESSION, r"\overline{AB}", r"\bar{AB}", True, True),
    (EXPRESSION, "`x=1` 或 `x=-3`", "x=1或x=-3", True, True),
    (EXPRESSION, "**x=1** 或 **x=-3**", "x=1或x=-3", True, True),
    (EXPRESSION, "*x=1*", "x=1", True, True),
    (EXPRESSION, "f`(x)=2x", "f'(x)=2x", True, True),
    (EXPRESSION, "x**2+1", "x^2+1", True, True),
    (EXPRESSION, "**x**2+1**", "x^2+1", True, True),
    (EXPRESSION, "<b>x=1</b>", "x=1", True, True),
    (EXPRESSION, "x=1，\nx=2", "x=1,x=2", True, True),
    (EXPRESSION, "x=1\n或 x=2", "x=1或x=2", True, True),
    (EXPRESSION, r"\ln√12", r"\ln\sqrt{12}", True, True),
    (NUMBER, r"7\cdots\cdots3", "7……3", True, True),
    (NUMBER, "7⋯⋯3", "7……3", True, True),
    (NUMBER, "7······3", "7……3", True, True),
    (NUMBER, "‑88", "-88", True, True),
    (NUMBER, "88。", "88", True, True),
    (NUMBER, "88 \n", "88", True, True),
    (WORDS, "5元！", "5元", True, True),
    (WORDS, "*5元*", "5元", True, True),
    (WORDS, "`5元`", "5元", True, True),
    (WORDS, "甲5元，\n乙6元", "甲5元,乙6元", True, True),
    (EXPRESSION, "\n$$\nx=1\n$$\n\n或\n\n$$\nx=-3\n$$", "x=1", False, False),
    (EXPRESSION, "$$x=1$$ \n$$x=-3$$", "x=1", False, False),
    (EXPRESSION, "x=1\n x=-3", "x=1", False, False),
    (EXPRESSION, "\n\n$x=1$\n\n$x=-3$", "x=1", False, False),
    (WORDS, "\n5元\n\n6次", "5元", False, False),
    (WORDS, "甲5元\n乙6元", "甲5元", False, False),
    (EXPRESSION, "x=3（x= 3舍去）", "x=3", False, False),
    (EXPRESSION, "x=3（x=3.0舍去）", "x=3", False, False),
    (EXPRESSION, "x=3（x=+3舍去）", "x=3", False, False),
    (EXPRESSION, r"x=3（x=\frac{6}{2}舍去）", "x=3", False, False),
    (EXPRESSION, "x=1/2（x=0.5舍去）", r"x=\frac{1}{2}", False, False),
    (WORDS, "每箱12支,每盒24支", "每盒12支,每箱24支", False, False),
    (WORDS, "每件5元,每台3元", "每台5元,每件3元", False, False),
    (WORDS, "共5本", "每人5本", False, False),
    (WORDS, "共60千米", "每小时60千米", False, False),
    (WORDS, "得5元", "应付5元", False, False),
    (WORDS, "占5分", "得5分", False, False),
    (WORDS, "剩5米", "用5米", False, False),
    (WORDS, "周长5米,宽3米", "长5米,宽3米", False, False),
    (WORDS, "宽3米,周长5米", "长5米,宽3米", False, False),
    (WORDS, "甲比乙多5元,乙6元", "甲5元,乙6元", False, False),
    (WORDS, "衣5元,裤6元", "上衣5元,裤子6元", False, False),
    (WORDS, "半5元", "5元", False, False),
    (WORDS, "半个5元", "5元", False, False),
    (WORDS, "十倍5元", "5元", False, False),
    (WORDS, "双倍5元", "5元", False, False),
    (WORDS, "前5天", "5天", False, False),
    (EXPRESSION, r"\sqrt{12}=3\sqrt{2}", r"3\sqrt{2}", False, False),
    (EXPRESSION, "2+2=5", "5", False, False),
    (EXPRESSION, "\n$$\nx=1\n$$\n或\n$$\nx=-3\n$$", "x=1或x=-3", True, True),
    (EXPRESSION, "x=1或x=-3\n\n或者你也可以用公式法验证。", "x=1或x=-3", True, True),
    (EXPRESSION, "x=1\n\n且经检验满足原方程。", "x=1", True, True),
    (WORDS, "5元\n\n或者说，他要付5元。", "5元", False, False),
    (WORDS, "5元，\n希望对你有帮助。", "5元", True, True),
    (WORDS, "宽为4.5米，\n答：花坛的宽是4.5米。", "4.5米", True, True),
    (
        EXPRESSION,
        "$$\\begin{cases}\nx = 1, \\\\\ny = -3, \\\\\nz = 5.\n\\end{cases}$$",
        "x=1,y=-3,z=5",
        True,
        True,
    ),
    (EXPRESSION, "\\(\\begin{cases}\nx=1\\\\\ny=2\n\\end{cases}\\)", "x=1,y=2", True, True),
    (EXPRESSION, r"\left\{\begin{aligned}x&=3\\y&=2\end{aligned}\right.", "x=3,y=2", True, True),
    (EXPRESSION, r"\left\{\begin{array}{ll}x=3\\y=2\end{array}\right.", "x=3,y=2", True, True),
    (EXPRESSION, r"\begin{cases}x=3,\\y=2.\end{cases}", "x=3,y=2", True, True),
    (WORDS, "5元\n\n解析：25×4=100", "5元", True, True),
    (WORDS, "5元\n答：他要付5元。", "5元", True, True),
    (EXPRESSION, "$$\nx=1\n$$\n\n希望有帮助", "x=1", True, True),
    (NUMBER, "88\n希望对你有帮助", "88", True, True),
    (EXPRESSION, "y'=2x\n\n（其中用到公式 $(x^2)'=2x$）", "y'=2x", True, True),
    (NUMBER, "1又=1/2", "3/2", False, False),
    (NUMBER, "14x3=42", "42", True, True),
    (NUMBER, r"14\*3=42", "42", True, True),
    (NUMBER, "1 234", "1234", True, True),
    (NUMBER, "421", "123+298=421", True, True),
    (NUMBER, "123+298", "123+298=421", False, False),
    (NUMBER, "3…1", "3...1", True, True),
    (EXPRESSION, r"\frac12", "0.5", True, True),
    (EXPRESSION, r"x=\dfrac{1}{2}", "x=1/2", True, True),
    (EXPRESSION, r"-\frac{1}{2}", r"\frac{-1}{2}", True, True),
    (EXPRESSION, "0.33", r"\frac{1}{3}", False, False),
    (EXPRESSION, "3.1416", r"\pi", False, False),
    (EXPRESSION, "20%", "0.2", True, True),
    (EXPRESSION, "1,000", "1000", True, True),
    (EXPRESSION, "x²", "x^2", True, True),
    (EXPRESSION, "x2", "x²", False, False),
    (EXPRESSION, "x**2", r"x^{2}", True, True),
    (EXPRESSION, "√2/2", r"\sqrt{2}/2", True, True),
    (EXPRESSION, "2·x", "2x", True, True),
    (EXPRESSION, r"\left(x+1\right)^{2}", "(x+1)^2", True, True),
    (EXPRESSION, r"\sin x \cos x", "sinxcosx", True, True),
    (EXPRESSION, r"e^{x}\ln x+\mathrm{C}", "e^xlnx+C", True, True),
    (EXPRESSION, "x=1或x=-3", "x=1 或 x=-3", True, True),
    (EXPRESSION, r"x=1\text{ or }x=-3", "x=1或x=-3", True, True),
    (EXPRESSION, "x=-3或x=1", "x=1或x=-3", False, True),
    (EXPRESSION, "x=1,x=-3", "x=1或x=-3", False, True),
    (EXPRESSION, "x_1=-3，x_2=1", "x=1或x=-3", False, True),
    (EXPRESSION, "x=1或-3", "x=1或x=-3", False, True),
    (EXPRESSION, r"x\in\{-3,1\}", "x=1或x=-3", False, True),
    (EXPRESSION, "x=1", "x=1或x=-3", False, False),
    (EXPRESSION, "x=1或x=-3或x=2", "x=1或x=-3", False, False),
    (EXPRESSION, "x=1或x=3", "x=1或x=-3", False, False),
    (EXPRESSION, "x=2", "x_1=x_2=2", False, True),
    (EXPRESSION, r"x=\pm 2", "x=2或x=-2", False, True),
    (EXPRESSION, "x=±2", r"x=\pm2", True, True),
    (EXPRESSION, r"x=1\pm\sqrt{2}", r"x=1-\sqrt{2}或x=1+\sqrt{2}", False, True),
    (EXPRESSION, r"x=\frac{2\pm\sqrt{8}}{2}", r"x=1\mp\sqrt{2}", False, True),
    (EXPRESSION, "x=1,y=-3,z=5", "x=1，y=-3，z=5", True, True),
    (EXPRESSION, "y=-3,x=1,z=5", "x=1,y=-3,z=5", False, True),
    (EXPRESSION, "x=-3,y=1,z=5", "x=1,y=-3,z=5", False, False),
    (EXPRESSION, "x=2,y=1或x=1,y=2", "x=1,y=2或x=2,y=1", False, True),
    (EXPRESSION, "1,-3", "-3,1", False, False),
    (EXPRESSION, "[1,+∞)", r"[1,+\infty)", True, True),
    (EXPRESSION, r"(1,\infty)", r"(1,+\infty)", False, True),
    (EXPRESSION, r"[0.5,1]", r"[\frac{1}{2},1]", False, True),
    (EXPRESSION, "[1,2]", "(1,2)", False, False),
    (EXPRESSION, "(2,1)", "(1,2)", False, False),
    (EXPRESSION, "1<x", "x>1", False, True),
    (EXPRESSION, "2≥x>-1", r"-1<x\leqslant 2", False, True),
    (EXPRESSION, "x>1", r"x\geq 1", False, False),
    (EXPRESSION, "2x+1", "1+2x", False, True),
    (EXPRESSION, "y'=2x+1", "2x+1", False, True),
    (EXPRESSION, "y'=2x+1", "y=2x+1", False, False),
    (EXPRESSION, r"y^{\prime}=2x", "y'=2x", True, True),
    (EXPRESSION, "y=(x+1)^2=x^2+2x+1", "y=x^2+2x+1", False, True),
    (EXPRESSION, "(x-11)(x+2)", "(x+2)(x-11)", False, True),
    (EXPRESSION, "x^2-9x-22", "(x-11)(x+2)", False, True),
    (EXPRESSION, r"\sqrt{3}-\sqrt{2}", r"\frac{1}{\sqrt{3}+\sqrt{2}}", False, True),
    (EXPRESSION, r"\sqrt{x^2}", "x", False, False),
    (EXPRESSION, r"\sqrt{x^2}", "|x|", False, True),
    (EXPRESSION, r"\ln x", r"\ln|x|", False, True),
    (EXPRESSION, r"x^{\frac{2}{3}}", r"\sqrt[3]{x^2}", False, True),
    (EXPRESSION, r"-\frac{1}{2}\cos^2x+C", r"\frac{1}{2}\sin^{2}x+C", False, True),
    (EXPRESSION, r"\frac{1}{2}\sin^{2}x", r"\frac{1}{2}\sin^{2}x+C", False, False),
    (EXPRESSION, r"2\lg 5+2\lg2", "2", False, True),
    (EXPRESSION, r"\int x dx", r"\frac{x^2}{2}", False, False),
    # a product is no mixed number, a factorial no inequality
    (EXPRESSION, r"2\times\frac{1}{3}", r"\frac{7}{3}", False, False),
    (EXPRESSION, r"2\times\frac13", r"\frac23", False, True),
    (EXPRESSION, r"3\cdot\frac12", "3.5", False, False),
    (EXPRESSION, "5!=120", r"5\ne120", False, False),
    (EXPRESSION, "x!=1", r"x\ne1", True, True),
    (EXPRESSION, r"\frac{1}{-3}", r"-\frac13", True, True),
    # rows, frames and other layout
    (EXPRESSION, r"\begin{cases}x=2\\y=5\end{cases}", "x=2,y=5", True, True),
    (EXPRESSION, r"\left\{\begin{array}{l}x=2\\y=5\end{array}\right.", "x=2,y=5", True, True),
    (EXPRESSION, r"\begin{aligned}y&=2x\\&-1\end{aligned}", "y=2x-1", True, True),
    (
        EXPRESSION,
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        r"\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}",
        True,
        True,
    ),
    (
        EXPRESSION,
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        r"\begin{pmatrix}1&2&3&4\end{pmatrix}",
        False,
        False,
    ),
    (EXPRESSION, r"\therefore x=3\tag{1}", "x=3", True, True),
    (EXPRESSION, r"\color{red}{x=3}\\", "x=3", True, True),
    (EXPRESSION, r"\underline{x=3}", "x=3", True, True),
    (EXPRESSION, "x=1或者x=-3", "x=1或x=-3", True, True),
    (EXPRESSION, "x=1，或x=-3", "x=1或x=-3", True, True),
    (EXPRESSION, "∅", r"\varnothing", True, True),
    (EXPRESSION, "R", r"\mathbb{R}", True, True),
    (EXPRESSION, r"\{x|x>1\}", r"\{x\mid x>1\}", True, True),
    (EXPRESSION, "y″=2", "y''=2", True, True),
    (EXPRESSION, r"\log_23", r"\log_{2}3", True, True),
    (EXPRESSION, r"\lg^22", r"\lg^{2}2", True, True),
    (EXPRESSION, "x^2+C（C为任意常数）", "x^2+C", True, True),
    (EXPRESSION, "x^2+C，其中C为积分常数", "x^2+C", True, True),
    (EXPRESSION, "x=3（x=-1舍去）", "x=3", True, True),
    (EXPRESSION, "x=3，经检验是原方程的解", "x=3", True, True),
    (EXPRESSION, "x=3，经检验x=-1是增根", "x=-1", False, False),
    (WORDS, "3:5", "4:5", False, False),
    (WORDS, "3：5", "3:5", True, True),
    (WORDS, "上午8:30", "上午9:30", False, False),
    (WORDS, "12盒剩3个", "11盒剩3个", False, False),
    (WORDS, "5盒多2个", "4盒多2个", False, False),
    (WORDS, "甲有12本乙有8本", "甲有10本乙有8本", False, False),
    (WORDS, "甲比乙多12元", "乙比甲多12元", False, False),
    (WORDS, "最多12人", "最少12人", False, False),
    (WORDS, "不需要12元", "需要12元", False, False),
    (WORDS, "不会超过12元", "超过12元", False, False),
    (WORDS, "(1)12元,(2)15元", "(2)12元,(1)15元", False, False),
    (WORDS, ".5元", "5元", False, False),
    (NUMBER, ".5", "5", False, False),
    (NUMBER, ".5", "0.5", True, True),
    (EXPRESSION, "z^*", "z", False, False),
    (EXPRESSION, "x=1（错误）", "x=1", False, False),
    (EXPRESSION, "x=1（不是原方程的解）", "x=1", False, False),
    (EXPRESSION, "并非无解", "无解", False, False),
    (EXPRESSION, r"\ln2\cdot x", r"\ln 2x", False, False),
    (EXPRESSION, r"\sin x\cdot y", r"\sin xy", False, False),
    (EXPRESSION, "x*-3", "x-3", False, False),
    (EXPRESSION, "1/a*b", "1/ab", False, False),
    (EXPRESSION, "[1,200]", "[1200]", False, False),
    (EXPRESSION, r"\{1,200\}", r"\{1200\}", False, False),
    (EXPRESSION, "x=3，经检验为增根", "x=3", False, False),
    (EXPRESSION, "x=3（增根）", "x=3", False, False),
    (EXPRESSION, "x=3（舍去）", "x=3", False, False),
    (EXPRESSION, "x=3或x=-1（舍去）", "x=3或x=-1", False, False),
    (EXPRESSION, "x=3或x=-1（x=-1舍去）", "x=3或x=-1", False, False),
    (EXPRESSION, "x=3,x=-1（x=-1舍去）", "x=3,x=-1", False, False),
    (EXPRESSION, "增根为x=3", "x=3", False, False),
    (EXPRESSION, "方程的解是x=3", "x=3", True, True),
    (EXPRESSION, "定义域为(0,1)", "(0,1)", True, True),
    (EXPRESSION, "原式=16.5", "16.5", True, True),
    (EXPRESSION, "= 16.5", "16.5", True, True),
    (EXPRESSION, "解不是5", "5", False, False),
    (EXPRESSION, "最大值为5,最小值为-3", "最小值为5,最大值为-3", False, False),
    (EXPRESSION, "方程无解", "无解", True, True),
    (EXPRESSION, "极限不存在", "不存在", True, True),
    (EXPRESSION, "极限存在", "不存在", False, False),
    (EXPRESSION, r"\ln x\cdot x", r"2\ln x", False, False),
    (EXPRESSION, r"\ln x\cdot x", r"x\ln x", False, True),
    (EXPRESSION, r"\sin x\cdot x", r"\sin x^2", False, False),
    (EXPRESSION, r"\ln2\cdot2^{x}", r"\ln(2^{x+1})", False, False),
    (EXPRESSION, r"\ln2\cdot2^x", r"2^x\ln 2", False, True),
    (EXPRESSION, r"\ln a\cdot a^x", r"a^x\ln a", False, True),
    (EXPRESSION, r"\ln 3\cdot 3", r"\ln 9", False, False),
    (EXPRESSION, r"\sin x(1+\cos x)", r"(1+\cos x)\sin x", False, True),
    (EXPRESSION, r"y'=2x\cdot\sin x+\cos x\cdot x^2", r"y'=2x\sin x+x^2\cos x", False, True),
    (EXPRESSION, r"\ln x\cdot\frac1x", r"\frac{\ln x}{x}", False, True),
    (EXPRESSION, r"\sin 2x", r"2\sin x\cos x", False, True),
    (EXPRESSION, r"\sin^2 x\cos x", r"\cos x\sin^2x", False, True),
    (EXPRESSION, r"\log_2 8", "3", False, True),
    (EXPRESSION, "1/2*x", r"\frac{1}{2x}", False, False),
    (EXPRESSION, "1/2*x", r"\frac x2", False, True),
    (EXPRESSION, r"4/a\cdot(6-x)", r"\frac{4}{a(6-x)}", False, False),
    (EXPRESSION, r"2\times\frac13", r"\frac23", False, True),
    (EXPRESSION, "5", "x+y=5", False, False),
    (EXPRESSION, "4", "x^2+y^2=4", False, False),
    (EXPRESSION, "32", r"(\frac12)^{-5}=32", False, True),
    (EXPRESSION, "5", "x=5", False, True),
    (EXPRESSION, "2x", r"\frac{dy}{dx}=2x", False, True),
    (EXPRESSION, r"\frac{\mathrm{d}y}{\mathrm{d}x}=8x-2", "y'=8x-2", False, True),
    (EXPRESSION, "y'(x)=8x-2", "y'=8x-2", False, True),
    (EXPRESSION, "f'(x)=8x-2", "y'=8x-2", False, True),
    (EXPRESSION, "dx/dy=2x", "dy/dx=2x", False, False),
    (EXPRESSION, "f'(x)=2x", "g'(x)=2x", False, False),
    (EXPRESSION, "S_{10}=55", "S_{9}=55", False, False),
    (EXPRESSION, "a_1=3,a_2=7", "a_1=7,a_2=3", False, False),
    (EXPRESSION, "3", r"\lambda+1=3", False, False),
    (EXPRESSION, "f(x)=8x-2", "y'=8x-2", False, False),
    (EXPRESSION, "f'(1)=2", "f'(2)=2", False, False),
    (EXPRESSION, "f'(x)=1,g'(x)=2", "f'(x)=2,g'(x)=1", False, False),
    (EXPRESSION, r"x\in(0,1)", "(0,1)", False, True),
    (EXPRESSION, r"x\in(0,1)", "x=1", False, False),
    (EXPRESSION, "2=3", "3", False, False),
    (EXPRESSION, "x=2 x=3", "x=3", False, False),
    (EXPRESSION, r"x_1=2\quad x_2=3", "x=3", False, False),
    (EXPRESSION, r"x=1\quad y=2", "x=2", False, False),
    (EXPRESSION, "x=1且x=-3", "x=-3", False, False),
    (EXPRESSION, "x=3而不是x=5", "x=5", False, False),
    (EXPRESSION, r"x=2\Rightarrow x=3", "x=3", False, False),
    (EXPRESSION, "y=x+1=2x+5", "y=2x+5", False, False),
    (EXPRESSION, "x=-1=1", "x=1", False, False),
    (EXPRESSION, "原式=2=3", "3", False, False),
    (EXPRESSION, r"y'=\frac{4x}{2}=2x", "y'=2x", False, True),
    (EXPRESSION, r"\frac{dy}{dt}=2x", r"\frac{dy}{dx}=2x", False, False),
    (EXPRESSION, "f'(a)=2x", "f'(x)=2x", False, False),
    (EXPRESSION, r"x=\pm\sqrt{2}\pm1", r"x=\pm(\sqrt2+1)", False, False),
    (EXPRESSION, r"x=\pm1\pm2", r"x=\pm3", False, False),
    (
        EXPRESSION,
        r"f(x)=\begin{cases}x,&x>0\\-x,&x<0\end{cases}",
        r"f(x)=\begin{cases}x,&x<0\\-x,&x>0\end{cases}",
        False,
        False,
    ),
    (
        EXPRESSION,
        r"f(x)=\begin{cases}x+x,&x>0\\-x,&x<0\end{cases}",
        r"f(x)=\begin{cases}2x,&x>0\\-x,&x<0\end{cases}",
        False,
        True,
    ),
    (EXPRESSION, r"\emptyset", r"\{\emptyset\}", False, False),
    (EXPRESSION, "ln√12", r"\ln2", False, False),
    (EXPRESSION, r"\lim_{x\to 0}(1+x)^{1/x}=e", "e", False, True),
    (EXPRESSION, r"\lim_{x\to 0}f(x)-1=3", "3", False, False),
    (EXPRESSION, r"\int_{0}^{1}3xdx+2=3", "3", False, False),
    (EXPRESSION, "A^T", "A", False, False),
    (EXPRESSION, "a<b>c", "ac", False, False),
    (EXPRESSION, "x<p>3", "x3", False, False),
    (EXPRESSION, "<b>x</b>", "x", True, True),
    (EXPRESSION, "无解", "无解。", True, True),
    (EXPRESSION, "不存在", "无解", False, False),
    (EXPRESSION, "__import__('os').abort()", "1", False, False),
]


@pytest.fixture(scope="module")
def judge():
    with Judge() as judge:
        yield judge


@pytest.mark.parametrize(("type", "answer", "expected", "strict", "symbolically"), VERDICTS)
def test_final_answers_are_compared_by_type(type, answer, expected, strict, symbolically, judge):
    reply = f"解\n最终答案：{answer}"
    answer, expected = final_answer(type, reply).answer, reference(type, expected, "").answer
    assert verdict(type, answer, expected) == ("equal" if strict else "different")
    assert (verdict(type, answer, expected, judge.equal) in ("equal", "symbolic")) == symbolically


# What may say more than the answer: a working, a root that was left out, the number of an equation.
MORE = {NUMBER: "=", WORDS: "=", EXPRESSION: "舍|tag"}


@pytest.mark.parametrize("type", mathematics.TYPES)
def test_another_digit_is_another_answer(type):
    texts = {
        text for row in VERDICTS if row[0] == type for text in row[1:3] if not re.search(MORE[type], text)
    }
    changed = [
        (text, text[: digit.start()] + str((int(digit[0]) + 1) % 10) + text[digit.end() :])
        for text in sorted(texts)
        for digit in re.finditer("[0-9]", text)
    ]
    assert len(changed) > 20
    for text, other in changed:
        answer = final_answer(type, f"最终答案：{other}").answer
        assert verdict(type, answer, reference(type, text, "").answer) == "different", (other, text)


@pytest.mark.parametrize(("answer", "expected"), [(None, "1"), ("", "1"), ("1", ""), (" ", " ")])
def test_no_answer_or_no_reference_is_never_equal(answer, expected):
    for type in mathematics.TYPES:
        assert verdict(type, answer, expected) == "none"


def test_what_takes_too_long_is_undecided_and_the_next_question_is_answered():
    with Judge(seconds=1) as judge:
        assert verdict(EXPRESSION, "x=9^{9^{9^{9}}}", "x=1", judge.equal) == "undecided"
        assert verdict(EXPRESSION, "x+x", "2x", judge.equal) == "symbolic"
        # One root is open, but that another is wrong is certain.
        assert verdict(EXPRESSION, "x=9^{9^{9^{9}}}或x=3", "x=1或x=2", judge.equal) == "different"


CANONICAL = [
    (r"\dfrac12", r"\frac{1}{2}"),
    (r"\frac{a}b", r"\frac{a}{b}"),
    ("x^10", "x^{10}"),
    ("x^-1y", "x^{-1}y"),
    ("x^(a+1)", "x^{a+1}"),
    ("x₁²", "x_{1}^{2}"),
    (r"\sqrt[3]{x}+√y", r"\sqrt[3]{x}+\sqrt{y}"),
    ("２．５０＋．５", "2.5+0.5"),
    (r"{\rm d}x", "dx"),
    (r"a\times 2\times b", "a*2b"),
    (r"\left.f\right|_0^1", "f|_{0}^{1}"),
    ("3 1/2", "3 1/2"),
    ("1　2", "1 2"),
    (r"\sin\ x", r"\sin x"),
    ("90°", r"90^{\circ}"),
    ("α≤β", r"\alpha\le\beta"),
    ("}x{", "x"),
    ("x^", "x"),
    ("{" * 100 + "x", "{" * 100 + "x"),
    ("x " * 2001, "x" * 2001),
    ("x=1\n=2\ny=3", "x=1=2,y=3"),
    ("15 000元", "15 000元"),
    ("x∈{1,2}", r"x\in\{1,2\}"),
    ("{x=1}", "x=1"),
    ("1......2", "1…2"),
]


@pytest.mark.parametrize(("text", "written"), CANONICAL)
def test_what_means_the_same_is_written_the_same(text, written):
    assert canonical(text) == written


@pytest.mark.parametrize("text", ["", "½", "1e5", "x", "1/0", "1.2.3", "1 000", "2又3", "9" * 101, "∞", "٣"])
def test_what_is_no_plain_number_has_no_value(text):
    assert number(canonical(text)) is None


SIGNS = st.sampled_from(
    [*"最终答案：:\n *_$\\{}[]()^_=<>+-*/.,，或x2²√±", r"\frac", r"\boxed{", r"\text{", r"\in\{", "**"]
)


@given(
    st.lists(SIGNS, max_size=40).map("".join) | st.text(max_size=40),
    st.lists(SIGNS, max_size=20).map("".join),
)
def test_any_reply_has_a_verdict(reply, expected):
    for type in mathematics.TYPES:
        found = final_answer(type, "最终答案：" + reply)
        assert 0 <= found.steps <= len(reply) + 5
        assert verdict(type, found.answer, expected, lambda a, b: None) in (
            "equal",
            "symbolic",
            "different",
            "undecided",
            "none",
        )
        if expected.strip() and found.answer:
            assert verdict(type, found.answer, found.answer) == "equal"


@pytest.mark.parametrize(
    "text",
    ["{" * 100_000, "}" * 100_000, "**a " * 50_000, "^" * 100_000, "\n最终答案：" * 20_000, "x=1或" * 30_000],
)
def test_large_replies_have_verdicts(text):
    found = final_answer(EXPRESSION, "最终答案：" + text)
    assert verdict(EXPRESSION, found.answer, "x", lambda a, b: False) in ("different", "none")


def test_a_cell_may_hold_the_solution_with_its_final_line():
    whole = "解：2×3=6\n最终答案：6元"
    assert reference(WORDS, whole, "") == ("6元", "解：2×3=6\n")
    assert reference(WORDS, "6元", whole) == ("6元", "解：2×3=6\n")
    assert reference(NUMBER, "6", "") == ("6", "")
    assert reference(EXPRESSION, "$x=6$", "解") == ("x=6", "解")


def test_steps_earn_part_of_what_a_wrong_answer_loses():
    steps = "一二三"
    rows = [
        (WORDS, "6元", "一二三\n最终答案：6元", Reference("6元", steps)),
        (WORDS, "7元", "一二三\n最终答案：7元", Reference("6元", steps)),
        (WORDS, None, "一二三", Reference("6元", steps)),  # no final line: all of it is steps
        # chrF 0.26, see the text metrics
        (WORDS, "7元", "猫在垫子上\n最终答案：7元", Reference("6元", "猫在椅子上")),
        (EXPRESSION, "7", "最终答案：7", Reference("6", steps)),
        (EXPRESSION, "7", "一二三\n最终答案：7", Reference("6", "")),
        (NUMBER, "6", "6", Reference("6", "")),
        (NUMBER, "7", "7", Reference("6", "")),
        (NUMBER, None, "", Reference("6", "")),
        # what a person ruled counts, whatever the reply says
        (WORDS, "6元", "一二三\n最终答案：7元", Reference("6元", steps)),
        (NUMBER, None, "6", Reference("6", "")),
    ]
    assert [
        (row.accuracy, row.verdict, row.step_chrf, pytest.approx(row.gscore)) for row in scores(rows)
    ] == [
        (1, "equal", 1, 1),
        (0, "different", 1, 0.3),
        (0, "none", 1, 0.3),
        (0, "different", pytest.approx(0.26), 0.078),
        (0, "different", 0, 0),
        (0, "different", 0, 0),
        (1, "equal", None, 1),
        (0, "different", None, 0),
        (0, "none", None, 0),
        (1, "equal", 1, 1),
        (0, "none", None, 0),
    ]
