/** The pages of the documentation under the headings and titles of its site. */

export interface Section {
  title: string;
  pages: { name: string; title: string }[];
}

const HEADING = /^ {2}- ([^:]+):$/;
const PAGE = /^ {6}- ([^:]+): (\S+)\.md$/;

/** The sections that the navigation of `mkdocs.yml` lists, with the pages that are at hand. */
export function sectionsOf(site: string, names: readonly string[]): Section[] {
  const sections: Section[] = [];
  for (const line of site.split("\n")) {
    const heading = HEADING.exec(line)?.[1];
    const [, title, name] = PAGE.exec(line) ?? [];
    if (heading) sections.push({ title: heading, pages: [] });
    else if (name && names.includes(name)) sections.at(-1)?.pages.push({ name, title: title! });
  }
  return sections.filter(({ pages }) => pages.length);
}
