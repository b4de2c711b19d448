/** The files of the pages where the sources run: the first process that needs them builds them, where a source has changed. */
import { execFile } from "node:child_process"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { builtFiles, isCurrent } from "./BuildPages.ts"

// In a process of its own, for what builds stays in memory.
if (!isCurrent())
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL("BuildPages.ts", import.meta.url))])

export const { files }: typeof import("#files") = await import(pathToFileURL(builtFiles).href)
