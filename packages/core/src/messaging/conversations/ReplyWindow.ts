/** When free text may be sent to a customer. Pure. Source: docs/reference/messaging.md#window. */
import { Instant } from "../../platform/kernel/index.ts"

/** How long a customer's message keeps the window open. */
export const windowMs = Instant.day

/**
 * When the window closes once a message came: `replyWindowMs` after the latest, and never earlier than it was known to. A message
 * that arrives late changes nothing. `messageAt` is when the customer sent it; give the present moment where that is later,
 * because the sender's clock must not hold the window open. Source: docs/reference/messaging.md#window.
 */
export const windowAfter = (
  previous: Instant.Instant | null,
  messageAt: Instant.Instant,
  replyWindowMs: number = windowMs
): Instant.Instant => {
  const expiresAt = Instant.plus(messageAt, replyWindowMs)
  return previous === null ? expiresAt : Instant.later(previous, expiresAt)
}

/**
 * True until the millisecond before it expires: at `expiresAt` itself it is closed. Null is a customer who has never written.
 * Source: docs/reference/messaging.md#window.
 */
export const isOpen = (expiresAt: Instant.Instant | null, at: Instant.Instant): boolean =>
  expiresAt !== null && at < expiresAt

/** True of every type but a template: reactions, stickers and contact cards too. Source: docs/reference/messaging.md#window. */
export const isWindowLimited = (type: string): boolean => type !== "template"
