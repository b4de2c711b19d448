/** Which customers a person is, and how two become one: docs/reference/messaging.md#customers. */
import { describe, expect, it } from "vitest"
import type { ConnectedNumber } from "../../../src/messaging/channels/ConnectedNumber.ts"
import { type Customer, mergeCustomers } from "../../../src/messaging/customers/Customer.ts"
import {
  type Candidate,
  candidatesOf,
  formsOf,
  hasLostPhone,
  type IdentityUpdate,
  isRenamed,
  isSameNumber,
  learntIds,
  losesNewPhone,
  planMerge,
  unchanged,
  withUpdate
} from "../../../src/messaging/customers/CustomerIdentity.ts"
import { isClaimed, mergeReplyJobs, newReplyJob, type ReplyJob } from "../../../src/messaging/reply-queue/ReplyJob.ts"
import { Ids, Instant } from "../../../src/platform/kernel/index.ts"

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
  forms: [],
  ...over
})

const candidate = (id: string, createdAt: number, claimedUntil: number | null = null): Candidate => ({
  customer: customer(id, { createdAt: after(createdAt) }),
  job: claimedUntil === null ? null : { ...newReplyJob(Ids.as<"Customer">(id)), claimedUntil: after(claimedUntil) }
})

describe("candidates", () => {
  it("are each customer once, those of the platform's id first", () => {
    const [one, two, three] = [customer("1"), customer("2"), customer("3")]
    expect(candidatesOf({ byRef: two, byPhone: [one] }, { byRef: null, byPhone: [three] })).toEqual([two, one, three])
    expect(candidatesOf({ byRef: one, byPhone: [one] }, { byRef: one, byPhone: [] })).toEqual([one])
    expect(candidatesOf({ byRef: null, byPhone: [one, three] }, { byRef: null, byPhone: [] })).toEqual([one, three])
    expect(candidatesOf({ byRef: null, byPhone: [] }, { byRef: null, byPhone: [] })).toEqual([])
  })

  it("lose their phone to another id, unless the platform reports that the person has changed", () => {
    const owner = customer("1", { phone: "1", userRef: "b" })
    expect(hasLostPhone(owner, update())).toBe(true)
    expect(hasLostPhone({ ...owner, userRef: "a" }, update())).toBe(false)
    expect(hasLostPhone({ ...owner, userRef: null }, update())).toBe(false)
    expect(hasLostPhone(owner, update({ person: { phone: "1", userRef: null, name: null } }))).toBe(false)
    expect(hasLostPhone(owner, update({ next: { phone: "2", userRef: null } }))).toBe(false)
  })

  it("lose the phone that another person has from now on", () => {
    const owner = customer("1", { phone: "2", userRef: "b" })
    const moved = update({ next: { phone: "2", userRef: null } })
    expect(losesNewPhone(owner, moved)).toBe(true)
    expect(losesNewPhone({ ...owner, userRef: null }, moved)).toBe(false)
    expect(losesNewPhone(owner, update({ next: { phone: "2", userRef: "b" } }))).toBe(false)
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

  it("keeps the form of the phone that they have, and is named by the one that the platform uses from now on", () => {
    const before = customer("1", { phone: "553188880101" })
    const person = { phone: "5531988880101", userRef: null, name: null }
    expect(withUpdate(before, update({ person }), [])).toMatchObject({ phone: "553188880101" })
    const next = { phone: "05531988880101", userRef: null }
    expect(withUpdate(before, update({ person, next }), [])).toMatchObject({ phone: "05531988880101" })
  })

  it("is renamed where any of the three is another", () => {
    const before = customer("1", { phone: "1", userRef: "a", name: "Ada" })
    expect(isRenamed(before, { ...before, lastMessageAt: after(1) })).toBe(false)
    for (const change of [{ phone: "2" }, { userRef: null }, { name: "A." }]) {
      expect(isRenamed(before, { ...before, ...change })).toBe(true)
    }
  })
})

describe("whom a message went to, as the platform says", () => {
  const [dialed, known, other] = ["5531988880101", "553188880101", "491701234567"]

  it("is a form of the number that was sent to, or teaches nothing", () => {
    expect([isSameNumber(dialed, known), isSameNumber(dialed, other)]).toEqual([true, false])
    expect([isSameNumber("12345", "12345"), isSameNumber("112345", "12345")]).toEqual([true, false])
    expect(learntIds({ phone: dialed, userRef: null }, { phone: known, userRef: null })).toEqual({
      phone: known,
      userRef: null
    })
    for (const phone of [dialed, other, null]) {
      expect(learntIds({ phone: dialed, userRef: null }, { phone, userRef: null })).toBeNull()
    }
  })

  it("has the platform's own id with the number, and the number with that id", () => {
    expect(learntIds({ phone: dialed, userRef: null }, { phone: known, userRef: "BR.1" })).toEqual({
      phone: known,
      userRef: "BR.1"
    })
    expect(learntIds({ phone: null, userRef: "BR.1" }, { phone: known, userRef: "BR.1" })).toEqual({
      phone: known,
      userRef: null
    })
    expect(learntIds({ phone: dialed, userRef: null }, { phone: other, userRef: "BR.1" })).toBeNull()
    expect(learntIds({ phone: null, userRef: "BR.1" }, { phone: known, userRef: null })).toBeNull()
  })

  it("is somebody else with another of the platform's ids", () => {
    expect(learntIds({ phone: dialed, userRef: "BR.1" }, { phone: known, userRef: "BR.2" })).toBeNull()
  })

  it("has all forms of one number that were said of them, and no other phone", () => {
    const person = { phone: dialed, userRef: null, name: null }
    const given = update({ person, next: { phone: known, userRef: null }, forms: ["05531988880101"] })
    const others = [customer("1", { phone: other }), customer("2", { phone: "005531988880101" })]
    expect(formsOf(known, given, others)).toEqual([known, dialed, "05531988880101", "005531988880101"])
    expect(formsOf(null, given, others)).toEqual([])
  })
})
