"""Everyday ways to write the same, and what only looks like one of them."""

from __future__ import annotations

from time import process_time

import pytest

from pincite.judge.offline import Offline

JUDGE = Offline()


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The profit of the company fell.", "The company's profit fell."),
        ("The company's profit fell.", "The profit of the company fell."),
        ("The president of France resigned.", "France's president resigned."),
        ("The bridge was opened in 1932.", "In 1932, the bridge was opened."),
        ("In 1932, the bridge was opened.", "The bridge was opened in 1932."),
        ("On Monday the board met the owners.", "The board met the owners on Monday."),
        ("The law which bans smoking is old.", "The law that bans smoking is old."),
        ("The staff cooperated.", "The staff co-operated."),
        ("The WHO advised caution.", "The World Health Organization (WHO) advised caution."),
        ("The US signed the treaty.", "The United States signed the treaty."),
        ("The UN signed the treaty.", "The United Nations signed the treaty."),
    ],
)
def test_the_same_in_another_turn_is_high(claim: str, quote: str) -> None:
    assert JUDGE.assess(claim, quote).level == "high"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        # who has what
        ("The company of the profit fell.", "The company's profit fell."),
        ("The profit's company fell.", "The profit of the company fell."),
        ("The mayor of York resigned.", "New York's mayor resigned."),
        # by whom, and to whom
        ("The criticism of the minister was harsh.", "The minister's criticism was harsh."),
        ("The murder of the king was bloody.", "The king's murder was bloody."),
        # another clause's time
        ("In 2019, the firm said that it sold the mine.", "The firm said that it sold the mine in 2019."),
        ("The firm said that it sold the mine in 2019.", "In 2019, the firm said that it sold the mine."),
        ("In 2006, he was cleared of an assault.", "He was cleared of an assault in 2006."),
        ("In 2006, they met the man accused.", "They met the man accused in 2006."),
        ("In 2019, police released the man arrested.", "Police released the man arrested in 2019."),
        ("In 2019, the firm did not pay.", "The firm did not pay in 2019."),
        # another word, another body
        ("The player resigned.", "The player re-signed."),
        ("The WTO advised caution.", "The World Health Organization (WHO) advised caution."),
        ("The US signed the treaty.", "The United Kingdom signed the treaty."),
        ("The county was rich.", "The country was rich."),
    ],
)
def test_what_only_looks_like_another_turn_is_not_high(claim: str, quote: str) -> None:
    assert JUDGE.assess(claim, quote).level != "high"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Employees, who are parents, have a right to leave.", "Employees who are parents have a right to leave."),
        ("Jo Rob and Tony enjoy their holiday.", "Jo, Rob and Tony enjoy their holiday."),
        ("They met Mary, Ann Smith in Rome.", "They met Mary Ann Smith in Rome."),
    ],
)
def test_a_comma_that_changes_who_is_meant_counts(claim: str, quote: str) -> None:
    assert JUDGE.assess(claim, quote).level != "high"


def test_a_comma_that_changes_nothing_does_not_count() -> None:
    assert JUDGE.assess("They sold bread, milk, and eggs.", "They sold bread, milk and eggs.").level == "high"


def test_hostile_lengths_are_cheap() -> None:
    quote = "the king of the " * 900 + "hill."
    claim = "the hill's king of the " * 40 + "hill."
    start = process_time()
    assert JUDGE.assess(claim, quote).level != "high"
    assert process_time() - start < 2


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The parser reads UTF-8 by default.", "By default, the parser reads UTF-8."),
        ("By default, the parser reads UTF-8.", "The parser reads UTF-8 by default."),
        ("The ferry leaves at six in summer.", "In summer, the ferry leaves at six."),
        ("The guests left the hall after the speech.", "After the speech, the guests left the hall."),
        ("The mill was sold in Spain in 1911.", "In Spain, the mill was sold in 1911."),
        ("The seat was empty for two years.", "For two years the seat was empty."),
        ("The gate was opened quickly by a guard.", "The gate was quickly opened by a guard."),
        ("The light turns green when the tank is full.", "When the tank is full, the light turns green."),
    ],
)
def test_an_adverbial_may_move(claim: str, quote: str) -> None:
    assert JUDGE.assess(claim, quote).level == "high"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("He said the plant was closed in May.", "In May, he said the plant was closed."),
        ("The ferry does not leave in summer.", "In summer, the ferry does not leave."),
        ("All ships left the port in winter.", "In winter, all ships left the port."),
        ("In Paris, he praised the book on tea.", "He praised the book on tea in Paris."),
        ("The mill was sold and the dam broke in Spain.", "In Spain, the mill was sold and the dam broke."),
        ("The dog that barked slept in the yard.", "In the yard, the dog that barked slept."),
        ("The gate was opened nearly by a guard.", "The gate was nearly opened by a guard."),
    ],
)
def test_an_adverbial_may_not_move(claim: str, quote: str) -> None:
    assert JUDGE.assess(claim, quote).level != "high"
