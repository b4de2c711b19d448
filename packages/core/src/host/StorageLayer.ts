/** What a storage package provides to the core. */
import type * as Layer from "effect/Layer"
import type { BotSecretStore, BotStore, KnowledgeStore } from "../agents/bots/index.ts"
import type {
  CallStore,
  CallSupervisionStore,
  CallTokenStore,
  NumberStore,
  StartSlotStore
} from "../calling/calls/index.ts"
import type { CampaignContactStore, CampaignStore } from "../calling/campaigns/index.ts"
import type { ContactStore, ImportStore } from "../calling/contacts/index.ts"
import type { SuppressionStore } from "../calling/suppression/index.ts"
import type { BatchQueueStore, BatchStore } from "../gateway/batches/index.ts"
import type { FileStore } from "../gateway/files/index.ts"
import type { ResponseStore } from "../gateway/llm/index.ts"
import type { ConnectedNumberStore } from "../messaging/channels/index.ts"
import type { ConversationStore } from "../messaging/conversations/index.ts"
import type { CustomerStore } from "../messaging/customers/index.ts"
import type { MessageStore, UnmatchedStatusStore } from "../messaging/messages/index.ts"
import type { ReplyQueueStore } from "../messaging/reply-queue/index.ts"
import type { AccessStore, AuditStore } from "../platform/accounts/index.ts"
import type {
  BonusStore,
  BudgetStore,
  CreditStore,
  LimitStore,
  QuotaStore,
  ReservationStore,
  UsageLogStore
} from "../platform/billing/index.ts"
import type { OutboxStore } from "../platform/events/index.ts"
import type { IdempotencyStore } from "../platform/idempotency/index.ts"
import type { MoveStore } from "../platform/moving/index.ts"
import type {
  AccountTotals,
  ProviderStateStore,
  RetentionStore,
  Storage,
  StorageError
} from "../platform/storage/index.ts"
import type { AlertReadingStore, AlertStore } from "../voice/alerts/index.ts"
import type { AnalysisStore } from "../voice/analysis/index.ts"
import type { LiveSessionStore, TranscriptStore, VoiceStore } from "../voice/sessions/index.ts"
import type { DeliveryStore } from "../webhooks/deliveries/index.ts"
import type { EmailSuppressionStore } from "../webhooks/email/index.ts"
import type { SubscriptionStore } from "../webhooks/subscriptions/index.ts"
import type { MetricsStore } from "./MetricsStore.ts"

/** Everything that a storage package provides. */
export type Stores =
  | Storage
  | AccessStore
  | AccountTotals
  | AlertReadingStore
  | AlertStore
  | AnalysisStore
  | AuditStore
  | BatchQueueStore
  | BatchStore
  | BonusStore
  | BotSecretStore
  | BotStore
  | BudgetStore
  | CallStore
  | CallSupervisionStore
  | CallTokenStore
  | CampaignContactStore
  | CampaignStore
  | ConnectedNumberStore
  | ContactStore
  | ConversationStore
  | CreditStore
  | CustomerStore
  | DeliveryStore
  | EmailSuppressionStore
  | FileStore
  | IdempotencyStore
  | ImportStore
  | KnowledgeStore
  | LimitStore
  | MessageStore
  | MetricsStore
  | MoveStore
  | NumberStore
  | OutboxStore
  | ProviderStateStore
  | QuotaStore
  | ReplyQueueStore
  | StartSlotStore
  | ReservationStore
  | ResponseStore
  | RetentionStore
  | SuppressionStore
  | UnmatchedStatusStore
  | UsageLogStore
  | TranscriptStore
  | LiveSessionStore
  | VoiceStore
  | SubscriptionStore

export type StorageLayer = Layer.Layer<Stores, StorageError>
