"""Other forms of a word: what a person writes and what a file holds are often not the same form.

``saving`` finds ``save``, ``routes`` finds ``route``, ``authentication`` finds ``auth``. Forms are made by
rule, wrong ones too; those that no document holds have no effect. A form counts less than the word itself.
"""

from __future__ import annotations

from functools import lru_cache

SHORTEST = 4
"""Letters of a word that has forms by rule."""
_SHORTEST_BASE = 3

# An ending, and what stands in its place in the base forms of the word.
_ENDINGS = (
    ("ies", ("y",)),
    ("ing", ("", "e")),
    ("ed", ("", "e")),
    ("es", ("", "e")),
    ("s", ("",)),
    ("er", ("", "e")),
    ("ers", ("", "e")),
    ("ion", ("", "e")),
    ("ions", ("", "e", "ion")),
    ("ation", ("", "e")),
    ("ly", ("",)),
    ("able", ("", "e")),
)
_ADDED = ("es", "ed", "ing", "er", "ers", "ion", "ions", "ation")

_SHORT_FORMS = """
app: application applications
arg: argument
args: arguments
async: asynchronous
attr: attribute
attrs: attributes
auth: authentication authorization authenticate
cert: certificate
certs: certificates
char: character
chars: characters
cmd: command
cmds: commands
col: column
cols: columns
config: configuration configure
conn: connection
cred: credential
creds: credentials
ctx: context
db: database
def: definition
deps: dependencies
diff: difference
dir: directory
dirs: directories
doc: document documentation
docs: documentation
elem: element
env: environment
eval: evaluation
err: error
exc: exception
expr: expression
ext: extension
fmt: format
fn: function
func: function
gen: generate generator
i18n: internationalization translation
idx: index
img: image
impl: implementation
info: information
init: initialize initialization
js: javascript
lang: language
len: length
lib: library
loc: location
max: maximum
mem: memory
meta: metadata
min: minimum
msg: message
msgs: messages
num: number
obj: object
ops: operations
opt: option
opts: options
param: parameter
params: parameters
perf: performance
perm: permission
perms: permissions
pkg: package
pos: position
prev: previous
proc: process
prop: property
props: properties
py: python
ref: reference
refs: references
repo: repository
req: request
res: response
resp: response
sec: security
spec: specification
src: source
stat: status
stats: statistics
sync: synchronize synchronous
temp: temporary
tmp: temporary
ts: typescript
tz: timezone
util: utility
utils: utilities
val: value
vals: values
var: variable
vars: variables
ver: version
ws: websocket
"""


def _both_ways() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in _SHORT_FORMS.split("\n"):
        short, _, longs = line.partition(":")
        for long in longs.split():
            found.setdefault(short, []).append(long)
            found.setdefault(long, []).append(short)
    return {word: tuple(others) for word, others in found.items()}


_ABBREVIATIONS = _both_ways()


@lru_cache(maxsize=1 << 12)
def forms(term: str) -> tuple[str, ...]:
    """Other forms of ``term``, in alphabetical order; none for what is no plain English word."""
    if not (term.isascii() and term.isalpha()):
        return ()
    found = {term}
    if len(term) >= SHORTEST:
        for base in _bases(term):
            found |= _inflected(base)
    for form in tuple(found):
        found.update(_ABBREVIATIONS.get(form, ()))
    return tuple(sorted(form for form in found - {term} if len(form) >= 2))


def _bases(word: str) -> set[str]:
    bases = {word}
    for ending, replacements in _ENDINGS:
        left = word[: -len(ending)]
        if word.endswith(ending) and len(left) >= _SHORTEST_BASE:
            bases.update(left + replacement for replacement in replacements)
            if len(left) > _SHORTEST_BASE and left[-1] == left[-2]:
                bases.add(left[:-1])
    return bases


def _inflected(base: str) -> set[str]:
    stem = base.removesuffix("e")
    found = {base, base + "s", *(stem + ending for ending in _ADDED)}
    if base.endswith("y"):
        found |= {base[:-1] + "ies", base[:-1] + "ied"}
    return found
