/**
 * Decides which telephone number a text means, however it is written, and by which key two numbers are compared.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  whom a number may reach: calling/suppression. Promise SUPP-1 stands there, because it is about people.
 * Read      PhoneNumber.ts, then WrittenNumber.ts. Source: docs/reference/suppression.md.
 */
export { type PersonSearch, personSearch } from "./PersonSearch.ts"
export * as PhoneNumber from "./PhoneNumber.ts"
export { type KeyRange, lockKey, MatchKey, samePerson, seekRange, seekRanges, usable } from "./PhoneNumber.ts"
