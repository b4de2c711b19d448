/** The kind `telegram` of channels, without its client. */
import type { ChannelProvider } from "@trunkline/core"
import { faultsIn, providerKind, Settings } from "@trunkline/core/provider"
import { timeoutBounds } from "../upstream/Bounds.ts"
import { type TelegramOptions, telegramSettings } from "./TelegramOptions.ts"

const { required, web, whole } = Settings

/** Telegram. It is off unless it stands here. Source: docs/reference/messaging.md#telegram. */
const settings = {
  /** The address at which Telegram reaches this server. */
  publicUrl: required(web),
  /** The address of Telegram's API. */
  apiUrl: web,
  /** The time of a request to Telegram, in milliseconds. */
  timeoutMs: whole(timeoutBounds)
}

export const telegramKind = providerKind<TelegramOptions, ChannelProvider>({
  name: "telegram",
  settings,
  faultsOf: (options) => faultsIn(telegramSettings(options)),
  make: async (options) => (await import("./Telegram.ts")).telegram(options)
})
