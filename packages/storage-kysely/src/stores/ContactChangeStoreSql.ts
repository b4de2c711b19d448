/** Changes of contacts that are to be counted, in SQL. */
import { type ContactChange, ContactChangeStore, type Ids, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { insert, rows, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { plain, statement } from "../Statement.ts"

const ofCampaigns = statement<{ readonly ids: ReadonlyArray<Ids.TemplateCampaignId> }>("contactChanges.ofCampaigns")(
  (db, value, dialect) =>
    db
      .selectFrom("contactChanges")
      .select(fieldsOf("contactChanges"))
      .where("campaignId", "in", dialect.list(value.ids, "uuid"))
)

/** Campaign by campaign, whatever number of changes each has. Nothing is counted of an account that moves: its rows are being copied. */
const waiting = statement<{ readonly limit: number }>("contactChanges.waiting")<
  Pick<ContactChange, "campaignId"> & { readonly at: Instant.Instant }
>(
  plain(
    ({ limit }) => sql`with recursive campaigns as (
        select (select campaign_id from contact_changes order by campaign_id limit 1) as id
        union all select (select c.campaign_id from contact_changes as c where c.campaign_id > campaigns.id order by c.campaign_id limit 1)
          from campaigns where campaigns.id is not null)
      select first.campaign_id, first.at from campaigns join contact_changes as first on first.campaign_id = campaigns.id
        and first.id = (select c.id from contact_changes as c where c.campaign_id = campaigns.id order by c.id limit 1)
      where not exists (select 1 from account_moves as m where m.tenant_id = first.tenant_id) limit ${limit}`
  )
)

const take = statement<{ readonly campaignId: Ids.TemplateCampaignId; readonly limit: number }>("contactChanges.take")(
  (db, value, dialect) =>
    db
      .with("due", (of) => {
        const oldest = of
          .selectFrom("contactChanges")
          .select("id")
          .where("campaignId", "=", value.campaignId)
          .orderBy("id")
          .limit(value.limit)
        return dialect.forUpdateSkipLocked(oldest)
      })
      .deleteFrom("contactChanges")
      .where("campaignId", "=", value.campaignId)
      .where(sql<boolean>`id in (select id from due)`)
      .returning(fieldsOf("contactChanges"))
)

/** Changes in the order in which they were written: a statement that returns what it removes has none. */
const oldestFirst = (changes: ReadonlyArray<ContactChange>): ReadonlyArray<ContactChange> =>
  changes.toSorted((one, other) => (one.id < other.id ? -1 : 1))

export const layer = Layer.succeed(ContactChangeStore, {
  add: (change) => insert("contactChanges", [change]),
  ofCampaigns: (ids) => (ids.length === 0 ? Effect.succeed([]) : Effect.map(rows(ofCampaigns, { ids }), oldestFirst)),
  take: (campaignId, limit) => Effect.map(writeRows(take, { campaignId, limit }), oldestFirst),
  waiting: (limit) => rows(waiting, { limit })
})
