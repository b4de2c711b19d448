/**
 * Builds the pages: one module with every file of them, as it is and compressed. A bundle of a host's server takes the module
 * in, which it could not do with files. `npm run build` runs it; from sources the first process that needs the pages does,
 * where one of their sources has changed.
 */
import { createHash } from "node:crypto"
import { closeSync, globSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, extname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { dividedWords } from "./DividedWords.ts"

const here = fileURLToPath(new URL(".", import.meta.url))

/** The module that has the files. */
export const builtFiles = join(here, "dist/pages/files.js")
const lock = join(here, "dist/pages/building")

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2"
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** False where a source of the pages, or a library of theirs, has changed since they were built. */
export const isCurrent = (): boolean => {
  const sources = globSync(
    [
      "pages/**/*.*",
      "src/**/*.ts",
      "../client/src/**/*.ts",
      "BuildPages.ts",
      "DividedWords.ts",
      "../../package-lock.json"
    ],
    { cwd: here }
  )
  const madeAt = changedAt(builtFiles)
  return sources.every((path) => changedAt(join(here, path)) < madeAt)
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

/** A file as the module has it. Compressed forms that save nothing are left out. */
const entryOf = (name: string, bytes: Buffer) => {
  const type = types[extname(name)]
  if (type === undefined) throw new Error(`A file of the pages has no known type: ${name}`)
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  const gzip = gzipSync(bytes, { level: 9 })
  const smaller = (made: Buffer) => (made.length < bytes.length ? base64(made) : null)
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22)
  return { type, digest, bytes: base64(bytes), brotli: smaller(brotli), gzip: smaller(gzip) }
}

const bundle = async (): Promise<ReadonlyArray<readonly [name: string, bytes: Buffer]>> => {
  const [{ build, defaultClientConditions }, { default: tailwind }] = await Promise.all([
    import("vite"),
    import("@tailwindcss/vite")
  ])
  const made = await build({
    root: join(here, "pages"),
    // The same files serve below any prefix: each names the others relative to itself.
    base: "./",
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: "warn",
    // The client is bundled from its sources: a fresh clone has nothing built.
    resolve: { conditions: ["@trunkline/source", ...defaultClientConditions] },
    plugins: [dividedWords(join(here, "pages")), tailwind()],
    // The policy of the page allows no `data:` scripts or styles.
    build: {
      write: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // What the first page needs is one file: by itself the bundler divides it anew with each page that is added.
        output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } },
        // Libraries say where they run on a server of React's own, of which there is none here.
        onLog: (level, log, handle) => {
          if (log.code !== "MODULE_LEVEL_DIRECTIVE" && log.code !== "PLUGIN_TIMINGS") handle(level, log)
        }
      }
    }
  })
  if (!("output" in made)) throw new Error("The pages are one build.")
  const built = made.output.flatMap((file) =>
    file.type === "chunk" ? file.moduleIds.filter((path) => /\/packages\/[^/]+\/dist\//.test(path)) : []
  )
  if (built.length > 0) throw new Error(`The pages need what a fresh clone does not have: ${built.join(", ")}`)
  return made.output.map((file) => [file.fileName, Buffer.from(file.type === "chunk" ? file.code : file.source)])
}

const write = async (): Promise<void> => {
  const files = (await asInProduction(bundle)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const entries = Object.fromEntries(files.map(([name, bytes]) => [name, entryOf(name, bytes)]))
  // Another process reads either the earlier module or this one.
  writeFileSync(`${builtFiles}.new`, `export const files = ${JSON.stringify(entries, null, 1)}\n`)
  renameSync(`${builtFiles}.new`, builtFiles)
}

/** True where this process is the one that builds. A process that was ended in the middle leaves its lock for a minute. */
const locks = (): boolean => {
  mkdirSync(dirname(lock), { recursive: true })
  if (Date.now() - changedAt(lock) > 60_000) rmSync(lock, { force: true })
  try {
    closeSync(openSync(lock, "wx"))
    return true
  } catch {
    return false
  }
}

/** A test runs under another name of the environment, and would make pages for developers: they are twice as heavy. */
const asInProduction = async <A>(make: () => Promise<A>): Promise<A> => {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = "production"
  try {
    return await make()
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

/** Builds where a source has changed since; one process builds, and others wait for it. */
const buildPages = async (): Promise<void> => {
  while (!isCurrent()) {
    if (!locks()) {
      await setTimeout(50)
      continue
    }
    try {
      await write()
    } finally {
      rmSync(lock, { force: true })
    }
  }
}

export default buildPages

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPages()
