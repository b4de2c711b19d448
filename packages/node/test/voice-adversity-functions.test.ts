/** Functions of a conversation that are late, cut off, or at a place where nobody may call. Verifies: LIVE-3, VAGT-5. */
import { Outbound, outboundProvider } from "@trunkline/core/provider"
import { Endpoints } from "@trunkline/testing/webhooks"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, shortTimeout, type VoiceClient, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const secret = "a-secret-of-the-endpoint"
const parameters = { type: "object", properties: {} }
const functions = [
  { name: "slow", description: "Takes its time", parameters },
  {
    ...{ name: "inside", description: "Asks a machine inside", parameters },
    endpoint: { url: "https://10.0.0.7/book", method: "POST", headers: { "X-Key": secret } }
  }
]

type Messages = ReadonlyArray<Readonly<Record<string, unknown>>>

/** The model calls the function that the caller names, and reads the result aloud. */
const thinks = (_: number, messages: Messages) => {
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
      options: { voice: { functionTimeoutMs: shortTimeout(1000) } }
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

/** The model books, with a function of that name, for a caller who has wished it, unless it sees a booking. */
const books =
  (name: string) =>
  (_: number, messages: Messages): object => {
    const isBooked = messages.some(({ content, role }) => role === "tool" && String(content).includes("booked"))
    const isWished = messages.some(({ content, role }) => role === "user" && String(content).includes("Book it."))
    return isWished && !isBooked
      ? { calls: [{ id: "same_id", name, arguments: '{"at":9}' }] }
      : { text: "It is done. Is there anything else that I can do for you today?" }
  }

describe.concurrent.each(["here", "there"])("a booking by a function of the client's or of a server (%s)", (name) => {
  const endpoints = new Endpoints()
  endpoints.moods.set("booking.example", { _tag: "Answers", status: 200, body: '{"booked":"9"}' })
  const booking = [
    { name: "here", description: "Books", parameters },
    { name: "there", description: "Books", parameters, endpoint: { url: "https://booking.example/book" } }
  ]
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({
      fake: { thinks: books(name), speaks: (text) => text.length * 20, ttsMs: 400 },
      options: { outbound: outboundProvider(Layer.succeed(Outbound, endpoints.outbound)) }
    })
  })
  afterAll(() => world.stop())

  /** A client that carries out every call at once. */
  const begin = async (agent: object = {}) => {
    const client = await world.begin({
      think: { provider: { model: "gemma-4-26b-a4b-it" }, functions: booking },
      ...agent
    })
    client.socket.addEventListener("message", ({ data }) => {
      const { functions: calls = [], type } = typeof data === "string" ? JSON.parse(data) : {}
      for (const { client_side, id } of type === "FunctionCallRequest" ? calls : []) {
        if (client_side) client.send({ type: "FunctionCallResponse", id, name, content: '{"booked":"9"}' })
      }
    })
    return client
  }

  const runs = () => world.upstream.of("llm").map(({ body }) => (body as { messages: Array<Answer> }).messages)

  /** The messages of the run that was asked to answer these words, and how many bookings there were. */
  const seen = async (client: VoiceClient, words: string) => {
    const id = String((await client.hears("Welcome")).request_id)
    const messages = runs().findLast((one) => one.at(-1).content?.endsWith(words)) ?? []
    client.socket.close()
    await world.ended(client)
    const { body } = await world.ask("GET", `/v1/voice/sessions/${id}/transcript`)
    return { messages: messages.slice(1), bookings: body.filter(({ role }: Answer) => role === "tool").length }
  }

  // Verifies: V-221.
  it("is known to the run that answers a caller who went on before the reply was heard", async () => {
    const client = await begin()
    client.send({ type: "InjectUserMessage", content: "Book it." })
    await client.hears("History", 2)
    client.send({ type: "InjectUserMessage", content: "Wait, one more thing." })
    await client.hears("AgentStartedSpeaking")
    const { bookings, messages } = await seen(client, "one more thing.")
    expect(bookings).toBe(1)
    const call = { id: "same_id", type: "function", function: { name, arguments: '{"at":9}' } }
    expect(messages).toEqual([
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "same_id", content: '{"booked":"9"}' },
      { role: "user", content: "Book it. Wait, one more thing." }
    ])
  })

  it("is known after its reply was interrupted, and in every later turn", async () => {
    const client = await begin()
    client.send({ type: "InjectUserMessage", content: "Book it." })
    await client.hears("AgentStartedSpeaking")
    client.send({ type: "InjectUserMessage", content: "And the weather?" })
    await client.hears("AgentStartedSpeaking", 2)
    await client.hears("AgentAudioDone")
    client.send({ type: "InjectUserMessage", content: "Thank you." })
    await client.hears("AgentStartedSpeaking", 3)
    const { bookings, messages } = await seen(client, "Thank you.")
    expect(bookings).toBe(1)
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
      "assistant",
      "user"
    ])
  })

  it("is known to a session whose context has the History of the one before", async () => {
    const first = await begin()
    first.send({ type: "InjectUserMessage", content: "Book it." })
    await first.hears("AgentAudioDone")
    await seen(first, "")
    const messages = first.messages.filter(({ type }) => type === "History")
    const second = await begin({ context: { messages } })
    second.send({ type: "InjectUserMessage", content: "Is it done?" })
    await second.hears("AgentAudioDone")
    expect((await seen(second, "Is it done?")).bookings).toBe(0)
  })
})
