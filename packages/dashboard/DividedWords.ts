/**
 * The catalogue of the pages, divided: what several pages say comes with the first script, and what one page says comes with
 * it. The sources name the texts as literals, so that it is known which of them say what.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "vite"
import { english } from "./src/DashboardWords.ts"

const keys = Object.keys(english)

/** Folders whose modules are not those of one page. */
const shared: ReadonlyArray<string> = ["frame", "parts"]

/** Where a kind of words is not a literal, nobody knows who says them. */
const unknown = /\bwordOf\((?!["`\s])/

/** They get the kind from others, where it is a literal. */
const passing: ReadonlyArray<string> = ["frame/Say.ts", "parts/Badge.tsx"]

/** The keys that a source may say: those that it names, with their plurals, and those that begin as it says. */
export const keysIn = (source: string): ReadonlySet<string> => {
  const whole = [...source.matchAll(/"([\w-]+\.[\w.-]+)"/g)].map(([, key = ""]) => key)
  const kinds = [...source.matchAll(/\b(?:wordOf\(\s*|kind=)"([\w-]+)"/g)].map(([, kind = ""]) => `${kind}.`)
  const beginnings = [...source.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g)].map(([, beginning = ""]) => beginning)
  const plurals = whole.map((key) => `${key}.`)
  const named = new Set(whole)
  return new Set(
    keys.filter((key) => named.has(key) || [...kinds, ...beginnings, ...plurals].some((start) => key.startsWith(start)))
  )
}

const folderOf = (path: string): string => path.split("/").at(-2) ?? ""

type Words = ReadonlyArray<string>

/** For each text who says it, and so the parts of the catalogue: by the modules that need them, and for all. */
export const divide = (
  sources: ReadonlyMap<string, ReadonlySet<string>>
): { readonly first: Words; readonly parts: ReadonlyArray<{ readonly paths: Words; readonly keys: Words }> } => {
  const parts = new Map<string, { readonly paths: Words; readonly keys: Array<string> }>()
  const first: Array<string> = []
  for (const key of keys) {
    const paths = [...sources].filter(([, said]) => said.has(key)).map(([path]) => path)
    const folders = new Set(paths.map(folderOf))
    const [folder = ""] = folders
    if (folders.size !== 1 || shared.includes(folder)) first.push(key)
    else {
      const name = paths.join()
      const part = parts.get(name) ?? { paths, keys: [] }
      part.keys.push(key)
      parts.set(name, part)
    }
  }
  return { first, parts: [...parts.values()] }
}

const texts = (of: Words): string =>
  JSON.stringify(Object.fromEntries(of.map((key) => [key, english[key as keyof typeof english]])))

export const dividedWords = (root: string): Plugin => {
  const sources = new Map(
    globSync("**/*.{ts,tsx}", { cwd: root }).map((name) => {
      const path = join(root, name)
      const source = readFileSync(path, "utf8")
      if (unknown.test(source) && !passing.includes(name.replaceAll("\\", "/")))
        throw new Error(`${name}: the kind of words is no literal, so that nobody knows which words the page needs.`)
      return [path.replaceAll("\\", "/"), keysIn(source)] as const
    })
  )
  const { first, parts } = divide(sources)
  const catalogue = "\0words"
  return {
    name: "divided-words",
    enforce: "pre",
    resolveId: (source) => {
      if (source.endsWith("src/DashboardWords.ts")) return catalogue
      return source.startsWith("virtual:words/") ? source.replace("virtual:words", catalogue) : null
    },
    load: (id) => {
      if (id === catalogue) return { code: `export const english = ${texts(first)}`, moduleSideEffects: true }
      if (!id.startsWith(`${catalogue}/words-`)) return null
      const part = parts[Number(id.slice(`${catalogue}/words-`.length))]
      const code = `import { english } from "../src/DashboardWords.ts"\nObject.assign(english, ${texts(part?.keys ?? [])})`
      return { code, moduleSideEffects: true }
    },
    transform: (code, id) => {
      const own = parts.flatMap(({ paths }, nth) =>
        paths.includes(id) ? [`import "virtual:words/words-${nth}"\n`] : []
      )
      return own.length === 0 ? null : { code: `${own.join("")}${code}`, map: null }
    }
  }
}
