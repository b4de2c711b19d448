/** What the demo shows of a chat, with and without an upstream of the reader's. */
import { type FakeLlmServer, startFakeLlmServer } from "@trunkline/testing/upstreams"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type ChatEnvironment, chat } from "../Chat.ts"

let there: FakeLlmServer
beforeAll(async () => {
  there = await startFakeLlmServer({ text: "It connects people.", apiKey: "key-there" })
})
afterAll(() => there.close())

const shown = async (env: ChatEnvironment): Promise<string> => {
  const printed: Array<string> = []
  const write = (text: string) => void printed.push(text)
  await chat({ write, say: (line = "") => write(`${line}\n`) }, env)
  return printed.join("")
}

it("without an upstream one sentence says what to set", async () => {
  expect(await shown({})).toMatch(/^No chat is shown: set OPENAI_API_KEY, or LLM_BASE_URL .+\n\n$/)
})

it("a chat is streamed from the reader's server under the model's name there, and billed", async () => {
  const env = { LLM_BASE_URL: `${there.origin}/v1`, LLM_API_KEY: "key-there", LLM_MODEL: "model-there" }
  const printed = await shown(env)
  expect(printed).toContain(`answered by model-there at ${new URL(there.origin).host}:`)
  expect(printed).toContain("\n  It connects people.\n  Billed as oss-120b: ")
  expect(there.calls.at(-1)!.json).toMatchObject({ model: "model-there", stream: true })
})

it("a key for OpenAI is not sent to another server, whose refusal is shown", async () => {
  const env = { LLM_BASE_URL: `${there.origin}/v1`, OPENAI_API_KEY: "key-there", LLM_MODEL: "model-there" }
  expect(await shown(env)).toMatch(/\n {2}502: .+\n\n$/)
})

it("a server that cannot be reached is a sentence, not the end of the demo", async () => {
  expect(await shown({ LLM_BASE_URL: "http://127.0.0.1:1/v1" })).toMatch(
    /^The chat did not run: LLM_BASE_URL: \S+ does not answer\n\n$/
  )
})
