/** Which customers a person on a number is, and how several become one. Pure. Source: docs/messaging.md#customers. */
import type { Instant } from "../kernel/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import type { Customer } from "./Customer.ts"
import { isClaimed, type ReplyJob } from "./ReplyJob.ts"

/** What a person can be found by. */
export interface PersonIds {
  /** Digits. */
  readonly phone: string | null
  /** The platform's own id of the person. */
  readonly userRef: string | null
}

/** What is known of a person: a phone, a user ref, or both. */
export interface Person extends PersonIds {
  readonly name: string | null
}

/** A person on a number, and the ids that the platform uses for them from now on: null where they stay. */
export interface IdentityUpdate {
  readonly number: ConnectedNumber
  readonly person: Person
  readonly next: PersonIds
}

export const unchanged: PersonIds = { phone: null, userRef: null }

/** The customers that the ids of a person lead to. */
export interface Matches {
  readonly byPhone: Customer | null
  readonly byRef: Customer | null
}

/** A ref is a person, a phone is how one is reached: a phone that comes with another ref has a new owner. */
export const hasLostPhone = (owner: Customer | null, { next, person }: IdentityUpdate): owner is Customer =>
  owner?.userRef != null &&
  person.userRef !== null &&
  owner.userRef !== person.userRef &&
  next.phone === null &&
  next.userRef === null

/** Each customer once, the one that is most surely the person first. */
export const candidatesOf = (before: Matches, after: Matches): ReadonlyArray<Customer> => {
  const all = [before.byRef, before.byPhone, after.byRef, after.byPhone].filter((one) => one !== null)
  return all.filter(({ id }, nth) => all.findIndex((one) => one.id === id) === nth)
}

/** A customer with their reply job; null where they have none. */
export interface Candidate {
  readonly customer: Customer
  readonly job: ReplyJob | null
}

export interface MergePlan {
  readonly into: Candidate
  readonly from: Candidate
}

/**
 * Which of two customers remains: one whose job is claimed, because its worker finds it again; else the elder. Null while both
 * are claimed: two replies are on their way, neither worker knows of the other, and the next message merges the two.
 */
export const planMerge = (one: Candidate, other: Candidate, at: Instant.Instant): MergePlan | null => {
  const [isOneClaimed, isOtherClaimed] = [isClaimed(one.job, at), isClaimed(other.job, at)]
  if (isOneClaimed && isOtherClaimed) return null
  const oneRemains = isOneClaimed || (!isOtherClaimed && one.customer.createdAt <= other.customer.createdAt)
  return oneRemains ? { into: one, from: other } : { into: other, from: one }
}

/** A customer with all that the update knows of them, but for ids that belong to `others`, who stay apart for now. */
export const withUpdate = (
  customer: Customer,
  { next, person }: IdentityUpdate,
  others: ReadonlyArray<Customer>
): Customer => {
  const free = (key: keyof PersonIds, id: string | null) => (others.some((other) => other[key] === id) ? null : id)
  return {
    ...customer,
    phone: free("phone", next.phone ?? person.phone) ?? customer.phone,
    userRef: free("userRef", next.userRef ?? person.userRef) ?? customer.userRef,
    name: person.name ?? customer.name
  }
}

export const isRenamed = (before: Customer, after: Customer): boolean =>
  before.phone !== after.phone || before.userRef !== after.userRef || before.name !== after.name
