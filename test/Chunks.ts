/**
 * Builds what @trunkline/core ships: its own files as a few chunks behind its entries, with maps. A process that loads
 * several hundred small files spends more than half of its start on finding them. `npm run build` runs it after the compiler,
 * which makes the declarations; the tests that pack and bundle run it where a source has changed.
 */
import { globSync, readFileSync, rmSync, statSync } from "node:fs"
import { join, parse } from "node:path"
import { fileURLToPath } from "node:url"
import { type OutputChunk, type OutputOptions, rolldown } from "rolldown"

const core = fileURLToPath(new URL("../packages/core", import.meta.url))

interface Entry {
  readonly "@trunkline/source": string
  readonly default: string
}

/** Each entry of the package: the file that is shipped, without its ending, and its source. */
const entries = (): ReadonlyArray<readonly [file: string, source: string]> => {
  const { exports }: { readonly exports: Readonly<Record<string, Entry>> } = JSON.parse(
    readFileSync(join(core, "package.json"), "utf8")
  )
  return Object.values(exports).map((entry) => [
    entry.default.replace("./dist/", "").replace(/\.js$/, ""),
    join(core, entry["@trunkline/source"])
  ])
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const isCurrent = (): boolean => {
  const madeAt = Math.min(...entries().map(([file]) => changedAt(join(core, "dist", `${file}.js`))))
  const sources = globSync(["src/**/*.{ts,json}", "package.json"], { cwd: core }).map((path) => join(core, path))
  return [fileURLToPath(import.meta.url), ...sources].every((path) => changedAt(path) < madeAt)
}

/**
 * The chunk of each source: what the same areas load, alone or beside the core or the entry for storages, stands in one. Left to
 * itself the bundler keeps apart what any two entries load, in three times as many files. `first`: the chunks that it makes so.
 */
const chunkNames = (first: ReadonlyArray<OutputChunk>): ReadonlyMap<string, string> => {
  const files = new Map(first.map((chunk) => [chunk.fileName, chunk]))
  const areas = first.flatMap(({ dynamicImports }) => dynamicImports).filter((file) => !file.includes("Facade"))
  const loadedBy = new Map<string, Set<string>>()
  const load = (file: string, root: string): void => {
    const roots = loadedBy.get(file) ?? new Set()
    if (roots.has(root)) return
    loadedBy.set(file, roots.add(root))
    for (const imported of files.get(file)?.imports ?? []) load(imported, root)
  }
  for (const root of new Set(["index.js", "storage.js", ...areas])) load(root, parse(root).name)
  return new Map(
    first.flatMap(({ fileName, moduleIds }) => {
      const name = [...(loadedBy.get(fileName) ?? [])].sort().join("-")
      return name === "" ? [] : moduleIds.map((id) => [id, name] as const)
    })
  )
}

const build = async (): Promise<void> => {
  // Chunks of an earlier build may have other names.
  rmSync(join(core, "dist/chunks"), { recursive: true, force: true })
  const bundle = await rolldown({
    input: Object.fromEntries(entries()),
    platform: "node",
    external: (id) => !/^[./]/.test(id),
    // Every room exports a value `Room`, which the entry for Effect users leaves out on purpose.
    onLog: () => undefined
  })
  const options: OutputOptions = {
    ...{ dir: join(core, "dist"), format: "esm" },
    ...{ entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js" }
  }
  const { output } = await bundle.generate(options)
  const names = chunkNames(output.filter((file) => file.type === "chunk"))
  await bundle.write({
    ...options,
    sourcemap: true,
    codeSplitting: { groups: [{ name: (id) => names.get(id) ?? null }], includeDependenciesRecursively: false }
  })
  await bundle.close()
}

/** Builds where a source has changed since. */
export default async (): Promise<void> => {
  if (!isCurrent()) await build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
