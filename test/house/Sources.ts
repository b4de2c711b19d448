/** Reads the repository as text: its files, what each imports, and what is left of a file without its comments. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join, posix, relative } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export interface Import {
  /** As it is written: `effect/Effect`, `../kernel/index.ts`. */
  readonly specifier: string
  /** The file it means, from the root; null where it is none of the repository's own. */
  readonly file: string | null
  /** Names that exist at run time: empty where the compiler erases the whole import. `*` stands for all. */
  readonly values: ReadonlyArray<string>
}

export interface Source {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The text with its comments blanked: what a comment says breaks no rule. */
  readonly code: string
  readonly imports: ReadonlyArray<Import>
}

const skipped = new Set(["node_modules", "dist", "coverage", "data"])
/** Copies that are there while the core is packed. */
const copies = ["docs", "examples"].map((name) => join(root, "packages", "core", name))

const walk = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".") || skipped.has(entry.name)) return []
    const path = join(folder, entry.name)
    if (copies.includes(path)) return []
    return entry.isDirectory() ? walk(path) : [path]
  })

/** Every file below `folder`, sorted; dot files, builds and installed packages aside. */
export const files = (folder = "."): ReadonlyArray<string> =>
  walk(join(root, folder))
    .map((path) => relative(root, path).replaceAll("\\", "/"))
    .sort()

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/**
 * Strings are matched before comments, so that `"https://…"` is none. A regular expression literal that holds a quote
 * can mislead it; the price is a finding too many or too few in that one file.
 */
const withoutComments = (text: string): string =>
  text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (whole, quoted) => quoted ?? whole.replace(/[^\n]/g, " ")
  )

// The formatter puts every import and export at the start of a line and its module in double quotes.
const statement =
  /^(?:import|export)\s+(?:(type\s)?\s*(\{[^}]*\}|[\w$*]+(?:\s+as\s+\w+)?(?:,\s*[^"]+?)?)\s+from\s+)?"([^"]+)"/gm
const dynamic = /\bimport\(\s*"([^"]+)"\s*\)/g

const valuesOf = (type: string | undefined, clause: string | undefined): ReadonlyArray<string> => {
  if (type !== undefined) return []
  if (clause === undefined || !clause.startsWith("{")) return ["*"]
  return clause
    .slice(1, -1)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => name.replace(/\s+as\s.*$/, ""))
}

const importsOf = (path: string, code: string): ReadonlyArray<Import> => {
  const file = (specifier: string) => (specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : null)
  return [
    ...[...code.matchAll(statement)].map(([, type, clause, specifier = ""]) => ({
      specifier,
      file: file(specifier),
      values: valuesOf(type, clause)
    })),
    ...[...code.matchAll(dynamic)].map(([, specifier = ""]) => ({ specifier, file: file(specifier), values: ["*"] }))
  ]
}

/** Every TypeScript file below `folder`. */
export const sources = (folder = "."): ReadonlyArray<Source> =>
  files(folder)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
    .map((path) => {
      const text = read(path)
      const code = withoutComments(text)
      return { path, text, code, imports: importsOf(path, code) }
    })

/** `CallAdmission` for `packages/core/src/calling/calls/CallAdmission.ts`. */
export const nameOf = (path: string): string => basename(path).replace(/\.tsx?$/, "")

/** `core` for `packages/core/src/calling/calls/CallAdmission.ts`. */
export const packageOf = (path: string): string | null => path.match(/^packages\/([^/]+)\//)?.[1] ?? null

/**
 * `calling/calls` for `packages/core/src/calling/calls/CallAdmission.ts`, `webhooks` for a file at the top of that area; null
 * outside the core, and for its entries. What a room has in a folder of its own belongs to the room.
 */
export const roomOf = (path: string): string | null => {
  const [area, room, ...rest] = path.match(/^packages\/core\/src\/(.+)$/)?.[1]?.split("/") ?? []
  if (area === undefined || room === undefined) return null
  return rest.length === 0 || area === "host" ? area : `${area}/${room}`
}

/** `packages/core/src/calling/calls/CallAdmission.ts` is of a package's own code; its tests, its settings and the rest are not. */
export const isPackageSource = (path: string): boolean => /^packages\/[^/]+\/src\//.test(path)

/** `effect` of `effect/Effect`, `@trunkline/core` of `@trunkline/core/effect`. */
export const packageNameOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly type?: string
  readonly license?: string
  readonly files?: ReadonlyArray<string>
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly bin?: string | Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The package.json in `folder`. */
export const manifest = (folder: string): Manifest => JSON.parse(read(posix.join(folder, "package.json")))

/** The folders of `packages/`, by name. */
export const packages: ReadonlyArray<string> = readdirSync(join(root, "packages")).sort()
