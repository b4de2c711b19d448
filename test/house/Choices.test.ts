/** The files that docs/choices.md names in its columns *Where* exist. */
import { describe, expect, it } from "vitest"
import { files, read } from "./Sources.ts"

const all = files()
const page = read("docs/choices.md")

/** Cells of the last column of each table, without the links. */
const cells = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Choice|Item|-)/.test(line))
  .map((line) => line.replace(/ \|$/, "").split(" | ").at(-1) ?? "")

/** `calling/campaigns/Dialer.ts`, `packages/portal`, `storage-kysely/src/dialect/`; no identifiers. */
const named = cells.flatMap((cell) =>
  [...cell.matchAll(/`([\w.@/-]+)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name.includes("/") || /\.(ts|js|json|md)$/.test(name))
)

const isThere = (name: string): boolean => {
  const folder = name.replace(/\/$/, "")
  return all.some((path) => path === name || path.endsWith(`/${name}`) || `/${path}`.includes(`/${folder}/`))
}

describe("docs/choices.md", () => {
  it("names only files and folders that exist", () => {
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter((name) => !isThere(name))).toEqual([])
  })
})
