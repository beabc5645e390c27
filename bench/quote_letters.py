"""Texts in scripts without spaces, and quotes from them whose answer is known: word for word, or with one change."""

from __future__ import annotations

import re
from collections.abc import Iterator

CHINESE = (
    "本研究在二〇二〇年招募了三百二十名受试者，并对其进行了为期十二个月的随访。",
    "结果表明，该方法并不能显著提高识别的准确率，也没有缩短处理所需的时间。",
    "我们在北京、上海和广州的15个站点采集了2,400份水样，其中只有37份超过限值。",
    "温度每升高1℃，反应速率增加约百分之八点五，而压力的影响可以忽略不计。",
    "与此前的报道不同，我们没有观察到任何泄漏，所有阀门均保持密封。",
    "王明等人认为，样本量不足是造成结果不一致的主要原因。",
    "道可道，非常道；名可名，非常名。",
    "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？",
    "知之为知之，不知为不知，是知也。",
    "使用BERT模型时，微调的学习率不应超过0.00005，否则训练无法收敛。",
)
JAPANESE = (
    "実験の結果、温度の上昇は検出されなかったが、圧力は15％増加した。",
    "この方法は従来の方法より三倍速く、誤差は0.5ミリメートルを超えない。",
    "我々は東京と大阪の二十四か所で調査を行い、千二百人から回答を得た。",
    "参加者のうち副作用を訴えた者は一人もいなかった。",
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "祇園精舎の鐘の声、諸行無常の響きあり。",
    "月日は百代の過客にして、行かふ年も又旅人也。",
    "データベースの更新は毎日午前３時に実行され、失敗した場合は再試行しない。",
)
THAI = (
    "ผลการทดลองไม่พบความแตกต่างของอุณหภูมิ และความดันเพิ่มขึ้นร้อยละ 15",
    "ผู้เข้าร่วมการวิจัยจำนวน 320 คนได้รับการติดตามเป็นเวลาสิบสองเดือน",
    "วิธีการนี้ไม่สามารถลดระยะเวลาในการประมวลผลได้อย่างมีนัยสำคัญ",
    "น้ำขึ้นน้ำลงเกิดจากแรงดึงดูดของดวงจันทร์และดวงอาทิตย์",
)
TEXTS = {"Chinese": CHINESE, "Japanese": JAPANESE, "Thai": THAI}
_CLAUSE = re.compile(r"[^，。；？！、\s]{6,}")
_NEGATIONS = ("不", "没有", "無い", "なかった", "ない", "ぬ", "ไม่", "非")
_OTHER_DIGITS = str.maketrans("0123456789一二三四五六七八九", "1234567890二三四五六七八九一")


def wrapped(texts: tuple[str, ...], width: int = 17) -> str:
    """Texts in lines as a page has them: cut where the line is full, but not within numbers or syllables."""
    lines, line = [], ""
    for sign in "".join(texts):
        if len(line) >= width and sign.isalpha() and not sign.isascii() and line[-1] not in "เแโใไ(（" + "0123456789":
            lines.append(line)
            line = ""
        line += sign
    return "\n".join([*lines, line])


def take(text: str) -> Iterator[str]:
    """The text, and its clauses."""
    yield text
    yield from (clause for clause in _CLAUSE.findall(text) if clause != text)


def change(text: str) -> Iterator[tuple[str, str]]:
    """How it was changed, and the text with one change."""
    for word in _NEGATIONS:
        if word in text:
            yield "negation", text.replace(word, "", 1)
    for at, sign in enumerate(text):
        if sign.translate(_OTHER_DIGITS) != sign:
            yield "number", text[:at] + sign.translate(_OTHER_DIGITS) + text[at + 1 :]
            break
    half = len(text) // 2
    for other in "的のก":
        if text[half] not in "的のก，。、" and text[half].isalpha() and (ord(text[half]) < 0xF00) == (other == "ก"):
            yield "letter", text[:half] + other + text[half + 1 :]
            yield "left out", text[:half] + text[half + 1 :]
            break
    third = len(text) // 3
    if text[third] != text[third + 1] and text[third : third + 2].isalpha():
        yield "turned about", text[:third] + text[third + 1] + text[third] + text[third + 2 :]
