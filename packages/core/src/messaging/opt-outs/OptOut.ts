/** Somebody who has opted out of messages of campaigns. Pure. Source: docs/reference/opt-outs.md. */
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant } from "../../platform/kernel/index.ts"
import { MatchKey, samePerson, usable } from "../../platform/numbers/index.ts"

/** `marketing`: of templates of the category MARKETING alone. */
export const optOutScopes = ["marketing", "all"] as const
export type OptOutScope = (typeof optOutScopes)[number]

/**
 * - `keyword` the person has written a word that opts out
 * - `button` the person has tapped a button that says so
 * - `platform` the person has opted out at the channel's network, where alone it can be taken back
 * - `api` a program or a person of the account has added it
 */
export const optOutSources = ["keyword", "platform", "button", "api"] as const
export type OptOutSource = (typeof optOutSources)[number]

/** Its row. */
export const optOutEntity = Schema.Struct({
  id: Ids.schema<"OptOut">(),
  tenantId: Ids.schema<"Account">(),
  /** As it was given; null where the person has none that is known. */
  phone: Schema.NullOr(Schema.String),
  matchKey: Schema.NullOr(MatchKey),
  /** The channel's own id of the person; null where none is known. */
  userId: Schema.NullOr(Schema.String),
  /** The channel's id of the number that is meant; null for every number of the account. */
  phoneNumberId: Schema.NullOr(Schema.String),
  scope: Schema.Literals(optOutScopes),
  source: Schema.Literals(optOutSources),
  /** The word, or why; null where nothing is said. */
  detail: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso
})
export interface OptOut extends Schema.Struct.Type<typeof optOutEntity.fields> {}

/** How an entry is shown. */
export const OptOutRecord = Entity.recordOf(optOutEntity, [
  "id",
  "phone",
  "userId",
  "phoneNumberId",
  "scope",
  "source",
  "detail",
  "createdAt"
])

/** Who opts out: by phone, by the channel's own id, or by both where both are known. */
export interface OptOutPerson {
  readonly phone: string | null
  readonly userId: string | null
}

/** How a person is found; null where there is nothing to find them by. */
export const keysOf = ({ phone, userId }: OptOutPerson) => {
  const key = phone === null ? null : (usable(phone)?.key ?? null)
  return key === null && userId === null ? null : { key, userId }
}
export type PersonKeys = NonNullable<ReturnType<typeof keysOf>>

/** True of an entry that is about this person: by either, where both are known. */
export const isAbout = (entry: Pick<OptOut, "matchKey" | "userId">, { key, userId }: PersonKeys): boolean =>
  (userId !== null && entry.userId === userId) ||
  (key !== null && entry.matchKey !== null && samePerson(entry.matchKey, key))

/** True of an entry that keeps messages of this category on this number from its person. */
export const keepsFrom = (
  { phoneNumberId, scope }: Pick<OptOut, "phoneNumberId" | "scope">,
  of: { readonly phoneNumberId: string; readonly category: string | null }
): boolean =>
  (phoneNumberId === null || phoneNumberId === of.phoneNumberId) && (scope === "all" || of.category === "MARKETING")
