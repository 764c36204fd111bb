import { describe, expect, it } from "vitest";
import { render } from "../src/help/markdown";

const page = (text: string): string => render(text, (address) => (address.endsWith(".md") ? `/help/${address}` : null));

describe("a page of the documentation", () => {
  it("has headings with anchors, paragraphs and lists", () => {
    expect(page("# Your rounds\n\nOne `a<b>` and **two**\nlines.\n\n- one\n  more\n- two")).toBe(
      '<h1 id="your-rounds">Your rounds</h1>\n<p>One <code>a&lt;b></code> and <b>two</b> lines.</p>\n' +
        "<ul><li>one more</li><li>two</li></ul>",
    );
  });

  it("has tables and code as they are written", () => {
    expect(page("| key | reads |\n|---|---|\n| `5` | the hand |")).toContain(
      "<td><code>5</code></td><td>the hand</td>",
    );
    expect(page("```sh\nfelt serve # a *b*\n\n```")).toBe('<pre tabindex="0"><code>felt serve # a *b*\n</code></pre>');
  });

  it("links to pages that are there, and to nothing else", () => {
    expect(page("[here](x.md) and [there](x.py)")).toBe('<p><a href="/help/x.md">here</a> and there</p>');
  });
});
