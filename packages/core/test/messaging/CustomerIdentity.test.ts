/** Which customers a person is, and how two become one: docs/messaging.md#customers. */
import { describe, expect, it } from "vitest"
import { Ids, Instant } from "../../src/kernel/index.ts"
import type { ConnectedNumber } from "../../src/messaging/ConnectedNumber.ts"
import { type Customer, mergeCustomers } from "../../src/messaging/Customer.ts"
import {
  type Candidate,
  candidatesOf,
  hasLostPhone,
  type IdentityUpdate,
  isRenamed,
  planMerge,
  unchanged,
  withUpdate
} from "../../src/messaging/CustomerIdentity.ts"
import { isClaimed, mergeReplyJobs, newReplyJob, type ReplyJob } from "../../src/messaging/ReplyJob.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 9))
const after = (seconds: number) => Instant.plus(start, seconds * Instant.second)

const customer = (id: string, over: Partial<Customer> = {}): Customer => ({
  id: Ids.as<"Customer">(id),
  tenantId: Ids.as<"Account">("account"),
  phoneId: Ids.as<"Phone">("phone"),
  phone: null,
  userRef: null,
  name: null,
  conversationId: Ids.as<"Conversation">(`conversation of ${id}`),
  windowExpiresAt: null,
  lastMessageAt: start,
  createdAt: start,
  ...over
})

const update = (over: Partial<IdentityUpdate> = {}): IdentityUpdate => ({
  number: {} as ConnectedNumber,
  person: { phone: "1", userRef: "a", name: "Ada" },
  next: unchanged,
  ...over
})

const candidate = (id: string, createdAt: number, claimedUntil: number | null = null): Candidate => ({
  customer: customer(id, { createdAt: after(createdAt) }),
  job: claimedUntil === null ? null : { ...newReplyJob(Ids.as<"Customer">(id)), claimedUntil: after(claimedUntil) }
})

describe("candidates", () => {
  it("are each customer once, those of the platform's id first", () => {
    const [one, two, three] = [customer("1"), customer("2"), customer("3")]
    expect(candidatesOf({ byRef: two, byPhone: one }, { byRef: null, byPhone: three })).toEqual([two, one, three])
    expect(candidatesOf({ byRef: one, byPhone: one }, { byRef: one, byPhone: null })).toEqual([one])
    expect(candidatesOf({ byRef: null, byPhone: null }, { byRef: null, byPhone: null })).toEqual([])
  })

  it("lose their phone to another id, unless the platform reports that the person has changed", () => {
    const owner = customer("1", { phone: "1", userRef: "b" })
    expect(hasLostPhone(owner, update())).toBe(true)
    expect(hasLostPhone({ ...owner, userRef: "a" }, update())).toBe(false)
    expect(hasLostPhone({ ...owner, userRef: null }, update())).toBe(false)
    expect(hasLostPhone(null, update())).toBe(false)
    expect(hasLostPhone(owner, update({ person: { phone: "1", userRef: null, name: null } }))).toBe(false)
    expect(hasLostPhone(owner, update({ next: { phone: "2", userRef: null } }))).toBe(false)
  })
})

describe("of two customers that are one person", () => {
  const ids = (one: Candidate, other: Candidate) => {
    const plan = planMerge(one, other, start)
    return plan === null ? null : [plan.into.customer.id, plan.from.customer.id]
  }

  it("the elder remains", () => {
    expect(ids(candidate("1", 0), candidate("2", 1))).toEqual(["1", "2"])
    expect(ids(candidate("1", 1), candidate("2", 0))).toEqual(["2", "1"])
    expect(ids(candidate("1", 0), candidate("2", 0))).toEqual(["1", "2"])
  })

  it("the one that a worker has claimed remains", () => {
    expect(ids(candidate("1", 0), candidate("2", 1, 30))).toEqual(["2", "1"])
    expect(ids(candidate("1", 1, 30), candidate("2", 0))).toEqual(["1", "2"])
    expect(ids(candidate("1", 0), candidate("2", 1, 0))).toEqual(["1", "2"])
  })

  it("both remain while both are claimed", () => {
    expect(ids(candidate("1", 0, 30), candidate("2", 1, 30))).toBeNull()
  })

  it("one knows what was known of either, and its own first", () => {
    const into = customer("1", { phone: "1", name: "Ada", lastMessageAt: after(1), windowExpiresAt: null })
    const from = customer("2", { phone: "2", userRef: "a", name: "A.", lastMessageAt: after(5) })
    expect(mergeCustomers(into, { ...from, windowExpiresAt: after(9) })).toEqual({
      ...into,
      userRef: "a",
      lastMessageAt: after(5),
      windowExpiresAt: after(9)
    })
    expect(
      mergeCustomers({ ...into, windowExpiresAt: after(10) }, { ...from, windowExpiresAt: after(9) })
    ).toMatchObject({ windowExpiresAt: after(10) })
  })

  it("one job remains, due as soon as either, with its own claim", () => {
    const [into, from] = [newReplyJob(Ids.as<"Customer">("1")), newReplyJob(Ids.as<"Customer">("2"))]
    const handledUpTo = Ids.as<"Message">("m")
    const claimed: ReplyJob = { ...into, claim: "c", claimedUntil: after(30), dueAt: after(9), failures: 1 }
    const waiting: ReplyJob = { ...from, claim: "old", dueAt: after(3), waitingSince: after(2), failures: 2 }
    expect(mergeReplyJobs(claimed, waiting, handledUpTo)).toEqual({
      ...claimed,
      dueAt: after(3),
      waitingSince: after(2),
      failures: 1,
      handledUpTo
    })
    expect(isClaimed(claimed, after(29))).toBe(true)
    expect(isClaimed(claimed, after(30))).toBe(false)
    expect(isClaimed(from, start)).toBe(false)
    expect(isClaimed(null, start)).toBe(false)
  })
})

describe("a customer who writes", () => {
  it("has what the message says of them, and keeps the rest", () => {
    const before = customer("1", { phone: "1", name: "Old" })
    expect(withUpdate(before, update(), [])).toEqual({ ...before, userRef: "a", name: "Ada" })
    const unnamed = update({ person: { phone: null, userRef: "a", name: null } })
    expect(withUpdate(before, unnamed, [])).toEqual({ ...before, userRef: "a" })
  })

  it("has the ids that the platform uses from now on", () => {
    const next = { phone: "2", userRef: "b" }
    expect(withUpdate(customer("1"), update({ next }), [])).toMatchObject({ phone: "2", userRef: "b" })
  })

  it("gets no id of a customer who stays apart for now", () => {
    const apart = customer("2", { userRef: "a" })
    expect(withUpdate(customer("1", { phone: "1" }), update(), [apart])).toMatchObject({ phone: "1", userRef: null })
  })

  it("is renamed where any of the three is another", () => {
    const before = customer("1", { phone: "1", userRef: "a", name: "Ada" })
    expect(isRenamed(before, { ...before, lastMessageAt: after(1) })).toBe(false)
    for (const change of [{ phone: "2" }, { userRef: null }, { name: "A." }]) {
      expect(isRenamed(before, { ...before, ...change })).toBe(true)
    }
  })
})
