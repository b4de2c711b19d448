#!/usr/bin/env node
/** The `trunkline` command. */
import { createRequire, enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { run } from "./Cli.ts"

// Half of what a command costs is the compilation of what it loads, which is the same each time.
const { XDG_CACHE_HOME: named = "" } = process.env
enableCompileCache(join(isAbsolute(named) ? named : join(homedir(), ".cache"), "trunkline", "compiled"))

const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string }
// A reader of our output may stop before its end: `trunkline audit … | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

const code = await run(process.argv.slice(2), process.env, version)
if (code !== 0) process.exitCode = code
