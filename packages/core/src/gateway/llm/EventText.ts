/** Events of a stream as they are sent. Pure. */
import type { LlmApi, LlmEvent } from "./translate/Translation.ts"

export const eventText = (api: LlmApi, { data, event }: LlmEvent): string => {
  const name = api === "chat_completions" ? null : (event ?? String(data.type))
  return `${name === null ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

export const textOf = (api: LlmApi, events: ReadonlyArray<LlmEvent>): string =>
  events.map((event) => eventText(api, event)).join("")

/** What ends a stream that is whole, beside its events. */
export const endMark: Readonly<Record<LlmApi, string>> = {
  chat_completions: "data: [DONE]\n\n",
  messages: "",
  responses: ""
}

/** The sign of life of a stream that has nothing else to send. */
export const pingText: Readonly<Record<LlmApi, string>> = {
  chat_completions: ": ping\n\n",
  responses: ": ping\n\n",
  messages: 'event: ping\ndata: {"type":"ping"}\n\n'
}
