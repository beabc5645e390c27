"""A change is looked at by the citations that it touches: the others cost their reading and no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.engine.affected import AffectedResult, Effect, find_change, look
from pincite.engine.affected.already_stale import compare_with_history
from pincite.engine.drift.sentence import SentenceJudge
from pincite.history.trace import Tracer
from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.safe.git import Git
from pincite.safe.git_objects import Objects

BODY = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 301))


def look_at_last_commit(repo: Any) -> AffectedResult:
    """What the command finds."""
    with Root(str(repo.path)) as root:
        git = Git.find(root.path)
        assert git is not None
        change = find_change(git, "HEAD~1..")
        assert change is not None
        try:
            result = look(root, Config(), git, change)
            compare_with_history(result, root, Config(), cache=False)
        finally:
            git.close()
        return result


def counting(monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> list[Any]:
    """The arguments that a method is called with from now on."""
    calls: list[Any] = []
    method = getattr(kind, name)

    def counted(self: Any, *given: Any, **more: Any) -> Any:
        calls.append(given)
        return method(self, *given, **more)

    monkeypatch.setattr(kind, name, counted)
    return calls


def test_only_what_the_change_touches_is_judged_and_traced(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All citations of a document were held to their sentences, and all were followed through history."""
    repo = make_repository()
    lines = "".join(f"For step_{at} see src/other.py:{at}.\n\n" for at in range(1, 200))
    repo.commit({"src/app.py": BODY, "src/other.py": BODY, "a.md": f"{lines}See src/app.py:7 for step_7.\n"})
    repo.commit({"src/other.py": BODY[2000:] + BODY[:2000], "src/app.py": "# one\n" + BODY})
    repo.commit({"src/app.py": "# two\n# one\n" + BODY, "b.md": "See src/app.py:9 for step_7.\n"})
    judged, traced = counting(monkeypatch, SentenceJudge, "_judge"), counting(monkeypatch, Tracer, "trace")
    (moved, new) = sorted(look_at_last_commit(repo).items, key=lambda item: item.document)
    assert (moved.effect, moved.fix) == (Effect.MOVES, "src/app.py:9")
    assert new.effect is Effect.NEW
    assert len(judged) <= 4
    assert sum(len(asks) for (asks,) in traced) <= 1


def test_documents_of_a_commit_are_read_in_one_go(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repository()
    documents = {f"docs/{at}.md": f"Number {at}: see src/app.py:{at + 1}.\n" for at in range(250)}
    repo.commit({"src/app.py": BODY, **documents})
    repo.commit({"src/app.py": "# one\n" + BODY})
    sent = counting(monkeypatch, Objects, "_send")
    result = look_at_last_commit(repo)
    assert sum(item.effect is Effect.MOVES for item in result.items) == 250
    assert len(sent) < 50
