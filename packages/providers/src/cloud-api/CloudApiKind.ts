/** The kind `cloudApi` of channels, without its client. */
import type { ChannelProvider } from "@trunkline/core"
import { faultsIn, providerKind, Settings } from "@trunkline/core/provider"
import { timeoutBounds } from "../upstream/Bounds.ts"
import { type CloudApiOptions, cloudApiSettings } from "./CloudApiOptions.ts"

const { standard, text, web, whole } = Settings

const standardBaseUrl = "https://graph.facebook.com/v23.0"

const settings = {
  /** The address of the platform. Default `https://graph.facebook.com/v23.0`. Source: docs/reference/messaging.md#platform. */
  baseUrl: standard(web, standardBaseUrl),
  /** The product value that is sent to the platform. Default `whatsapp`. */
  product: text,
  /** The id of the app that files for templates are kept under, in digits. Without it `POST …/templates/media` answers 503. */
  appId: text,
  /** The time of a request to the platform, in milliseconds. Default 20,000. */
  timeoutMs: whole(timeoutBounds)
}

/** A library's host names the address; a file may leave it out. */
const complete = (options: CloudApiOptions): CloudApiOptions => ({
  ...options,
  baseUrl: options.baseUrl ?? standardBaseUrl
})

export const cloudApiKind = providerKind<CloudApiOptions, ChannelProvider>({
  name: "cloudApi",
  settings,
  faultsOf: (options) => faultsIn(cloudApiSettings(complete(options))),
  make: async (options) => (await import("./CloudApi.ts")).cloudApi(complete(options))
})
