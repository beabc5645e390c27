"""Who judges is the user's choice: no project decides where a key goes, who reads the text, or what it costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.domains.research import open_topic
from pincite.judge.judges import JUDGE, MODELS, PROVIDER, choose_judge, get_judge
from pincite.project.config import ResearchSettings

HOSTILE = ResearchSettings(judge="llm", model="theirs", provider="openai")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (JUDGE, PROVIDER, *MODELS.values(), "PINCITE_LLM_KEY", "PINCITE_LLM_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)


def test_a_project_does_not_choose_the_judge() -> None:
    for judge in ("llm", "nli"):
        with pytest.raises(UsageError, match=f"--judge {judge} or set PINCITE_JUDGE={judge}"):
            choose_judge(ResearchSettings(judge=judge, model="x"))
    assert choose_judge(ResearchSettings(model="x", provider="anthropic")) == ResearchSettings()
    assert choose_judge(HOSTILE, judge="offline").judge == "offline"


def test_a_project_does_not_choose_model_and_provider(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PINCITE_LLM_KEY", "sk-ant-1")
    with pytest.raises(UsageError, match="PINCITE_LLM_MODEL"):
        get_judge(choose_judge(HOSTILE, judge="llm"), str(tmp_path))
    monkeypatch.setenv(JUDGE, "llm")
    monkeypatch.setenv(PROVIDER, "anthropic")
    monkeypatch.setenv("PINCITE_LLM_MODEL", "mine")
    assert get_judge(choose_judge(HOSTILE), str(tmp_path)).name == "llm:anthropic:mine"
    assert get_judge(choose_judge(HOSTILE, model="other"), str(tmp_path)).name == "llm:anthropic:other"
    assert get_judge(choose_judge(HOSTILE, None, None, "openai"), str(tmp_path)).name == "llm:openai:mine"
    assert choose_judge(HOSTILE, "offline").judge == "offline"


def test_a_project_names_no_folder_of_a_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    project = ResearchSettings(judge="nli", model=str(tmp_path))
    assert choose_judge(project, "nli").model == ""
    monkeypatch.setenv("PINCITE_NLI_MODEL", "/mine")
    monkeypatch.setenv("PINCITE_LLM_MODEL", "another")
    assert choose_judge(project, "nli").model == "/mine"
    assert choose_judge(project, "nli", "/given").model == "/given"


@pytest.mark.parametrize(("name", "value"), [(JUDGE, "coin"), (PROVIDER, "evil")])
def test_a_choice_that_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str) -> None:
    monkeypatch.setenv(JUDGE, "llm")
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=f"'{value}' is not known"):
        get_judge(choose_judge(ResearchSettings(), model="m"), str(tmp_path))


def test_the_library_holds_to_it(tmp_path: Path) -> None:
    (tmp_path / ".research/tides/agent-outputs").mkdir(parents=True)
    (tmp_path / "pincite.toml").write_text('[research]\njudge = "llm"\nmodel = "x"\n')
    with pytest.raises(UsageError, match="only you may choose"):
        open_topic("tides", root=str(tmp_path))
