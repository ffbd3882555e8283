"""CG-Eval's categories and types, in the order of the paper's tables."""

CATEGORIES = ("科技与工程", "人文与社会科学", "数学计算", "医师资格考试", "司法考试", "注册会计师考试")
TEXT_TYPES = ("名词解释", "简答题")
MATH_TYPES = ("小学计算", "应用题", "计算求解")
TYPES = (*TEXT_TYPES, *MATH_TYPES)
