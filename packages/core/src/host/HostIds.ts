/** Ids of every area, as the entries export them. Of areas it has types alone: what a host leaves out is not loaded. Pure. */
export type * from "../agents/AgentsIds.ts"
export type * from "../calling/CallingIds.ts"
export type * from "../gateway/GatewayIds.ts"
export type * from "../messaging/MessagingIds.ts"
export {
  as,
  ascending,
  first,
  firstOf,
  fresh,
  IdSource,
  isUuid,
  last,
  schema,
  source
} from "../platform/PlatformIds.ts"
export type * from "../voice/VoiceIds.ts"
export type * from "../webhooks/WebhooksIds.ts"
