/** Applications that bundle their code: docs/reference/embedding.md#bundles, by the commands of the page. Verifies: EMBED-1. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { rollup } from "rollup"
import { afterAll, describe, expect, it } from "vitest"
import { root } from "./house/Sources.ts"

const home = mkdtempSync(join(tmpdir(), "trunkline-bundles-"))
symlinkSync(join(root, "node_modules"), join(home, "node_modules"))
const source = join(home, "app.mjs")
writeFileSync(
  source,
  `import { trunkline } from "@trunkline/adapter-express"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import express from "express"

const main = async () => {
  const core = await createTrunkline({ storage: sqlite(process.argv[2]), telephony: simulator(), encryptionKey: "${"A".repeat(43)}=" })
  const app = express()
  app.use(trunkline(core))
  await core.start()
  const account = await core.admin.createAccount({ name: "Example", voiceCampaigns: true })
  const key = (await core.admin.createKey(account.id)).text
  const server = app.listen(0, "127.0.0.1", () => process.send({ key, port: server.address().port }))
  process.once("SIGTERM", () => server.close(() => core.stop().then(() => process.exit())))
}
main().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
`
)
const thread = join(root, "node_modules/@trunkline/storage-sqlite/dist/ConnectionThread.js")
const banner = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'

/** A folder for one bundle, from which the packages that stay outside are found. */
const folder = (name: string): string => {
  const path = join(home, name)
  mkdirSync(path)
  return path
}

const common = { bundle: true, platform: "node", logLevel: "silent" } as const
const native = ["better-sqlite3", "mediabunny"]

const bundles: Readonly<Record<string, (to: string) => Promise<unknown>>> = {
  "esbuild, packages outside": (to) =>
    build({ ...common, entryPoints: [source], format: "esm", packages: "external", outfile: join(to, "app.mjs") }),
  "Rollup, packages outside": async (to) => {
    const made = await rollup({ input: source, external: (id) => !/^[./]/.test(id) })
    await made.write({ file: join(to, "app.mjs"), format: "esm" })
  },
  "esbuild, packages inside": async (to) => {
    await build({
      ...common,
      entryPoints: [source, thread],
      ...{ format: "esm", external: native, outdir: to, entryNames: "[name]", banner: { js: banner } }
    })
    copyFileSync(join(to, "app.js"), join(to, "app.mjs"))
    writeFileSync(join(to, "package.json"), '{ "type": "module" }')
  }
}

interface Started {
  readonly key: string
  readonly port: number
}

const started = (child: ChildProcess): Promise<Started> =>
  new Promise((resolve, reject) => {
    let said = ""
    child.stderr?.on("data", (bytes) => {
      said += String(bytes)
    })
    child.once("message", (message) => resolve(message as Started))
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${said}`)))
  })

const importContacts = async ({ key, port }: Started): Promise<unknown> => {
  const at = `http://127.0.0.1:${port}/api/v1/voice-campaigns`
  const headers = { authorization: `Bearer ${key}` }
  const made = await fetch(at, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "Bundled" })
  })
  const { id } = (await made.json()) as { readonly id: string }
  const body = new FormData()
  body.set("file", new Blob(["phone\n+14155550101\n+14155550102\n"]), "people.csv")
  const imported = await fetch(`${at}/${id}/contacts/import`, { method: "POST", headers, body })
  return { status: imported.status, ...((await imported.json()) as object) }
}

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe("a bundled application", () => {
  it.each(Object.entries(bundles))("runs and imports contacts: %s", async (name, make) => {
    const to = folder(name.replaceAll(/\W+/g, "-"))
    await make(to)
    const child = spawn(process.execPath, [join(to, "app.mjs"), join(to, "app.db")], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: { ...process.env, NODE_OPTIONS: "" }
    })
    try {
      expect(await importContacts(await started(child))).toMatchObject({ status: 200, attached: 2 })
    } finally {
      const ended = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGTERM")
      await ended
    }
  })

  it.each([
    ["lacks the file of the thread", "esm"],
    ["is in CommonJS", "cjs"]
  ] as const)("says at its start what to do where it %s", async (_, format) => {
    const to = folder(`broken-${format}`)
    const file = join(to, format === "esm" ? "app.mjs" : "app.cjs")
    const outside = format === "esm" ? { banner: { js: banner } } : {}
    await build({ ...common, ...outside, entryPoints: [source], format, external: native, outfile: file })
    const run = promisify(execFile)(process.execPath, [file, join(to, "app.db")], {
      env: { ...process.env, NODE_OPTIONS: "" }
    })
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Keep @trunkline/storage-sqlite out of the bundle")
    })
  })
})
