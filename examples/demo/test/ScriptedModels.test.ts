/** The server that stands in for the models of the spoken conversation. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { replies, sentences } from "../Conversation.ts"
import { type ScriptedModels, scriptedModels } from "../ScriptedModels.ts"

let models: ScriptedModels
beforeAll(async () => {
  models = await scriptedModels(
    [
      { to: /how much/i, text: "Ninety euros." },
      { to: /bye/i, text: "Goodbye!", ends: true }
    ],
    ["How much?", "Thanks."]
  )
})
afterAll(() => models.close())

interface Chunk {
  readonly choices: ReadonlyArray<{
    readonly delta: { readonly content?: string; readonly tool_calls?: ReadonlyArray<object> }
    readonly finish_reason: string | null
  }>
  readonly usage?: object
}

const answered = async (...said: ReadonlyArray<string>): Promise<ReadonlyArray<Chunk>> => {
  const messages = said.flatMap((content) => [
    { role: "user", content },
    { role: "assistant", content: "How much is that?" }
  ])
  const body = JSON.stringify({ stream: true, messages: [{ role: "system", content: "" }, ...messages.slice(0, -1)] })
  const events = await (await fetch(`${models.baseUrl}/chat/completions`, { method: "POST", body })).text()
  expect(events).toMatch(/data: \[DONE\]\n\n$/)
  return events.split("\n\n").flatMap((event) => (event.startsWith("data: {") ? [JSON.parse(event.slice(6))] : []))
}

const textOf = (chunks: ReadonlyArray<Chunk>): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")

it("answers what the caller has said last, word by word, whatever was said before, and says what it has used", async () => {
  for (const before of [[], ["Hello."], ["Goodbye.", "Hello."]]) {
    const chunks = await answered(...before, "How much is a room?")
    expect(textOf(chunks)).toBe("Ninety euros.")
    expect(chunks.filter(({ choices }) => choices[0]?.delta.content !== undefined)).toHaveLength(2)
    expect(chunks.at(-1)?.usage).toMatchObject({ completion_tokens: 2 })
  }
})

it("answers each sentence of the demo with the reply that is meant for it, as the engine has heard it in practice too", () => {
  const heard = [
    ...sentences,
    ...["What is the price of a double ruin", "Wait a moment is parking-free.", "Sam, you very much good by."]
  ]
  const answers = heard.map((said) => replies.find(({ to }) => to.test(said)))
  expect(answers).toEqual([...replies, ...replies])
})

it("asks again where nothing matches", async () => {
  expect(textOf(await answered("Is there a garden?"))).toMatch(/^I am sorry, /)
})

it("ends the conversation with the goodbye, at whichever turn", async () => {
  for (const said of [["Goodbye."], ["How much?", "Hello.", "Thanks and bye."]]) {
    const chunks = await answered(...said)
    expect(textOf(chunks)).toBe("Goodbye!")
    const [call] = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(call).toMatchObject({ function: { name: "end_call", arguments: "{}" } })
  }
})

it("says that it hears the sentences in their order", async () => {
  const heard = async () => {
    const body = new FormData()
    body.append("file", new Blob(["sound"]), "speech.wav")
    return await (await fetch(`${models.baseUrl}/audio/transcriptions`, { method: "POST", body })).json()
  }
  expect([await heard(), await heard(), await heard()]).toEqual(
    ["How much?", "Thanks.", "Thanks."].map((text) => ({ text }))
  )
})
