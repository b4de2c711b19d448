/** The chat of a page, and the requests that its script makes. */

import { type ChannelCallback, type ChannelConnection, ChatChannel } from "@trunkline/core/provider"
import { layerOf } from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type WebChatOptions, webChat } from "../../src/web-chat/index.ts"

export const secret = "the secret of all chats in this test"
export const origin = "https://shop.example.com"

export const chat: ChannelConnection = {
  id: "web-chat:shop",
  accountId: "shop",
  credentials: Redacted.make(JSON.stringify({ origins: [origin] }))
}

export const channelWith = (options: Partial<WebChatOptions> = {}) =>
  Effect.map(Layer.build(layerOf(webChat({ secret, ...options }))), (context) => Context.get(context, ChatChannel))

export const request = (resource: string, body: unknown, from: string = origin): ChannelCallback => ({
  method: "POST",
  target: `/api/v1/messaging/inbound/web-chat/shop/${resource}`,
  resource,
  headers: { origin: from },
  body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))
})
