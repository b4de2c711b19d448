/** The engine at work leaves nothing behind and asks nobody: docs/embedded.md#telemetry. Verifies: EMBE-7. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { defaultModelsFolder, TelemetryEnabled } from "../../src/embedded/index.ts"
import { disableTelemetry } from "../../src/embedded/RuntimeTelemetry.ts"
import { skipped, whyNot } from "./Readings.ts"

const reason = await whyNot()

/** Null where it can watch a process. */
const noStrace =
  spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0 ? null : "strace cannot be run here"

const script = fileURLToPath(new URL("Transcribing.ts", import.meta.url))
const speech = fileURLToPath(new URL("fixtures/speech.flac", import.meta.url))

/** The runtime's first report would leave four to five seconds after it is loaded. */
const milliseconds = 8_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trunkline-telemetry-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/**
 * Transcribes in a process whose home, caches and working directory are empty. Its environment says nothing of tests and
 * continuous integration, for which the runtime turns itself off.
 */
const transcribes = (watcher: ReadonlyArray<string>, longest: number) => {
  const node = [process.execPath, "--conditions=@trunkline/source", script, defaultModelsFolder(), speech, `${longest}`]
  const [command, ...args] = [...watcher, ...node] as [string, ...Array<string>]
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), NODE_NO_WARNINGS: "1" }
  })
  expect(stderr).toBe("")
  expect(status).toBe(0)
  expect(stdout).toContain("He might even have been made amiable himself.")
}

describe.skipIf(reason !== null)(`the runtime of the embedded engine${skipped(reason)}`, () => {
  // Verifies: D-241.
  it("writes no file of its own, not in the home, not among the caches, not where the process runs", () => {
    transcribes([], 0)
    expect(readdirSync(folder, { recursive: true })).toEqual([])
  })

  it.skipIf(noStrace !== null)(
    `opens no connection and looks up no name${skipped(noStrace)}`,
    { timeout: 120_000 },
    () => {
      const seen = join(folder, "seen")
      transcribes(["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", seen], milliseconds)
      expect(existsSync(seen)).toBe(true)
      const outwards = readFileSync(seen, "utf8")
        .split("\n")
        .filter((line) => /AF_INET|nscd|resolve/.test(line))
      expect(outwards).toEqual([])
      expect(readdirSync(folder, { recursive: true })).toEqual(["seen"])
    }
  )
})

describe("the telemetry of the runtime", () => {
  it.each([{}, { ORT_DISABLE_TELEMETRY: "" }])(
    "is turned off where nobody has decided: %j",
    (environment: NodeJS.ProcessEnv) => {
      disableTelemetry(environment, true)
      expect(environment).toEqual({ ORT_DISABLE_TELEMETRY: "1" })
    }
  )

  it("is left to a host that has set the variable itself", () => {
    const environment = { ORT_DISABLE_TELEMETRY: "0" }
    disableTelemetry(environment, true)
    disableTelemetry(environment, false)
    expect(environment).toEqual({ ORT_DISABLE_TELEMETRY: "0" })
  })

  it("keeps the engine from starting in a host's worker thread, where it cannot be turned off", () => {
    const environment: NodeJS.ProcessEnv = {}
    expect(() => disableTelemetry(environment, false)).toThrow(TelemetryEnabled)
    expect(environment).toEqual({})
  })
})
