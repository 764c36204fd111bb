"""A paper proves itself: it is made again from its own data, and every planted change is named."""

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from feltworks import __version__
from feltworks.errors import FeltError
from feltworks.reports import proof, verification
from feltworks.reports.order import HouseSettings, Order, read_request
from feltworks.reports.paper import make_paper, pdf
from feltworks.reports.proof import check_signature, embedded_proof, make_key, proof_text, sign_file, software_parts
from feltworks.reports.verification import Verification, verify_paper
from feltworks.table.limits import WagerLimit
from tests.conftest import forget_games
from tests.reports.conftest import DAY, paper_of
from tests.reports.test_papers import changed_book

HOUSE = HouseSettings("The Blue Room", limits={"ante": WagerLimit(5_00, 100_00)})


@cache
def page() -> str:
    return paper_of("sign", Order("fu-bacc", DAY, {"tie-alone": False}), house=HOUSE).html()


def parts(found: Verification) -> set[str]:
    return {each.part for each in found.differences}


def test_an_untouched_paper_is_what_this_software_makes() -> None:
    found = verify_paper(page().encode())
    assert (found.differences, found.notes, found.paper) == ((), (), "sign")


def test_an_untouched_pdf_carries_its_data_and_is_what_this_software_makes() -> None:
    content = pdf(page())
    assert embedded_proof(content) == embedded_proof(page().encode())
    assert verify_paper(content).agrees


def test_the_command_on_the_paper_makes_it_again() -> None:
    words = embedded_proof(page().encode()).command
    assert words == (
        "felt report sign fu-bacc --set tie-alone=false --limit ante=5-100 --house 'The Blue Room' --date 2024-01-31"
    )


def test_a_figure_changed_on_the_page_is_quoted() -> None:
    found = verify_paper(page().replace(">7 to 1<", ">8 to 1<").encode())
    assert parts(found) == {"pages"}
    assert "Equal totals 8 to 1" in found.differences[0].says
    assert "Equal totals 7 to 1" in found.differences[0].says


def test_what_is_added_is_quoted_and_what_has_no_words_is_named() -> None:
    added = verify_paper(page().replace("</body>", "\n<p>Ties pay ten to one.</p>\n</body>").encode())
    assert [each.says for each in added.differences] == ["“Ties pay ten to one.” on the paper, nothing printed here"]
    unseen = verify_paper(page().replace("</body>", "\n<!-- paid -->\n</body>").encode())
    assert [each.says for each in unseen.differences] == ["the markup differs where no words stand"]


def test_changed_data_are_named_and_do_not_fit_their_digest() -> None:
    found = verify_paper(page().replace('"7 to 1"', '"8 to 1"').encode())
    says = [each.says for each in found.differences]
    assert parts(found) == {"data"}
    assert any("they do not have the digest" in text for text in says)
    assert any('pays[0]: "8 to 1" on the paper, "7 to 1" computed here' in text for text in says)


def test_changed_data_with_a_new_digest_are_found_by_computing_them_again() -> None:
    made = embedded_proof(page().encode())
    facts = msgspec.json.decode(msgspec.json.encode(made.facts).replace(b'"7 to 1"', b'"8 to 1"'))
    forged = replace(made, facts=facts, data=proof.digest(facts)).document
    found = verify_paper(with_proof(page(), forged).encode())
    assert "data" in parts(found)


def test_a_patched_analysis_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    patched = {**software_parts(), "analysis/figures.py": "0" * 64}
    content = page().encode()
    monkeypatch.setattr(proof, "software_parts", lambda: patched)
    says = [each.says for each in verify_paper(content).differences]
    assert says == ["analysis/figures.py differs"]


def test_every_source_that_computes_is_part_of_the_software() -> None:
    known = software_parts()
    for place in (
        "analysis/analyze.py",
        "simulation/run.py",
        "rulebooks/washington.toml",
        "reports/templates/sign.html.j2",
    ):
        assert place in known


def test_a_changed_rulebook_is_named(own_games: Path) -> None:
    content = page().encode()
    changed_book(own_games, '"tie" = "7 to 1"', '"tie" = "8 to 1"')
    forget_games()
    found = verify_paper(content)
    assert "rulebook: pay_table differs" in [each.says for each in found.differences]


def test_a_changed_request_is_found() -> None:
    content = page().replace('"tie-alone":false', '"tie-alone":true').encode()
    assert {"request", "data"} <= parts(verify_paper(content))


