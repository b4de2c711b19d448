/**
 * The server as a few files for the processes that tests start. From its sources a start resolves 1,800 modules, which is
 * two thirds of what it costs, and a run of the tests starts many.
 */
import { copyFileSync, globSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type ChunkingContext, type InputOptions, rolldown } from "rolldown"
import buildPages, { builtFiles } from "../packages/dashboard/BuildPages.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "node_modules/.cache/trunkline-server")

/** The command, once the set-up of the run has made it. Dependencies are found from here as from the repository's root. */
export const serverBundle = join(folder, "src/main.js")

/** Packages that are loaded as they are installed: they are native, read files of their own, are optional, or cannot be bundled. */
const installed =
  /^(better-sqlite3|jsonc-parser|llama-tokenizer-js|mediabunny|mpg123-decoder|onnxruntime-node|opus-decoder|pg|@echogarden|@energetic-ai|@wasm-audio-decoders)(\/|$)/

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const isCurrent = (): boolean => {
  const sources = globSync(["packages/*/src/**/*.ts", "packages/*/package.json", "package-lock.json"], { cwd: root })
  const madeAt = changedAt(serverBundle)
  return [fileURLToPath(import.meta.url), builtFiles, ...sources.map((path) => join(root, path))].every(
    (path) => changedAt(path) < madeAt
  )
}

/** The options of both bundles. */
const options = {
  platform: "node",
  resolve: {
    conditionNames: ["@trunkline/source", "node", "import", "default"],
    // The pages as they are built: what builds them where they are old is no part of a bundle.
    alias: { "#files": builtFiles }
  },
  external: (id) => installed.test(id),
  // Every room exports a value `Room`, which the entry for Effect users leaves out on purpose.
  onLog: () => undefined
} satisfies InputOptions

/** What a file loads at once. */
const loadedAtOnce = (file: string, context: ChunkingContext): ReadonlySet<string> => {
  const found = new Set([file])
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

/**
 * The command. What two of its parts load stands in one file, which is loaded sooner than a hundred; but for what the command
 * loads in any case, so that it says its version without the product.
 */
const bundleCommand = async (main: string, dir: string): Promise<void> => {
  const bundle = await rolldown({ ...options, input: main })
  let first: ReadonlySet<string> | undefined
  const name = (id: string, context: ChunkingContext): string | null => {
    first ??= loadedAtOnce(main, context)
    return first.has(id) ? null : "shared"
  }
  await bundle.write({
    ...{ dir, format: "esm", entryFileNames: "[name].js", cleanDir: true },
    codeSplitting: { groups: [{ name, minShareCount: 2 }], includeDependenciesRecursively: false }
  })
  await bundle.close()
}

/** The files at which threads begin, apart from the command: each loads only what it needs. */
const bundleThreads = async (sources: string, dir: string): Promise<void> => {
  const files = globSync("packages/*/src/**/*Thread.ts", { cwd: sources })
  const input = Object.fromEntries(files.map((path) => [basename(path, ".ts"), join(sources, path)]))
  const bundle = await rolldown({ ...options, input })
  await bundle.write({ dir, format: "esm", entryFileNames: "[name].js" })
  await bundle.close()
}

/** Makes the bundle of sources in a folder from which dependencies are found. */
export const bundleServer = async (sources: string, into: string): Promise<void> => {
  await bundleCommand(join(sources, "packages/server/src/main.ts"), join(into, "src"))
  await bundleThreads(sources, join(into, "src"))
  copyFileSync(join(sources, "packages/server/package.json"), join(into, "package.json"))
}

/** Makes the bundle where a source has changed since it was made. */
export default async (): Promise<void> => {
  await buildPages()
  if (!isCurrent()) await bundleServer(root, folder)
}
