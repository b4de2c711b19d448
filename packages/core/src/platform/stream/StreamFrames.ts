/** What a stream of changes says, as server-sent events. Pure. Source: docs/reference/stream.md#events. */
import type { Topic, TopicKind } from "../changes/index.ts"

const utf8 = new TextEncoder()

const frame = (event: string, data: unknown): Uint8Array =>
  utf8.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

/** The first one: of what the reader hears. */
export const readyFrame = (kinds: Iterable<TopicKind>): Uint8Array => frame("ready", { topics: [...kinds] })

export const changedFrame = (topics: ReadonlyArray<Topic>): Uint8Array => frame("changed", { topics })

/** It stands for whatever the reader has missed. A browser hands over no event without data. */
export const resyncFrame = frame("resync", {})

/** A comment, so that nobody between takes the connection for idle. */
export const lifeSign = utf8.encode(":\n\n")

/** Asks the client to come again after this time. */
export const retryFrame = (milliseconds: number): Uint8Array => utf8.encode(`retry: ${milliseconds}\n\n`)
