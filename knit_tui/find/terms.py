"""Text to terms, the same for documents and queries.

Goals: words of every script; identifiers found whole and by their parts; Chinese, Japanese and
Korean text found without a dictionary; linear time on any input.

A word is a run of letters, digits and underscores of one writing system. A word gives its folded
form (NFKC, case folded), the form without accents when it differs, and the parts of an identifier
(``parseHTTPHeader_v2``: parse, http, header, v2). A run of Han, Kana or Hangul gives its
overlapping pairs and triples of characters instead, and a Hangul run its whole word too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import pairwise

MAX_TERM = 64
"""Longest term in characters; a longer word (base64, hashes) gives no term of its own, its parts may."""
_LONGEST_MEMO = 80

_CJK = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
_ASCII_BLANKS = "".join(chr(code) if _ASCII_WORD.match(chr(code)) else " " for code in range(128))
_ASCII_PIECE_ENDS = re.compile("_|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ASCII_RUN = re.compile("[0-9]+|[^0-9]+")

HASH_BITS = 41


@cache
def _word() -> re.Pattern[str]:
    # Large sets of characters take long to compile, and much text is plain ASCII.
    return re.compile(f"[{_CJK}]+|[^\\W{_CJK}]+")


@cache
def _cjk_run() -> re.Pattern[str]:
    return re.compile(f"[{_CJK}]+")


@cache
def _hangul_run() -> re.Pattern[str]:
    return re.compile("[\uac00-\ud7af]+")


def normal(text: str) -> str:
    """``text`` with each accent composed with its letter, as keyboards write it: only so is a word one."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def words(text: str) -> list[str]:
    """The words of ``text`` in order."""
    return text.translate(_ASCII_BLANKS).split() if text.isascii() else _word().findall(text)


def word_matches(text: str) -> Iterator[re.Match[str]]:
    """The same words as matches, with their places."""
    return (_ASCII_WORD if text.isascii() else _word()).finditer(text)


def is_cjk(word: str) -> bool:
    """Whether ``word``, one of ``words``, is a run of Han, Kana or Hangul."""
    return not word.isascii() and _cjk_run().match(word) is not None


def document_terms(word: str) -> tuple[str, ...]:
    """The distinct terms under which a document that holds ``word`` can be found."""
    return _memo_document_terms(word) if len(word) <= _LONGEST_MEMO else _terms(word, split_digits=True)


def query_terms(word: str) -> tuple[str, ...]:
    """The distinct terms to look for when a person writes ``word``, the whole word first.

    Digits stay with their letters: who asks for ``utf8`` does not ask for ``utf``.
    """
    return _terms(word, split_digits=False)


def grams(run: str) -> list[str]:
    """Pairs, then triples, of neighbouring characters, left to right; a run of one is its own gram."""
    if len(run) == 1:
        return [run]
    return [run[i : i + n] for n in (2, 3) for i in range(len(run) - n + 1)]


def _terms(word: str, *, split_digits: bool) -> tuple[str, ...]:
    if word.isascii():
        return _ascii_terms(word, split_digits)
    word = unicodedata.normalize("NFKC", word)
    if is_cjk(word):
        run = word.casefold()
        whole = [run] if _hangul_run().fullmatch(run) and len(run) <= MAX_TERM else []
        return tuple(dict.fromkeys([*whole, *grams(run)]))
    whole_term = word.casefold()
    found = [whole_term] if len(whole_term) <= MAX_TERM else []
    parts = _parts(word, split_digits=split_digits)
    found += [part.casefold() for part in parts if 2 <= len(part) <= MAX_TERM]
    found += [plain for term in found if (plain := _without_accents(term)) != term]
    return tuple(dict.fromkeys(found))


def _ascii_terms(word: str, split_digits: bool) -> tuple[str, ...]:
    """As ``_terms`` of a word that is no plain ASCII; what it costs is most of what an index costs."""
    term = word.lower()
    whole = (term,) if len(term) <= MAX_TERM else ()
    if word.isdigit() or (word.isalpha() and (word == term or word[1:].islower())):
        return whole
    pieces = [word]
    if word != term or "_" in word:
        pieces = [piece for piece in _ASCII_PIECE_ENDS.split(word) if piece]
    if split_digits and not word.isalpha():
        mixed = [piece for piece in pieces if not piece.isalpha()]
        pieces += [run for piece in mixed for run in _ASCII_RUN.findall(piece) if run != piece]
    if len(pieces) < 2:
        return whole
    parts = [piece.lower() for piece in pieces if 2 <= len(piece) <= MAX_TERM]
    return tuple(dict.fromkeys([*whole, *parts]))


def _without_accents(term: str) -> str:
    decomposed = unicodedata.normalize("NFD", term)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


def _parts(word: str, *, split_digits: bool) -> list[str]:
    """The pieces of an identifier: cut at ``_``, ``aB``, before the last capital of ``ABc``; with
    ``split_digits`` each piece that mixes letters and digits gives its letters and its digits too."""
    pieces = [piece for chunk in word.split("_") for piece in _cut(chunk, _capital_begins)]
    if split_digits:
        pieces += [run for piece in pieces for run in _cut(piece, _digits_change) if run != piece]
    return pieces if len(pieces) > 1 else []


def _cut(chunk: str, begins: Callable[[str, int], bool]) -> list[str]:
    places = [0, *(i for i in range(1, len(chunk)) if begins(chunk, i)), len(chunk)]
    return [chunk[first:last] for first, last in pairwise(places) if first < last]


def _capital_begins(chunk: str, i: int) -> bool:
    if not chunk[i].isupper():
        return False
    return chunk[i - 1].islower() or (
        chunk[i - 1].isupper() and i + 1 < len(chunk) and chunk[i + 1].islower()
    )


def _digits_change(chunk: str, i: int) -> bool:
    return chunk[i - 1].isdigit() != chunk[i].isdigit()


def definition_term(name: str) -> str:
    """The term under which the code that defines ``name``, spelled exactly so, is found; no text has it."""
    return "=" + name


def term_digest(term: str) -> bytes:
    """Eight bytes that stand for ``term``, the same on every machine."""
    return blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def term_hash(term: str) -> int:
    """``HASH_BITS`` bits that stand for ``term`` in an index: the highest of its digest, low byte first."""
    return int.from_bytes(term_digest(term), "little") >> (64 - HASH_BITS)


@lru_cache(maxsize=1 << 12)
def _memo_document_terms(word: str) -> tuple[str, ...]:
    return _terms(word, split_digits=True)


def occurring_terms(word: str) -> tuple[str, ...]:
    """The terms of ``word`` as often as they occur in it: a gram that a run holds twice comes twice."""
    if not word.isascii():
        run = unicodedata.normalize("NFKC", word).casefold()
        if is_cjk(run):
            whole = [run] if len(run) > 3 and run in _terms(word, split_digits=True) else []
            return (*whole, *grams(run))
    return _terms(word, split_digits=True)


def word_length(word: str) -> int:
    """Length in words: 1, or one a character for Chinese, so that lengths of both kinds of text compare."""
    return len(word) if is_cjk(word) else 1
