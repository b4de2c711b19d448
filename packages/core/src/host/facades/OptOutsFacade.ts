/** People who have opted out of messages of campaigns, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  type AddedOptOuts,
  type OptOut,
  OptOutRecord,
  type OptOutScope,
  type OptOutSource,
  OptOuts
} from "../../messaging/opt-outs/index.ts"
import * as OptOutsApi from "../../messaging/opt-outs/OptOutsApi.ts"
import { givenOptOut } from "../../messaging/opt-outs/OptOutsHttp.ts"
import { type Instant, type Paged, Wire } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"
import * as Ids from "../HostIds.ts"

/** Somebody who opts out: by phone, or by the platform's id. Source: docs/reference/opt-outs.md#routes. */
export interface NewOptOut {
  /** An international number, however it is written. */
  readonly phone?: string | null
  /** Instead of it, or beside it: the platform's id of the person. */
  readonly userId?: string | null
  /** `marketing` or `all`. Default `all`. */
  readonly scope?: OptOutScope | null
  /** The platform's id of a connected number. Left out or null: every number of the account. */
  readonly phoneNumberId?: string | null
  /** Why, in at most 500 characters. */
  readonly detail?: string | null
}

/** An entry, as it is shown. Source: docs/reference/opt-outs.md#entry. */
export interface OptOutEntry {
  /** The id of the entry. */
  readonly id: Ids.OptOutId
  /** As it was given; null where the person has none that is known. */
  readonly phone: string | null
  /** The platform's id of the person; null where none is known. */
  readonly userId: string | null
  /** The platform's id of the number that is meant; null for every number of the account. */
  readonly phoneNumberId: string | null
  /** `marketing` for templates of the category MARKETING alone. */
  readonly scope: OptOutScope
  /** How the person, or the account for the person, has said so. */
  readonly source: OptOutSource
  /** The word, or why; null where nothing is said. */
  readonly detail: string | null
  /** When the entry was made. */
  readonly createdAt: Instant.Instant
}

/** Which entries are listed, and which page of them. */
export interface OptOutsQuery extends PageOptions {
  /** Those about this number alone, however it is written. */
  readonly phone?: string
  /** Entries of this source alone, such as `keyword`. */
  readonly source?: OptOutSource
  /** Entries for this number of the account alone, by the platform's id. */
  readonly phoneNumberId?: string
}

/** Source: docs/reference/opt-outs.md. */
export interface OptOutsFacade {
  /** Adds at most 1000 people. Once this resolves, no message of a campaign to any of them is begun. */
  readonly add: (accountId: string, entries: ReadonlyArray<NewOptOut>, options?: CallOptions) => Promise<AddedOptOuts>
  /** Newest first. */
  readonly list: (accountId: string, query?: OptOutsQuery) => Promise<Paged<OptOutEntry>>
  /** Rejects with `opt_out_at_platform` (409) where only the person can take it back. */
  readonly remove: (accountId: string, id: string, options?: CallOptions) => Promise<void>
}

const { accountId, argument, callOptions, listOptions, records } = Arguments

const entry = Schema.Struct(Wire.fromWire(OptOutsApi.newOptOut)).check(
  Schema.makeFilter(
    ({ phone, userId }) =>
      (phone ?? userId ?? null) !== null || { path: ["phone"], issue: "Field required, or a userId instead" }
  )
)
const entries = Schema.Array(entry).check(Schema.isMaxLength(OptOutsApi.maxNewOptOuts))

const listed = listOptions(
  Schema.Struct({ ...Wire.fromWire(OptOutsApi.optOutsQuery), ...Arguments.signal }),
  OptOutsApi.optOutPages
)

const shownEntry: (entry: OptOut) => OptOutEntry = OptOutRecord.shown

export const optOutsFacade = (method: Method): OptOutsFacade => ({
  add: method([accountId, records("entries", entries), callOptions], (tenantId, given) =>
    ofAccount(
      tenantId,
      OptOuts.use((o) =>
        o.add(
          tenantId,
          given.map((one) => givenOptOut(Wire.toWire(one)))
        )
      )
    )
  ),
  list: method([accountId, listed], (tenantId, { limit, offset, phone, phoneNumberId, source }) =>
    Effect.map(
      OptOuts.use((o) =>
        o.list(
          tenantId,
          { phone: phone ?? null, phoneNumberId: phoneNumberId ?? null, source: source ?? null },
          { limit, offset }
        )
      ),
      shownPage(shownEntry)
    )
  ),
  remove: method([accountId, argument("id", Ids.schema<"OptOut">()), callOptions], (tenantId, id) =>
    OptOuts.use((o) => o.remove(tenantId, id))
  )
})
