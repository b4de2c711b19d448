/** Speech from a client's socket to an upstream's and back: docs/reference/gateway.md. Verifies: INFE-2, INFE-3, INFE-5. */
import { audioLength } from "@trunkline/node"
import { openai } from "@trunkline/providers/openai"
import { sqlite } from "@trunkline/storage-sqlite"
import { type HttpWorld, openWorld, until, upload } from "@trunkline/testing/http"
import { wav } from "@trunkline/testing/inference"
import { type FakeUpstream, openAiError, startFakeOpenAi, type UpstreamMood } from "@trunkline/testing/upstreams"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startNode } from "../Hosts.ts"
import { m4a, mp3, mp3Claiming, webm } from "./Recordings.ts"

const secret = "sk-upstream-secret"
const whisper = ["model", "whisper-large-v3-turbo"] as const

describe("speech, from socket to socket", () => {
  let fake: FakeUpstream
  let world: HttpWorld

  beforeAll(async () => {
    fake = await startFakeOpenAi({ apiKey: secret, text: "hello", seconds: 1 })
    const provider = openai({ baseUrl: `${fake.origin}/v1`, apiKey: secret, timeoutMs: 1500 })
    world = await openWorld(startNode, () => sqlite(":memory:"), {
      core: {
        models: { upstreams: { there: provider }, routes: { "*": { upstream: "there" } } },
        audioLength: audioLength()
      }
    })
    await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
  })
  afterAll(async () => {
    await world.close()
    await fake.close()
  })
  beforeEach(() => fake.behave(null))

  const ask = (file: Uint8Array, fields: ReadonlyArray<readonly [string, string]> = [], path = "transcriptions") => {
    const { body, headers } = upload({ file, fields: [whisper, ...fields] })
    return world.send("POST", `/v1/audio/${path}`, { key: world.key, body, headers })
  }

  const newest = async () => (await world.send("GET", "/v1/usage/logs?limit=1", { key: world.key })).items[0]!

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, number]>([
    ["WAV", () => wav(2.2), 3],
    ["MP3", () => mp3(23.5), 24],
    ["MP3 that claims a second", () => mp3Claiming(600, 40), 600],
    ["M4A", () => m4a(12), 12],
    ["WebM without a length", () => webm(20, true), 20]
  ])("bills %s for its audio, in every format and whatever the upstream has measured", async (_, make, seconds) => {
    const file = await make()
    for (const format of ["text", "verbose_json"]) {
      const answer = await ask(file, [["response_format", format]])
      expect(answer.status, answer.text).toBe(200)
      const { units } = await newest()
      expect(Math.abs(Number(units) - seconds)).toBeLessThanOrEqual(1)
      if (format === "verbose_json") expect(answer.body.duration).toBe(units)
    }
    expect(fake.calls.at(-1)?.file?.size).toBe(file.byteLength)
  })

  it("passes on nothing that the upstream does not need", async () => {
    await ask(wav(1), [
      ["prompt", "secret words"],
      ["temperature", "0.5"],
      ["diarize", "true"]
    ])
    const { fields, headers } = fake.calls.at(-1)!
    expect(fields.map(([name]) => name).sort()).toEqual(["model", "response_format"])
    expect(JSON.stringify(headers)).not.toContain(world.key)
    await ask(wav(1), [], "translations")
    expect(fake.calls.at(-1)?.path).toBe("/v1/audio/translations")
  })

  it.each<[string, UpstreamMood, number, string]>([
    ["refuses the audio", openAiError(400, "unsupported_format"), 400, "invalid_request"],
    ["finds the file too large", openAiError(413, null), 413, "file_too_large"],
    [
      "is asked too often",
      openAiError(429, "rate_limit_exceeded", "requests", { "retry-after": "7" }),
      429,
      "rate_limit_exceeded"
    ],
    ["has no quota left", openAiError(429, "insufficient_quota", "insufficient_quota"), 502, "provider_error"],
    ["refuses our key", openAiError(401, "invalid_api_key"), 502, "provider_error"],
    ["does not know the model", openAiError(404, "model_not_found"), 502, "service_unavailable"],
    ["fails", openAiError(500, null), 502, "service_unavailable"],
    ["hangs", { does: "hang" }, 502, "service_unavailable"],
    ["resets the connection", { does: "reset" }, 502, "service_unavailable"],
    ["breaks off", { does: "truncate" }, 502, "service_unavailable"],
    ["talks nonsense", { does: "answer", body: "<html>inner.example</html>" }, 502, "service_unavailable"],
    ["says nothing of a text", { does: "answer", body: { words: [] } }, 502, "service_unavailable"]
  ])(
    "answers in its own words for an upstream that %s, bills nothing, and releases its place",
    async (_, mood, status, code) => {
      fake.behave(mood)
      const answer = await ask(wav(1))
      const error = answer.body.error as Readonly<Record<string, unknown>>
      expect({ status: answer.status, code: error.code }).toEqual({ status, code })
      const said = answer.text + JSON.stringify(answer.headers)
      for (const word of ["leaky", "org-1234", "inner.example", secret, String(fake.port), "openai", "fetch"]) {
        expect(said).not.toContain(word)
      }
      expect(error.request_id).toBe(status === 400 || status === 413 ? undefined : answer.headers["x-request-id"])
      if (status === 429) expect(answer.headers["retry-after"]).toBe("7")
      expect(await newest()).toMatchObject({ status, credits: 0, units: 0 })
    }
  )

  it("ends the request to the upstream when the client goes away", async () => {
    fake.behave({ does: "hang" })
    const [begun, aborted] = [fake.begun(), fake.aborted()]
    const { body, headers } = upload({ file: wav(1), fields: [whisper] })
    const gone = new AbortController()
    const authorization = `Bearer ${world.key}`
    const init = { method: "POST", headers: { ...headers, authorization }, body, signal: gone.signal }
    const waiting = fetch(`${world.served.origin}/v1/audio/transcriptions`, init).catch(() => null)
    await fake.until(() => fake.begun() > begun)
    gone.abort()
    await waiting
    await fake.until(() => fake.aborted() > aborted)
    expect(await until(async () => ((await newest()).status === 499 ? true : undefined))).toBe(true)
  })
})
