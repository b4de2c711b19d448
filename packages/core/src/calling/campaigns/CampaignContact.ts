/** A person on the list of one campaign. Pure. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import * as Ids from "../CallingIds.ts"
import type { Campaign } from "./Campaign.ts"
import { ContactStatus, LastError } from "./ContactLifecycle.ts"

/** Source: docs/reference/campaigns.md#contacts. */
export interface CampaignContact {
  readonly id: Ids.ContactId
  readonly tenantId: Ids.AccountId
  readonly campaignId: Ids.CampaignId
  /** Its place in the list. */
  readonly seq: number
  /** As it was given. */
  readonly phone: string
  readonly matchKey: PhoneNumber.MatchKey
  readonly name: string | null
  readonly status: ContactStatus
  readonly attempts: number
  readonly nextAttemptAt: Instant.Instant | null
  readonly approvedAt: Instant.Instant | null
  /** Who approved it, as the audit log names callers. */
  readonly approvedBy: string | null
  /** When it was last skipped at the preview desk. */
  readonly skippedAt: Instant.Instant | null
  readonly lastError: LastError | null
  readonly callId: Ids.CallId | null
  readonly createdAt: Instant.Instant
}

export const contactEntity = Schema.Struct({
  id: Ids.schema<"CampaignContact">(),
  tenantId: Ids.schema<"Account">(),
  campaignId: Ids.schema<"Campaign">(),
  seq: Schema.Int,
  phone: Schema.String,
  matchKey: PhoneNumber.MatchKey,
  name: Schema.NullOr(Schema.String),
  status: ContactStatus,
  attempts: Schema.Int,
  nextAttemptAt: Schema.NullOr(Instant.Iso),
  approvedAt: Schema.NullOr(Instant.Iso),
  approvedBy: Schema.NullOr(Schema.String),
  skippedAt: Schema.NullOr(Instant.Iso),
  lastError: Schema.NullOr(LastError),
  callId: Schema.NullOr(Ids.schema<"Call">()),
  createdAt: Instant.Iso
})

/** How a contact is shown. */
export const CampaignContactRecord = Entity.recordOf(contactEntity, [
  "id",
  "phone",
  "name",
  "status",
  "attempts",
  "nextAttemptAt",
  "lastError",
  "callId",
  "approvedBy",
  "approvedAt",
  "createdAt"
])

/** A contact that has not been called yet. */
export const newContact = (
  campaign: Pick<Campaign, "id" | "tenantId">,
  given: Pick<CampaignContact, "id" | "seq" | "phone" | "name" | "matchKey">,
  at: Instant.Instant
): CampaignContact => ({
  id: given.id,
  tenantId: campaign.tenantId,
  campaignId: campaign.id,
  seq: given.seq,
  phone: given.phone,
  matchKey: given.matchKey,
  name: given.name,
  status: "pending",
  attempts: 0,
  nextAttemptAt: null,
  approvedAt: null,
  approvedBy: null,
  skippedAt: null,
  lastError: null,
  callId: null,
  createdAt: at
})
