/**
 * What every storage of Trunkline must do. Call each suite once for each storage, or all of them at once:
 * `all("sqlite", layer({ path: ":memory:" }), { sideBySide: false })`.
 */
import { accountTotals } from "./AccountTotalSuite.ts"
import { actingRuns } from "./ActingRunSuite.ts"
import { addressBook } from "./AddressBookSuite.ts"
import { alerts } from "./AlertSuite.ts"
import { analyses } from "./AnalysisSuite.ts"
import { batches } from "./BatchSuite.ts"
import { blockedPeople } from "./BlockedSuite.ts"
import { botSecrets } from "./BotSecretSuite.ts"
import { bounded } from "./BoundsSuite.ts"
import { callTokens } from "./CallTokenSuite.ts"
import { changeNotes } from "./ChangeSuite.ts"
import { claims } from "./ClaimSuite.ts"
import { connectedNumbers } from "./ConnectedNumberSuite.ts"
import { contactLists } from "./ContactListSuite.ts"
import { conversations } from "./ConversationSuite.ts"
import { credits } from "./CreditSuite.ts"
import { customers } from "./CustomerSuite.ts"
import { deliveryCounts } from "./DeliveryCountSuite.ts"
import { deliveries } from "./DeliveryLogSuite.ts"
import { dialing } from "./DialingSuite.ts"
import { files } from "./FileSuite.ts"
import { flows } from "./FlowSuite.ts"
import { idempotency } from "./IdempotencySuite.ts"
import { imports } from "./ImportSuite.ts"
import { inbox } from "./InboxListSuite.ts"
import { keptResponses } from "./KeptResponseSuite.ts"
import { keyLimits } from "./KeyLimitSuite.ts"
import { knowledge } from "./KnowledgeSuite.ts"
import { knownTemplates } from "./KnownTemplateSuite.ts"
import { ledger } from "./LedgerSuite.ts"
import { lists } from "./ListSuite.ts"
import { liveSessions } from "./LiveSessionSuite.ts"
import { locks } from "./LockSuite.ts"
import { messages } from "./MessageSuite.ts"
import { metering } from "./MeteringSuite.ts"
import { metrics } from "./MetricsSuite.ts"
import { optOuts } from "./OptOutSuite.ts"
import { outbox } from "./OutboxSuite.ts"
import { payments } from "./PaymentSuite.ts"
import { peopleRaces } from "./PeopleRaceSuite.ts"
import { people } from "./PeopleSuite.ts"
import { plans } from "./PlanSuite.ts"
import { replyQueue } from "./ReplyQueueSuite.ts"
import { retention } from "./RetentionSuite.ts"
import { senderPaces } from "./SenderPaceSuite.ts"
import type { Suite } from "./Subject.ts"
import { subscriptions } from "./SubscriptionSuite.ts"
import { suppressionImports } from "./SuppressionImportSuite.ts"
import { templateCampaigns } from "./TemplateCampaignSuite.ts"
import { templateContacts } from "./TemplateContactSuite.ts"
import { transactions } from "./TransactionSuite.ts"
import { unmatchedStatuses } from "./UnmatchedStatusSuite.ts"
import { usageLog } from "./UsageLogSuite.ts"
import { usageSeries } from "./UsageSeriesSuite.ts"
import { values } from "./ValueSuite.ts"
import { voice } from "./VoiceSuite.ts"

export { auditingAccounts } from "./AuditingAccounts.ts"
export * as KnowledgeQuestions from "./KnowledgeQuestions.ts"
export {
  type Billing,
  began,
  billing,
  credit,
  end,
  key,
  meters,
  passes,
  payer,
  races,
  release,
  reserve,
  settle,
  used,
  wanted
} from "./Metered.ts"
export * as Rows from "./Rows.ts"
export type { Stores, StoresLayer, Suite, Traits } from "./Subject.ts"
export {
  accountTotals,
  actingRuns,
  addressBook,
  alerts,
  analyses,
  batches,
  blockedPeople,
  botSecrets,
  bounded,
  callTokens,
  changeNotes,
  claims,
  connectedNumbers,
  contactLists,
  conversations,
  credits,
  customers,
  deliveries,
  deliveryCounts,
  dialing,
  files,
  flows,
  idempotency,
  imports,
  inbox,
  keptResponses,
  keyLimits,
  knowledge,
  knownTemplates,
  ledger,
  lists,
  liveSessions,
  locks,
  messages,
  metering,
  metrics,
  optOuts,
  outbox,
  payments,
  people,
  peopleRaces,
  plans,
  replyQueue,
  retention,
  senderPaces,
  subscriptions,
  suppressionImports,
  templateCampaigns,
  templateContacts,
  transactions,
  unmatchedStatuses,
  usageLog,
  usageSeries,
  values,
  voice
}

const suites: ReadonlyArray<Suite> = [
  accountTotals,
  transactions,
  locks,
  values,
  bounded,
  botSecrets,
  lists,
  dialing,
  callTokens,
  changeNotes,
  claims,
  contactLists,
  inbox,
  credits,
  outbox,
  imports,
  suppressionImports,
  addressBook,
  knowledge,
  deliveries,
  subscriptions,
  files,
  batches,
  idempotency,
  actingRuns,
  keptResponses,
  voice,
  liveSessions,
  analyses,
  alerts,
  metering,
  plans,
  usageLog,
  usageSeries,
  keyLimits,
  ledger,
  people,
  peopleRaces,
  connectedNumbers,
  blockedPeople,
  knownTemplates,
  flows,
  optOuts,
  payments,
  deliveryCounts,
  customers,
  conversations,
  messages,
  replyQueue,
  unmatchedStatuses,
  templateCampaigns,
  templateContacts,
  senderPaces,
  retention,
  metrics
]

export const all: Suite = (name, stores, traits) => {
  for (const suite of suites) suite(name, stores, traits)
}