def says(content: bytes) -> list[str]:
    return [f"{each.part}: {each.says}" for each in verify_paper(content).differences]


def with_proof(html: str, text: str) -> str:
    return re.sub(r'(id="paper">).*?(</script>)', lambda m: m[1] + text + m[2], html, flags=re.DOTALL)


@cache
def other_page() -> str:
    return paper_of("sign", Order("fu-bacc", DAY, {"tie-alone": True}), house=HOUSE).html()


def test_a_pdf_page_changed_beside_the_true_attachment_is_named() -> None:
    content = pdf(page().replace(">7 to 1<", ">8 to 1<"))
    assert says(content) == ["pages: page 1 is not the one printed here from this data"]


def test_a_pdf_page_changed_is_named_by_another_software_too(monkeypatch: pytest.MonkeyPatch) -> None:
    card = paper_of("rack-card", Order("fu-bacc", DAY), house=HOUSE).html()
    content = pdf(with_proof(card.replace("the worst 0", "the worst 1"), proof_text(card) or ""))
    patched = {**software_parts(), "analysis/figures.py": "0" * 64}
    monkeypatch.setattr(proof, "software_parts", lambda: patched)
    assert says(content) == [
        "software: analysis/figures.py differs",
        "pages: page 1 is not the one printed here from this data",
    ]


def test_the_attachment_of_another_paper_does_not_fit_the_pages() -> None:
    other = proof_text(other_page())
    assert other
    swapped = with_proof(page(), other)
    assert all(each.startswith("pages: ") for each in says(pdf(swapped)))
    assert any("tie-alone=true" in each for each in says(swapped.encode()))


def test_a_second_proof_is_refused() -> None:
    for content in ((page() + page()).encode(), pdf(page()) + pdf(other_page())):
        with pytest.raises(FeltError, match="carries 2 proofs"):
            verify_paper(content)


def test_a_pdf_with_bytes_besides_its_pages_is_found() -> None:
    assert "though its pages draw alike" in says(pdf(page()) + b"% more")[0]


def test_a_changed_command_is_named_with_the_true_one() -> None:
    content = page().replace("tie-alone=false", "tie-alone=true").encode()
    assert says(content)[0] == f"request: the recorded request is {embedded_proof(page().encode()).command}"


def test_a_file_without_a_proof_is_refused() -> None:
    for content in (b"<html></html>", b"%PDF-1.7 nothing", b"\xff\xfe"):
        with pytest.raises(FeltError, match="carries no proof"):
            verify_paper(content)


def test_a_strategy_card_is_made_again_from_its_request() -> None:
    made = paper_of("strategy-card", Order("fu-bacc", DAY, {"offers": "ante"}))
    assert made.request
    again = make_paper(read_request(msgspec.json.decode(msgspec.json.encode(made.request))))
    assert again.html() == made.html()


def test_another_commit_is_a_note_and_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    content = page().encode()
    monkeypatch.setattr(verification, "commit_of_source", lambda: "f" * 40)
    found = verify_paper(content)
    assert found.agrees
    assert "verified from commit ffffffffffff" in found.notes[0]


def test_a_signature_fits_its_file_and_its_key_only(tmp_path: Path) -> None:
    paper, key = tmp_path / "sign.html", tmp_path / "operator.key"
    paper.write_text(page(), encoding="utf-8")
    public = make_key(key)
    assert key.stat().st_mode & 0o077 == 0
    signature = sign_file(paper, key)
    assert "which is operator.key.pub" in check_signature(paper.read_bytes(), signature, public)
    with pytest.raises(FeltError, match="changed after it was signed"):
        check_signature(paper.read_bytes() + b" ", signature, public)
    other = make_key(tmp_path / "other.key")
    with pytest.raises(FeltError, match="made with another key"):
        check_signature(paper.read_bytes(), signature, other)
    with pytest.raises(FeltError, match="never overwritten"):
        make_key(key)


def test_another_version_in_the_record_is_named() -> None:
    content = page().replace('"version":"0.1.0"', '"version":"0.0.9"', 1).encode()
    assert says(content) == [f"software: version 0.0.9 on the paper, {__version__} here"]


@pytest.mark.parametrize(
    ("before", "after"),
    [('"facts":', '"approved_by":"somebody","facts":'), ("\n", "\r\n")],
    ids=["a word more in the record", "line endings"],
)
def test_a_file_of_other_bytes_is_found_though_it_reads_the_same(before: str, after: str) -> None:
    assert [words.partition(":")[0] for words in says(page().replace(before, after).encode())] == ["pages"]
