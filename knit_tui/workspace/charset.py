"""Which of the old encodings a text that is not UTF-8 is written in.

Each encoding that can decode the text at all is scored by what the text would then say: everyday
characters of its script speak for it, rare ones and mixtures that nobody writes speak against it.
Only lines with bytes beyond ASCII say anything, so only those are looked at, up to a limit.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable

SAMPLE = 8 * 1024
"""Bytes of the lines that are looked at."""
_PLAUSIBLE = 0.38
"""A score below this is no text in that encoding."""

_COMMON_CHINESE = frozenset(
    "的一是不了在有人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"
    "文件数据用户配置返回参数测试请求错误信息获取类型接口方法处理使用设置函数名称添加删除修改内容系统注释代码"
)
_COMMON_TRADITIONAL = frozenset(
    "的一是不了在有人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經"
    "檔案資料使用者設定傳回參數測試請求錯誤訊息取得類型介面方法處理函式名稱新增刪除修改內容系統註解程式碼"
)
_COMMON_KOREAN = frozenset(
    "이다는의에을를가고하지기사로한도리어서인은자대그나일시아해스정보장부과수동있안원제상전주게데터파설용함값반환트세요니습성문"
)
_COMMON_CYRILLIC = frozenset("оеаинтсрвлкмдпуяОЕАИНТСРВЛКМДПУЯ")
_TYPOGRAPHY = frozenset("“”‘’–—…•«»„‚›‹\xa0·")
_SIGNS = frozenset("©®°±€£§™¿¡½¼¾×²³µ¢¥¶†‰ªº")


def guess(data: bytes) -> str | None:
    """The encoding that a text which is not UTF-8 most likely has, or None when none is plausible.

    The end of ``data`` may cut a character.
    """
    sample = _sample(data)
    best, best_score = None, _PLAUSIBLE
    for encoding, score in _SCORES:
        try:
            points = score(codecs.getincrementaldecoder(encoding)("strict").decode(sample, False), encoding)
        except ValueError:
            continue
        if points > best_score:
            best, best_score = encoding, points
    return best


def _sample(data: bytes) -> bytes:
    lines: list[bytes] = []
    size = 0
    # With their ends: half a character before the end of a line speaks against an encoding.
    for line in data.splitlines(keepends=True):
        if not line.isascii():
            lines.append(line[: SAMPLE - size])
            size += len(line)
            if size >= SAMPLE:
                break
    return b"".join(lines)


def _mean(points: list[float]) -> float:
    return sum(points) / len(points) if points else 0.0


def _by_rows(
    common: frozenset[str], everyday: tuple[int, int], signs: tuple[int, int], trail: int
) -> Callable[[str, str], float]:
    """Score a two-byte encoding by the rows (first bytes) that its everyday characters stand in."""

    def score(text: str, encoding: str) -> float:
        points = []
        for character in text:
            if character.isascii():
                continue
            code = character.encode(encoding)
            if character in common:
                points.append(1.5)
            elif len(code) == 2 and signs[0] <= code[0] <= signs[1] and code[1] >= trail:
                points.append(0.8)
            elif len(code) == 2 and everyday[0] <= code[0] <= everyday[1] and code[1] >= trail:
                points.append(1.0 if code[1] >= 0xA1 else 0.5)
            elif len(code) == 2 and code[1] >= trail and code[0] > everyday[1]:
                points.append(0.2)
            else:
                points.append(-0.6)
        return _mean(points)

    return score


def _japanese(text: str, encoding: str) -> float:
    points = []
    for character in text:
        if "\u3041" <= character <= "\u30fe":
            points.append(1.2)
        elif "\u3000" <= character <= "\u303f" or "\uff01" <= character <= "\uff5e":
            points.append(0.8)
        elif "\uff61" <= character <= "\uff9f":
            points.append(-0.6)
        elif not character.isascii():
            code = character.encode(encoding)
            row = code[0] if encoding == "euc_jp" else 0xB0 + 2 * (code[0] - 0x88)
            points.append(0.7 if len(code) == 2 and 0xB0 <= row <= 0xD0 else -0.1)
    return _mean(points)


def _cyrillic(text: str, _: str) -> float:
    points = []
    before = " "
    for position, character in enumerate(text):
        if not character.isascii():
            if not ("\u0400" <= character <= "\u045f"):
                points.append(0.5 if character in _TYPOGRAPHY or character in "№©" else -0.6)
            elif (before.isascii() and before.isalpha()) or (character.isupper() and before.islower()):
                points.append(-1.0)
            elif not before.isalpha() and not text[position + 1 : position + 2].isalpha():
                points.append(0.3)
            else:
                points.append(1.2 if character in _COMMON_CYRILLIC else 0.7)
        elif character.isalpha() and not before.isascii():
            points.append(-1.0)
        before = character
    # A letter or two may be anything: Cyrillic texts have whole words.
    return _mean(points) * min(1.0, len(points) / 5)


def _western(text: str, _: str) -> float:
    points = []
    run = 0
    before = " "
    for position, character in enumerate(text):
        if character.isascii():
            run = 0
        elif character in _TYPOGRAPHY or (character in _SIGNS and before.isascii()):
            points.append(0.8)
            run = 0
        elif character.isalpha():
            run += 1
            after = text[position + 1 : position + 2]
            beside = (before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha())
            turned = character.isupper() and before.islower()
            points.append(-0.6 if run > 3 or turned else 1.0 if beside else 0.4)
        else:
            points.append(-0.8)
        before = character
    return _mean(points)


_SCORES: tuple[tuple[str, Callable[[str, str], float]], ...] = (
    ("cp1252", _western),
    ("latin_1", _western),
    ("gb18030", _by_rows(_COMMON_CHINESE, (0xB0, 0xD7), (0xA1, 0xA3), 0xA1)),
    ("cp932", _japanese),
    ("cp949", _by_rows(_COMMON_KOREAN, (0xB0, 0xC8), (0xA1, 0xA3), 0xA1)),
    ("big5", _by_rows(_COMMON_TRADITIONAL, (0xA4, 0xC6), (0xA1, 0xA3), 0x40)),
    ("euc_jp", _japanese),
    ("cp1251", _cyrillic),
    ("koi8_r", _cyrillic),
)
