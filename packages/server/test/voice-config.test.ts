/** The configuration of agents that speak, whole and with its defaults: docs/reference/configuration.md#voice. Verifies: SERV-1, SERV-5. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTrunkline } from "@trunkline/core"
import { wavHeader } from "@trunkline/core/provider"
import { configOf } from "@trunkline/server"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Result from "effect/Result"
import { afterAll, describe, expect, it } from "vitest"
import { optionsOf } from "../src/ServerOptions.ts"

const folder = mkdtempSync(join(tmpdir(), "trunkline-voice-config-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const silence = Buffer.alloc(320)
writeFileSync(join(folder, "hello.wav"), Buffer.concat([wavHeader({ rate: 8000, channels: 1, bytes: 320 }), silence]))

const whole = {
  telephony: { answer: { kind: "agent" }, simulator: { callee_audio: "hello.wav" } },
  models: {
    upstreams: {
      x: { kind: "openai", base_url: "http://127.0.0.1:1/v1", api_key: "k", serves: ["stt", "llm", "tts"] }
    }
  },
  voice: {
    defaults: {
      ...{ stt_model: "saaras:v3", llm_model: "gemma-4-26b-a4b-it", tts_model: "bulbul:v3" },
      ...{ voice: null, language: "en" }
    },
    settings_timeout_ms: 15000,
    idle_timeout_seconds: 120,
    function_timeout_ms: 30000,
    stt_timeout_ms: 5000,
    llm_timeout_ms: 8000,
    tts_timeout_ms: 5000,
    max_sessions: 200,
    concurrent_sessions: { free: 2, starter: 5, pro: 20, enterprise: null },
    recordings_folder: "./data/recordings",
    recordings_keep_days: 30,
    events: { transcript: true },
    alerts_every_seconds: 60
  },
  workers: { analysis: true }
}

const optionsFor = (file: object) => {
  const config = Result.getOrThrow(Result.mapError(configOf(file, {}, { folder }), (faults) => faults.join("\n")))
  return optionsOf({ config, storage: sqlite(":memory:"), secret: "the secret of this test of the configuration" })
}

// Verifies: V-196, V-197.
describe("the configuration of voice", () => {
  it("is the library's, key by key, and begins a product", async () => {
    const options = await optionsFor(whole)
    expect(options.voice).toMatchObject({
      defaults: {
        ...{ sttModel: "saaras:v3", llmModel: "gemma-4-26b-a4b-it", ttsModel: "bulbul:v3" },
        ...{ voice: null, language: "en" }
      },
      ...{ settingsTimeoutMs: 15_000, idleTimeoutSeconds: 120, functionTimeoutMs: 30_000 },
      ...{ sttTimeoutMs: 5000, llmTimeoutMs: 8000, ttsTimeoutMs: 5000, maxSessions: 200 },
      concurrentSessions: { free: 2, starter: 5, pro: 20, enterprise: null },
      events: { transcript: true },
      alertsEverySeconds: 60
    })
    expect(options.answer).toEqual({ kind: "agent" })
    const core = await createTrunkline(options)
    await core.stop()
  })

  it("may be left out, whole or key by key", async () => {
    for (const file of [{}, { voice: {} }, { voice: { events: {}, concurrent_sessions: { pro: 3 } } }]) {
      const core = await createTrunkline(await optionsFor(file))
      await core.stop()
    }
  })

  it.each([
    [{ settings_timeout_ms: 99 }, "voice.settings_timeout_ms"],
    [{ idle_timeout_seconds: 0 }, "voice.idle_timeout_seconds"],
    [{ max_sessions: 1.5 }, "voice.max_sessions"],
    [{ concurrent_sessions: { pro: 0 } }, "voice.concurrent_sessions.pro"],
    [{ concurrent_sessions: { gold: 3 } }, "voice.concurrent_sessions.gold"],
    [{ recordings_keep_days: 0 }, "voice.recordings_keep_days"],
    [{ events: { transcript: "no" } }, "voice.events.transcript"],
    [{ alert_every_seconds: 60 }, "voice.alert_every_seconds"]
  ])("that is wrong fails at its key: %j", (voice, key) => {
    const config = configOf({ voice }, {}, { folder })
    expect(Result.isFailure(config) ? config.failure.join("\n") : "accepted").toContain(key)
  })
})
