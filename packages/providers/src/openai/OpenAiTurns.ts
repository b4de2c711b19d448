/**
 * Chats for servers whose chat template wants the roles to take turns: how their refusal is known, and what they take
 * instead. Pure. Source: docs/reference/upstreams.md#turns.
 */

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }

/** A message as it goes out. */
export type OpenAiMessage =
  | { readonly role: "system"; readonly content: string }
  | Spoken
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls: ReadonlyArray<unknown> }
  | { readonly role: "tool"; readonly content: string; readonly tool_call_id: string }

interface Spoken {
  readonly role: "user" | "assistant"
  readonly content: string | ReadonlyArray<ContentPart>
}

/**
 * - `plain`      as they are
 * - `joined`     neighbours of one role are one message, and a user begins
 * - `systemless` the same, and what the system says is a user's, for templates that know no system
 */
export type Turns = "plain" | "joined" | "systemless"

/** A server's word for why it refused. */
export interface Refused {
  readonly status: number
  readonly message: string
}

/** Calls of tools and their results stay as they are. */
export const inTurns = (messages: ReadonlyArray<OpenAiMessage>, turns: Turns): ReadonlyArray<OpenAiMessage> => {
  if (turns === "plain") return messages
  return joined(opened(turns === "joined" ? messages : messages.map(ofUser)))
}

/**
 * What to send in the place of what was refused; null where the refusal is about something else, or nothing else is left.
 * Each answer is a step further, so that nothing is sent in the same turns twice.
 */
export const turnsAfter = (
  turns: Turns,
  messages: ReadonlyArray<OpenAiMessage>,
  { message, status }: Refused
): Turns | null => {
  if (turns === "systemless" || !statuses.includes(status)) return null
  const said = message.replace(quoted, "")
  const hasSystem = messages.some(({ role }) => role === "system")
  if (ofSystem.test(said)) return hasSystem ? "systemless" : null
  if (!ofTurns.test(said)) return null
  if (turns === "plain" && inTurns(messages, "joined").some((one, nth) => one !== messages[nth])) return "joined"
  // They do take turns, so that it is the system that counts as one: the oldest templates have no other words for it.
  return hasSystem && messages.every((one) => one.role === "system" || isSpoken(one)) ? "systemless" : null
}

/** Of vLLM, of text-generation-inference, and of llama.cpp, which takes an exception of a template for a fault of its own. */
const statuses: ReadonlyArray<number> = [400, 422, 500]

/** Gemma's and Mistral's, and of those who took theirs over. */
const ofTurns =
  /[Cc]onversation roles must alternate user(?:\/assistant\/| and assistant roles except for tool calls and results)/

/** Gemma's before the third, and Mistral's. The latter has a sentence that begins in the same way and is about other roles. */
const ofSystem = /System role not supported|Only user and assistant roles are supported!/

/** llama.cpp shows the lines of the template around the fault, with sentences that may be about others. */
const quoted = /raise_exception\(\\?(["'])(?:(?!\1).)*/g

const isSpoken = (message: OpenAiMessage): message is Spoken =>
  message.role === "user" || (message.role === "assistant" && !("tool_calls" in message))

/** With an empty line before what the user says, where Gemma's own newer template has one. */
const ofUser = (message: OpenAiMessage): OpenAiMessage =>
  message.role === "system" ? { role: "user", content: `${message.content}\n` } : message

/** A history that begins with an answer gets something that is answered: words of no language. */
const opened = (messages: ReadonlyArray<OpenAiMessage>): ReadonlyArray<OpenAiMessage> => {
  const first = messages.findIndex(({ role }) => role !== "system")
  return messages[first]?.role === "assistant" ? messages.toSpliced(first, 0, { role: "user", content: "…" }) : messages
}

const joined = (messages: ReadonlyArray<OpenAiMessage>): ReadonlyArray<OpenAiMessage> => {
  const turns: Array<OpenAiMessage> = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last !== undefined && isSpoken(last) && isSpoken(message) && last.role === message.role)
      turns[turns.length - 1] = { role: last.role, content: joinedContent(last.content, message.content) }
    else turns.push(message)
  }
  return turns
}

const partsOf = (content: Spoken["content"]): ReadonlyArray<ContentPart> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

/** Texts that meet become one: some templates write nothing between parts. */
const joinedContent = (one: Spoken["content"], other: Spoken["content"]): Spoken["content"] => {
  const [before, after] = [partsOf(one), partsOf(other)]
  const [last, first] = [before.at(-1), after[0]]
  const parts =
    last?.type === "text" && first?.type === "text"
      ? [...before.slice(0, -1), { ...last, text: `${last.text}\n${first.text}` }, ...after.slice(1)]
      : [...before, ...after]
  return parts.length === 1 && parts[0]?.type === "text" ? parts[0].text : parts
}
