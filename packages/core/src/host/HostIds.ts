/** Ids of every area, as the entries export them. Of areas it has types alone: what a host leaves out is not loaded. Pure. */
export type { ConversationId, KnowledgeId, TurnId } from "../agents/AgentsIds.ts"
export type {
  BurstId,
  CallId,
  CampaignId,
  ContactId,
  CrmContactId,
  EntryId,
  NumberId,
  TemplateId,
  VoiceSessionId
} from "../calling/CallingIds.ts"
export type { BatchId, FileId } from "../gateway/GatewayIds.ts"
export type { CustomerId, MessageId, PhoneId } from "../messaging/MessagingIds.ts"
export * from "../platform/PlatformIds.ts"
export type { TranscriptEntryId, VoiceAlertId, VoiceAnalysisId } from "../voice/VoiceIds.ts"
export type { DeliveryId, EmailEntryId, WebhookId } from "../webhooks/WebhooksIds.ts"
