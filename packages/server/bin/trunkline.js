#!/usr/bin/env node
// An installed package runs its build; in the repository the sources run, so that nothing has to be built before.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const [major, minor] = process.versions.node.split(".")
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

if (existsSync(path("../tsconfig.json"))) {
  const flags = ["--conditions=@trunkline/source", "--disable-warning=ExperimentalWarning"]
  // The machine's own Node may be older than what the sources need.
  const own = path("../../../node_modules/node/bin/node")
  const child = spawn(
    existsSync(own) ? own : process.execPath,
    [...flags, path("../src/main.ts"), ...process.argv.slice(2)],
    {
      stdio: "inherit"
    }
  )
  // A terminal sends its interrupt to both; other signals reach this process alone.
  process.on("SIGINT", () => undefined)
  process.on("SIGTERM", () => child.kill("SIGTERM"))
  child.on("exit", (code) => process.exit(code ?? 1))
} else if (Number(major) < 22 || (major === "22" && Number(minor) < 19)) {
  console.error(`trunkline needs Node 22.19 or newer, and this is ${process.versions.node}`)
  process.exitCode = 1
} else {
  await import("../dist/main.js")
}
