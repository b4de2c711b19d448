/** Sends a recording to the product's own route, which no account anywhere answers: the engine on this machine listens. */
import { readFile } from "node:fs/promises"
import { audioLength } from "@trunkline/node"
import type { EmbeddedProvider } from "@trunkline/providers/embedded"
import { inMemory, lastUsage, refusalIn } from "./InMemory.ts"

const recording = new URL("./recordings/austen.wav", import.meta.url)
/** This machine's own model, which costs nothing. */
const model = "moonshine-tiny"

/** Null where this machine hears: then its engine is loaded. */
export const whyDeaf = (engine: EmbeddedProvider): Promise<string | null> =>
  engine.ready().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error))
  )

export const speech = async (say: (line?: string) => void, engine: EmbeddedProvider): Promise<void> => {
  say("A recording of a person, sent to POST /v1/audio/transcriptions. Nobody but this machine hears it:")
  // What is fetched and loaded once is not a part of the time that an answer takes.
  const deaf = await whyDeaf(engine)
  if (deaf !== null) return say(`  It cannot: ${deaf}\n`)
  await inMemory({ audioLength: audioLength(), models: { fallback: engine } }, async (ask) => {
    const form = new FormData()
    form.append("file", new Blob([await readFile(recording)], { type: "audio/wav" }), "austen.wav")
    form.append("model", model)
    form.append("response_format", "verbose_json")
    const answer = await ask("/v1/audio/transcriptions", { method: "POST", body: form })
    if (!answer.ok) return say(`  ${await refusalIn(answer)}\n`)
    const { duration, text } = (await answer.json()) as { readonly text: string; readonly duration: number }
    const used = await lastUsage(ask)
    say(`  "${text}"`)
    say(
      `  ${duration} s of audio for ${used?.credits} credits; answered after ${used?.latency_ms} ms by ${answer.headers.get("x-service-served-by")}\n`
    )
  })
}
