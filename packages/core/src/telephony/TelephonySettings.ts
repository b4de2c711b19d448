/** What the operator decides about calls. */
import * as Context from "effect/Context"
import type { Money } from "../billing/index.ts"
import type { Bot } from "../bots/index.ts"
import type { Call } from "./Call.ts"
import type { Answer } from "./Carrier.ts"

/** `say` lets the bot's greeting, else its name, be spoken. Source: docs/telephony.md#answer. */
export type AnswerPolicy =
  | { readonly kind: "say" }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "stream"; readonly url: string }
  | { readonly kind: "host"; readonly onAnswer: (call: Call, bot: Bot | null) => Answer }

export interface TelephonySettings {
  readonly creditsPerMinute: Money.Nano
  readonly answer: AnswerPolicy
}

export const TelephonySettings = Context.Reference<TelephonySettings>("@trunkline/core/telephony/TelephonySettings", {
  defaultValue: () => ({ creditsPerMinute: 1_000_000_000n, answer: { kind: "say" } })
})

/** What is spoken without an agent that has a greeting: a person who answers must hear something. */
const unnamed = "Hello."

/** What the callee hears. Pure. */
export const answerFor = (policy: AnswerPolicy, call: Call, bot: Bot | null): Answer => {
  switch (policy.kind) {
    case "host":
      return policy.onAnswer(call, bot)
    case "url":
      return { _tag: "Url", url: withIds(policy.url, call) }
    case "stream":
      return { _tag: "Stream", url: withIds(policy.url, call) }
    case "say": {
      const { greeting, language } = bot?.config ?? {}
      const text = typeof greeting === "string" && greeting.trim() !== "" ? greeting : (bot?.name ?? unnamed)
      return { _tag: "Say", text, language: typeof language === "string" ? language : null }
    }
  }
}

const withIds = (url: string, call: Call): string => {
  const target = new URL(url)
  target.searchParams.set("call_id", call.id)
  if (call.botId !== null) target.searchParams.set("bot_id", call.botId)
  return target.toString()
}
