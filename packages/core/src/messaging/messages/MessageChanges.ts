/** What the writer of a message has made of it afterwards: an edit or a deletion. Pure. Source: docs/reference/messaging.md#edits. */
import { afterPoints, type Instant, jsonFault } from "../../platform/kernel/index.ts"
import { maxContentKib } from "./JsonObject.ts"
import type { Message, MessageText, StoredContent } from "./Message.ts"
import { maxText } from "./PublicContent.ts"
import type { KeptChange } from "./UnmatchedStatusStore.ts"

/** A delivered message as it is stored: only the text of a content that is larger than any platform sends. */
export const storable = ({ content, text }: MessageText): MessageText => ({
  text: text === null ? null : text.slice(0, afterPoints(text, 0, maxText)),
  content: jsonFault(content, maxContentKib) === null ? content : {}
})

/**
 * A message after a change; null where that changes nothing: it is another's message, was deleted already, or was edited later. Changes
 * come in any order, and more than once.
 */
export const changed = (message: Message, { at, edited, isEcho }: KeptChange): Message | null => {
  if (isEcho !== (message.direction === "outbound")) return null
  if (edited === null) return message.deletedAt === null ? { ...message, deletedAt: at } : null
  return message.editedAt !== null && message.editedAt > at ? null : withText(message, edited, at)
}

/** What an edit does not name, such as the file of a caption, stays. */
const withText = (message: Message, edited: StoredContent, at: Instant.Instant): Message => {
  const { content, text } = storable(edited)
  return {
    ...message,
    text,
    body: edited.type === message.type ? { ...message.body, ...content } : message.body,
    original: message.original ?? { text: message.text, content: message.body },
    editedAt: at
  }
}

/** A message after all that was kept for it, in the order in which it came. */
export const afterChanges = (message: Message, kept: ReadonlyArray<KeptChange | null>): Message =>
  kept.reduce<Message>((now, change) => (change === null ? now : (changed(now, change) ?? now)), message)
