/** What `npm start` runs in a clone in which nothing has been built. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

/** Ends the program where it loads what a fresh clone does not have. The pages are built by `npm start` itself. */
const withoutBuilds = `
import { registerHooks } from "node:module"
registerHooks({
  load: (url, context, next) => {
    if (/\\/packages\\/[^/]+\\/dist\\/(?!pages\\/)/.test(url)) throw new Error("built: " + url)
    return next(url, context)
  }
})`

it("the server starts from sources alone, without anything that has been built", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "trunkline-fresh-"))
  const child = spawn(
    process.execPath,
    [
      "--conditions=@trunkline/source",
      "--disable-warning=ExperimentalWarning",
      `--import=data:text/javascript,${encodeURIComponent(withoutBuilds)}`,
      fileURLToPath(new URL("../src/main.ts", import.meta.url)),
      "serve"
    ],
    { cwd, env: { PATH: process.env.PATH, PORT: "0" } }
  )
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk))
  const ended = once(child, "exit")
  try {
    await expect.poll(() => (child.exitCode === null ? printed : `${printed} ended`)).toMatch(/^listening on |ended$/m)
    expect(printed).toMatch(/^dashboard: http:\S+#link=lnk_\w{40}$/m)
  } finally {
    child.kill("SIGTERM")
    await ended
    rmSync(cwd, { recursive: true, force: true })
  }
})
