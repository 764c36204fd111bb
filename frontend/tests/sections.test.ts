import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sectionsOf } from "../src/help/sections";

const DOCS = new URL("../../docs/", import.meta.url);
const FOLDERS = ["tutorial", "how-to", "explanation", "reference"];

test("every page of the documentation has its title from the site's navigation", () => {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, DOCS))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}/${file.slice(0, -3)}`),
  );
  const sections = sectionsOf(readFileSync(new URL("../mkdocs.yml", DOCS), "utf8"), names);
  expect(sections.map(({ title }) => title)).toEqual(["Tutorial", "How to", "Reference", "Explanation"]);
  const pages = sections.flatMap((section) => section.pages);
  expect(pages.map(({ name }) => name).sort()).toEqual(names.sort());
  expect(pages).toContainEqual({ name: "how-to/house-pages", title: "Keep the books in the browser" });
});
