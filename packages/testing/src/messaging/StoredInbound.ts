/** What a channel delivers, with its contents as they are stored: in the words of the public API. */
import type { InboundMessage, MessageChange } from "@trunkline/core/provider"
import { type StoredContent, storedContent } from "@trunkline/core/testing"

/** A delivered message with its content, and what it changes of another one, as they are stored. */
export interface StoredInbound extends Omit<InboundMessage, "content" | "change">, StoredContent {
  readonly change?: { readonly msgid: string; readonly edited: StoredContent | null } | null
}

const storedChange = ({ edited, msgid }: MessageChange) => ({
  msgid,
  edited: edited === null ? null : storedContent(edited)
})

export const storedInbound = ({ change, content, ...message }: InboundMessage): StoredInbound => ({
  ...message,
  ...storedContent(content),
  ...(change === undefined ? {} : { change: change === null ? null : storedChange(change) })
})
