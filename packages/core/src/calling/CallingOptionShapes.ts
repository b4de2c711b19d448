/** What a host gives for the options of CallingOptions.ts, from which OptionShapes.test.ts makes it. */
import type { Bot } from "../agents/bots/index.ts"
import type { ConfiguredAnswer, TelephonyProvider } from "./CallingOptions.ts"
import type { Answer, Call } from "./calls/index.ts"

export interface CallingOptionShapes {
  /** Who places calls. Without it everything but calling works. Source: docs/reference/telephony.md#none. */
  readonly telephony?: TelephonyProvider
  /** What the callee hears. Without it the agent itself answers where it can be served, else its greeting is spoken. Source: docs/reference/telephony.md#answer. */
  readonly answer?: ConfiguredAnswer
  /** Decides for each call what is heard, instead of `answer`. */
  readonly onAnswer?: (call: Call, bot: Bot | null) => Answer
  readonly pricing?: {
    /** The credits of each started minute of an answered call. It is a number of credits from 0 to 999999999, with up to nine decimal places. Default 1. Source: docs/reference/credits.md#price. */
    readonly callCreditsPerMinute?: number
  }
  readonly workers?: {
    /** Whether `start` dials: it places calls, settles them and starts scheduled campaigns. A process that only answers requests turns it off. Default true. */
    readonly dialer?: boolean
  }
  readonly retention?: {
    /** The days for which calls that have ended are kept at least; null keeps them for ever. It is a whole number from 31 to 36500. Default null. Source: docs/reference/storage.md#retention. */
    readonly callsDays?: number | null
  }
}
