/** How many seconds of audio are billed. Pure. Source: docs/reference/metering.md#duration. */
import type { Prices } from "../../platform/billing/index.ts"
import type { Model } from "../catalogue/Model.ts"
import type { SpeechAnswer } from "../upstreams/SpeechWork.ts"

/** Started seconds. Lengths in floating point are off by less than a microsecond. */
export const billedSeconds = (seconds: number): number => Math.max(1, Math.ceil(Math.round(seconds * 1e6) / 1e6))

/** Seconds by the upstream's own measurement, for audio that we cannot measure; null without a usable one. */
export const measuredSeconds = ({ seconds }: Pick<SpeechAnswer, "seconds">): number | null =>
  seconds === null || !Number.isFinite(seconds) || seconds < 0 ? null : billedSeconds(seconds)

/** No codec for speech that is in use has fewer bytes for a second. */
const minBytesPerSecond = 500

/** The maximum length of audio of unknown length. */
export const maxSeconds = (size: number, { limits }: Pick<Model, "limits">): number =>
  Math.min(limits.seconds ?? Number.POSITIVE_INFINITY, Math.ceil(size / minBytesPerSecond))

export const secondsOf = (amount: Prices.Amount): number => (amount.unit === "seconds" ? amount.seconds : 0)
