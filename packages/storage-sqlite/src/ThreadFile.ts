/** The file that the thread of an import runs: it must lie beside the code that starts it. Source: docs/reference/embedding.md#bundles. */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { TrunklineError } from "@trunkline/core"

const name = (module: string): string => `./ConnectionThread${module.endsWith(".ts") ? ".ts" : ".js"}`

const missing = (what: string): TrunklineError =>
  new TrunklineError(
    "storage_bundled",
    500,
    `${what}: the application is bundled. Keep @trunkline/storage-sqlite out of the bundle (esbuild: --packages=external), or put its dist/ConnectionThread.js beside the bundle.`
  )

/**
 * Where the file is, for a module at this URL; of sources a thread runs the source, of a build the build. Undefined is the URL of a module
 * that a bundler has turned into CommonJS. Throws a `TrunklineError` with the code `storage_bundled` where no thread could begin.
 */
export const threadFile = (module: string | undefined): URL => {
  if (module === undefined) throw missing("@trunkline/storage-sqlite does not know where its files are")
  const file = new URL(name(module), module)
  if (!existsSync(file)) throw missing(`The file ${fileURLToPath(file)} is missing`)
  return file
}
