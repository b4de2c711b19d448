/** Functions of a conversation that are late, cut off, or at a place where nobody may call. Verifies: LIVE-3, VAGT-5. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type VoiceClient, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const secret = "a-secret-of-the-endpoint"
const parameters = { type: "object", properties: {} }
const functions = [
  { name: "slow", description: "Takes its time", parameters },
  {
    ...{ name: "inside", description: "Asks a machine inside", parameters },
    endpoint: { url: "https://10.0.0.7/book", method: "POST", headers: { "X-Key": secret } }
  }
]

/** The model calls the function that the caller names, and reads the result aloud. */
const thinks = (_: number, messages: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
  const last = messages.at(-1)
  if (last?.role === "tool") return { text: `It says: ${String(last.content).replace(/[^a-zA-Z ]/g, "")}.` }
  const name = String(last?.content)
  if (name !== "slow" && name !== "inside") return { text: "Fine." }
  return { calls: [{ id: "same_id", name, arguments: "{}" }] }
}

describe.concurrent("a function", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({
      fake: { thinks, speaks: (text) => text.length * 5 },
      options: { voice: { functionTimeoutMs: 1000 } }
    })
  })
  afterAll(() => world.stop())

  const begin = () => world.begin({ think: { provider: { model: "gemma-4-26b-a4b-it" }, functions } })
  const called = async (client: VoiceClient, nth = 1): Promise<string> =>
    ((await client.hears("FunctionCallRequest", nth)) as Answer).functions[0].id

  const left = async (client: VoiceClient) => {
    client.socket.close()
    const { id } = await world.ended(client)
    return { id, transcript: (await world.ask("GET", `/v1/voice/sessions/${id}/transcript`)).body as Array<Answer> }
  }

  it("that waits is cancelled as the caller goes on, and its late answer is that of no other call", async () => {
    const client = await begin()
    client.send({ type: "InjectUserMessage", content: "slow" })
    const first = await called(client)
    client.send({ type: "InjectUserMessage", content: "slow" })
    expect(await client.hears("FunctionCallCancelled")).toMatchObject({ functions: [{ id: first, name: "slow" }] })
    client.send({ type: "FunctionCallResponse", id: first, name: "slow", content: "too late" })
    expect(await client.hears("Warning")).toMatchObject({ code: "UNMATCHED_FUNCTION_RESPONSE" })
    client.send({ type: "InjectUserMessage", content: "Never mind." })
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("Fine.")
    const { transcript } = await left(client)
    expect(transcript.map(({ role }) => role)).toEqual(["user", "user", "user", "assistant"])
  })

  it("that the client does not answer in time is said to have failed, to it and to the model", async () => {
    const client = await begin()
    client.send({ type: "InjectUserMessage", content: "slow" })
    const id = await called(client)
    expect(await client.hears("Warning")).toMatchObject({ code: "FUNCTION_CALL_TIMEOUT" })
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toContain("did not answer in time")
    client.send({ type: "FunctionCallResponse", id, name: "slow", content: "too late" })
    expect(await client.hears("Warning", 2)).toMatchObject({ code: "UNMATCHED_FUNCTION_RESPONSE" })
    const { transcript } = await left(client)
    expect(transcript[1].tool.result).toContain("did not answer in time")
  })

  it("at a private address is not called, and its headers are shown to nobody", async () => {
    const client = await begin()
    client.send({ type: "InjectUserMessage", content: "inside" })
    await called(client)
    expect(await client.hears("FunctionCallResponse")).toMatchObject({ name: "inside" })
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toContain("The function failed Nothing more is known")
    const { transcript } = await left(client)
    const events = await world.core.events.read(null, 1000)
    const session = await world.ended(client)
    const seen = JSON.stringify([client.messages, transcript, events, session, world.log, world.upstream.asked])
    expect(seen).toContain("inside")
    expect(seen).not.toContain(secret)
    expect(JSON.stringify([client.messages, transcript])).not.toContain("10.0.0.7")
  })
})
