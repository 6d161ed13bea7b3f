"""What looks like a secret: names that are withheld, contents that are withheld, tokens that are masked.

Every expression here is linear: each alternative starts with plain text, and what may repeat is a
single class that runs to its end.
"""

from __future__ import annotations

import re

_TEMPLATES = ("example", "sample", "template", "tmpl", "dist", "defaults", "schema", "md", "rst", "txt")
"""Last parts of an environment file that holds no values, or is about one."""

_NAMES = frozenset(
    """
    .npmrc .netrc _netrc .pgpass pgpass.conf .htpasswd .pypirc .git-credentials .dockercfg .s3cfg .boto
    .my.cnf .mylogin.cnf .vault-token .vault_pass .vault_pass.txt vault_pass.txt .terraformrc terraform.rc
    .bash_history .zsh_history .sh_history .python_history .node_repl_history .psql_history
    .mysql_history .sqlite_history .rediscli_history kubeconfig credentials.json credentials.yaml
    credentials.yml credentials.toml credentials.csv credentials.ini application_default_credentials.json
    access_tokens.db credentials.db serviceaccountkey.json gcp-key.json rclone.conf htpasswd .gemrc.local
    """.split()
)
_ENDINGS = (
    ".pem", ".key", ".p12", ".pfx", ".p8", ".jks", ".keystore", ".bks", ".kdbx", ".kdb", ".ppk", ".ovpn",
    ".tfstate", ".tfstate.backup", ".env", ".agekey", ".keytab", ".asc.key",
)  # fmt: skip
_PLACES = frozenset(
    """
    .aws/credentials .aws/config .docker/config.json .kube/config .cargo/credentials .cargo/credentials.toml
    .gem/credentials gh/hosts.yml gh/hosts.yaml .composer/auth.json .azure/accesstokens.json .config/hub
    """.split()
)
"""The last two segments of a path."""
_PRIVATE_FOLDERS = (".ssh", ".gnupg")
_PUBLIC_IN_SSH = ("known_hosts", "known_hosts.old", "config", "authorized_keys", "authorized_keys2")
_KEY_NAME = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?![a-z0-9])")
_KEY_COPY = re.compile(r"\.(?:bak|old|orig|save|backup|key|priv|private|\d+)\Z")
_DATA = re.compile(r"\.(?:json|ya?ml|toml|ini|cfg|conf|properties|env|enc|txt)\Z")
_DATA_STEM = re.compile(
    r"(?:.*[._-])?(?:service[._-]?account|client[._-]?secrets?)(?:[._-].*)?\Z|"
    r"\.?secrets?(?:[._-](?:dev|development|test|testing|stage|staging|prod|production|local|enc))?\Z"
)


def secret_name(rel: str) -> bool:
    """Whether a file of this path is withheld by its name alone: source and documents never are."""
    path = rel.lower().split("/")
    name, folder = path[-1], path[-2] if len(path) > 1 else ""
    if name.startswith(".env"):
        return name.rpartition(".")[2] not in _TEMPLATES
    if name in _NAMES or f"{folder}/{name}" in _PLACES or name.endswith(_ENDINGS):
        return True
    if name.endswith(".pub"):
        return False
    if folder in _PRIVATE_FOLDERS and not (folder == ".ssh" and name in _PUBLIC_IN_SSH):
        return True
    key = _KEY_NAME.match(name)
    if key:
        return "." not in name or bool(_KEY_COPY.search(name))
    data = _DATA.search(name)
    return bool(data and data[0] != ".txt" and _DATA_STEM.match(name[: data.start()]))


_BEGIN_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_MATERIAL = re.compile(
    r"((?:[\s\"'+,]|\\{1,4}[nr]?){0,64})"
    r"([A-Za-z0-9+/=_-]{32}|[A-Za-z0-9+/=_-]{6,31}+(?=[\"'\\:,<`\r\n]|\Z))"
)
_PUTTY_KEY = re.compile(r"\APuTTY-User-Key-File-\d")


def secret_content(text: str) -> bool:
    """Whether a text holds a private key, so that none of it may be shown.

    A mention of the first line of a key alone is none: the key itself must follow, on a new line (a
    real one or the ``\\n`` of a string) or as one long run.
    """
    if _PUTTY_KEY.match(text):
        return True
    for begin in _BEGIN_KEY.finditer(text):
        material = _KEY_MATERIAL.match(text, begin.end(), begin.end() + 160)
        if material and (len(material[2]) >= 32 or any(mark in material[1] for mark in ("\n", "\r", "\\"))):
            return True
    return False


