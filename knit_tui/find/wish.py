"""What kind of document a request asks for, told from its words alone.

Who asks how something works wants its source; who asks for a change wants the source and its tests; who
names tests or documentation wants those. The rules are few enough to be told to a user.
"""

from __future__ import annotations

import re

from knit_tui.find.terms import words as words_of
from knit_tui.model import Wish

_TEST_WORDS = frozenset(
    "test tests testing pytest unittest spec specs fixture fixtures coverage 测试 单测 用例".split()
)
_DOCUMENT_WORDS = frozenset(
    """
    doc docs document documents documentation documented readme guide guides tutorial tutorials
    docstring docstrings example examples typo typos section sections wording faq manual spelling 文档 说明
    指南 教程 示例 手册 章节
    """.split()
)
_CODE_BESIDE = re.compile(
    r"\bcode (?:and|or) (?:the |its )?\w|\w (?:and|or) (?:the |its )?(?:source )?code\b"
    "|[代源]码[和与及]|[和与及][代源]码",
    re.IGNORECASE,
)
_CHANGELOG_WORDS = frozenset("changelog changelogs 更新日志 变更日志".split())
_CHINESE_WISHES = re.compile("测试|单测|用例|文档|说明|指南|教程|示例|手册|章节|更新日志|变更日志")
_CHINESE_CHANGES = re.compile(
    "修复|修改|改成|改一下|增加|添加|删除|移除|更新|改为|支持|实现|重构|优化|新增|补充|使用|设为|去掉|调整|改进|处理|避免"
)
_QUESTIONS = frozenset("how where what why which who explain describe understand does is are".split())
# Words of a change wherever they stand. Most of them name nothing that a file could be about.
_CHANGES = frozenset(
    """
    accept accepts add added adding adds adjust adjusts allow allows always apply applies avoid avoids
    broken bug build builds bump call calls can't change changed changes changing check checks clean
    cleanup convert converts correct correctly corrects crash create creates deduplicate default delete
    deletes deprecate deprecates disable disables do doesn't don't dont drop dropped drops emit emits
    enable enables ensure ensures error export exports expose exposes extend extends extract fail fails
    fix fixed fixes fixing handle handles if ignore ignores implement implementing implements improve
    improves include includes inline instead introduce introduces isn't keep keeps make makes mark marks
    merge merges migrate migrates missing move moved moves must never no normalize not optimise optimize
    pass passes preserve preserves prevent prevents print prints propagate raise raises reduce reduces
    refactor refactoring refactors remove removed removes removing rename renamed renames replace
    replaced replaces require requires respect respects restore restores return returns reuse revert
    reverts rework rewrite run runs set sets should show shows simplify simplifies skip skips speed
    split splits support supports switch test tests throw throws tweak unify update updated updates
    updating upgrade use uses using warn warns when won't write writes
    """.split()
)
# Words that tell a change only where a sentence gives an order: at its beginning.
_ORDERS = frozenset(
    """
    access adapt address adopt align amend annotate append assert assign attach authenticate backport
    benchmark bind bound bring bypass cap carry catch centralize clarify clear close codify coerce
    collapse collect combine compare complete compute configure conform consider consolidate constrain
    contain continue copy cover cut decouple dedupe defer define delay delegate demote deny derive
    deserialize detach detect determine discard discover display distinguish document dump edit
    eliminate embed encode enforce enhance escape evaluate evict exclude execute expand favor favour
    fetch finalize find finish flatten flush follow force forbid forward generate get give gracefully
    guarantee harden hide highlight hoist honor honour impl increment infer inherit initialize inject
    insert inspect install integrate invalidate invert isolate join let lift limit load localize lower
    manage measure memoize mention minimize mirror mock modernize modify narrow note obey offer omit
    open organize override panic parallelize parameterize parametrize parenthesize parse patch permit
    persist pick pin place plan polish populate port preallocate prefer prefix prepare prepend
    prioritize promote protect provide prune publish pull purge push put qualify quote reach read
    realign rebuild recognize reconcile recover redact redirect redo refine reflect refresh regenerate
    register reject relax release reload rely render reopen reorder reorganize repair repeat report
    reserve reset resolve restrict restructure resume retain retry revise roll rotate sanitize save scan
    search select send separate serialize serve shorten shrink silence slim sort speak specify stabilize
    standardize start stop store stream strengthen strip suggest suppress swap sync synchronize tag take
    tear terminate tidy tighten toggle track transform translate traverse treat trigger trim truncate
    try tune turn type undo undeprecate unignore unset unwrap validate verify wait wire wrap
    """.split()
)
_PIECE = re.compile(r"[^\W_]+(?:'\w+)?")
# "fix(scope): ", "ABC-123: ", "pkg/part: " before the sentence itself.
_LABEL = re.compile(r"[\w/.()!-]{1,40}:\s+|[A-Z]+-\d+\s+")


def wish(text: str, *, live: bool = False) -> Wish:
    """What ``text``, a typed query or the newest prompt of a ``live`` session, asks for.

    Beside a working agent whatever is asked leads to changes, so that nothing there is a mere question.
    """
    words = {word.lower() for word in words_of(text)} | set(_CHINESE_WISHES.findall(text))
    if words & _CHANGELOG_WORDS:
        return Wish.CHANGELOG
    if words & _TEST_WORDS:
        return Wish.TESTS
    if words & _DOCUMENT_WORDS and not _CODE_BESIDE.search(text):
        return Wish.DOCUMENTS
    return Wish.CHANGE if live or _asks_for_change(text) else Wish.UNDERSTANDING


def _asks_for_change(text: str) -> bool:
    label = _LABEL.match(text)
    if label and not _CHANGES.isdisjoint(_PIECE.findall(label.group().lower())):
        return True
    pieces = [piece.lower() for piece in _PIECE.findall(text[label.end() :] if label else text)]
    if not pieces or pieces[0] in _QUESTIONS:
        return False
    if pieces[0] in _ORDERS or not _CHANGES.isdisjoint(pieces):
        return True
    return _CHINESE_CHANGES.search(text) is not None
