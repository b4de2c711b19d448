/** Whole conversations on a storage: what is said, cut off, called and counted, and what is left of it. Verifies: ASOC-3, LIVE-1, LIVE-2, LIVE-3, VOIC-8. */
import type { TrunklineOptions } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, until, type VoiceClient, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const long =
  "One two three four five six seven eight nine ten eleven twelve thirteen fourteen. And more of it follows now."

type Said = string | undefined

/** By what the caller says. */
const thinks = (_: number, messages: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
  const said = messages.filter(({ role }) => role === "user").at(-1)?.content as Said
  if (said === "Count.") return { text: long }
  const result = messages.at(-1)
  if (said !== "Look it up.") return { text: "It costs ten." }
  if (result?.role === "tool") return { text: `The function says ${String(result.content)}.` }
  return { calls: [{ id: "call_1", name: "price_of", arguments: '{"what":"pizza"}' }] }
}

const priceOf = { name: "price_of", description: "Finds a price", parameters: { type: "object" } }

/** The suite on a storage that `open` gives it. */
export const voiceConversations = (storage: () => TrunklineOptions["storage"]): void => {
  describe.concurrent("a conversation", () => {
    let world: VoiceWorld
    beforeAll(async () => {
      world = await voiceWorld({ options: { storage: storage() }, fake: { hears: () => "What is the price?", thinks } })
    })
    afterAll(() => world.stop())

    const transcriptOf = async (client: VoiceClient): Promise<ReadonlyArray<Answer>> => {
      const { request_id: id } = await client.hears("Welcome")
      return (await world.ask("GET", `/v1/voice/sessions/${String(id)}/transcript`)).body
    }

    const left = async (client: VoiceClient) => {
      client.socket.close()
      const session = await world.ended(client)
      const events = (await world.core.events.read(null, 1000)).filter(
        ({ data }) => "session_id" in data && data.session_id === session.id
      )
      expect(events.map(({ event }) => event)).toEqual(["voice_session.started", "voice_session.ended"])
      return { session, event: events[1]!, transcript: await transcriptOf(client) }
    }

    it("is heard, answered, stored, billed and published once", async () => {
      const client = await world.begin({ greeting: "Good morning." })
      await client.hears("AgentAudioDone")
      await client.speak(900)
      await client.hears("AgentAudioDone", 2)
      await until("it is stored", async () => (await transcriptOf(client)).length === 3)
      const { event, session, transcript } = await left(client)
      expect(transcript.map(({ role, text }) => `${role} ${text}`)).toEqual([
        "assistant Good morning.",
        "user What is the price?",
        "assistant It costs ten."
      ])
      expect(transcript[2].total_ms).toBeGreaterThan(0)
      const { body: cost } = await world.ask("GET", `/v1/voice/sessions/${session.id}/cost`)
      expect(cost.items.map(({ service }: { service: string }) => service)).toEqual(["stt", "llm", "tts"])
      expect(session).toMatchObject({ status: "completed", turn_count: 1, credits: cost.total_credits })
      expect(event.data).toMatchObject({ turn_count: 1, credits: cost.total_credits })
    })

    it("that is interrupted has what was heard", async () => {
      const client = await world.begin()
      client.send({ type: "InjectUserMessage", content: "Count." })
      await client.hears("AgentStartedSpeaking")
      await client.speak(900)
      await client.hears("UserStartedSpeaking")
      await client.hears("AgentStartedSpeaking", 2)
      const { transcript } = await left(client)
      const cut = transcript.find(({ interrupted }) => interrupted)
      expect(cut.text).toMatch(/^One two three/)
      expect(cut.text.length).toBeLessThan(long.length)
    })

    it("has the functions that were called", async () => {
      const client = await world.begin({
        // On a slow machine it would say beside the answer that it waits for the function.
        wait_message: "",
        think: { provider: { model: "gemma-4-26b-a4b-it" }, functions: [priceOf] }
      })
      client.send({ type: "InjectUserMessage", content: "Look it up." })
      const { functions } = (await client.hears("FunctionCallRequest")) as unknown as {
        functions: ReadonlyArray<{ id: string }>
      }
      client.send({ type: "FunctionCallResponse", id: functions[0]!.id, name: "price_of", content: "ten" })
      await client.hears("AgentAudioDone")
      expect(client.texts("assistant")).toBe("The function says ten.")
      const { transcript } = await left(client)
      expect(transcript.find(({ role }) => role === "tool")?.tool).toEqual({
        ...{ name: "price_of", arguments: '{"what":"pizza"}', result: "ten" }
      })
    })
  })

  it("of twenty handshakes at once for the last place one is accepted", async () => {
    const world = await voiceWorld({ plan: "free", options: { storage: storage() } })
    const first = await world.begin()
    const clients = Array.from({ length: 20 }, () => world.connect())
    const opened = await Promise.all(
      clients.map((client) => Promise.race([client.hears("Welcome").then(() => true), client.closed.then(() => false)]))
    )
    expect(opened.filter(Boolean)).toHaveLength(1)
    for (const client of [first, ...clients]) client.socket.close()
    await world.stop()
  })
}
