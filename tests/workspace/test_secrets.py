from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.workspace.secrets import mask, secret_content, secret_name

KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    "rel",
    """
    .env .env.local deploy/.env.production .envrc prod.env id_rsa id_ed25519 keys/id_ecdsa id_rsa.bak
    id_ed25519_sk server.pem tls.key a.p12 a.pfx a.jks a.keystore vault.kdbx .npmrc .netrc _netrc .pgpass
    .htpasswd .pypirc .git-credentials .aws/credentials home/.ssh/work .ssh/id_rsa service-account.json
    conf/service-account-prod.json my-service-account.json secrets.yaml secrets.yml secrets.json
    secrets.toml secrets.prod.yaml credentials.json client_secret_123.json terraform.tfstate .kube/config
    .docker/config.json .bash_history ID_RSA
    """.split(),
)
def test_withheld_names(rel: str) -> None:
    assert secret_name(rel)


@pytest.mark.parametrize(
    "rel",
    """
    .env.example .env.sample .env.template .env.dist .env.md secrets.py secrets/README.md docs/secrets.md
    id_rsa.pub .ssh/id_rsa.pub .ssh/known_hosts .ssh/config id_rsa_tools.py credentials.py
    service_account.py test_secrets.yaml.md keyboard.md environment.yml src/env/index.ts config/config.json
    secret_santa.json docs/secrets.txt
    """.split(),
)
def test_ordinary_names(rel: str) -> None:
    assert not secret_name(rel)


@given(st.text())
def test_any_name_and_text_is_judged(text: str) -> None:
    assert secret_name(text) in (True, False)
    assert secret_content(text) in (True, False)
    assert mask(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("token", "masked"),
    [
        ("sk-ant-api03-abcdefghij0123456789ABCDEF", "sk-ant-[masked]"),
        ("sk-proj-abcdefghij0123456789-ABCDEF", "sk-proj-[masked]"),
        ("sk-abcdefghij0123456789ABCDEFGHIJ", "sk-[masked]"),
        ("AKIAIOSFODNN7EXAMPLE", "AKIA[masked]"),
        ("ghp_abcdefghij0123456789ABCDEFGHIJ012345", "ghp_[masked]"),
        ("gho_abcdefghij0123456789ABCDEFGHIJ012345", "gho_[masked]"),
        ("github_pat_11AAAAAAA0abcdefghijkl_mnopqrstuv", "github_pat_[masked]"),
        ("xoxb-123456789012-abcdefghijkl", "xoxb-[masked]"),
        ("AIzaSyA0123456789abcdefghijklmnopqrstuv", "AIza[masked]"),
        ("glpat-abcdefghij0123456789", "glpat-[masked]"),
        ("npm_abcdefghij0123456789ABCDEFGHIJ012345", "npm_[masked]"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLXg", "eyJ[masked]"),
        ("postgres://app:hunter22@db.example.com/x", "postgres://app:[masked]@db.example.com/x"),
    ],
)
def test_tokens_are_masked_in_any_surroundings(token: str, masked: str) -> None:
    assert mask(token) == masked
    assert mask(f'# x\nkey = "{token}"  # 漢\n') == f'# x\nkey = "{masked}"  # 漢\n'


def test_a_secret_key_of_a_cloud_is_masked() -> None:
    line = "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    assert mask(line) == "aws_secret_access_key = [masked]"


@pytest.mark.parametrize(
    "text",
    [
        "risk-of-something-that-is-rather-long",
        "npm_config_registry_and_other_long_names",
        "sk-cube-grid-some-long-name",
        "https://example.com/a@b",
        "AKIA is the beginning of a key",
        "the eyJ prefix",
        "see https://user@example.com/x and http://[::1]:80/",
        "hf_hub_download_something_long_enough",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert mask(text) == text


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        KEY.replace("\n", "\r\n"),
        "key = '''" + KEY + "'''",
        '{"private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBg\\n-----END PRIVATE KEY-----"}',
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQOYBF\n",
        "KEY: -----BEGIN PRIVATE KEY----- MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw -----END PRIVATE KEY-----",
        "PuTTY-User-Key-File-2: ssh-rsa\n",
        "long preface\n" * 50 + KEY,
    ],
)
def test_a_text_with_a_private_key_is_a_secret(text: str) -> None:
    assert secret_content(text)


@pytest.mark.parametrize(
    "text",
    [
        "Paste what begins with -----BEGIN PRIVATE KEY----- here.",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
        '_START = b"-----BEGIN OPENSSH PRIVATE KEY-----"\n_SK_END = b"-----END OPENSSH PRIVATE KEY-----"\n',
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nMIIBIjANBg\n-----END CERTIFICATE-----\n",
    ],
)
def test_a_mention_of_a_key_is_none(text: str) -> None:
    assert not secret_content(text)


def test_the_header_of_a_key_is_masked_where_it_is_mentioned() -> None:
    assert "[masked]" in mask("it starts with -----BEGIN RSA PRIVATE KEY-----, see below")


@pytest.mark.parametrize(
    "text",
    [
        "sk-" * 80_000,
        "eyJ" * 80_000,
        "eyJabcdefghijk." * 17_000,
        "AKIA" * 60_000,
        "://a:@" * 40_000,
        "@://" + "a" * 260_000,
        "-----BEGIN " * 24_000,
        "-----BEGIN PRIVATE KEY-----\n\n\n" * 8_000,
        "-----BEGIN PRIVATE KEY-----" + "\\n" * 130_000,
        "aws_secret_" + " " * 260_000,
        "SG." * 80_000,
    ],
)
def test_repetitions_cost_no_more_than_their_length(text: str) -> None:
    # Were any expression super-linear, this would not end.
    assert mask(text).count("\n") == text.count("\n")
    secret_content(text)
