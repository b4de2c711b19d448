/** What a host decides about its chat channels, as the room knows it. Its options have passed OptionsCheck.ts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ChatChannel, ChatChannels, InboundSecrets, makeChatChannels } from "../messaging/channels/index.ts"
import { MessagingSettings, standardReply } from "../messaging/index.ts"
import type { TrunklineOptions } from "./Options.ts"
import { layerOf } from "./Providers.ts"

const secret = (text: string | undefined): Redacted.Redacted | null =>
  text === undefined || text === "" ? null : Redacted.make(text)

export const messagingSettings = ({ messaging = {} }: TrunklineOptions) =>
  Layer.succeed(MessagingSettings, {
    checksBusinessAccount: messaging.checkBusinessAccount ?? true,
    reply: {
      quietMs: messaging.reply?.quietMs ?? standardReply.quietMs,
      maxWaitMs: messaging.reply?.maxWaitMs ?? standardReply.maxWaitMs,
      concurrency: messaging.reply?.places ?? standardReply.concurrency
    }
  })

/** The host's channels; the first one is the standard channel. Two of one kind are a fault of the host's. */
export const chatChannels = ({ messaging = {} }: TrunklineOptions): Layer.Layer<ChatChannels> => {
  const secrets = Layer.succeed(InboundSecrets, {
    signing: secret(messaging.appSecret),
    verification: secret(messaging.verifyToken)
  })
  const { channels = [], platform } = messaging
  const given = platform === undefined ? channels : [platform, ...channels]
  const opened = Effect.forEach(given, (provider) =>
    Effect.map(Layer.build(Layer.provide(layerOf(provider), secrets)), (context) => Context.get(context, ChatChannel))
  )
  return Layer.effect(
    ChatChannels,
    Effect.flatMap(opened, (all) => {
      const kinds = all.map(({ kind }) => kind)
      const twice = kinds.find((kind, nth) => kinds.indexOf(kind) !== nth)
      return twice === undefined
        ? Effect.succeed(makeChatChannels(all))
        : Effect.die(new Error(`messaging.channels: there are two channels of the kind "${twice}"`))
    })
  )
}
