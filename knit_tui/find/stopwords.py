"""Words that carry grammar, not a subject. Short on purpose: a rare word weighs itself by its idf.

Words that name things in a project (time, node, import, test …) are not stop words.
"""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are aren as at be because been before being below
    between both but by can cannot could couldn did didn do does doesn doing don done down during each
    either else ever every few for from further get gets give go goes going got had has hasn have haven
    having he hello her here hers him his how however if in into is isn it its itself just know let lets
    like ll look make makes many may maybe me might mine more most much must my need needs neither no nor
    not now of off ok okay on once one only onto or other our ours out over own perhaps please put quite
    rather re really said same say see seem shall she should shouldn show since so some something such sure
    take tell than thank thanks that the their theirs them then there these they thing things think this
    those through to too try under until up upon us use used uses using ve very want wants was wasn way we
    well were weren what when where whether which while who whom whose why will with within without won
    would wouldn yes yet you your yours
    """.split()
)

FUNCTION_CHARACTERS = frozenset(
    "的了是在和与或而且但也都就还又只才不没有无很太更最再把被给让对向从到由为以于之其此这那哪谁什么怎样几多少个些每各某"
    "我你您他她它们自己会能可要想请吗呢吧啊呀嘛着过地得所并及等如若则因虽然后前上下里中外去来说看做用一二两三"
)
"""A gram made of these alone says nothing."""

EDGE_CHARACTERS = frozenset(
    "的了是在和与或而且但也都就还又只才不没很太更最再把被给让从由为以于之其此这那哪谁吗呢吧啊呀嘛着地得所并及若则"
    "我你您他她它们个些每各某要想请会能可话么"
)
"""A gram that starts or ends with one of these straddles two words."""

FUNCTION_PAIRS = frozenset(
    """
    我们 你们 他们 她们 它们 这个 那个 这些 那些 这里 那里 这样 那样 怎么
    什么 为什 如何 因为 所以 但是 可是 不过 如果 虽然 然后 已经 现在 一个
    一下 一些 一样 没有 不是 就是 还是 或者 以及 可以 可能 应该 需要 还有
    而且 并且 关于 对于 通过 使用 进行 看看 帮我 告诉 知道 觉得 问题 时候
    地方 东西 起来 出来 下来 上面 下面 里面 之后 之前 目前 其中 其他 比如
    例如
    """.split()
)
"""Frequent pairs that the characters above do not cover."""
