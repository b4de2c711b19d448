/** Calls the product's HTTP API from a browser or a server. Source: docs/reference/client.md. */
import { agents } from "./generated/AgentsClient.ts"
import { calling } from "./generated/CallingClient.ts"
import { gateway } from "./generated/GatewayClient.ts"
import { messaging } from "./generated/MessagingClient.ts"
import { platform } from "./generated/PlatformClient.ts"
import { voice } from "./generated/VoiceClient.ts"
import { webhooks } from "./generated/WebhooksClient.ts"

export { ApiError, type InvalidField } from "./ApiError.ts"
export { type ClientOptions, createClient } from "./CreateClient.ts"
export type * from "./generated/AgentsClient.ts"
export type * from "./generated/CallingClient.ts"
export type * from "./generated/GatewayClient.ts"
export type * from "./generated/MessagingClient.ts"
export type * from "./generated/PlatformClient.ts"
export type * from "./generated/Records.ts"
export type * from "./generated/VoiceClient.ts"
export type * from "./generated/WebhooksClient.ts"
export { List, type Page } from "./List.ts"
export type { ClientArea, MethodsOf } from "./Operation.ts"
export type { FileResponse, FormFile, KeyedRequestOptions, RequestOptions } from "./Request.ts"
export type { SenderOptions } from "./Sender.ts"
export { type ServerEvent, ServerEvents } from "./ServerEvents.ts"
export { agents, calling, gateway, messaging, platform, voice, webhooks }

/** Every area, for a program whose size does not matter. */
export const allAreas = [platform, agents, calling, gateway, messaging, voice, webhooks] as const
