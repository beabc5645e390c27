"""Scripts without spaces: quotes in Chinese, Japanese and Thai are told apart like any others."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from pincite.quotes.lookup import QuoteSource, describe, mark_changes
from pincite.text.unspaced_scripts import count_words, join_lines, join_words

_spec = spec_from_file_location("quote_letters", Path(__file__).parents[2] / "bench" / "quote_letters.py")
assert _spec is not None and _spec.loader is not None
cases = module_from_spec(_spec)
_spec.loader.exec_module(cases)

SOURCES = {name: (texts, QuoteSource((cases.wrapped(texts),))) for name, texts in cases.TEXTS.items()}
VERBATIM = [(name, quote) for name, (texts, _) in SOURCES.items() for text in texts for quote in cases.take(text)]
ALTERED = [
    (name, how, quote) for name, (texts, _) in SOURCES.items() for text in texts for how, quote in cases.change(text)
]


def test_no_altered_quote_passes() -> None:
    assert len(ALTERED) >= 60
    answers = [(how, quote, SOURCES[name][1].look(quote).kind) for name, how, quote in ALTERED]
    assert [answer for answer in answers if answer[2] == "verbatim"] == []
    assert sum(answer[2] == "altered" for answer in answers) >= 0.98 * len(answers), answers


def test_verbatim_quotes_are_found() -> None:
    assert len(VERBATIM) >= 60
    refused = [quote for name, quote in VERBATIM if SOURCES[name][1].look(quote).kind != "verbatim"]
    assert len(refused) <= len(VERBATIM) // 100, refused


def test_numbers_and_negations_are_called_out() -> None:
    weighty = [(name, how, quote) for name, how, quote in ALTERED if how in ("number", "negation")]
    named = [SOURCES[name][1].look(quote).edits[:1] for name, how, quote in weighty]
    right = [edits[0].kind == how for edits, (_, how, _) in zip(named, weighty, strict=True) if edits]
    assert sum(right) >= 0.9 * len(weighty)


TEXT = "本研究在2020年招募了三百二十名受试者，结果表明该方法并不能显著提高准确率（ｎ＝１２），平均误差为三点五毫米。"
JAPANESE_TEXT = "実験では温度の上昇は検出されなかった。アンケートの回収率は１５％だった。"


@pytest.mark.parametrize(
    "quote",
    [
        "招募了三百二十名受试者",
        "2020年招募了三百二十名受试者",
        "招募了三百二十名受试者, 结果表明",
        "提高准确率(n=12)",
        "结果表明……提高准确率",
        "结果表明[上述]方法并不能",
        "方法并 不能显著",
        "结果\u3000表明该方法",
    ],
)
def test_a_quote_within_a_sentence_is_found(quote: str) -> None:
    # What is put in stands for a word that refers to something.
    text = TEXT.replace("该方法", "其方法") if "[" in quote else TEXT
    assert QuoteSource((text,)).look(quote).kind == ("stitched" if "……" in quote else "verbatim")


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        # What stands right before it turns it round.
        (TEXT, "能显著提高准确率"),
        ("ผลการทดลองไม่พบความแตกต่างของอุณหภูมิ", "พบความแตกต่างของอุณหภูมิ"),
        # So does what follows.
        ("この仮説は支持されない。", "この仮説は支持され"),
        # Also where a line ends in between.
        ("该方法并不\n能显著提高准确率", "能显著提高准确率"),
        ("この仮説は支持さ\nれな\nかった。", "この仮説は支持され"),
        ("この仮説は支持され\nなかった。", "この仮説は支持され"),
        ("招募了三百\n二十名受试者", "二十名受试者"),
        # A part of a number.
        (TEXT, "二十名受试者，结果表明"),
        (TEXT, "平均误差为三"),
        (TEXT, "020年招募了三百"),
        ("销售额为15万元人民币。", "销售额为15"),
        ("产量增加了三成以上。", "产量增加了三"),
        # A part of a word.
        (JAPANESE_TEXT, "ケートの回収率は15%"),
        # A tone or a vowel less.
        ("ผลการทดลองไม่พบความแตกต่าง", "ผลการทดลองไมพบความแตกต่าง"),
        # Omissions and insertions hide nothing.
        (TEXT, "结果表明该方法……能显著提高准确率"),
        (TEXT, "该方法并[完全]能显著提高准确率"),
        (TEXT, "招募了[三百三十]名受试者，结果表明"),
    ],
)
def test_what_turns_or_cuts_is_no_quote(text: str, quote: str) -> None:
    assert QuoteSource((text,)).look(quote).kind != "verbatim"


def test_what_was_changed_is_said_by_letters() -> None:
    look = QuoteSource((TEXT,)).look("结果表明该方法并能显著提高准确率")
    assert describe(look.edits) == "the negation “不” is left out"
    assert mark_changes("该方法并能显著", "该方法并不能显著", look.edits) == ("该方法并能显著", "该方法并[-不-]能显著")
    look = QuoteSource((TEXT,)).look("招募了三百三十名受试者")
    assert describe(look.edits) == "the number 三 is 二 there"


def test_a_quote_put_together_is_told() -> None:
    text = (
        "甲方应当在收到通知后七日内支付全部货款。"
        + "其余事项由双方另行协商确定。" * 9
        + "乙方不得将合同转让给任何第三方使用。"
    )
    look = QuoteSource((text,)).look("甲方应当在收到通知后七日内不得将合同转让给任何第三方使用")
    assert look.kind == "stitched" and len(look.passages) == 2


def test_fonts_that_give_radicals_and_narrow_letters() -> None:
    assert QuoteSource(("⼈⼯智能的⽅法",)).look("人工智能的方法").kind == "verbatim"
    assert QuoteSource(("ﾃﾞｰﾀﾍﾞｰｽの更新は毎日",)).look("データベースの更新は毎日").kind == "verbatim"
    assert QuoteSource(("ＡＢＣ社は１２３件",)).look("ABC社は123件").folded == ("full-width form",)
    assert QuoteSource(("ＡＢＣ社は１２３件",)).look("ABC社は124件").kind == "altered"


def test_words_are_counted_and_joined() -> None:
    assert count_words("whales sing to us") == 4
    assert count_words("鲸鱼唱歌") == 2
    assert count_words("用BERT做实验") == 3
    assert join_lines("我们\n发现 it\nworks\n了") == "我们发现 it works 了"
    assert join_words(["我", "们", "use", "it", "不"]) == "我们 use it 不"
