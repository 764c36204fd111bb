/** The documentation's Markdown as HTML: headings, paragraphs, lists, tables, code, links. The text is our own. */

const escape = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/** The anchor of a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .trim()
    .replace(/\s+/g, "-");

/** What an address of a page means here: null where it leads to nothing inside the application. */
export type Resolve = (address: string) => string | null;

function inline(text: string, resolve: Resolve): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (part.startsWith("`")) return `<code>${escape(part.slice(1, -1))}</code>`;
      return escape(part)
        .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/\*\*([^*]+)\*\*/g, "<b>$1</b>")
        .replace(/\*([^*]+)\*/g, "<em>$1</em>");
    })
    .join("")
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, address: string) => {
      const href = resolve(address);
      return href
        ? `<a href="${href}"${/^https?:/.test(href) ? ' target="_blank" rel="noopener"' : ""}>${words}</a>`
        : words;
    });
}

const cells = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));

function table(lines: readonly string[], resolve: Resolve): string {
  const row = (line: string, tag: string): string =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${inline(cell, resolve)}</${tag}>`)
      .join("")}</tr>`;
  const body = lines.slice(2).map((line) => row(line, "td"));
  const head = cells(lines[0]!).some(Boolean) ? `<thead>${row(lines[0]!, "th")}</thead>` : "";
  const table = `<table>${head}<tbody>${body.join("")}</tbody></table>`;
  return `<div class="scroll" tabindex="0" role="region" aria-label="Table">${table}</div>`;
}

const ITEM = /^(?:[-*]|\d+\.) /;

function list(lines: readonly string[], resolve: Resolve): string {
  const tag = /^\d/.test(lines[0]!) ? "ol" : "ul";
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return `<${tag}>${items.map((item) => `<li>${inline(item, resolve)}</li>`).join("")}</${tag}>`;
}

function block(lines: readonly string[], resolve: Resolve): string {
  const first = lines[0]!;
  const heading = /^(#{1,4}) (.*)/.exec(first);
  if (heading) {
    const [, marks, words] = heading as unknown as [string, string, string];
    const rest = lines.length > 1 ? block(lines.slice(1), resolve) : "";
    return `<h${marks.length} id="${anchorOf(words)}">${inline(words, resolve)}</h${marks.length}>${rest}`;
  }
  if (first.startsWith("|")) return table(lines, resolve);
  if (ITEM.test(first)) return list(lines, resolve);
  const start = lines.findIndex((line) => ITEM.test(line) || line.startsWith("|"));
  if (start > 0) return block(lines.slice(0, start), resolve) + block(lines.slice(start), resolve);
  return `<p>${inline(lines.join(" "), resolve)}</p>`;
}

/** A page as HTML. */
export function render(text: string, resolve: Resolve): string {
  const html: string[] = [];
  let lines: string[] = [];
  let code: string[] | null = null;
  const flush = (): void => {
    if (lines.length) html.push(block(lines, resolve));
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (line.trimStart().startsWith("```")) {
      if (code) html.push(`<pre tabindex="0"><code>${escape(code.join("\n"))}</code></pre>`);
      else flush();
      code = code ? null : [];
    } else if (code) code.push(line);
    else if (line.trim()) lines.push(line);
    else flush();
  }
  flush();
  return html.join("\n");
}
