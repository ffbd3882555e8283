"""An environment of its own for lm-evaluation-harness and allennlp, whose DROP scripts evaltrail is compared with.

evaltrail never imports them. `python()` makes `.venv-lm-eval` in the repository when it is missing or has other versions
than those below: about a minute, 330 MB, and the one thing in the tests that needs a network.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

FOLDER = Path(__file__).parent.parent / ".venv-lm-eval"
# Without what they depend on: the scripts need numpy and scipy alone.
PACKAGES = ["lm_eval==0.4.13", "allennlp-models==2.10.1", "numpy==2.4.6", "scipy==1.17.1"]


def python() -> Path:
    """The environment's Python. Raises CalledProcessError, with pip's own words on stderr, when it cannot be made."""
    made_of = FOLDER / "made_of.txt"
    wanted = "\n".join([sys.version, *PACKAGES])
    executable = FOLDER / "bin/python"
    with FileLock(f"{FOLDER}.lock"):
        if not made_of.is_file() or made_of.read_text() != wanted:
            shutil.rmtree(FOLDER, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
            install = "-m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all:"
            subprocess.run([executable, *install.split(), *PACKAGES], check=True)
            made_of.write_text(wanted)
    return executable
