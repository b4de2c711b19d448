/** What a read or a delivery changes of what is known of a number. Pure. Source: docs/reference/messaging.md#number-facts. */
import type { Instant } from "../../platform/kernel/index.ts"
import { type AccountReport, type KnownFacts, type NumberFacts, nothingKnown } from "../channels/index.ts"

/** What receivers of events hear of. */
export const factChanges = ["quality", "messaging_limit", "display_name", "restriction"] as const
export type FactChange = (typeof factChanges)[number]

export interface ChangedFacts {
  readonly facts: KnownFacts
  readonly changes: ReadonlyArray<FactChange>
}

/** What a change is read from. */
const valuesOf: { readonly [C in FactChange]: (facts: KnownFacts) => ReadonlyArray<unknown> } = {
  quality: ({ qualityRating }) => [qualityRating],
  messaging_limit: ({ messagingLimit }) => [messagingLimit?.tier ?? null, messagingLimit?.perDay ?? null],
  display_name: ({ nameStatus, verifiedName }) => [verifiedName, nameStatus],
  restriction: ({ restriction }) => [restriction?.type ?? null, restriction?.until ?? null]
}

const isKnown = (values: ReadonlyArray<unknown>): boolean => values.some((value) => value !== null)

const isSame = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.every((value, nth) => value === other[nth])

/** What the network answers. What it does not name of a limit is what was known; a value that was not known before is no change. */
export const afterRead = (
  known: KnownFacts | null,
  { displayPhoneNumber: _, ...read }: NumberFacts,
  at: Instant.Instant
): ChangedFacts => {
  const before = known ?? nothingKnown
  const messagingLimit = read.messagingLimit ?? before.messagingLimit
  const facts = { ...read, messagingLimit, restriction: before.restriction, checkedAt: at }
  const changes = factChanges.filter((name) => {
    const [was, is] = [valuesOf[name](before), valuesOf[name](facts)]
    return isKnown(was) && !isSame(was, is)
  })
  return { facts, changes }
}

/** A delivery about a number, by what of it is reported. */
export type NumberReport = Exclude<AccountReport, { readonly _tag: "PaymentConfiguration" | "Template" }>

/** What a delivery makes of what is known. */
export const afterReport = (known: KnownFacts | null, report: NumberReport): ChangedFacts => {
  const before = known ?? nothingKnown
  const facts = { ...before, ...partOf(report) }
  return { facts, changes: factChanges.filter((name) => !isSame(valuesOf[name](before), valuesOf[name](facts))) }
}

const partOf = (report: NumberReport): Partial<KnownFacts> => {
  switch (report._tag) {
    case "Number":
      return report.limit === null ? {} : { messagingLimit: report.limit }
    case "NumberName":
      return { nameStatus: report.nameStatus }
    case "Limit":
      return { messagingLimit: report.limit }
    case "Restriction":
      return { restriction: report.restriction }
  }
}
