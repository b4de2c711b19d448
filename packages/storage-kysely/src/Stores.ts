/** All stores. They run on the session of the transaction or read that calls them. Generated: test/Stores.test.ts. */
import * as Layer from "effect/Layer"
import * as AccessStoreSql from "./stores/AccessStoreSql.ts"
import * as AccountTotalsSql from "./stores/AccountTotalsSql.ts"
import * as AlertReadingStoreSql from "./stores/AlertReadingStoreSql.ts"
import * as AlertStoreSql from "./stores/AlertStoreSql.ts"
import * as AnalysisStoreSql from "./stores/AnalysisStoreSql.ts"
import * as AuditStoreSql from "./stores/AuditStoreSql.ts"
import * as BatchQueueStoreSql from "./stores/BatchQueueStoreSql.ts"
import * as BatchStoreSql from "./stores/BatchStoreSql.ts"
import * as BlockedStoreSql from "./stores/BlockedStoreSql.ts"
import * as BonusStoreSql from "./stores/BonusStoreSql.ts"
import * as BotSecretStoreSql from "./stores/BotSecretStoreSql.ts"
import * as BotStoreSql from "./stores/BotStoreSql.ts"
import * as BudgetStoreSql from "./stores/BudgetStoreSql.ts"
import * as CallListStoreSql from "./stores/CallListStoreSql.ts"
import * as CallStoreSql from "./stores/CallStoreSql.ts"
import * as CallSupervisionStoreSql from "./stores/CallSupervisionStoreSql.ts"
import * as CallTokenStoreSql from "./stores/CallTokenStoreSql.ts"
import * as CampaignContactStoreSql from "./stores/CampaignContactStoreSql.ts"
import * as CampaignStoreSql from "./stores/CampaignStoreSql.ts"
import * as ChangeStoreSql from "./stores/ChangeStoreSql.ts"
import * as ConnectedNumberStoreSql from "./stores/ConnectedNumberStoreSql.ts"
import * as ContactChangeStoreSql from "./stores/ContactChangeStoreSql.ts"
import * as ContactListStoreSql from "./stores/ContactListStoreSql.ts"
import * as ConversationStoreSql from "./stores/ConversationStoreSql.ts"
import * as CreditEntryStoreSql from "./stores/CreditEntryStoreSql.ts"
import * as CreditStoreSql from "./stores/CreditStoreSql.ts"
import * as CrmContactStoreSql from "./stores/CrmContactStoreSql.ts"
import * as CustomerStoreSql from "./stores/CustomerStoreSql.ts"
import * as DeliveryCountStoreSql from "./stores/DeliveryCountStoreSql.ts"
import * as DeliveryStoreSql from "./stores/DeliveryStoreSql.ts"
import * as EmailSuppressionStoreSql from "./stores/EmailSuppressionStoreSql.ts"
import * as FileStoreSql from "./stores/FileStoreSql.ts"
import * as FlowStoreSql from "./stores/FlowStoreSql.ts"
import * as HoldStoreSql from "./stores/HoldStoreSql.ts"
import * as IdempotencyStoreSql from "./stores/IdempotencyStoreSql.ts"
import * as ImportPlacesSql from "./stores/ImportPlacesSql.ts"
import * as ImportStoreSql from "./stores/ImportStoreSql.ts"
import * as KeyListStoreSql from "./stores/KeyListStoreSql.ts"
import * as KeyUseStoreSql from "./stores/KeyUseStoreSql.ts"
import * as KnowledgeStoreSql from "./stores/KnowledgeStoreSql.ts"
import * as KnownTemplateStoreSql from "./stores/KnownTemplateStoreSql.ts"
import * as LedgerStoreSql from "./stores/LedgerStoreSql.ts"
import * as LimitStoreSql from "./stores/LimitStoreSql.ts"
import * as LiveSessionStoreSql from "./stores/LiveSessionStoreSql.ts"
import * as MemberStoreSql from "./stores/MemberStoreSql.ts"
import * as MessageStoreSql from "./stores/MessageStoreSql.ts"
import * as MetricsStoreSql from "./stores/MetricsStoreSql.ts"
import * as MoveStoreSql from "./stores/MoveStoreSql.ts"
import * as NumberFactsStoreSql from "./stores/NumberFactsStoreSql.ts"
import * as NumberStoreSql from "./stores/NumberStoreSql.ts"
import * as OptOutStoreSql from "./stores/OptOutStoreSql.ts"
import * as OutboxStoreSql from "./stores/OutboxStoreSql.ts"
import * as PaymentStoreSql from "./stores/PaymentStoreSql.ts"
import * as ProviderStateStoreSql from "./stores/ProviderStateStoreSql.ts"
import * as QuotaStoreSql from "./stores/QuotaStoreSql.ts"
import * as ReplyQueueStoreSql from "./stores/ReplyQueueStoreSql.ts"
import * as ResponseStoreSql from "./stores/ResponseStoreSql.ts"
import * as SenderPaceStoreSql from "./stores/SenderPaceStoreSql.ts"
import * as SignInFailureStoreSql from "./stores/SignInFailureStoreSql.ts"
import * as SignInSessionStoreSql from "./stores/SignInSessionStoreSql.ts"
import * as StartSlotStoreSql from "./stores/StartSlotStoreSql.ts"
import * as SubscriptionStoreSql from "./stores/SubscriptionStoreSql.ts"
import * as SuppressionImportStoreSql from "./stores/SuppressionImportStoreSql.ts"
import * as SuppressionStoreSql from "./stores/SuppressionStoreSql.ts"
import * as TemplateCampaignStoreSql from "./stores/TemplateCampaignStoreSql.ts"
import * as TemplateContactStoreSql from "./stores/TemplateContactStoreSql.ts"
import * as TranscriptStoreSql from "./stores/TranscriptStoreSql.ts"
import * as UnmatchedStatusStoreSql from "./stores/UnmatchedStatusStoreSql.ts"
import * as UsageLogStoreSql from "./stores/UsageLogStoreSql.ts"
import * as VoiceStoreSql from "./stores/VoiceStoreSql.ts"

