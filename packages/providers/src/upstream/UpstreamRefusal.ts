/** What an upstream's refusal means, for every vendor: the status, and the code that its body names. Source: docs/upstreams.md#failures. */
import type { Instant, UpstreamWhy } from "@trunkline/core/effect"
import { jsonIn, retryAfterSeconds } from "../http/index.ts"

/** An answer as it came over the wire. Its text may be anything. */
export interface WireAnswer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: string
}

export interface Refusal {
  readonly why: UpstreamWhy
  /** For the operator's log: the status, and the code if it is one. */
  readonly detail: string
  readonly retryAfterSeconds: number | null
}

/** Codes that blame our key, our account, its quota or its payment. A monthly quota is none of the caller's. */
const ofTheOperator =
  /api_?key|auth|quota|billing|payment|credit|balance|budget|funds|account|deactivated|subscription|permission|forbidden/i

/** Codes of throttling, which passes by itself. */
const ofThrottling = /rate|too_many|throttl|concurren|overload|slow_down/i

/** What servers say that have no codes. More general words stand in sentences about throttling, too. */
const spentInWords = /exceeded your current quota|insufficient (quota|credits?|balance|funds)|out of credits/i

/** The answer refuses: its status is not one of success. `at` is now, and `secret` our key, which no detail may repeat. */
export const refusal = (answer: WireAnswer, at: Instant.Instant, secret: string | null): Refusal => {
  const { codes, message } = saidIn(answer.body)
  const why = whyOf(answer.status, codes, message)
  const code = codes.find((one) => isShowable(one, secret))
  return {
    why,
    detail: `answered ${answer.status}${code === undefined ? "" : ` ${code}`}`,
    retryAfterSeconds: why === "throttled" || why === "failed" ? waitOf(answer.retryAfter, at) : null
  }
}

const whyOf = (status: number, codes: ReadonlyArray<string>, message: string): UpstreamWhy => {
  const names = (pattern: RegExp) => codes.some((code) => pattern.test(code))
  if (status < 400 || status > 599) return "wrong_route"
  if (status >= 500) return status === 503 && names(ofThrottling) ? "throttled" : "failed"
  if (status === 401 || status === 402 || status === 403 || names(ofTheOperator)) return "operator"
  if (status === 429) return !names(ofThrottling) && spentInWords.test(message) ? "operator" : "throttled"
  if (status === 413) return "too_large"
  if (status === 400 && names(/^model_not_found$/)) return "wrong_route"
  if (status === 400 || status === 415 || status === 422) return "refused_input"
  return status === 408 ? "timeout" : "wrong_route"
}

/** The text of a refusal: it is recognised, and never shown, because it is the vendor's. */
export const sentenceOf = ({ body }: WireAnswer): string => saidIn(body).message

/** The names by which all the shapes of errors call their cause, the most exact first, and the sentence beside them. */
const saidIn = (body: string): { readonly codes: ReadonlyArray<string>; readonly message: string } => {
  const outer = record(jsonIn(body))
  const inner = record(outer.error ?? outer.detail)
  const codes = [inner.code, inner.type, outer.err_code, outer.category, outer.code, outer.error]
  const message = [inner.message, outer.err_msg, outer.message, outer.detail, outer.error].find(
    (one) => typeof one === "string"
  )
  return { codes: codes.filter((one) => typeof one === "string"), message: message ?? "" }
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

/** Words joined by underscores, hyphens or dots: no sentence, no address, no token, and no part of our key. */
const isShowable = (code: string, secret: string | null): boolean =>
  code.length <= 48 &&
  /^[a-z]+([._-][a-z]+)*$/i.test(code) &&
  !(secret !== null && (secret.includes(code) || code.includes(secret)))

/** Seconds to wait, within a second and an hour; null where nothing usable is said. */
const waitOf = (header: string | null, at: Instant.Instant): number | null => {
  const seconds = retryAfterSeconds(header, at)
  return seconds === null ? null : Math.min(3600, Math.max(1, seconds))
}
