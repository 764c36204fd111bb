"""Whether anything on a table's page overlaps, is clipped or lies beside the cloth, measured by boxes."""

from playwright.sync_api import Page

SLACK = 2  # pixels: borders may touch
# Each finding is one sentence. Words on the cloth are measured by the corners of their boxes.
MEASURE = """(slack) => {
  const found = [];
  const isShown = (box) => box.checkVisibility({opacityProperty: true, visibilityProperty: true})
    && box.getBoundingClientRect().width > 1;
  const shown = (where) => [...document.querySelectorAll(where)].filter(isShown);
  const words = (box) => (box.textContent || box.getAttribute("aria-label") || "").trim().slice(0, 40);
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
  const apart = (where) => {
    const boxes = shown(where);
    boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => {
      if (overlap(one.getBoundingClientRect(), other.getBoundingClientRect()) && !one.contains(other))
        found.push(`"${words(one)}" lies over "${words(other)}"`);
    }));
  };
  const between = (where, there) => shown(where).forEach((one) => shown(there).forEach((other) => {
    if (overlap(one.getBoundingClientRect(), other.getBoundingClientRect()))
      found.push(`"${words(one)}" lies over "${words(other) || "a card"}"`);
  }));
  between(".phone .top > *, .phone > .strip", ".phone .felt > .dealer > *, .phone .says, .phone .rail > *");
  apart(".plate, .total, .says, .meter, .banner");
  apart(".phone .felt > .dealer, .phone .felt > .row, .phone .felt > .hand, .phone .felt .plate");
  apart(".actions :is(.choice, .cards button, .spot, .prompt, .rack, .stepper)");
  const whole = ".plate, .total, .tag, .says, .meter, .actions .choice, .actions .spot, .actions h2";
  for (const box of shown(whole)) {
    const {left, top, right, bottom} = box.getBoundingClientRect();
    const scroller = box.closest(".many, .choices, .dock");
    if (scroller && scroller.scrollHeight > scroller.clientHeight + slack) continue;
    if (left < -slack || top < -slack || right > innerWidth + slack || bottom > innerHeight + slack)
      found.push(`"${words(box)}" is not whole on the page`);
  }
  for (const box of shown(".plate b, .plate span, .choice b, .choice small, .spot b, .badge, .actions h2"))
    if (box.scrollWidth > box.clientWidth + slack && getComputedStyle(box).display !== "inline")
      found.push(`"${words(box)}" is clipped`);
  const felt = document.querySelector(".board .fw-felt");
  if (felt) for (const text of document.querySelectorAll(".board .fw-spot text")) {
    const {x, y, width, height} = text.getBBox();
    const to = felt.getScreenCTM().inverse().multiply(text.getScreenCTM());
    const corners = [[x, y + height], [x + width, y + height], [x, y], [x + width, y]];
    if (!corners.every(([a, b]) => felt.isPointInFill(new DOMPoint(a, b).matrixTransform(to))))
      found.push(`the label "${words(text)}" lies on the rail`);
  }
  const labels = [...document.querySelectorAll(".board .fw-spot text")].filter((text) =>
    isShown(text) && Math.abs(text.getScreenCTM().b) < 0.01); // straight, as those of one's own seat
  labels.forEach((one, i) => labels.slice(i + 1).forEach((other) => {
    if (one.closest(".fw-spot") !== other.closest(".fw-spot")
      && overlap(one.getBoundingClientRect(), other.getBoundingClientRect()))
      found.push(`the label "${words(one)}" lies over "${words(other)}"`);
  }));
  for (const title of document.querySelectorAll(".board .fw-title")) {
    const path = document.querySelector(title.querySelector("textPath").getAttribute("href"));
    if (title.getComputedTextLength() > path.getTotalLength())
      found.push(`the title "${words(title)}" is longer than its line`);
  }
  const letters = (where) => [...document.querySelectorAll(where)].filter(isShown).flatMap((line) =>
    [...Array(line.getNumberOfChars()).keys()].map((i) => {
      const {x, y, width, height} = line.getExtentOfChar(i);
      const ends = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]].map(([a, b]) =>
        new DOMPoint(a, b).matrixTransform(line.getScreenCTM()));
      const [across, down] = [ends.map(({x}) => x), ends.map(({y}) => y)];
      return {left: Math.min(...across), top: Math.min(...down) + 4, right: Math.max(...across),
        bottom: Math.max(...down) - 4, line};
    }));
  // from the side of the dealer the words are upside down and pale: what is read may lie on them
  const printed = letters(".board :not(.dealers) > g > :is(.fw-title, .fw-rule)");
  for (const box of shown(".total, .says, .meter, .board .fw-shadow")) {
    const under = printed.find((letter) => overlap(letter, box.getBoundingClientRect()));
    if (under) found.push(`"${words(box) || "a card"}" lies over the words "${words(under.line)}"`);
  }
  const labelled = letters(".board .fw-spot text");
  // a turned circle's own box is wider than the circle: its centre and radius say where it is
  const round = (circle) => {
    const {a, b, e, f} = circle.getScreenCTM(), r = circle.r.baseVal.value * Math.hypot(a, b);
    return {left: e - r, right: e + r, top: f - r, bottom: f + r};
  };
  const chips = shown(".board .fw-stack circle[r='50']").map((chip) => ["a stack", round(chip)]);
  const tags = shown(".board .tag, .board .plate").map((tag) => [`"${words(tag)}"`, tag.getBoundingClientRect()]);
  for (const [name, box] of [...chips, ...tags]) {
    const under = labelled.find((letter) => overlap(letter, box));
    if (under) found.push(`${name} lies over the label "${words(under.line)}"`);
  }
  const inside = (box, {x, y}) => x > box.left + slack && x < box.right - slack && y > box.top + slack
    && y < box.bottom - slack;
  const rings = [...document.querySelectorAll(".board .fw-spot > path")].map((path) => [path,
    [...Array(24).keys()].map((i) =>
      path.getPointAtLength(path.getTotalLength() * i / 24).matrixTransform(path.getScreenCTM()))]);
  for (const box of shown(".board .meter, .board .says, .board .plate")) {
    const under = rings.find(([, points]) => points.some((point) => inside(box.getBoundingClientRect(), point)));
    if (under) found.push(`"${words(box)}" lies over the spot "${words(under[0].parentNode)}"`);
  }
  if (document.documentElement.scrollHeight > innerHeight + slack)
    found.push("the page is longer than the screen");
  return [...new Set(found)];
}"""


def findings(page: Page) -> list[str]:
    """What overlaps, is clipped or lies on the rail, one sentence each."""
    sentences: list[str] = page.evaluate(MEASURE, SLACK)
    return sentences


# Links within a sentence, clauses among them, are as high as their line.
SMALL = """(least) => [...document.querySelectorAll("a[href], button, input, select, summary, [role=tab]")]
  .filter((box) => box.checkVisibility({opacityProperty: true, visibilityProperty: true})
    && !box.closest("p, td, dd, li > b, footer, .clause, .sr-only") && !box.matches(".clause"))
  .map((box) => [box, (box.closest("label") ?? box).getBoundingClientRect()])
  .filter(([, {width, height}]) => width > 1 && (width < least - 0.5 || height < least - 0.5))
  .map(([box, {width, height}]) =>
    `"${(box.textContent || box.getAttribute("aria-label") || box.name).trim().slice(0, 30)}" is ` +
    `${Math.round(width)} by ${Math.round(height)} pixels`)"""
TOUCH = 44  # pixels


def small_targets(page: Page) -> list[str]:
    """What a finger could miss, one sentence each."""
    sentences: list[str] = page.evaluate(SMALL, TOUCH)
    return sentences