export const stores = Layer.mergeAll(
  AccessStoreSql.layer,
  AccountTotalsSql.layer,
  AlertReadingStoreSql.layer,
  AlertStoreSql.layer,
  AnalysisStoreSql.layer,
  AuditStoreSql.layer,
  BatchQueueStoreSql.layer,
  BatchStoreSql.layer,
  BlockedStoreSql.layer,
  BonusStoreSql.layer,
  BotSecretStoreSql.layer,
  BotStoreSql.layer,
  BudgetStoreSql.layer,
  CallListStoreSql.layer,
  CallStoreSql.layer,
  CallSupervisionStoreSql.layer,
  CallTokenStoreSql.layer,
  CampaignContactStoreSql.layer,
  CampaignStoreSql.layer,
  ChangeStoreSql.layer,
  ConnectedNumberStoreSql.layer,
  ContactChangeStoreSql.layer,
  ContactListStoreSql.layer,
  ConversationStoreSql.layer,
  CreditEntryStoreSql.layer,
  CreditStoreSql.layer,
  CrmContactStoreSql.layer,
  CustomerStoreSql.layer,
  DeliveryCountStoreSql.layer,
  DeliveryStoreSql.layer,
  EmailSuppressionStoreSql.layer,
  FileStoreSql.layer,
  FlowStoreSql.layer,
  HoldStoreSql.layer,
  IdempotencyStoreSql.layer,
  ImportPlacesSql.layer,
  ImportStoreSql.layer,
  KeyListStoreSql.layer,
  KeyUseStoreSql.layer,
  KnowledgeStoreSql.layer,
  KnownTemplateStoreSql.layer,
  LedgerStoreSql.layer,
  LimitStoreSql.layer,
  LiveSessionStoreSql.layer,
  MemberStoreSql.layer,
  MessageStoreSql.layer,
  MetricsStoreSql.layer,
  MoveStoreSql.layer,
  NumberFactsStoreSql.layer,
  NumberStoreSql.layer,
  OptOutStoreSql.layer,
  OutboxStoreSql.layer,
  PaymentStoreSql.layer,
  ProviderStateStoreSql.layer,
  QuotaStoreSql.layer,
  ReplyQueueStoreSql.layer,
  ResponseStoreSql.layer,
  SenderPaceStoreSql.layer,
  SignInFailureStoreSql.layer,
  SignInSessionStoreSql.layer,
  StartSlotStoreSql.layer,
  SubscriptionStoreSql.layer,
  SuppressionImportStoreSql.layer,
  SuppressionStoreSql.layer,
  TemplateCampaignStoreSql.layer,
  TemplateContactStoreSql.layer,
  TranscriptStoreSql.layer,
  UnmatchedStatusStoreSql.layer,
  UsageLogStoreSql.layer,
  VoiceStoreSql.layer
)
