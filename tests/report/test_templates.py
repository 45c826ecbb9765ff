"""Templates of other people: whatever they contain, the result is a page or a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.errors import raises

from randcrowns.core.errors import Cancelled
from randcrowns.report import render
from randcrowns.report.content import Report
from randcrowns.report.render import render_html

_REPORT = Report("oak", "", [], [])
#: Templates that cannot be used.
_HOSTILE: dict[str, str | bytes] = {
    "includes itself": "{% include 'template.html' %}",
    "extends itself": "{% extends 'template.html' %}",
    "imports itself": "{% import 'template.html' as same %}",
    "calls itself": "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    "nested brackets": "{{ " + "[" * 100_000 + " }}",
    "nested blocks": "{% if 1 %}" * 5000 + "{% endif %}" * 5000,
    "a long sum": "{{ 1" + "+1" * 50_000 + " }}",
    "a long text": "{{ 'x' * 10**10 }}",
    "a long list": "{{ (10**10 * [1])|length }}",
    "a large power": "{{ 9**(9**9) }}",
    "a wide text": "{{ 'x'|center(10**10) }}",
    "a wide method": "{{ 'x'.ljust(10**10) }}",
    "a wide number": "{{ '%10000000000d' % 1 }}",
    "a wide filter": "{{ '%*d'|format(10**10, 1) }}",
    "a wide format": "{{ '{:>10000000000}'.format(1) }}",
    "a wide item": "{{ 'x'['ljust'](10**10) }}",
    "a large batch": "{{ [1]|batch(10**10, 'x')|list }}",
    "long loops": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "random text": "{{ lipsum(n=100000) }}",
    "another file": "{% include '/etc/passwd' %}",
    "Python": "{{ ''.__class__.__mro__ }}",
    "a number divided by zero": "{{ 1 / 0 }}",
    "not UTF-8": b"\xff\xfe\x00\x80",
    "half a tag": "{% if",
    "nothing of that name": "{{ nothing.at.all }}",
}


@pytest.mark.parametrize("kind", _HOSTILE)
def test_a_template_that_cannot_be_used_ends_in_a_sentence(kind: str, tmp_path: Path) -> None:
    content = _HOSTILE[kind]
    path = tmp_path / "template.html"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with raises("report.invalid_template", file="template.html"):
        render_html(_REPORT, str(path))


def test_names_that_no_file_has_end_in_a_sentence(tmp_path: Path) -> None:
    for name in ("a" * 300, "a\0b", "folder", "missing"):
        (tmp_path / "folder").mkdir(exist_ok=True)
        with raises("report.invalid_template", file=name):
            render_html(_REPORT, str(tmp_path / name))


def test_a_huge_template_and_a_huge_page_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "template.html"
    path.write_text("{{ 1 }}" * 200_000)
    with raises("report.large_template", file="template.html", limit=1_000_000):
        render_html(_REPORT, str(path))
    monkeypatch.setattr(render, "_MAX_PAGE", 1000)
    path.write_text("{% for i in range(1000) %}ab{% endfor %}")
    with raises("report.large_page", file="template.html", limit=1000):
        render_html(_REPORT, str(path))


def test_a_cancel_is_heard_while_a_template_loops(tmp_path: Path) -> None:
    path = tmp_path / "template.html"
    path.write_text(
        "{% for i in range(999999) %}{% for j in 'abcdefghij' %}x{% endfor %}{% endfor %}"
    )

    def cancel(_: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        render_html(_REPORT, str(path), progress=cancel)


def test_texts_ranges_and_formats_of_usual_size_are_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "template.html"
    path.write_text(
        "{{ '-' * 3 }}|{{ 2 ** 3 }}|{{ '%.1f' % 2.25 }}|{{ '%s %d'|format('a', 4) }}|"
        "{{ '%(a)s'|format(a=1) }}|{{ 'x'|center(3) }}|{% for i in range(2) %}{{ i }}{% endfor %}|"
        "{{ [1, 2, 3]|batch(2)|list }}|{{ 'a\\nb'|indent(1) }}|{{ [0] * 2 }}|{{ 7 % 4 }}"
    )
    page = render_html(_REPORT, str(path))
    assert page == "---|8|2.2|a 4|1| x |01|[[1, 2], [3]]|a\n b|[0, 0]|3"
