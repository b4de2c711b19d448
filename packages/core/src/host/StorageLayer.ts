/** What a storage package provides to the core. */
import type * as Layer from "effect/Layer"
import type { AccessStore, AuditStore } from "../access/index.ts"
import type { BatchQueueStore, BatchStore } from "../batches/index.ts"
import type {
  BonusStore,
  BudgetStore,
  CreditStore,
  LimitStore,
  QuotaStore,
  ReservationStore,
  UsageLogStore
} from "../billing/index.ts"
import type { BotSecretStore, BotStore, KnowledgeStore } from "../bots/index.ts"
import type { CampaignContactStore, CampaignStore } from "../campaigns/index.ts"
import type { ContactStore, ImportStore } from "../contacts/index.ts"
import type { OutboxStore } from "../events/index.ts"
import type { FileStore } from "../files/index.ts"
import type { IdempotencyStore } from "../idempotency/index.ts"
import type { ResponseStore } from "../llm/index.ts"
import type {
  ConnectedNumberStore,
  ConversationStore,
  CustomerStore,
  MessageStore,
  ReplyQueueStore,
  UnmatchedStatusStore
} from "../messaging/index.ts"
import type { MoveStore } from "../moving/index.ts"
import type { AccountTotals, ProviderStateStore, RetentionStore, Storage, StorageError } from "../storage/index.ts"
import type { SuppressionStore } from "../suppression/index.ts"
import type {
  CallStore,
  CallSupervisionStore,
  CallTokenStore,
  NumberStore,
  StartSlotStore
} from "../telephony/index.ts"
import type { LiveSessionStore, TranscriptStore, VoiceStore } from "../voice/index.ts"
import type { AlertReadingStore, AlertStore } from "../voice-alerts/index.ts"
import type { AnalysisStore } from "../voice-analysis/index.ts"
import type { DeliveryStore, EmailSuppressionStore, SubscriptionStore } from "../webhooks/index.ts"
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
