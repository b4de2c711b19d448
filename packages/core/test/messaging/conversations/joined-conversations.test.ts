/** What becomes of the conversations of two customers who are one: docs/reference/messaging.md#customers. */
import { describe, expect, it } from "vitest"
import { joinedActivity } from "../../../src/messaging/conversations/Awaits.ts"
import {
  type Conversation,
  conversationTimeoutMs,
  joinConversations
} from "../../../src/messaging/conversations/Conversation.ts"
import { Ids, Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 21, 9, 30))

const conversation = (name: string, over: Partial<Conversation>): Conversation => ({
  id: Ids.as<"Conversation">(name),
  tenantId: Ids.as<"Account">("account"),
  phoneId: Ids.as<"Phone">("phone"),
  customerId: Ids.as<"Customer">(name),
  aiAutoreplyEnabled: true,
  status: "open",
  isCounted: false,
  awaits: "nobody",
  unreadCount: 0,
  lastMessageId: Ids.as<"Message">(`of ${name}`),
  assignedTo: null,
  assignedName: null,
  lastMessageAt: at,
  createdAt: at,
  ...over
})

const later = Instant.plus(at, 1000)

describe("conversations that are joined", () => {
  it("go on in the one with the latest message, and leave nothing in the other one", () => {
    const one = conversation("one", { awaits: "agent", unreadCount: 2 })
    const other = conversation("other", { awaits: "person", unreadCount: 3, lastMessageAt: later })
    const { isJoined, open, over } = joinConversations(one, other, later)
    expect(isJoined).toBe(true)
    expect(open).toMatchObject({ id: "other", status: "open" })
    expect(over).toMatchObject({ id: "one", status: "ended", awaits: "nobody", unreadCount: 0, lastMessageId: null })
  })

  // Verifies: B-502.
  it("wait for the same as the one with the newest message, and have as many unread as both, but for answered ones", () => {
    const one = conversation("one", { awaits: "agent", unreadCount: 2 })
    const other = conversation("other", { awaits: "person", unreadCount: 3 })
    const [ofOne, ofOther] = [one.lastMessageId, other.lastMessageId]
    const joined = (lastMessageId: typeof ofOne, unanswered: number) =>
      joinedActivity(one, other, { lastMessageId, unanswered })
    expect(joined(ofOne, 9)).toEqual({ awaits: "agent", unreadCount: 5, lastMessageId: ofOne })
    expect(joined(ofOther, 4)).toEqual({ awaits: "person", unreadCount: 4, lastMessageId: ofOther })
    expect(joined(null, 0)).toEqual({ awaits: "agent", unreadCount: 0, lastMessageId: null })
  })

  it("keep their messages apart where one was over", () => {
    const old = conversation("old", { awaits: "person", unreadCount: 2 })
    const now = Instant.plus(at, conversationTimeoutMs)
    const fresh = conversation("fresh", { awaits: "agent", unreadCount: 1, lastMessageAt: now })
    const { isJoined, open, over } = joinConversations(old, fresh, now)
    expect(isJoined).toBe(false)
    expect(open).toMatchObject({ id: "fresh", unreadCount: 1, lastMessageId: "of fresh" })
    expect(over).toMatchObject({ id: "old", awaits: "nobody", unreadCount: 2, lastMessageId: "of old" })
  })
})
