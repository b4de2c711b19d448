/** Which customers a person on a number is, and how several become one. Pure. Source: docs/reference/messaging.md#customers. */
import type { Instant } from "../../platform/kernel/index.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { isClaimed, type ReplyJob } from "../reply-queue/ReplyJob.ts"
import type { Customer } from "./Customer.ts"

/** What a person can be found by. */
export interface PersonIds {
  /** Digits. */
  readonly phone: string | null
  /** The platform's own id of the person. */
  readonly userRef: string | null
}

/** The identity of a person: a phone, a user ref, or both. */
export interface Person extends PersonIds {
  readonly name: string | null
}

/** A person on a number, and the ids that the platform uses for them from now on: null where they stay. */
export interface IdentityUpdate {
  readonly number: ConnectedNumber
  readonly person: Person
  readonly next: PersonIds
  /** Other forms of the person's phone, as the platform says. */
  readonly forms: ReadonlyArray<string>
}

export const unchanged: PersonIds = { phone: null, userRef: null }

/** Digits at the end that all forms of a number have: what a country writes differently stands in front of them. */
const lastingDigits = 7

/**
 * True of two forms of one number: some countries' numbers have other digits where they are dialed than where the platform names
 * them. It takes the platform's word beside it, because many numbers end alike. Source: docs/reference/messaging.md#customers.
 */
export const isSameNumber = (one: string, other: string): boolean =>
  one === other || (one.length >= lastingDigits && one.slice(-lastingDigits) === other.slice(-lastingDigits))

/**
 * What the platform's word about whom a message went to says of the customer beyond what is known; null where that is nothing. An id
 * that is no form of the phone teaches nothing: a fault in front of the platform must not join two people.
 */
export const learntIds = (known: PersonIds, said: PersonIds): PersonIds | null => {
  if (known.userRef !== null && said.userRef !== null && known.userRef !== said.userRef) return null
  const isPhone = known.phone !== null && said.phone !== null && isSameNumber(known.phone, said.phone)
  const isRef = known.userRef !== null && known.userRef === said.userRef
  const phone = (isPhone || (isRef && known.phone === null)) && said.phone !== known.phone ? said.phone : null
  const userRef = isPhone && known.userRef === null ? said.userRef : null
  return phone === null && userRef === null ? null : { phone, userRef }
}

/** The same as an update of the customer; null where there is nothing to learn. */
export const learntOf = (number: ConnectedNumber, known: PersonIds, said: PersonIds): IdentityUpdate | null => {
  const next = learntIds(known, said)
  const { phone, userRef } = known
  return next === null ? null : { number, person: { phone, userRef, name: null }, next, forms: [] }
}

/** The customers that the ids of a person lead to. */
interface Matches {
  /** Those who have the phone, or another form of it. */
  readonly byPhone: ReadonlyArray<Customer>
  readonly byRef: Customer | null
}

/**
 * A ref is a person, a phone is how one is reached: a phone that comes with another ref has a new owner. Who changes the phone or the
 * ref has no other's phone before the change.
 */
export const hasLostPhone = (owner: Customer, { next, person }: IdentityUpdate): boolean =>
  isOther(owner, person.userRef) && next.phone === null && next.userRef === null

/** The same of the phone that a person has from now on. */
export const losesNewPhone = (owner: Customer, { next, person }: IdentityUpdate): boolean =>
  isOther(owner, person.userRef) && isOther(owner, next.userRef ?? person.userRef)

const isOther = (owner: Customer, userRef: string | null): boolean =>
  owner.userRef !== null && userRef !== null && owner.userRef !== userRef

/** Each customer once, the one that is most surely the person first. */
export const candidatesOf = (before: Matches, after: Matches): ReadonlyArray<Customer> => {
  const all = [before.byRef, ...before.byPhone, after.byRef, ...after.byPhone].filter((one) => one !== null)
  return all.filter(({ id }, nth) => all.findIndex((one) => one.id === id) === nth)
}

/** The forms of a customer's phone: of what was said of the person, and of what others had who are the same. */
export const formsOf = (
  phone: string | null,
  { forms, next, person }: IdentityUpdate,
  others: ReadonlyArray<Customer>
): ReadonlyArray<string> => {
  if (phone === null) return []
  const all = [phone, person.phone, next.phone, ...forms, ...others.map((one) => one.phone)]
  return [...new Set(all)].filter((one) => one !== null && isSameNumber(one, phone)) as ReadonlyArray<string>
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

/**
 * A customer with all that the update knows of them, but for ids that belong to `others`, who stay apart for now. Who is named by
 * another form of the phone keeps the one that they have.
 */
export const withUpdate = (
  customer: Customer,
  { next, person }: IdentityUpdate,
  others: ReadonlyArray<Customer>
): Customer => {
  const free = (key: keyof PersonIds, id: string | null) => (others.some((other) => other[key] === id) ? null : id)
  const [has, said] = [customer.phone, person.phone]
  const phone = has !== null && said !== null && isSameNumber(has, said) ? has : said
  return {
    ...customer,
    phone: free("phone", next.phone ?? phone) ?? has,
    userRef: free("userRef", next.userRef ?? person.userRef) ?? customer.userRef,
    name: person.name ?? customer.name
  }
}

export const isRenamed = (before: Customer, after: Customer): boolean =>
  before.phone !== after.phone || before.userRef !== after.userRef || before.name !== after.name
