/** How the reports of the platform move a message that we sent. Pure. Source: docs/messaging.md#statuses. */
import type { MessageStatus } from "./Message.ts"

/**
 * How much of a message's life lies behind it. `failed` has its place between what the platform took and what a phone has: of
 * a person with two phones one may have what failed on the other. So the end is the same in whatever order reports come.
 */
const ranks: Readonly<Record<Exclude<MessageStatus, "received">, number>> = {
  queued: 0,
  sending: 1,
  unknown: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6
}

/** The platform's words. `played` is what a voice message comes to. */
const reports: ReadonlyMap<string, "sent" | "failed" | "delivered" | "read"> = new Map([
  ["sent", "sent"],
  ["failed", "failed"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["played", "read"]
])

/**
 * What a message comes to by a report, in the platform's word; null where nothing changes: a word that we do not know, what it
 * was before, what it is, and whatever is said of a message from a customer. Source: docs/messaging.md#statuses.
 *
 * @example statusAfter("read", "delivered") // null
 */
export const statusAfter = (present: MessageStatus, reported: string): MessageStatus | null => {
  const status = reports.get(reported)
  if (status === undefined || present === "received") return null
  return ranks[status] > ranks[present] ? status : null
}
