/** Tables of `webhooks`: subscriptions, deliveries, and addresses that are not written to. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, text } from "../Columns.ts"
import { due, moment, rowsBy, rowsById, table, tenantId } from "../Table.ts"

export const webhookTables = {
  webhooks: table(
    columnsOf(Core.subscriptionEntity),
    rowsBy("id", { accountKey: ["surface", "id"], secrets: ["secret", "previousSecret"] })
  ),
  webhookDeliveries: table(columnsOf(Core.deliveryEntity), rowsBy("id", due("nextAt", "nextAt"))),
  /** Subscriptions that are gone and whose log still has to go. */
  removedWebhooks: table({ id: text<Core.Ids.WebhookId>(), tenantId, createdAt: moment }, rowsBy("id")),
  emailSuppressions: table(columnsOf(Core.emailSuppressionEntity), rowsById())
}
