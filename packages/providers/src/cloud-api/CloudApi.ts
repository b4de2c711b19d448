/** The Cloud API's channel, as hosts get it. */
import type { ChannelProvider } from "@trunkline/core"
import { ChatChannel, channelProvider, InboundSecrets } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeWire } from "../chat/ChannelWire.ts"
import type { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
import { makeClient } from "./CloudApiClient.ts"
import { type CloudApiOptions, type CloudApiSettings, cloudApiSettings } from "./CloudApiOptions.ts"
import { cloudChannel } from "./CloudChannel.ts"

const open = Effect.fnUntraced(function* (settings: CloudApiSettings) {
  const wire = yield* Effect.acquireRelease(
    Effect.sync(() => makeWire(settings.timeoutMs)),
    ({ close }) => Effect.promise(close)
  )
  return cloudChannel(makeClient(settings, wire), yield* InboundSecrets)
})

/** The channel for hosts that use Effect. Fails when the options cannot work. Closes its connections with its scope. */
export const layer = (options: CloudApiOptions): Layer.Layer<ChatChannel, InvalidProviderOptions> =>
  Layer.effect(ChatChannel, Effect.flatMap(Effect.fromResult(cloudApiSettings(options)), open))

/**
 * The channel for hosts that know nothing of Effect. Throws `InvalidProviderOptions`, which names every fault.
 * Source: docs/reference/messaging.md#platform.
 *
 * @example
 * const messaging = cloudApi({ baseUrl: "https://graph.facebook.com/v23.0" })
 */
export const cloudApi = (options: CloudApiOptions): ChannelProvider =>
  channelProvider(Layer.effect(ChatChannel, open(Result.getOrThrow(cloudApiSettings(options)))))
