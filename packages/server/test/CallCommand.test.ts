/** `trunkline call` against a server whose agent hears, thinks and speaks by a script: docs/guides/voice-quickstart.md. Verifies: SERV-1. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { wavHeader } from "@trunkline/core/provider"
import { startFakeVoiceUpstream } from "@trunkline/testing/upstreams"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cleanUp, client, folder, keyOf, run, type Server, serve, stop } from "./Spawned.ts"

const [greeting, question, answer] = ["Good morning, this is the shop.", "How much is the tea?", "Two euros."]

/** Two seconds of a voice: a hum whose loudness goes up and down, as that of syllables does. */
const spoken = (rate: number): Uint8Array => {
  const samples = Int16Array.from({ length: 2 * rate }, (_, nth) => {
    const at = nth / rate
    const hum = [1, 2, 3, 5].reduce((sum, harmonic) => sum + Math.sin(2 * Math.PI * 140 * harmonic * at) / harmonic, 0)
    return 6_000 * hum * (0.6 + 0.4 * Math.sin(2 * Math.PI * 4 * at))
  })
  const bytes = new Uint8Array(samples.buffer)
  return Buffer.concat([wavHeader({ rate, channels: 1, bytes: bytes.length }), bytes])
}

describe("trunkline call", () => {
  let server: Server
  let cwd: string
  let bot: string
  let closeUpstream: () => Promise<void>

  beforeAll(async () => {
    const upstream = await startFakeVoiceUpstream({
      ...{ sttMs: 30, llmMs: 30, ttsMs: 20, speaks: () => 500 },
      hears: () => question,
      thinks: () => ({ text: answer })
    })
    closeUpstream = upstream.stop
    cwd = folder(10, {
      telephony: { simulator: { speed: 10 } },
      models: { upstreams: { all: { kind: "openai", base_url: upstream.url } }, routes: { "*": { upstream: "all" } } }
    })
    server = await serve(cwd)
    const { body } = await client(server, keyOf(server))("POST", "/api/v1/bots", {
      ...{ name: "Asha", type: "voice", system_prompt: "You sell tea.", is_active: true },
      config: { greeting, model: "gemma-4-26b-a4b-it" }
    })
    bot = body.id
    writeFileSync(join(cwd, "question.wav"), spoken(16_000))
  })
  afterAll(async () => {
    await stop(server)
    await closeUpstream()
    cleanUp()
  })

  const call = (...words: ReadonlyArray<string>) =>
    run(cwd, ["call", "--url", server.url, "--key", keyOf(server), "--bot", bot, ...words])

  it("says the file when the agent has greeted, and prints both sides as they are heard", async () => {
    const { code, err, out } = await call("--to", "+14155550101", "--say", "question.wav")
    expect([code, err]).toEqual([0, ""])
    const [calling, answered, ...said] = out.trim().split("\n")
    expect([calling, answered]).toEqual(["calling +14155550101", "answered"])
    expect(said.slice(0, 3)).toEqual([`agent: ${greeting}`, `callee: ${question}`, `agent: ${answer}`])
    expect(said.at(-2)).toMatch(/^ended: hangup_remote$/)
    expect(said.at(-1)).toMatch(/^What was said: curl -s http:\/\/\S+\/transcript -H "Authorization: Bearer \$KEY"$/)
  })

  it("refuses in one line what cannot be called, and a server that is not there", async () => {
    const refused = await call("--to", "12")
    expect([refused.code, refused.out]).toEqual([1, ""])
    expect(refused.err).toMatch(/^trunkline: the server does not place this call \(422\): .*7 to 15 digits.*\n$/)
    const nowhere = await run(cwd, ["call", "--url", "http://127.0.0.1:9", "--key", "k", "--bot", bot, "--to", "+141"])
    expect(nowhere.err).toMatch(/there is no server at http:\/\/127\.0\.0\.1:9: start it with trunkline serve/)
    expect((await call("--to", "+14155550101", "--say", "config.json")).err).toMatch(/is no WAV file/)
  })
})
