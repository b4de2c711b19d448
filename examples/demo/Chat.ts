/** Streams a chat through the product's own route from an upstream of the reader's: OpenAI, or any server with its chat route. */
import { openai } from "@trunkline/providers/openai"
import { type Ask, inMemory, lastUsage, refusalIn } from "./InMemory.ts"

/** What the reader has set. A key goes to the server that it is for, and to no other. */
export interface ChatEnvironment {
  readonly OPENAI_API_KEY?: string | undefined
  readonly LLM_BASE_URL?: string | undefined
  readonly LLM_API_KEY?: string | undefined
  /** The model's name at the upstream. */
  readonly LLM_MODEL?: string | undefined
}

/** A language model of the reader's. */
export interface Chosen {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** The model's name there. */
  readonly name: string
}

interface Output {
  readonly say: (line?: string) => void
  /** Adds to the line that has begun. */
  readonly write: (text: string) => void
}

/** Under which the product bills it, whatever it is called at the upstream. */
export const model = "oss-120b"
const question = "In one sentence: what does a telephone exchange do?"

/** Null where the reader has no upstream. */
export const chosen = async (env: ChatEnvironment): Promise<Chosen | null> => {
  const { LLM_API_KEY, LLM_BASE_URL, LLM_MODEL, OPENAI_API_KEY } = env
  if (LLM_BASE_URL) {
    const there = { baseUrl: LLM_BASE_URL, apiKey: LLM_API_KEY || undefined }
    return { ...there, name: LLM_MODEL || (await firstModel(there)) }
  }
  return OPENAI_API_KEY
    ? { baseUrl: "https://api.openai.com/v1", apiKey: OPENAI_API_KEY, name: LLM_MODEL || "gpt-5.4-mini" }
    : null
}

/** A server at home mostly has one model, and says its name. */
const firstModel = async ({ apiKey, baseUrl }: Pick<Chosen, "apiKey" | "baseUrl">): Promise<string> => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const asked = fetch(`${baseUrl.replace(/\/$/, "")}/models`, { headers, signal: AbortSignal.timeout(5000) })
  const answer = await asked.catch((cause) => {
    throw new Error(`LLM_BASE_URL: ${baseUrl} does not answer`, { cause })
  })
  const { data } = (await answer.json()) as { readonly data?: ReadonlyArray<{ readonly id: string }> }
  if (data?.[0] === undefined) throw new Error("the server names no model: set LLM_MODEL")
  return data[0].id
}

export const chat = async (output: Output, env: ChatEnvironment): Promise<void> => {
  const { say } = output
  try {
    const there = await chosen(env)
    if (there === null) {
      say("No chat is shown: set OPENAI_API_KEY, or LLM_BASE_URL to a local server's address, to see one streamed.\n")
      return
    }
    const { apiKey, baseUrl, name } = there
    const models = {
      upstreams: { reader: openai({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }) },
      routes: { [model]: { upstream: "reader", model: name } }
    }
    await inMemory({ models }, (ask) => streamed(ask, output, name, baseUrl))
  } catch (error) {
    say(`The chat did not run: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}

const streamed = async (ask: Ask, { say, write }: Output, name: string, baseUrl: string): Promise<void> => {
  say(`A chat, sent to POST /v1/chat/completions with "stream": true, answered by ${name} at ${new URL(baseUrl).host}:`)
  const body = { model, stream: true, max_completion_tokens: 1000, messages: [{ role: "user", content: question }] }
  const headers = { "content-type": "application/json" }
  const answer = await ask("/v1/chat/completions", { method: "POST", headers, body: JSON.stringify(body) })
  if (answer.body === null || !answer.ok) return say(`  ${await refusalIn(answer)}\n`)
  say(`  "${question}"`)
  write("  ")
  let failure: string | undefined
  for await (const event of eventsOf(answer.body)) {
    failure = event.error?.message ?? failure
    write(event.choices?.[0]?.delta.content ?? "")
  }
  say()
  if (failure !== undefined) return say(`  ${failure}\n`)
  const used = await lastUsage(ask)
  say(`  Billed as ${model}: ${used?.credits} credits; whole after ${used?.latency_ms} ms\n`)
}

interface Chunk {
  readonly choices?: ReadonlyArray<{ readonly delta: { readonly content?: string | null } }>
  readonly error?: { readonly message: string }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  const utf8 = new TextDecoder()
  let text = ""
  for await (const piece of body) {
    const events = (text + utf8.decode(piece, { stream: true })).split("\n\n")
    text = events.pop() ?? ""
    for (const event of events) {
      if (event.startsWith("data: {")) yield JSON.parse(event.slice("data: ".length))
    }
  }
}
