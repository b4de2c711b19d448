/** Reads what a host decides about the chat channel; what cannot be used fails the start. */
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
import { TrunklineError } from "./TrunklineError.ts"

const whole = (name: string, value: number, least: number): number => {
  if (Number.isInteger(value) && value >= least) return value
  throw new TrunklineError(
    "messaging_refused",
    500,
    `messaging.reply.${name} must be a whole number of at least ${least}; it is ${value}`
  )
}

const secret = (text: string | undefined): Redacted.Redacted | null =>
  text === undefined || text === "" ? null : Redacted.make(text)

const settings = ({ messaging = {} }: TrunklineOptions): MessagingSettings["Service"] => {
  const { maxWaitMs, places, quietMs } = { ...standardReply, ...messaging.reply }
  return {
    appSecret: secret(messaging.appSecret),
    verifyToken: secret(messaging.verifyToken),
    checksBusinessAccount: messaging.checkBusinessAccount ?? false,
    reply: {
      quietMs: whole("quietMs", quietMs, 0),
      maxWaitMs: whole("maxWaitMs", maxWaitMs, 0),
      places: whole("places", places, 1)
    }
  }
}

export const messagingSettings = (options: TrunklineOptions) =>
  Layer.effect(
    MessagingSettings,
    Effect.sync(() => settings(options))
  )

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
