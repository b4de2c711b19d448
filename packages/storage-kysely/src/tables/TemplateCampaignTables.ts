/** Tables of `messaging/template-campaigns`. */
import * as Core from "@trunkline/core/storage"
import { bool, columnsOf, int, json, nullable, text } from "../Columns.ts"
import { due, moment, rowsBy, rowsById, table, tenantId } from "../Table.ts"

const { error, ...contactFields } = Core.templateContactEntity.fields

export const templateCampaignTables = {
  templateCampaigns: table(columnsOf(Core.templateCampaignEntity), rowsById(due("nextTurnAt"))),
  /** `fault` is the contact's `error`, which elsewhere is a text. The database adds `error_code`, by which failures are counted. */
  templateContacts: table(columnsOf({ fields: { ...contactFields, fault: error } }), rowsBy("id")),
  /** Campaigns that are gone and whose contacts still have to go. */
  removedTemplateCampaigns: table(
    { id: text<Core.Ids.TemplateCampaignId>(), tenantId, createdAt: moment },
    rowsBy("id")
  ),
  contactChanges: table(
    {
      id: text(),
      tenantId,
      campaignId: text<Core.Ids.TemplateCampaignId>(),
      contactId: text<Core.Ids.TemplateContactId>(),
      from: text<Core.ContactChange["from"]>(),
      to: text<Core.ContactChange["to"]>(),
      isReply: bool(),
      meaning: nullable(text<NonNullable<Core.ContactChange["meaning"]>>()),
      pricing: nullable(json<NonNullable<Core.ContactChange["pricing"]>>()),
      at: moment
    },
    rowsBy("campaignId id")
  ),
  /** `nextSlot` has microseconds. */
  senderPaces: table(
    {
      phoneId: text<Core.Ids.PhoneId>(),
      tenantId,
      nextSlot: int(),
      heldUntil: nullable(moment),
      throttles: int(),
      slowedAt: nullable(moment),
      slowedTo: int(),
      troubled: json<Core.SenderPace["troubled"]>()
    },
    rowsBy("phoneId")
  ),
  templateRecipients: table(
    { tenantId, channel: text(), businessAccountId: text(), person: text(), at: moment },
    rowsBy("businessAccountId channel person tenantId")
  )
}
