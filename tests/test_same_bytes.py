"""Same bytes everywhere: other hash seeds, locales, time zones, umasks, cores, folders and orders of work."""

import os
import shutil
import subprocess

import pytest

from conftest import BIN, PARAMS, REPO, files, snakemake, write_project


@pytest.fixture(scope="session")
def turkish(tmp_path_factory):
    """A locale in which the capital of i is not I, made on the spot where localedef is there."""
    folder = tmp_path_factory.mktemp("locales")
    localedef = shutil.which("localedef")
    command = [localedef, "-i", "tr_TR", "-f", "UTF-8", str(folder / "tr_TR.UTF-8")]
    if localedef is None or subprocess.run(command, capture_output=True).returncode > 1:
        assert not os.environ.get("CI"), (
            "CI needs localedef and the sources of tr_TR (Debian: package locales)"
        )
        pytest.skip("no localedef here")
    return {"LOCPATH": str(folder), "LC_ALL": "tr_TR.UTF-8"}


ELSEWHERE = {
    "hash seed": {"PYTHONHASHSEED": "12345"},
    "C locale": {"LC_ALL": "C", "LANG": "C"},
    "C locale without UTF-8 mode": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "time zone": {"TZ": "Pacific/Kiritimati"},
}


@pytest.mark.parametrize("environment", ELSEWHERE.values(), ids=ELSEWHERE)
def test_the_whole_chain_gives_the_same_bytes_with_another(finished, project, environment):
    result = snakemake(project, **environment)
    assert result.returncode == 0, result.stderr
    assert files(project) == files(finished)


def test_the_whole_chain_gives_the_same_bytes_in_turkish(finished, project, turkish):
    check = [
        "python",
        "-c",
        "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.getlocale()[0])",
    ]
    assert subprocess.check_output(check, env={**os.environ, **turkish}, text=True).strip() == "tr_TR"
    result = snakemake(project, PYTHONHASHSEED="7", **turkish)
    assert result.returncode == 0, result.stderr
    assert files(project) == files(finished)


def test_all_tables_and_figures_have_the_same_bytes(finished, tmp_path):
    """With another hash seed, the C locale and one core against this process's own."""
    made = []
    for name, cores, environment in (
        ("here", "2", {}),
        ("there", "1", {"PYTHONHASHSEED": "9", "LC_ALL": "C"}),
    ):
        project = write_project(tmp_path / name, PARAMS.replace("tables: [table1, table2], ", ""))
        result = snakemake(project, "--cores", cores, **environment)
        assert result.returncode == 0, result.stderr
        made.append(files(project))
    assert made[0] == made[1]
    assert len([path for path in made[0] if path.endswith(".svg")]) == 5


def test_the_whole_chain_gives_the_same_bytes_one_job_at_a_time(finished, project):
    assert snakemake(project, "--cores", "1").returncode == 0
    assert files(project) == files(finished)


def test_the_whole_chain_gives_the_same_bytes_typed_elsewhere_under_another_umask(finished, tmp_path):
    project = write_project(tmp_path / "a folder with 'quotes' and ünïcode")
    command = f"umask 077; exec {BIN}/snakemake --snakefile {REPO}/Snakefile --cores 3"
    result = subprocess.run(["bash", "-c", command], cwd=project, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert files(project) == files(finished)
    assert (project / "results/report.html").stat().st_mode & 0o777 == 0o600


def test_made_file_by_file_the_chain_gives_the_same_bytes(finished, project):
    for path in (
        "results/tiny/second/completions.jsonl",
        "results/tiny_table1.csv",
        "results/tiny_table2.csv",
    ):
        assert snakemake(project, path).returncode == 0
    assert snakemake(project).returncode == 0
    assert files(project) == files(finished)


def test_no_output_names_this_machine_or_its_clock(finished):
    import getpass
    import socket
    import time

    told = [str(finished), socket.gethostname(), time.strftime("%Y-%m-%d"), f"{getpass.getuser()}@"]
    for path, content in files(finished).items():
        assert not [word for word in told if word.encode() in content], path
