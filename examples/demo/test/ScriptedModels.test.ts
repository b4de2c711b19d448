/** The server that stands in for the models of the spoken conversation. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { type ScriptedModels, scriptedModels } from "../ScriptedModels.ts"

let models: ScriptedModels
beforeAll(async () => {
  models = await scriptedModels([{ text: "Ninety euros." }, { text: "Goodbye!", ends: true }], ["How much?", "Thanks."])
})
afterAll(() => models.close())

interface Chunk {
  readonly choices: ReadonlyArray<{
    readonly delta: { readonly content?: string; readonly tool_calls?: ReadonlyArray<object> }
    readonly finish_reason: string | null
  }>
  readonly usage?: object
}

const answered = async (turns: number): Promise<ReadonlyArray<Chunk>> => {
  const messages = Array.from({ length: turns }, () => ({ role: "user", content: "Hello" }))
  const body = JSON.stringify({ stream: true, messages: [{ role: "system", content: "" }, ...messages] })
  const events = await (await fetch(`${models.baseUrl}/chat/completions`, { method: "POST", body })).text()
  expect(events).toMatch(/data: \[DONE\]\n\n$/)
  return events.split("\n\n").flatMap((event) => (event.startsWith("data: {") ? [JSON.parse(event.slice(6))] : []))
}

const textOf = (chunks: ReadonlyArray<Chunk>): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")

it("answers each turn of the caller with its own reply, word by word, and says what it has used", async () => {
  const chunks = await answered(1)
  expect(textOf(chunks)).toBe("Ninety euros.")
  expect(chunks.filter(({ choices }) => choices[0]?.delta.content !== undefined)).toHaveLength(2)
  expect(chunks.at(-1)?.usage).toMatchObject({ completion_tokens: 2 })
})

it("ends the conversation with its last reply, however long the caller goes on", async () => {
  for (const turns of [2, 5]) {
    const chunks = await answered(turns)
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
