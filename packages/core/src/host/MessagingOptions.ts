/** What a host decides about the chat channel, as the room knows it. Its options have passed OptionsCheck.ts. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import {
  ChatPlatform,
  MessagingSettings,
  PlatformConfigured,
  PlatformUnreachable,
  standardReply
} from "../messaging/index.ts"
import type { TrunklineOptions } from "./Options.ts"

const secret = (text: string | undefined): Redacted.Redacted | null =>
  text === undefined || text === "" ? null : Redacted.make(text)

export const messagingSettings = ({ messaging = {} }: TrunklineOptions) =>
  Layer.succeed(MessagingSettings, {
    appSecret: secret(messaging.appSecret),
    verifyToken: secret(messaging.verifyToken),
    checksBusinessAccount: messaging.checkBusinessAccount ?? false,
    reply: {
      quietMs: messaging.reply?.quietMs ?? standardReply.quietMs,
      maxWaitMs: messaging.reply?.maxWaitMs ?? standardReply.maxWaitMs,
      places: messaging.reply?.places ?? standardReply.places
    }
  })

const missing = Effect.fail(
  new PlatformUnreachable({
    isCertain: true,
    detail: "This installation has no chat platform: its operator must pass `messaging.platform` when it starts."
  })
)

/** Stands where a host has passed no chat platform: nothing is sent, and whoever tries is told why. */
const noPlatform = Layer.succeed(ChatPlatform, {
  send: () => missing,
  markRead: () => missing,
  subscribe: () => missing,
  upload: () => missing,
  mediaInfo: () => missing,
  media: () => missing,
  templates: () => missing,
  createTemplate: () => missing,
  longestMs: 0
})

export const chatPlatform = ({ messaging }: TrunklineOptions): Layer.Layer<ChatPlatform> =>
  (messaging?.platform?.layer as Layer.Layer<ChatPlatform> | undefined) ??
  Layer.merge(noPlatform, Layer.succeed(PlatformConfigured, false))
