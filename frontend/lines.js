// Fails when a line of source is longer than 120 columns; drawings' paths and generated files are exempt.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LONGEST = 120;
const CHECKED = /\.(ts|js|svelte|css|html)$/;

const files = ["src", "tests"].flatMap((folder) =>
  readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
);
const long = files
  .filter((name) => CHECKED.test(name))
  .flatMap((name) =>
    readFileSync(name, "utf-8")
      .split("\n")
      .flatMap((line, i) => (line.length > LONGEST ? [`${name}:${i + 1}: ${line.length} columns`] : [])),
  );
for (const place of long) console.error(place);
process.exit(long.length ? 1 : 0);
