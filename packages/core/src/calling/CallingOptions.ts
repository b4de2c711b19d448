/** What a host decides about calls. Pure. */
import type { Bot } from "../agents/bots/index.ts"
import { type LayerProvider, provider, type SettingFault, Settings } from "../platform/settings/index.ts"
import { retentionDays } from "../platform/storage/index.ts"
import type { Answer, AnswerPolicy, Call } from "./calls/index.ts"

/** Made by a provider package: `simulator()`, `twilio({ … })`. */
export interface TelephonyProvider extends LayerProvider<"telephony"> {}

const { credits, entry, flag, fn, oneOf, required, section, standard, url, whole } = Settings

/** What a host may say once for all calls. */
export type ConfiguredAnswer = Extract<AnswerPolicy, { readonly kind: "say" | "agent" | "url" | "stream" }>

const answer = Settings.typed<ConfiguredAnswer>(
  entry({
    /** What answers: `say` speaks the agent's greeting, `agent` connects the agent, `url` asks a program, and `stream` connects the sound. */
    kind: required(oneOf("say", "agent", "url", "stream")),
    /** The address that the kinds `url` (http or https) and `stream` (wss) need. */
    url: url("http", "https", "wss")
  })
)

export const settings = {
  /** Who places calls. Without it everything but calling works. Source: docs/reference/telephony.md#none. */
  telephony: provider<TelephonyProvider>(
    "telephony",
    "a provider such as twilio({ … }) or simulator() of @trunkline/providers"
  ),
  /** What the callee hears. Without it the agent itself answers where it can be served, else its greeting is spoken. Source: docs/reference/telephony.md#answer. */
  answer,
  /** Decides for each call what is heard, instead of `answer`. */
  onAnswer: fn<(call: Call, bot: Bot | null) => Answer>(),
  pricing: section({
    /** The credits of each started minute of an answered call. Default 1. Source: docs/reference/credits.md#price. */
    callCreditsPerMinute: standard(credits, 1)
  }),
  workers: section({
    /** Whether `start` dials: it places calls, settles them and starts scheduled campaigns. Default true. A process that only answers requests turns it off. */
    dialer: flag(true)
  }),
  retention: section({
    /** The days for which calls that have ended are kept at least; null keeps them for ever. Default null. Source: docs/reference/storage.md#retention. */
    callsDays: whole({ min: retentionDays.min.calls, max: retentionDays.max, default: null, orNull: true })
  })
}

type Options = Settings.ValuesOf<typeof settings>

const schemes = { url: ["https:", "http:"], stream: ["wss:"] }

const answerFault = (given: { readonly kind: string; readonly url?: string }): string | null => {
  const { kind, url } = given
  if (kind !== "url" && kind !== "stream")
    return url === undefined ? null : 'goes with the kind "url" or "stream" alone: remove it'
  const right = schemes[kind]
  return url !== undefined && right.includes(new URL(url).protocol)
    ? null
    : `must be a URL that begins with ${right.join("// or ")}//, for the kind "${kind}"`
}

/** What must hold of several options together, by the section in which it is reported. */
export const rules = {
  answer: ({ answer }: Options): ReadonlyArray<SettingFault> => {
    const fault = answer === undefined ? null : answerFault(answer)
    return fault === null ? [] : [{ path: ["answer", "url"], message: fault }]
  },
  workers: ({ telephony, workers }: Options): ReadonlyArray<SettingFault> =>
    workers?.dialer === true && telephony === undefined
      ? [{ path: ["workers", "dialer"], message: "finds nothing to dial with: pass `telephony`, or leave it out" }]
      : []
}
