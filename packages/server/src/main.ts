#!/usr/bin/env node
/** The `trunkline` command. */
import { createRequire } from "node:module"
import { run } from "./Cli.ts"

const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string }
// A reader of our output may stop before its end: `trunkline audit … | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

const code = await run(process.argv.slice(2), process.env, version)
if (code !== 0) process.exitCode = code
