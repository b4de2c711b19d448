/** What the operator decides about calls. */
import * as Context from "effect/Context"
import type { Bot } from "../../agents/bots/index.ts"
import type { Money } from "../../platform/billing/index.ts"
import type { Call } from "./Call.ts"
import type { Answer } from "./Carrier.ts"

/** `standard`: an agent where one can be served, else `say`. Source: docs/reference/telephony.md#answer. */
export type AnswerPolicy =
  | { readonly kind: "standard" }
  | { readonly kind: "agent" }
  | { readonly kind: "say" }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "stream"; readonly url: string }
  | { readonly kind: "host"; readonly onAnswer: (call: Call, bot: Bot | null) => Answer }

export interface TelephonySettings {
  readonly creditsPerMinute: Money.Nano
  readonly answer: AnswerPolicy
}

export const TelephonySettings = Context.Reference<TelephonySettings>(
  "@trunkline/core/calling/calls/TelephonySettings",
  {
    defaultValue: () => ({ creditsPerMinute: 1_000_000_000n, answer: { kind: "standard" } })
  }
)

/** What an agent needs to answer a call. */
export interface AgentMeans {
  /** The carrier can connect the sound of a call. */
  readonly hasMedia: boolean
  /** Whether the models of the call's bot can be had. */
  readonly mayAnswer: boolean
}

/** The words without an agent that has a greeting: a person who answers must hear something. */
const unnamed = "Hello."

/** True of an agent that can hold a conversation. Source: docs/reference/voice-agent.md#telephone. */
const canConverse = (bot: Bot | null): bot is Bot =>
  bot?.isActive === true && bot.systemPrompt !== null && bot.systemPrompt.trim() !== ""

/** What the callee hears. An agent that cannot converse is spoken for by the carrier. Pure. */
export const answerFor = (policy: AnswerPolicy, call: Call, bot: Bot | null, means: AgentMeans): Answer => {
  const answer = wanted(policy, call, bot, means)
  return answer._tag === "Agent" && !(means.hasMedia && canConverse(bot)) ? spoken(bot) : answer
}

/** Whether an agent is going to answer the calls of a bot. Of a host's own answers nobody knows before they are asked for. */
export const expectsAgent = (policy: AnswerPolicy, bot: Bot | null, { hasMedia, mayAnswer }: AgentMeans): boolean =>
  hasMedia && canConverse(bot) && (policy.kind === "agent" || (policy.kind === "standard" && mayAnswer))

const wanted = (policy: AnswerPolicy, call: Call, bot: Bot | null, { mayAnswer }: AgentMeans): Answer => {
  switch (policy.kind) {
    case "host":
      return policy.onAnswer(call, bot)
    case "agent":
      return { _tag: "Agent" }
    case "standard":
      return bot !== null && mayAnswer ? { _tag: "Agent" } : spoken(bot)
    case "url":
      return { _tag: "Url", url: withIds(policy.url, call) }
    case "stream":
      return { _tag: "Stream", url: withIds(policy.url, call) }
    case "say":
      return spoken(bot)
  }
}

/** The bot's greeting, else its name, in the carrier's voice. */
export const spoken = (bot: Bot | null): Answer => {
  const { greeting, language } = bot?.config ?? {}
  const text = typeof greeting === "string" && greeting.trim() !== "" ? greeting : (bot?.name ?? unnamed)
  return { _tag: "Say", text, language: typeof language === "string" ? language : null }
}

const withIds = (url: string, call: Call): string => {
  const target = new URL(url)
  target.searchParams.set("call_id", call.id)
  if (call.botId !== null) target.searchParams.set("bot_id", call.botId)
  return target.toString()
}