_TOKENS = re.compile(
    r"""
    (?<![A-Za-z0-9])
    (?:
      (?P<long>npm_ | hf_ | r8_ | gsk_ | xai- | pplx- | dop_v1_ | lin_api_ | shp(?:at|ss|ca)_)
        [A-Za-z0-9]{30,}
    | (?P<open>sk-ant- | sk-proj- | sk-or- | sk-svcacct- | [ps]k-lf- | github_pat_ | gl(?:pat|dt|rt|ptt|cbt)-
        | dckr_pat_ | AIza | pypi-AgE | nvapi- | tskey- | AGE-SECRET-KEY-) [A-Za-z0-9_-]{20,}
    | (?P<plain>sk- | gh[opsur]_ | [rs]k_(?:live|test)_ | whsec_) [A-Za-z0-9]{20,}
    | (?P<slack>xox[abeoprs]- | xapp-) [A-Za-z0-9-]{15,}
    | (?P<aws>A3T[A-Z0-9] | A(?:KIA|SIA|BIA|CCA|GPA|IDA|ROA|IPA|NPA|NVA)) [A-Z0-9]{16} (?![A-Za-z0-9])
    )
    """,
    re.VERBOSE,
)
"""Tokens without a dot: each is one run of at least ``_SHORTEST`` letters, digits, ``_`` and ``-``."""
_DOTTED = (
    ("eyJ", re.compile(r"(eyJ)(?<![\w.-]eyJ)[\w-]{8,}+\.[\w-]{8,}+\.[\w-]{8,}+", re.ASCII)),
    ("SG.", re.compile(r"(SG\.)(?<![\w.-]SG\.)[\w-]{16,32}\.[\w-]{30,}", re.ASCII)),
    ("ya29.", re.compile(r"(ya29\.)(?<![\w.-]ya29\.)[\w-]{20,}", re.ASCII)),
)
"""Tokens with dots, by the plain text they begin with."""
_KEY_HEADER = re.compile(r"(-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY)(?: BLOCK)?(?:-----)?")
_AWS_SECRET = re.compile(
    r"(?i)(secret.{0,3}(?:access.{0,3})?key[\"']?[ \t]{0,8}[=:][ \t]{0,8}[\"']?)"
    r"[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])"
)
_URL_PASSWORD = re.compile(r"(://[^\s/:@\"'<>]{0,128}:)[^\s/:@\"'<>$%{}]{3,256}(?=@[A-Za-z0-9\[])")

_MASK = "[masked]"
_RUN_BYTES = bytes(
    0x61 if chr(byte) in "_-" or (byte < 0x80 and chr(byte).isalnum()) else 0x20 for byte in range(256)
)
_SHORTEST = b"a" * 20


def mask(text: str) -> str:
    """Put ``[masked]`` for every token of a known form, after the prefix that tells what it was.

    Lines stay what they were; nothing but the tokens changes.
    """
    text = _mask_tokens(text)
    for prefix, token in _DOTTED:
        if prefix in text:
            text = token.sub(rf"\1{_MASK}", text)
    if "PRIVATE KEY" in text:
        text = _KEY_HEADER.sub(rf"\1 {_MASK}", text)
    if "@" in text:
        text = _URL_PASSWORD.sub(rf"\1{_MASK}", text)
    if "secret" in text.lower():
        text = _AWS_SECRET.sub(rf"\1{_MASK}", text)
    return text


def _mask_tokens(text: str) -> str:
    """Look for tokens in the runs that are long enough for one; a text of words has few."""
    runs = text.encode("latin-1", "replace").translate(_RUN_BYTES)
    pieces: list[str] = []
    done = 0
    start = runs.find(_SHORTEST)
    while start >= 0:
        end = runs.find(b" ", start)
        end = len(text) if end < 0 else end
        run = text[start:end]
        masked = _TOKENS.sub(lambda found: f"{found[found.lastgroup or 0]}{_MASK}", run)
        if masked != run:
            pieces += text[done:start], masked
            done = end
        start = runs.find(_SHORTEST, end)
    return "".join(pieces) + text[done:] if pieces else text
