/** Who is looking at which contact of a campaign in preview mode, so that nobody else is shown it meanwhile. Pure. Source: docs/reference/campaigns.md#preview-desk. */
import * as Schema from "effect/Schema"
import { Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../CallingIds.ts"
import type { CampaignContact } from "./CampaignContact.ts"

/** A hold's row. It delays, prevents and causes no call. */
export const holdEntity = Schema.Struct({
  tenantId: Ids.schema<"Account">(),
  campaignId: Ids.schema<"Campaign">(),
  /** Who holds it, as the audit log names callers: each has one hold on a campaign. */
  actor: Schema.String,
  contactId: Ids.schema<"CampaignContact">(),
  subject: Schema.String,
  name: Schema.NullOr(Schema.String),
  until: Instant.Iso
})
export interface PreviewHold extends Schema.Struct.Type<typeof holdEntity.fields> {}

export type Holder = Pick<PreviewHold, "actor" | "subject" | "name">

/** True of a contact that waits for an approval: no other can be held. */
export const awaitsApproval = ({ approvedAt, status }: Pick<CampaignContact, "approvedAt" | "status">): boolean =>
  status === "pending" && approvedAt === null

/** The first of the waiting contacts that nobody else holds; null where there is none. */
export const firstFree = (
  waiting: ReadonlyArray<CampaignContact>,
  holds: ReadonlyArray<PreviewHold>,
  actor: string
): CampaignContact | null => {
  const held = new Set(holds.flatMap((hold) => (hold.actor === actor ? [] : [hold.contactId])))
  return waiting.find(({ id }) => !held.has(id)) ?? null
}
