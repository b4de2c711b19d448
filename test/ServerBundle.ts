/**
 * The server as a few files for the processes that tests start. From its sources a start resolves 1,800 modules, which is
 * two thirds of what it costs, and a run of the tests starts many.
 */
import { copyFileSync, globSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "node_modules/.cache/trunkline-server")

/** The command, once the set-up of the run has made it. Dependencies are found from here as from the repository's root. */
export const serverBundle = join(folder, "src/main.js")

/** Packages of many small ES modules, which join the server's own. All others are loaded as they are installed. */
const joined =
  /^([./]|@trunkline\/|(effect|kysely|jose|uuid|csv-parse|csv-stringify|@noble\/hashes|libphonenumber-js)(\/|$))/

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const isCurrent = (): boolean => {
  const sources = globSync(["packages/*/src/**/*.ts", "packages/*/package.json", "package-lock.json"], { cwd: root })
  const madeAt = changedAt(serverBundle)
  return [fileURLToPath(import.meta.url), ...sources.map((path) => join(root, path))].every(
    (path) => changedAt(path) < madeAt
  )
}

/** The command, and the files at which threads begin. */
const entries = (sources: string): ReadonlyArray<string> => [
  "packages/server/src/main.ts",
  ...globSync("packages/*/src/**/*Thread.ts", { cwd: sources })
]

/** Makes the bundle of sources in a folder from which dependencies are found. */
export const bundleServer = async (sources: string, into: string): Promise<void> => {
  const bundle = await rolldown({
    input: Object.fromEntries(entries(sources).map((path) => [basename(path, ".ts"), join(sources, path)])),
    platform: "node",
    resolve: { conditionNames: ["@trunkline/source", "node", "import", "default"] },
    external: (id) => !joined.test(id),
    // Every room exports a value `Room`, which the entry for Effect users leaves out on purpose.
    onLog: () => undefined
  })
  await bundle.write({ dir: join(into, "src"), format: "esm", entryFileNames: "[name].js", cleanDir: true })
  await bundle.close()
  copyFileSync(join(sources, "packages/server/package.json"), join(into, "package.json"))
}

/** Makes the bundle where a source has changed since it was made. */
export default async (): Promise<void> => {
  if (!isCurrent()) await bundleServer(root, folder)
}
