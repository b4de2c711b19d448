/** How the reports of a channel move a message that we sent. Pure. Source: docs/reference/messaging.md#statuses. */
import * as Schema from "effect/Schema"
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

/** What a channel reports of a message that it has accepted. */
export const ReportedStatus = Schema.Literals(["sent", "delivered", "read", "failed"])
export type ReportedStatus = typeof ReportedStatus.Type

/**
 * The status of a message after a report; null where nothing changes: the report says what was known before, or the message is
 * a customer's. Source: docs/reference/messaging.md#statuses.
 *
 * @example statusAfter("read", "delivered") // null
 */
export const statusAfter = (present: MessageStatus, reported: ReportedStatus): ReportedStatus | null =>
  present !== "received" && ranks[reported] > ranks[present] ? reported : null
