/** The engine at work leaves nothing behind and asks nobody: docs/reference/embedded.md#telemetry. Verifies: EMBE-7. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { defaultModelsFolder, TelemetryEnabled } from "../../src/embedded/index.ts"
import { disableTelemetry } from "../../src/embedded/RuntimeTelemetry.ts"
import { skipped, whyNot } from "./Readings.ts"
import { whyNoSentences } from "./Sentences.ts"

/** With the filter a process is stopped at the calls that are watched alone: without it, at every call of every thread. */
const strace = ["strace", "-f", "--seccomp-bpf"] as const

/** Null where it can watch a process. */
const noStrace =
  spawnSync(strace[0], [...strace.slice(1), "-o", "/dev/null", "true"]).status === 0
    ? null
    : "strace cannot be run here"

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

/**
 * Works in a process whose home, caches and working directory are the folder, which is empty. Its environment says nothing of
 * tests and continuous integration, for which a runtime turns itself off.
 */
const works = ({ milliseconds, prints, script }: (typeof runtimes)[number], folder: string, seen: string): void => {
  const watched = noStrace === null
  const calls = ["-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", seen]
  const node = [process.execPath, "--conditions=@trunkline/source", ...script, `${watched ? milliseconds : 0}`]
  const [command, ...args] = [...(watched ? [...strace, ...calls] : []), ...node] as [string, ...Array<string>]
  const { NODE_COMPILE_CACHE, PATH } = process.env
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    env: {
      ...{ PATH, HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), NODE_NO_WARNINGS: "1" },
      ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE })
    }
  })
  expect(stderr).toBe("")
  expect(status).toBe(0)
  expect(stdout).toContain(prints)
}

describe.each(runtimes)("$name", (runtime) => {
  const { reason } = runtime
  let outside: string
  let folder: string
  let seen: string

  beforeAll(() => {
    outside = mkdtempSync(join(tmpdir(), "trunkline-telemetry-"))
    folder = join(outside, "home")
    seen = join(outside, "seen")
    mkdirSync(folder)
    works(runtime, folder, seen)
  })
  afterAll(() => rmSync(outside, { recursive: true }))

  // Verifies: D-241.
  it.skipIf(reason !== null)(
    `writes no file of its own, not in the home, not among the caches, not where the process runs${skipped(reason)}`,
    () => expect(readdirSync(folder, { recursive: true })).toEqual([])
  )

  it.skipIf((reason ?? noStrace) !== null)(
    `opens no connection and looks up no name${skipped(reason ?? noStrace)}`,
    () => {
      const outwards = readFileSync(seen, "utf8")
        .split("\n")
        .filter((line) => /AF_INET|nscd|resolve/.test(line))
      expect(outwards).toEqual([])
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
