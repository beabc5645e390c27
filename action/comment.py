"""Keeps one comment of pincite on a pull request: creates it, renews it, and removes doubles.

Run by `action.yml` with the files that make up the comment. What it needs comes from the environment:

    PINCITE_TOKEN        a token that may write comments; without the permission the job summary gets the report
    PINCITE_REPOSITORY   owner/name
    PINCITE_NUMBER       the number of the pull request
    PINCITE_ATTENTION    0 where there is nothing to say: then a comment is renewed, and none is created
    GITHUB_API_URL       where the host answers
    GITHUB_STEP_SUMMARY  the file of the job summary

It ends with 0 whatever the host answers: the check decides whether the job fails. Nothing of a file or an answer is
printed, since the log of a runner obeys commands.
"""

from __future__ import annotations

import json
import os
import re
import sys
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

MARKER = "<!-- pincite: this comment is renewed with every run -->"
AUTHOR = "github-actions[bot]"
"""Who writes with the token of a job: a comment of another author is never touched, whatever it says."""
MOST_CHARS = 64_000
"""A comment holds 65,536 characters."""
MOST_PAGES = 50
SECONDS = 20
MOST_ANSWER = 64 * 1024 * 1024
CUT = "\n\n… The rest is in the summary of the job.\n"


class NoRedirect(HTTPRedirectHandler):
    """A token is sent to one host and to no other."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse."""


class PullRequest:
    """The comments of one pull request."""

    def __init__(self, api: str, repository: str, number: str, token: str) -> None:
        self._repository = f"{api.rstrip('/')}/repos/{repository}"
        self._comments = f"{self._repository}/issues/{number}/comments"
        self._token = token
        self._opener = build_opener(NoRedirect())

    def find_own(self) -> list[tuple[int, str]]:
        """The ids and texts of the comments that pincite wrote, the oldest first."""
        found: list[tuple[int, str]] = []
        for page in range(1, MOST_PAGES + 1):
            comments = self._ask("GET", f"{self._comments}?per_page=100&page={page}")
            found += [(int(one["id"]), str(one["body"])) for one in comments if _is_own(one)]
            if len(comments) < 100:
                break
        return sorted(found)

    def create(self, body: str) -> None:
        """Write a new comment."""
        self._ask("POST", self._comments, {"body": body})

    def renew(self, id_: int, body: str) -> None:
        """Write another text into a comment."""
        self._ask("PATCH", f"{self._repository}/issues/comments/{id_}", {"body": body})

    def remove(self, id_: int) -> None:
        """Delete a comment."""
        self._ask("DELETE", f"{self._repository}/issues/comments/{id_}")

    def _ask(self, method: str, address: str, data: dict[str, str] | None = None) -> Any:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "pincite-action",
        }
        body = None if data is None else json.dumps(data).encode()
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = Request(address, body, headers, method=method)
        with self._opener.open(request, timeout=SECONDS) as answer:
            text = answer.read(MOST_ANSWER)
        return json.loads(text) if text else None


def _is_own(comment: dict[str, Any]) -> bool:
    """Whether pincite wrote a comment: it has the marker, and its author is the runner, not a person who copied it."""
    user = comment.get("user") or {}
    return str(comment.get("body") or "").startswith(MARKER) and user.get("login") == AUTHOR


def keep_one(pull_request: PullRequest, body: str, attention: bool) -> str:
    """Make the comment say this, and remove doubles; what was done."""
    own = pull_request.find_own()
    done = "renewed"
    if not own:
        if not attention:
            return "not needed"
        pull_request.create(body)
        done = "created"
        # Another run may have created one meanwhile.
        own = pull_request.find_own()
    if own and own[0][1] != body:
        pull_request.renew(own[0][0], body)
    for id_, _ in own[1:]:
        pull_request.remove(id_)
    return done


def compose(files: list[str]) -> str:
    """The text of the comment: the files one after the other, as far as a comment holds them."""
    texts = [Path(name).read_text(encoding="utf-8", errors="replace").strip() for name in files if Path(name).is_file()]
    body = "\n\n".join([MARKER, *filter(None, texts)])
    if len(body) <= MOST_CHARS:
        return body + "\n"
    kept = body[: MOST_CHARS - len(CUT)]
    return kept[: kept.rfind("\n")] + CUT


def explain(error: Exception) -> str:
    """Why there is no comment, in words that hold nothing foreign."""
    if isinstance(error, HTTPError) and error.code in (401, 403, 404):
        return "the token of this job may not write comments (add `pull-requests: write`; forks never have it)"
    return f"the host answered with {error.code}" if isinstance(error, HTTPError) else "the host could not be asked"


def main(files: list[str]) -> None:
    """Keep the comment; where that cannot be, put it into the job summary and say so."""
    body = compose(files)
    told = {name: os.environ.get(f"PINCITE_{name}", "") for name in ("TOKEN", "REPOSITORY", "NUMBER", "ATTENTION")}
    api = os.environ.get("GITHUB_API_URL", "https://api.github.com")
    if not re.fullmatch(r"[\w.-]{1,100}/[\w.-]{1,100}", told["REPOSITORY"]) or not re.fullmatch(
        r"[1-9][0-9]{0,9}", told["NUMBER"]
    ):
        why = "this is no pull request"
    elif not told["TOKEN"]:
        why = "there is no token"
    elif not re.match(r"https?://", api):
        why = "GITHUB_API_URL is no address"
    else:
        pull_request = PullRequest(api, told["REPOSITORY"], told["NUMBER"], told["TOKEN"])
        try:
            print(f"Comment on the pull request: {keep_one(pull_request, body, told['ATTENTION'] != '0')}.")
        except (HTTPException, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            why = explain(error)
        else:
            return
    print(f"::notice title=pincite::No comment was written: {why}. The report is in the summary of the job.")
    summary = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if summary:
        with open(summary, "a", encoding="utf-8") as file:
            # The check has put its own report there already.
            file.write(compose(files[:1]).removeprefix(MARKER).lstrip("\n"))


if __name__ == "__main__":
    main(sys.argv[1:])
