/** A model upstream that speaks OpenAI's routes for chat and transcription: its answer names all that it was asked about. */
import { createHash } from "node:crypto"

/** Names of what a question is about: chat messages `Q-7`, requests `I-7`. A question with `L` wants a long answer. */
const subjects = /\b[QI]-\d+L?\b/g

interface ChatMessage {
  readonly role: string
  readonly content: unknown
}

/** What was said since the last answer. */
const asked = (messages: ReadonlyArray<ChatMessage>): ReadonlyArray<string> => {
  const last = messages.findLastIndex(({ role }) => role === "assistant")
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => JSON.stringify(content).match(subjects) ?? [])
}

const parts = 3

const textAbout = (names: ReadonlyArray<string>): string => {
  const about = `About ${names.join(" ")}.`
  if (!names.some((name) => name.endsWith("L"))) return about
  const long = Array.from({ length: parts }, (_, nth) => `${about} Part ${nth + 1}. ${"word ".repeat(600)}.`)
  return long.join("\n\n")
}

export const chatAnswer = (json: { readonly messages: ReadonlyArray<ChatMessage> }) => {
  const names = asked(json.messages)
  const message = { role: "assistant", content: textAbout(names), refusal: null }
  const body = {
    ...{ id: "chatcmpl-1", object: "chat.completion", created: 1_790_000_000, model: "any" },
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
  }
  return { subject: names.join(" "), body }
}

/** The same as a stream of events. */
export const chatEvents = ({ choices, usage, ...rest }: ReturnType<typeof chatAnswer>["body"]): string => {
  const { message } = choices[0]!
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...{ ...rest, object: "chat.completion.chunk" },
    choices: [{ index: 0, delta, finish_reason }]
  })
  const chunks = [
    chunk({ role: "assistant", content: "" }, null),
    chunk({ content: message.content }, null),
    chunk({}, "stop"),
    { ...rest, choices: [], usage }
  ]
  return [...chunks.map((one) => JSON.stringify(one)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("")
}

/** A file is named by its bytes. */
export const speechAnswer = async (body: Buffer, contentType: string) => {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData()
  const file = form.get("file")
  const bytes = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0)
  const subject = hashOf(bytes)
  return { subject, body: { text: `Heard ${subject}`, usage: { type: "duration", seconds: 1 } } }
}

export const hashOf = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 16)
