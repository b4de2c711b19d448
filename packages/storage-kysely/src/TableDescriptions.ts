/**
 * The tables of all rooms. A move copies them in this order, in which tables that others belong to come first: the database finds the
 * account of a row by the row that it belongs to. Generated: test/TableDescriptions.test.ts.
 */
// biome-ignore lint/correctness/noUnusedImports: by it the compiler finds a name for each type of a column.
import type * as _Core from "@trunkline/core/storage"
import { accountTables } from "./tables/AccountTables.ts"
import { alertTables } from "./tables/AlertTables.ts"
import { analysisTables } from "./tables/AnalysisTables.ts"
import { batchTables } from "./tables/BatchTables.ts"
import { billingTables } from "./tables/BillingTables.ts"
import { botTables } from "./tables/BotTables.ts"
import { callTables } from "./tables/CallTables.ts"
import { campaignTables } from "./tables/CampaignTables.ts"
import { changeTables } from "./tables/ChangeTables.ts"
import { contactTables } from "./tables/ContactTables.ts"
import { eventTables } from "./tables/EventTables.ts"
import { fileTables } from "./tables/FileTables.ts"
import { idempotencyTables } from "./tables/IdempotencyTables.ts"
import { keptResponseTables } from "./tables/KeptResponseTables.ts"
import { messagingTables } from "./tables/MessagingTables.ts"
import { moveTables } from "./tables/MoveTables.ts"
import { peopleTables } from "./tables/PeopleTables.ts"
import { storageTables } from "./tables/StorageTables.ts"
import { suppressionTables } from "./tables/SuppressionTables.ts"
import { templateCampaignTables } from "./tables/TemplateCampaignTables.ts"
import { voiceSessionTables } from "./tables/VoiceSessionTables.ts"
import { webhookTables } from "./tables/WebhookTables.ts"

export const tableDescriptions = {
  ...accountTables,
  ...alertTables,
  ...analysisTables,
  ...batchTables,
  ...billingTables,
  ...botTables,
  ...callTables,
  ...campaignTables,
  ...changeTables,
  ...contactTables,
  ...eventTables,
  ...fileTables,
  ...idempotencyTables,
  ...keptResponseTables,
  ...messagingTables,
  ...moveTables,
  ...peopleTables,
  ...storageTables,
  ...suppressionTables,
  ...templateCampaignTables,
  ...voiceSessionTables,
  ...webhookTables
}
