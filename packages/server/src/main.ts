#!/usr/bin/env node
/** The `trunkline` command. */
import { createRequire } from "node:module"
import { run } from "./Cli.ts"

const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string }
const code = await run(process.argv.slice(2), process.env, version)
if (code !== 0) process.exitCode = code
