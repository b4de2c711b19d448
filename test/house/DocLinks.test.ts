/** Every page and anchor that the code or another page points at exists, and tables have their cells. */
import { posix } from "node:path"
import { describe, expect, it } from "vitest"
import { files, read, sources } from "./Sources.ts"

const pages = files().filter((path) => path.endsWith(".md"))

/** As GitHub makes them: lower case, punctuation dropped, spaces to hyphens; an explicit `<a id="…">` too. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, "")
  const headings = [...text.matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-")
  )
  const explicit = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id)
  return new Set([...headings, ...explicit])
}

const anchors = new Map(pages.map((page) => [page, anchorsOf(page)]))

/** Null when the target exists. */
const fault = (page: string, anchor: string | undefined): string | null => {
  const known = anchors.get(page)
  if (known === undefined) return `no page ${page}`
  return anchor === undefined || known.has(anchor) ? null : `no #${anchor} in ${page}`
}

/** A bar separates cells in code as well, unless a backslash is before it. */
const cellsOf = (row: string): number => row.replace(/\\\|/g, "").split("|").length - 2

describe("documentation", () => {
  it("has as many cells in each row of a table as in its head", () => {
    const wrong = pages.flatMap((page) => {
      const lines = read(page)
        .replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ""))
        .split("\n")
      return lines.flatMap((line, i) => {
        const above = lines[i - 1] ?? ""
        const isCut =
          line.startsWith("|") && (!line.endsWith("|") || (above.startsWith("|") && cellsOf(line) !== cellsOf(above)))
        return isCut ? [`${page}:${i + 1}: ${line.slice(0, 80)}`] : []
      })
    })
    expect(wrong).toEqual([])
  })

  it("has every page and anchor that the code cites", () => {
    const cited = sources().flatMap(({ path, text }) =>
      [...text.matchAll(/\b(docs\/[a-z0-9-]+\.md|README\.md)(?:#([a-z0-9-]+))?/g)].flatMap(([, page = "", anchor]) => {
        const found = fault(page, anchor)
        return found === null ? [] : [`${path}: ${found}`]
      })
    )
    expect(cited).toEqual([])
  })

  it("has every page and anchor that its pages link to", () => {
    const all = new Set(files())
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, to = "", anchor]) => {
        const target = to === "" ? page : posix.join(posix.dirname(page), to)
        const folder = [...all].some((path) => path.startsWith(`${target.replace(/\/$/, "")}/`))
        const found = target.endsWith(".md") ? fault(target, anchor) : all.has(target) || folder ? null : `no ${target}`
        return found === null ? [] : [`${page}: ${found}`]
      })
    )
    expect(broken).toEqual([])
  })
})
