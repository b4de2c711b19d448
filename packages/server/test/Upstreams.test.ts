/** What the file says of upstreams, as providers: docs/reference/configuration.md, docs/reference/embedded.md#settings. */
import { Settings } from "@trunkline/core/provider"
import { describe, expect, it } from "vitest"
import type { Sections } from "../src/ConfigFile.ts"
import { providerFaults, upstreamsIn } from "../src/ProviderParts.ts"
import { allMade } from "../src/ProviderSections.ts"
import { detectorNotice, detectorOf, enginesOf } from "../src/StandInEngine.ts"

const host = { log: () => undefined }

const made = async (section: { readonly kind: string; readonly [option: string]: unknown }) =>
  (await allMade(upstreamsIn({ upstreams: { here: section } }), host)).here!.make("here")

const upstreamFaults = (models: object) => providerFaults("models", { models } as Sections)

describe("an upstream of the kind embedded", () => {
  // Verifies: H-32.
  it("has the timeout of timeout_ms, else ten minutes", async () => {
    const longest = async (timeoutMs?: number) => (await made({ kind: "embedded", timeoutMs })).maxMs
    expect(await longest(5000)).toBe(5000)
    expect(await longest()).toBe(600_000)
  })

  it("is called as it is in the file, and serves what the file says, or all that it can", async () => {
    const upstream = await made({ kind: "embedded", serves: ["stt"] })
    expect(upstream).toMatchObject({
      name: "here",
      provider: "embedded",
      servedBy: expect.stringMatching(/^embedded; model=/)
    })
    expect(Object.keys(upstream.capabilities)).toEqual(["transcribe"])
    const served = async (serves?: ["tts", "embedding"]) =>
      Object.keys((await made({ kind: "embedded", serves })).capabilities)
    expect(await served(["tts", "embedding"])).toEqual(["speak", "embed"])
    expect(await served()).toEqual(["transcribe", "speak", "embed"])
  })

  // Verifies: H-32.
  it("has a timeout of at most an hour and no settings of a remote upstream: every fault has its path", () => {
    const faults = (section: object) =>
      upstreamFaults({ upstreams: { here: { kind: "embedded", ...section } } }).map(
        ({ message, path }) => `${path}: ${message}`
      )
    expect(faults({ timeoutMs: 3_600_000, serves: ["stt"] })).toEqual([])
    const apiKey = new Settings.SecretText("a key that is told to nobody")
    const found = faults({ apiKey, baseUrl: "http://x.example", serves: ["stt", "llm"], timeoutMs: 3_600_001 })
    expect(found).toEqual([
      expect.stringMatching(/^models\.upstreams\.here\.api_key: .*somewhere else.* remove it$/),
      expect.stringMatching(/^models\.upstreams\.here\.base_url: .*somewhere else.* remove it$/),
      expect.stringMatching(/^models\.upstreams\.here\.timeout_ms: must be .*3600000/),
      expect.stringMatching(/^models\.upstreams\.here\.serves: must be .*"embedding"/)
    ])
    expect(found.join()).not.toContain("told to nobody")
  })
})

describe("the embedded engine in the file", () => {
  const faults = (models: object) => upstreamFaults(models).map(({ message, path }) => `${path}: ${message}`)

  // Verifies: H-162.
  it("is set up key by key, as an upstream and as the fallback", async () => {
    const engine = { model: "base", modelsFolder: "/srv/models", install: false, npm: "/usr/bin/npm" } as const
    const limits = { threads: 2, queue: 3, longestSeconds: 60, timeoutMs: 1000, idleMs: 0 }
    expect(faults({ upstreams: { here: { kind: "embedded", ...engine, ...limits } } })).toEqual([])
    expect(faults({ embedded: { ...engine, ...limits } })).toEqual([])
    expect((await made({ kind: "embedded", ...engine })).servedBy).toBe("embedded; model=moonshine-base")
  })

  it("is refused with every setting that cannot work, each with its path", () => {
    expect(faults({ embedded: { threads: 65, queue: 1001, longestSeconds: 0 } })).toEqual([
      expect.stringMatching(/^models\.embedded\.threads: must be .*64/),
      expect.stringMatching(/^models\.embedded\.queue: must be .*1000/),
      expect.stringMatching(/^models\.embedded\.longest_seconds: must be .*86400/)
    ])
    const openai = { kind: "openai", baseUrl: "http://localhost:1/v1", timeoutMs: 1, model: "base" } as const
    expect(faults({ upstreams: { there: openai } })).toEqual([
      'models.upstreams.there.model: belongs to the kind "embedded": remove it'
    ])
  })
})

describe("the engines whose weights are fetched", () => {
  const there = { kind: "openai", baseUrl: "http://localhost:1/v1" } as const

  it("are the upstreams of the kind, and the one that stands in, which answers for its own models beside any upstream", () => {
    expect(enginesOf({})).toEqual([{}])
    expect(enginesOf({ upstreams: { there }, embedded: { model: "base" } })).toEqual([{ model: "base" }])
    const here = { kind: "embedded", model: "base" } as const
    expect(enginesOf({ upstreams: { here, there } })).toEqual([here, {}])
    expect(enginesOf({ upstreams: { here }, embeddedFallback: false })).toEqual([here])
  })
})

describe("what a start says about speech on lines", () => {
  const missing = () => "the speech detector Silero lacks onnxruntime-node; run npm install onnxruntime-node"

  // Verifies: V-76.
  it("is that Silero finds it, where its package is installed", async () => {
    expect(await detectorNotice(() => null)).toBe("speech on lines is detected by Silero")
    expect((await detectorOf({}, host, () => null))?.kind).toBe("speechDetector")
  })

  it("is that its energy is used, and what to install, where it is not", async () => {
    expect(await detectorNotice(missing)).toMatch(/by the energy of sound: .* run npm install/)
    expect(await detectorOf({}, host, missing)).toBeUndefined()
  })
})
