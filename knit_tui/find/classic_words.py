"""Stop lists of the ranking ``classic``: short, closed lists, in the sizes its rules were measured with.

They differ from ``stopwords`` on purpose: an English word counts from three letters on, words that
stand in almost every web project are noise, and a Chinese gram is judged by its two ends.
"""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    the and for with that this from have has had was were are been being not but you your our can could
    should would will may might must does did done how what when where which who why there here then than
    them they their its into onto over under about after before also just only very some any all each more
    most such same other these those let get got use used using make made need want like please new now
    too out off yet again time day http https www com html css json node npm src const
    var function return import export default async await true false null undefined
    """.split()
)
"""Function words, and what every web project is full of."""

FUNCTION_CHARACTERS = frozenset(
    "的了是在个上和与或及而但也都就还又只才不没很太最把被给让从向到为以于之其此这那哪谁什么怎吗呢吧啊呀嘛"
    "着我你您他她它们自己会想些每某各将中里前后大小一有来去说看做下出多少几对则"
)
"""A gram made of these alone is noise."""

EDGE_CHARACTERS = frozenset(
    "的了是在个和与或及而但也都就还又只才不没很最把被给让从到为以于之其此这那哪谁什么怎吗呢吧啊呀嘛着"
    "我你您他她它们会话想些每某各将则己咱"
)
"""A gram that begins or ends with one of these straddles two words.

Fewer than the characters above: 上, 中, 太 or 对 begin or end too many words.
"""

FUNCTION_PAIRS = frozenset(
    """
    我们 你们 他们 它们 这个 那个 这些 那些 这里 那里 这样 那样 什么 怎么 如何 因为 所以 但是 不过 如果
    虽然 然后 已经 现在 一个 一下 一些 一样 没有 不是 就是 还是 或者 以及 可以 可能 应该 需要 还有 而且
    并且 关于 通过 进行 看看 知道 觉得 问题 时候 之后 之前 目前 其中
    """.split()
)
"""Frequent pairs that the characters do not cover."""
