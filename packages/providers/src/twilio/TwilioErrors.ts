/** What Twilio's refusals mean to a dialer. The tables are the rules: one row for a code that means something of its own. */
import { CallRefused, CarrierSilent, type Failure, type Instant } from "@trunkline/core/provider"
import { jsonIn, retryAfterMs } from "../http/index.ts"

export type Reason = CallRefused["reason"]

/** Error codes, in requests and in callbacks. Source: docs/reference/telephony.md#twilio-errors. */
const meanings: Readonly<Record<number, readonly [Reason, string]>> = {
  10004: ["throttled", "too many calls at once for this account"],
  13214: ["configuration", "the caller number is not valid"],
  13224: ["invalid_number", "the number is not valid or not supported"],
  13226: ["invalid_number", "the country code is not valid"],
  20003: ["configuration", "the account's credentials were refused"],
  20404: ["configuration", "the account or the base URL is unknown"],
  20429: ["throttled", "too many requests"],
  21205: ["configuration", "an address given with the call is not valid"],
  21210: ["configuration", "the caller number is not a verified number of the account"],
  21211: ["invalid_number", "the number is not valid"],
  21212: ["configuration", "the caller number is not valid"],
  21213: ["configuration", "a caller number is required"],
  21214: ["invalid_number", "the number cannot be reached"],
  21215: ["configuration", "the account may not call this country"],
  21216: ["blocked_number", "the number is blocked by the carrier"],
  21217: ["invalid_number", "the number does not appear to be valid"],
  22005: ["throttled", "the account's call queue is full"]
}

/** What a status means when the code of the error means nothing of its own. Everything else in 4xx is `rejected`. */
const statuses: Readonly<Record<number, readonly [Reason, string]>> = {
  401: ["configuration", "the account's credentials were refused"],
  403: ["configuration", "the account may not do this"],
  404: ["configuration", "the account or the base URL is unknown"],
  429: ["throttled", "too many requests"]
}

/** An answer as it came over the wire. Its text may be anything. */
export interface WireAnswer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: string
}

/**
 * What it means that a call was not taken. Only a plain refusal proves that there is no call; after a server's error,
 * a redirect or an answer that cannot be read nobody knows. `at` is now.
 */
export const refusal = (answer: WireAnswer, at: Instant.Instant): CallRefused | CarrierSilent => {
  if (answer.status < 400 || answer.status > 499) return new CarrierSilent({ detail: `answered ${answer.status}` })
  const { code, message } = errorOf(answer.body)
  // A request that timed out may still be at work; the provider does not say at which end.
  if (answer.status === 408) return new CarrierSilent({ detail: "answered 408" })
  const known = answer.status === 429 ? statuses[429] : (meanings[code ?? 0] ?? statuses[answer.status])
  const [reason, words] = known ?? (["rejected", message] as const)
  return new CallRefused({
    reason,
    detail: `${words} (${code === null ? `status ${answer.status}` : `error ${code}`})`,
    retryAfterMs: reason === "throttled" ? retryAfterMs(answer.retryAfter, at) : null
  })
}

/** Why a call failed that the provider had taken. SIP says of a number that it does not exist; the rest is trouble on the way. */
export const failureOf = (code: number | null, sip: number | null): Failure => {
  const reason = meanings[code ?? 0]?.[0]
  if (reason === "invalid_number" || reason === "blocked_number") return reason
  return sip === 404 || sip === 484 || sip === 604 ? "invalid_number" : "provider_error"
}

interface ErrorBody {
  readonly code: number | null
  readonly message: string
}

/** The code and the words of an error. Foreign words are cut short and kept to one line. */
const errorOf = (body: string): ErrorBody => {
  const parsed = jsonIn(body)
  if (typeof parsed !== "object" || parsed === null) return { code: null, message: "no reason given" }
  const code = "code" in parsed && typeof parsed.code === "number" ? parsed.code : null
  const message = "message" in parsed && typeof parsed.message === "string" ? parsed.message : "no reason given"
  return { code, message: message.replace(/[\p{Cc}\s]+/gu, " ").slice(0, 200) }
}
