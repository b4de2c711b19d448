/** Sends a recording to the product's own route, which no account anywhere answers: the engine on this machine listens. */
import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createTrunkline } from "@trunkline/core"
import { audioLength } from "@trunkline/node"
import { embedded } from "@trunkline/providers/embedded"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"

const recording = new URL("./recordings/austen.wav", import.meta.url)
const model = "saaras:v3"

/** A second product, in memory: the first one's clock is too fast for work that takes real time. */
export const speech = async (say: (line?: string) => void): Promise<void> => {
  const engine = embedded({ log: (line) => say(`  ${line}`) })
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    telephony: simulator(),
    encryptionKey: randomBytes(32).toString("base64"),
    audioLength: audioLength(),
    models: { fallback: engine }
  })
  try {
    const { id } = await core.admin.createAccount({ name: "Demo" })
    const { text: key } = await core.admin.createKey(id)
    say("A recording of a person, sent to POST /v1/audio/transcriptions. Nobody but this machine hears it:")
    const form = new FormData()
    form.append("file", new Blob([await readFile(recording)], { type: "audio/wav" }), "austen.wav")
    form.append("model", model)
    form.append("response_format", "verbose_json")
    const ask = (path: string, init: RequestInit = {}) =>
      core.fetch(new Request(`http://demo${path}`, { ...init, headers: { authorization: `Bearer ${key}` } }))
    const answer = await ask("/v1/audio/transcriptions", { method: "POST", body: form })
    const body = (await answer.json()) as {
      readonly text?: string
      readonly duration?: number
      readonly error?: { readonly message: string }
    }
    if (body.error !== undefined) {
      say(`  ${answer.status}: ${body.error.message}\n`)
      return
    }
    const [row] = (await (await ask("/v1/usage/logs")).json()) as ReadonlyArray<{
      readonly credits: number
      readonly latency_ms: number
    }>
    say(`  "${body.text}"`)
    say(
      `  ${body.duration} s of audio, billed as ${model}: ${row?.credits} credits; answered after ${row?.latency_ms} ms by ${answer.headers.get("x-service-served-by")}\n`
    )
  } finally {
    await core.stop()
    await engine.close()
  }
}
