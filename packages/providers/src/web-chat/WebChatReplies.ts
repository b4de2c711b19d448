/** What browsers get. Pure. Source: docs/reference/messaging.md#web-chat. */

import { type ChannelReply, Instant, sha256Hex, type TranscriptMessage } from "@trunkline/core/provider"
import { chatScript } from "./ChatScript.ts"

/** A reply for a page of one origin. */
export const jsonReply = (
  origin: string | null,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {}
): ChannelReply => ({
  status,
  headers: {
    "content-type": "application/json",
    "cache-control": "no-store",
    vary: "origin",
    ...(origin === null ? {} : { "access-control-allow-origin": origin }),
    ...headers
  },
  body: JSON.stringify(body)
})

export const refusal = (origin: string | null, status: number, detail: string): ChannelReply =>
  jsonReply(origin, status, { detail })

export const tooMany = (origin: string, seconds: number): ChannelReply =>
  jsonReply(
    origin,
    429,
    { detail: "Too many messages. Wait for as long as Retry-After says." },
    { "retry-after": String(seconds), "access-control-expose-headers": "retry-after" }
  )

/** Pages of every origin may load the script: what it asks for is checked each time. */
export const scriptReply: ChannelReply = {
  status: 200,
  headers: {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=300",
    "cross-origin-resource-policy": "cross-origin"
  },
  body: chatScript
}

/** The conversation, unless the page has it: `version` is what the page has. */
export const transcriptReply =
  (origin: string, version: unknown) =>
  (messages: ReadonlyArray<TranscriptMessage>): ChannelReply => {
    const shown = messages.map(({ at, id, role, text, type }) => ({
      id,
      role: role === "user" ? "visitor" : "agent",
      text: text ?? `[${type}]`,
      at: Instant.toIso(at)
    }))
    const now = sha256Hex(JSON.stringify(shown)).slice(0, 16)
    return jsonReply(origin, 200, version === now ? { version: now } : { version: now, messages: shown })
  }
