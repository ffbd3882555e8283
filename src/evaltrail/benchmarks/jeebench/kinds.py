"""JEEBench's subjects and types: the dataset's codes and the names that tables show."""

SUBJECTS = {"chem": "Chemistry", "math": "Mathematics", "phy": "Physics"}
TYPES = {
    "Integer": "Integer",
    "MCQ": "Single-Correct",
    "MCQ(multiple)": "Multi-Correct",
    "Numeric": "Numeric",
}
