/** What a host decides about its chat channels, as the rooms know it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { effective, layerOf } from "../platform/settings/index.ts"
import { ChatChannel, ChatChannels, InboundSecrets, makeChatChannels } from "./channels/index.ts"
import { type MessagingOptions, settings } from "./MessagingOptions.ts"
import { MessagingSettings } from "./MessagingSettings.ts"
import { CampaignRules } from "./template-campaigns/index.ts"

export type ChannelLayer = Layer.Layer<ChatChannel>

/** A path follows it. */
const withoutSlash = (address: string): string => (address.endsWith("/") ? address.slice(0, -1) : address)

const secret = (text: string | undefined): Redacted.Redacted | null =>
  text === undefined || text === "" ? null : Redacted.make(text)

/** The host's channels; the first one is the standard channel. Two of one kind are a fault of the host's. */
const chatChannels = ({ messaging = {} }: MessagingOptions): Layer.Layer<ChatChannels> => {
  const secrets = Layer.succeed(InboundSecrets, {
    signing: secret(messaging.appSecret),
    verification: secret(messaging.verifyToken)
  })
  const { channels = [], platform } = messaging
  const given = platform === undefined ? channels : [platform, ...channels]
  const opened = Effect.forEach(given, (provider) =>
    Effect.map(Layer.build(Layer.provide(layerOf<ChannelLayer>(provider), secrets)), (context) =>
      Context.get(context, ChatChannel)
    )
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

export const configured = (options: MessagingOptions) => {
  const { campaigns, checkBusinessAccount, publicUrl, rates, ratesCurrency, reply } = effective(
    settings,
    options
  ).messaging
  const { maxWaitMs, places, quietMs } = reply
  return Layer.mergeAll(
    Layer.succeed(CampaignRules, { ...campaigns, rates, ratesCurrency }),
    Layer.succeed(MessagingSettings, {
      checksBusinessAccount: checkBusinessAccount,
      publicUrl: publicUrl === undefined ? null : withoutSlash(publicUrl),
      reply: { quietMs, maxWaitMs, concurrency: places }
    }),
    chatChannels(options)
  )
}
