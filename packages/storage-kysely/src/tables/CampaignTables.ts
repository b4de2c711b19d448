/** Tables of `calling/campaigns`. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, text } from "../Columns.ts"
import { due, moment, notCopied, rowsBy, rowsById, table, tenantId } from "../Table.ts"

export const campaignTables = {
  campaigns: table(columnsOf(Core.CampaignState), rowsById(due("nextDialAt"))),
  campaignContacts: table(columnsOf(Core.contactEntity), rowsBy("id")),
  previewHolds: table(columnsOf(Core.holdEntity), notCopied("they lapse within minutes")),
  /** Campaigns that are gone and whose contacts still have to go. */
  removedCampaigns: table({ id: text<Core.Ids.CampaignId>(), tenantId, createdAt: moment }, rowsBy("id"))
}
