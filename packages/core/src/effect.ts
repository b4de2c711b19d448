/**
 * For hosts that use Effect: the services that routes and promises call, their records, and what runs them. Their errors are in
 * `Errors`. Unstable: it moves with `effect` itself. Ports, providers and what joins the product to a server are in
 * `@trunkline/core/provider`, stores in `@trunkline/core/storage`.
 */

export { type Bot, Bots, Knowledge } from "./agents/bots/index.ts"
export { type Call, Calls, type NewCall, Numbers } from "./calling/calls/index.ts"
export {
  type Campaign,
  type CampaignContact,
  CampaignContacts,
  Campaigns,
  LiveView
} from "./calling/campaigns/index.ts"
export { Contacts, Imports } from "./calling/contacts/index.ts"
export { Suppression, SuppressionImports } from "./calling/suppression/index.ts"
export { type Batch, Batches } from "./gateway/batches/index.ts"
export { Files } from "./gateway/files/index.ts"
export * as Errors from "./host/HostErrors.ts"
export * as Ids from "./host/HostIds.ts"
export { type Services, servicesOf } from "./host/index.ts"
export { ConnectedNumbers } from "./messaging/channels/index.ts"
export { type Conversation, Conversations } from "./messaging/conversations/index.ts"
export type { Message } from "./messaging/messages/index.ts"
export { type Account, Accounts, type NewAccount } from "./platform/accounts/index.ts"
export { Credits, Money, PlanUsage, UsageLog } from "./platform/billing/index.ts"
export { type Event, type NewEvent, Publishing } from "./platform/events/index.ts"
export { Instant } from "./platform/kernel/index.ts"
export { Keys } from "./platform/keys/index.ts"
export { PhoneNumber } from "./platform/numbers/index.ts"
export { lock, lockShared, Read, read, Storage, Tx, transact } from "./platform/storage/index.ts"
export { VoiceAlerts } from "./voice/alerts/index.ts"
export { VoiceAnalyses } from "./voice/analysis/index.ts"
export {
  type NewVoiceSession,
  Recordings,
  SessionRecords,
  type VoiceSession,
  VoiceSessions
} from "./voice/sessions/index.ts"
export { Deliveries, type Delivery } from "./webhooks/deliveries/index.ts"
export { type Subscription, Subscriptions } from "./webhooks/subscriptions/index.ts"
