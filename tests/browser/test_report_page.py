"""The HTML report in a real browser: axe, overflow, requests, keyboard, paper, and hostile names."""

from __future__ import annotations

import shutil

import pytest
from report_pages import PAGES, hostile, shortened

from pytest_pii_eval.reports.html.page import render_html

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium, chromium-browser or google-chrome here"
)

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
SLICES = {
    "passing": ("headers.unlabelled", "secrets"),
    "failing": ("headers.weak", "structured"),
    "unsupported": ("negative.email", "secrets"),
}
OPEN_ALL = "document.querySelectorAll('details').forEach(one => { one.open = true })"
WIDTHS = "[document.documentElement.scrollWidth, window.innerWidth]"


class Watched:
    """A page of the browser, with all that it asked for and said."""

    def __init__(self, page) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self.asked.append(request.url))

    def show(self, path, size, scheme="light"):
        """Open a file in a window of a size, in a colour scheme."""
        self.said.clear()
        self.asked.clear()
        self.page.set_viewport_size(size)
        self.page.emulate_media(color_scheme=scheme, media="screen")
        self.page.goto(path.as_uri())
        return self.page


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests here."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def watched(browser):
    """One page of it."""
    page = browser.new_page()
    page.set_default_timeout(20_000)
    return Watched(page)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The three reports, evaluated once."""
    folder = tmp_path_factory.mktemp("suites")
    return {name: make(folder / name) for name, make in PAGES.items()}


@pytest.fixture(scope="module")
def files(reports, tmp_path_factory):
    """Their pages: whole, with a few slices for axe, and one of hostile names."""
    folder = tmp_path_factory.mktemp("pages")
    sources = {name: render_html(report) for name, report in reports.items()}
    sources.update(
        {f"{name}-short": render_html(shortened(reports[name], SLICES[name])) for name in SLICES},
        hostile=render_html(hostile(reports["failing"])),
    )
    for name, source in sources.items():
        (folder / f"{name}.html").write_text(source, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in sources}


@pytest.mark.parametrize("name", SLICES)
@pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone-light", "desktop-dark"]
)
def test_axe_finds_nothing(watched, files, name, size, scheme):
    """With everything unfolded no rule is broken, those of contrast included."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = watched.show(files[f"{name}-short"], size, scheme)
    page.evaluate(OPEN_ALL)
    found = axe.Axe().run(page).response

    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]] == []
    assert "color-contrast" in {one["id"] for one in found["passes"]}


@pytest.mark.parametrize("name", ["passing-short", "failing", "unsupported-short", "hostile"])
@pytest.mark.parametrize(
    "size", [{"width": 360, "height": 740}, PHONE, DESKTOP], ids=["small", "phone", "desktop"]
)
def test_the_page_is_never_wider_than_its_window(watched, files, name, size):
    """Wide tables and plots scroll within themselves, folded or not."""
    page = watched.show(files[name], size)
    folded = page.evaluate(WIDTHS)
    page.evaluate(OPEN_ALL)
    unfolded = page.evaluate(WIDTHS)

    assert folded[0] <= folded[1]
    assert unfolded[0] <= unfolded[1]


@pytest.mark.parametrize("name", [*SLICES, "hostile"])
def test_the_page_asks_for_nothing_and_says_nothing(watched, files, name):
    """The file itself is the only request; no message, error or dialog comes up."""
    page = watched.show(files[name], DESKTOP)
    page.evaluate(OPEN_ALL)

    assert watched.asked == [files[name].as_uri()]
    assert watched.said == []


def test_hostile_names_make_no_element(watched, files):
    """In the browser's own tree there is no script, image, frame or handler."""
    page = watched.show(files["hostile"], DESKTOP)

    assert (
        page.locator("script, img, iframe, object, [onload], [onerror], [onfocus], [autofocus]").count() == 0
    )
    assert page.locator("h3", has_text="<script>alert(1)</script>").count() == 1


def test_every_fold_is_reached_by_keyboard(watched, files):
    """Tab goes to the skip link first, and to every summary that is in sight."""
    page = watched.show(files["failing-short"], DESKTOP)
    reached = []
    for _ in range(300):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.className + '|' + document.activeElement.tagName")
        )
        page.evaluate("document.activeElement.dataset.reached = 'yes'")
        if reached[-1].endswith("|BODY"):
            break
    seen = page.evaluate(
        "[...document.querySelectorAll('summary')].filter(one => one.checkVisibility()"
        " && one.dataset.reached !== 'yes').length"
    )

    assert reached[0] == "skip|A"
    assert seen == 0


def test_the_skip_link_leads_to_the_verdict(watched, files):
    """Enter on it moves the focus past head and navigation."""
    page = watched.show(files["failing"], DESKTOP)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.id") == "main"


def test_a_fold_opens_by_keyboard(watched, files):
    """Enter on a summary unfolds a slice."""
    page = watched.show(files["passing"], DESKTOP)
    page.locator("details.slice > summary").first.focus()
    page.keyboard.press("Enter")

    assert page.locator("details.slice").first.get_attribute("open") is not None


def test_a_link_to_a_folded_slice_unfolds_it(watched, files):
    """From the index a reader lands in the slice and sees it."""
    page = watched.show(files["passing"], DESKTOP)
    page.locator("#slices table a").first.click()
    target = page.evaluate("location.hash")

    assert page.locator(target).is_visible()


