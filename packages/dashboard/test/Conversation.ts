/** What a call leaves on which an agent has spoken, shown by a page without an agent: the routes have tests of their own. */
import type { CallDetails } from "@trunkline/client"
import type { Page } from "playwright-core"

const rate = 8000
const seconds = 0.5

/** Half a second of silence in two channels. */
const sound = (): Buffer => {
  const bytes = rate * seconds * 4
  const wav = Buffer.alloc(44 + bytes)
  wav.write("RIFF", 0)
  wav.writeUInt32LE(36 + bytes, 4)
  wav.write("WAVEfmt ", 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(2, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate * 4, 28)
  wav.writeUInt16LE(4, 32)
  wav.writeUInt16LE(16, 34)
  wav.write("data", 36)
  wav.writeUInt32LE(bytes, 40)
  return wav
}

/** The page gets a transcript, a recording and an analysis of the call; `said` is what the person has said, and the model has summed up. */
export const showConversation = async (page: Page, call: CallDetails, said: string): Promise<void> => {
  const place = `**/telephony/calls/${call.id}`
  const entry = { started_at: call.created_at, duration_ms: 900, interrupted: false, model: null, tool: null }
  const spoken = (index: number, role: "assistant" | "user", text: string) => ({
    ...entry,
    ...{ id: String(index), index, role, text, offset_ms: index * 2400 + 400 }
  })
  const analysis = { status: "completed", summary: said, outcome: "offer wanted", sentiment: "positive", score: 0.8 }
  await page.route(place, (route) =>
    route.fulfill({ json: { ...call, recording: "available", analysis: { ...analysis, results: { roof_m2: 140 } } } })
  )
  await page.route(`${place}/recording`, (route) => route.fulfill({ contentType: "audio/wav", body: sound() }))
  await page.route(`${place}/transcript*`, (route) =>
    route.fulfill({
      json: [
        spoken(0, "assistant", "Good day, this is the solar team of Northwind. Do you have a minute?"),
        spoken(1, "user", said),
        {
          ...spoken(2, "assistant", ""),
          role: "tool",
          tool: { name: "look_up", arguments: '{"contract":"S-2041"}', result: said }
        },
        spoken(3, "assistant", "I have found your contract. May I send you an offer for the second roof?"),
        spoken(4, "user", "Yes, please do.")
      ]
    })
  )
}
