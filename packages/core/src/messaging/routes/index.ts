/**
 * Gives the rooms of messaging their routes below the product's own paths: connected numbers, conversations, messages, files and
 * templates.
 *
 * Needs     ConnectedNumbers, Conversations, NativeSend, PlatformFiles, ChatChannels.   Emits  nothing.
 * Not here  what a route decides (the room of its subject); deliveries of channels (messaging/inbound); the messenger's own form of
 *           sending (messaging/compat). Promise CHAT-7 stands in the area.
 * Read      MessagingGroups.ts, then MessagingHttp.ts. Source: docs/reference/messaging.md.
 */
export { messagingGroups } from "./MessagingGroups.ts"
export * as MessagingHttp from "./MessagingHttp.ts"
