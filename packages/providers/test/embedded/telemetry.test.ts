/** The engine at work leaves nothing behind and asks nobody: docs/reference/embedded.md#telemetry. Verifies: EMBE-7. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { defaultModelsFolder, TelemetryEnabled } from "../../src/embedded/index.ts"
import { disableTelemetry } from "../../src/embedded/RuntimeTelemetry.ts"
import { skipped, whyNot } from "./Readings.ts"
import { whyNoSentences } from "./Sentences.ts"

/** Null where it can watch a process. */
const noStrace =
  spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0 ? null : "strace cannot be run here"

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const runtimes = [
  {
    name: "the runtime of speech",
    reason: await whyNot(),
    script: [pathOf("Transcribing.ts"), defaultModelsFolder(), pathOf("fixtures/speech.flac")],
    prints: "He might even have been made amiable himself.",
    /** The runtime's first report would leave four to five seconds after it is loaded. */
    milliseconds: 8_000
  },
  {
    name: "the runtime of embeddings",
    reason: await whyNoSentences(),
    script: [pathOf("Embedding.ts"), defaultModelsFolder(), "How old are you?"],
    prints: "512",
    milliseconds: 0
  }
]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trunkline-telemetry-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/**
 * Works in a process whose home, caches and working directory are empty. Its environment says nothing of tests and
 * continuous integration, for which a runtime turns itself off.
 */
const works = (
  { prints, script }: (typeof runtimes)[number],
  watcher: ReadonlyArray<string>,
  milliseconds: number
): void => {
  const node = [process.execPath, "--conditions=@trunkline/source", ...script, `${milliseconds}`]
  const [command, ...args] = [...watcher, ...node] as [string, ...Array<string>]
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), NODE_NO_WARNINGS: "1" }
  })
  expect(stderr).toBe("")
  expect(status).toBe(0)
  expect(stdout).toContain(prints)
}

describe.each(runtimes)("$name", (runtime) => {
  const { milliseconds, reason } = runtime

  // Verifies: D-241.
  it.skipIf(reason !== null)(
    `writes no file of its own, not in the home, not among the caches, not where the process runs${skipped(reason)}`,
    () => {
      works(runtime, [], 0)
      expect(readdirSync(folder, { recursive: true })).toEqual([])
    }
  )

  it.skipIf((reason ?? noStrace) !== null)(
    `opens no connection and looks up no name${skipped(reason ?? noStrace)}`,
    { timeout: 120_000 },
    () => {
      const seen = join(folder, "seen")
      works(runtime, ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", seen], milliseconds)
      expect(existsSync(seen)).toBe(true)
      const outwards = readFileSync(seen, "utf8")
        .split("\n")
        .filter((line) => /AF_INET|nscd|resolve/.test(line))
      expect(outwards).toEqual([])
      expect(readdirSync(folder, { recursive: true })).toEqual(["seen"])
    }
  )
})

describe("the telemetry of the runtime of speech", () => {
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
