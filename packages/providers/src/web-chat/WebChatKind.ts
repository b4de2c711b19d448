/** The kind `webChat` of channels, without what answers pages. */
import type { ChannelProvider } from "@trunkline/core"
import { faultsIn, providerKind, Settings } from "@trunkline/core/provider"
import { perMinuteBounds, type WebChatOptions, webChatSettings } from "./WebChatOptions.ts"

const { required, secret, whole } = Settings

/** A chat on a page of yours. It is off unless it stands here. Source: docs/reference/messaging.md#web-chat. */
const settings = {
  /** The secret that signs the tokens of visitors. */
  secret: required(secret),
  /** The messages of a visitor in a minute. */
  messagesPerMinute: whole(perMinuteBounds),
  /** The new visitors of an address in a minute. */
  visitorsPerMinute: whole(perMinuteBounds)
}

export const webChatKind = providerKind<WebChatOptions, ChannelProvider>({
  name: "webChat",
  settings,
  faultsOf: (options) => faultsIn(webChatSettings(options)),
  make: async (options) => (await import("./WebChat.ts")).webChat(options)
})
