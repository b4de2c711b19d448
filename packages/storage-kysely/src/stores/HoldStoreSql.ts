/** Holds of the preview desk in SQL. */
import { HoldStore, type Ids, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kysely, sql } from "kysely"
import { atEnd, changed, put, rows, together, write } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Hold = Database["previewHolds"]
type OfCampaign = Pick<Hold, "campaignId">
type Waiting = OfCampaign & { limit: number }

const ofCampaign = statement<OfCampaign & { at: Instant.Instant }>("holds.ofCampaign")((db, value) =>
  db
    .selectFrom("previewHolds")
    .select(fieldsOf("previewHolds"))
    .where("campaignId", "=", value.campaignId)
    .where("until", ">", value.at)
)

const release = statement<Pick<Hold, "tenantId" | "campaignId" | "actor">>("holds.release")((db, value) =>
  db
    .deleteFrom("previewHolds")
    .where("campaignId", "=", value.campaignId)
    .where("actor", "=", value.actor)
    .where("tenantId", "=", value.tenantId)
)

const releaseContact = statement<Pick<Hold, "tenantId" | "contactId">>("holds.releaseContact")((db, value) =>
  db.deleteFrom("previewHolds").where("contactId", "=", value.contactId).where("tenantId", "=", value.tenantId)
)

/** Word for word as the indexes have it, see CampaignContactStoreSql.ts. */
const waiting = sql<boolean>`status in ('pending', 'approved')`

const awaiting = (db: Kysely<Database>, campaignId: Ids.CampaignId) =>
  db
    .selectFrom("campaignContacts")
    .select(fieldsOf("campaignContacts"))
    .where("campaignId", "=", campaignId)
    .where("approvedAt", "is", null)

const fresh = statement<Waiting>("holds.fresh")((db, value) =>
  awaiting(db, value.campaignId)
    .where(waiting)
    .where("status", "<>", sql.lit("approved"))
    .where("nextAttemptAt", "is", null)
    .where("skippedAt", "is", null)
    .orderBy("seq")
    .limit(value.limit)
)

const retries = statement<Waiting>("holds.retries")((db, value) =>
  awaiting(db, value.campaignId)
    .where(waiting)
    .where("status", "<>", sql.lit("approved"))
    .where("nextAttemptAt", "is not", null)
    .where("skippedAt", "is", null)
    .orderBy("nextAttemptAt")
    .orderBy("seq")
    .limit(value.limit)
)

const skipped = statement<Waiting>("holds.skipped")((db, value) =>
  awaiting(db, value.campaignId)
    .where("status", "=", sql.lit("pending"))
    .where("skippedAt", "is not", null)
    .orderBy("skippedAt")
    .orderBy("seq")
    .limit(value.limit)
)

export const layer = Layer.succeed(HoldStore, {
  ofCampaign: (campaignId, at) => rows(ofCampaign, { campaignId, at }),
  put: (hold) => atEnd(together([write(releaseContact, hold), put("previewHolds", ["campaignId", "actor"], [hold])])),
  release: (hold) => changed(release, hold),
  releaseContact: ({ id, tenantId }) => changed(releaseContact, { tenantId, contactId: id }),
  waiting: Effect.fnUntraced(function* (campaignId, limit) {
    const found = [...(yield* rows(fresh, { campaignId, limit }))]
    for (const others of [retries, skipped]) {
      if (found.length < limit) found.push(...(yield* rows(others, { campaignId, limit: limit - found.length })))
    }
    return found
  })
})