def test_paper_shows_slices_that_fail_even_where_folded(watched, files):
    """Who folds a failing slice and prints still has it on paper, with the tables of its plots."""
    page = watched.show(files["failing"], DESKTOP)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false })")
    page.emulate_media(media="print")
    failed = page.locator("details.failed > .body")

    assert failed.count() == 3
    assert all(failed.nth(ordinal).is_visible() for ordinal in range(3))
    assert page.locator("details.failed figure table").first.is_visible()
    assert not page.locator("nav").is_visible()


def test_plots_keep_their_size_on_a_phone(watched, files):
    """Letters in plots are at least 11 pixels high on a window of 390 pixels."""
    page = watched.show(files["failing-short"], PHONE)
    page.evaluate(OPEN_ALL)
    scales = page.evaluate(
        "[...document.querySelectorAll('svg.plot')].map(one => one.getBoundingClientRect().width"
        " / one.viewBox.baseVal.width)"
    )

    assert len(scales) >= 10
    assert min(scales) >= 0.95


def test_labels_stay_inside_their_plots(watched, files):
    """No text of a plot is cut by its frame, not even a name of 10,000 characters."""
    page = watched.show(files["hostile"], DESKTOP)
    page.evaluate(OPEN_ALL)
    outside = page.evaluate(
        "[...document.querySelectorAll('svg.plot text')].filter(one => {"
        " const frame = one.ownerSVGElement.getBoundingClientRect(), box = one.getBoundingClientRect();"
        " return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 })"
        ".map(one => one.textContent)"
    )

    assert outside == []


def test_labels_and_figures_of_a_bar_do_not_meet(watched, files):
    """The name on the left ends before the counts on the right begin."""
    page = watched.show(files["failing-short"], DESKTOP)
    page.evaluate(OPEN_ALL)
    meeting = page.evaluate(
        "[...document.querySelectorAll('svg.plot .value')].filter(one => {"
        " const label = one.previousElementSibling;"
        " return label.classList.contains('label')"
        " && label.getBoundingClientRect().right > one.getBoundingClientRect().left })"
        ".map(one => one.previousElementSibling.textContent + ' / ' + one.textContent)"
    )

    assert meeting == []


def test_every_kind_of_plot_is_there(watched, files):
    """Bars, states, heat map and funnel are drawn from the shipped suite."""
    page = watched.show(files["failing"], DESKTOP)

    for kind in ("bars", "states", "heat_map", "funnel"):
        assert page.locator(f"figure.{kind} svg").count() > 0


IN_SIGHT = """caption => {
  const table = [...document.querySelectorAll('table')].find(one =>
    one.checkVisibility() && one.caption.textContent === caption);
  const right = table.parentElement.getBoundingClientRect().right;
  return [...table.tHead.rows[0].cells].filter(one => one.getBoundingClientRect().right <= right + 1)
    .map(one => one.textContent) }"""


@pytest.mark.parametrize(
    ("caption", "columns"),
    [
        ("Gates that failed", ["Slice and metric", "Found", "Must be", "Support"]),
        ("All slices", ["Slice", "Leaks", "State", "Recall"]),
        ("By type", ["Type", "Recall", "Leaks"]),
    ],
)
def test_what_matters_most_is_in_sight_on_a_phone(watched, files, caption, columns):
    """Without scrolling aside a reader sees the first columns of each table whole."""
    page = watched.show(files["failing"], PHONE)

    assert page.evaluate(IN_SIGHT, caption)[: len(columns)] == columns


def test_no_table_runs_off_the_paper(watched, files):
    """At the width of A4 within its margins every table fits."""
    page = printed(watched, files, 680)
    wide = page.evaluate(
        "[...document.querySelectorAll('table')].filter(one => one.checkVisibility()"
        " && one.getBoundingClientRect().right > innerWidth + 1).map(one => one.caption.textContent)"
    )

    assert wide == []


def test_no_figure_breaks_within_its_digits_on_paper(watched, files):
    """Even on half of that paper a figure takes no more lines than it has words."""
    page = printed(watched, files, 340)
    lines = page.evaluate(
        "[...document.querySelectorAll('td.number')].filter(one => one.checkVisibility()).map(one => {"
        " const range = document.createRange(); range.selectNodeContents(one);"
        " const tops = [...range.getClientRects()].map(box => Math.round(box.top / 4));"
        " return [one.textContent.trim(), new Set(tops).size] })"
    )
    figures = [(text, number) for text, number in lines if "null" not in text]

    assert len(figures) > 100
    assert [text for text, number in figures if number > len(text.split())] == []


def printed(watched, files, width):
    """Return the page of a failing run as on paper, with everything unfolded."""
    page = watched.show(files["failing-short"], {"width": width, "height": 960})
    page.emulate_media(media="print")
    page.evaluate(OPEN_ALL)
    return page


def test_slices_that_hold_are_no_boxes_on_paper(watched, files):
    """Their figures are in the table of all slices; a row of empty boxes says nothing."""
    page = watched.show(files["failing"], DESKTOP)
    page.emulate_media(media="print")

    assert page.locator("details.slice:not(.failed)").count() == 33
    assert page.locator("details.slice:not(.failed):visible").count() == 0
    assert page.locator(".on-paper").is_visible()
