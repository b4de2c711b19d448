/** Which calls somebody asks for. Pure. Source: docs/reference/telephony.md#routes. */
import type { Instant } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { EndReason } from "./Call.ts"
import type { AnsweredBy } from "./CallStatus.ts"
import type { CallFilter } from "./CallStore.ts"

/** Which calls of an account are listed. Null asks for nothing. */
export interface CallSearch extends CallFilter {
  readonly botId: Ids.BotId | null
  readonly fromNumberId: Ids.NumberId | null
  readonly endReason: EndReason | null
  readonly answeredBy: AnsweredBy | null
  /** What was noted of the call. */
  readonly outcome: string | null
  /** Calls to the person who has this number. */
  readonly to: PhoneNumber.MatchKey | null
  /** Made at or after an instant, and before another. */
  readonly since: Instant.Instant | null
  readonly until: Instant.Instant | null
}

/** The same as a caller asks for it. */
export interface CallQuery
  extends Partial<{ readonly [K in Exclude<keyof CallSearch, "to">]: CallSearch[K] | undefined }> {
  /** A number, however it is written. */
  readonly phone?: string | undefined
}

/** Null where nothing can be found: no call has a number that cannot be dialed. */
export const searchOf = ({ phone, ...query }: CallQuery): CallSearch | null => {
  const to = phone === undefined ? undefined : PhoneNumber.usable(phone)
  if (phone !== undefined && to === undefined) return null
  return {
    campaignId: query.campaignId ?? null,
    contactId: query.contactId ?? null,
    status: query.status ?? null,
    to: to?.key ?? null,
    botId: query.botId ?? null,
    fromNumberId: query.fromNumberId ?? null,
    endReason: query.endReason ?? null,
    answeredBy: query.answeredBy ?? null,
    outcome: query.outcome ?? null,
    since: query.since ?? null,
    until: query.until ?? null
  }
}

/** True of a search by the filters for which every set has a plan of its own. */
export const isPlain = ({ campaignId: _, contactId: __, status: ___, ...others }: CallSearch): boolean =>
  Object.values(others).every((filter) => filter === null)
