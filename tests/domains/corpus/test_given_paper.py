"""What a user says of a paper is held to the forms of its fields."""

from __future__ import annotations

import pytest

from pincite.core.errors import UsageError
from pincite.domains.corpus.add import Draft
from pincite.domains.corpus.given_paper import apply_given, describe_paper, show_example_citation
from pincite.papers.model import Paper


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"url": "nowhere"}, "--url nowhere"),
        ({"year": "soon"}, "--year soon"),
        ({"doi": "x"}, "--doi x"),
        ({"title": "\u200b"}, "--title"),
        ({"year": "soon", "option": ""}, "year soon"),
    ],
)
def test_a_field_that_cannot_mean_anything_is_refused(fields: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as error:
        describe_paper(**fields)  # type: ignore[arg-type]
    assert str(error.value).startswith(said)


def test_what_is_said_is_not_unsure_any_more() -> None:
    draft = Draft(
        "a.pdf",
        Paper(id="", title="Guess", year="1999", unsure=("title", "year")),
        b"x",
        remarks=("the title is unsure",),
    )
    told = apply_given(draft, describe_paper(title="Right"))
    assert (told.paper.title, told.paper.year, told.paper.unsure, told.remarks) == ("Right", "1999", ("year",), ())


@pytest.mark.parametrize(
    ("fields", "shown"),
    [({}, "[REF-001]"), ({"total_pages": 4}, "[REF-001, p.1]"), ({"page_range": "81-97"}, "[REF-001, p.81]")],
)
def test_the_example_names_the_first_page(fields: dict[str, object], shown: str) -> None:
    assert show_example_citation(Paper(id="REF-001", **fields)) == shown  # type: ignore[arg-type]
