/** What an upstream's refusal means, for every vendor: the status, and the code that its body names. Source: docs/reference/upstreams.md#failures. */
import type { Instant, UpstreamWhy } from "@trunkline/core/provider"
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
  /** The field of the request that is refused, where one is named. */
  readonly param: string | null
}

/** Codes that blame our key, our account, its quota or its payment. A monthly quota is none of the caller's. */
const ofTheOperator =
  /api_?key|auth|quota|billing|payment|credit|balance|budget|funds|account|deactivated|subscription|permission|forbidden/i

/** Codes of throttling, which passes by itself. */
const ofThrottling = /rate|too_many|throttl|concurren|overload|slow_down/i

/** What servers say that have no codes. More general words stand in sentences about throttling, too. */
const spentInWords = /exceeded your current quota|insufficient (quota|credits?|balance|funds)|out of credits/i

/** The same under a code that blames the request. More general words may be the caller's own, which some servers repeat. */
const spentInRefusal = /^(Your credit balance is too low|You exceeded your current quota)/i

const ofContext = /context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_context/i

const contextInWords =
  /prompt is too long|(maximum|available|model's) context (length|size|window)|exceeds? (the )?(model's )?context/i

/** Codes of a prompt that nobody works on for what it says. */
const ofContentPolicy = /content_?policy|moderation_blocked|content_?filter|ResponsibleAIPolicyViolation/i

/** Codes of what a request is to blame for, where no status says so. */
const ofTheRequest =
  /invalid|bad_?request|unsupported|unprocessable|missing_|content_(policy|filter)|moderation_blocked/i

/** The answer refuses: its status is not one of success. `at` is now, and `secret` our key, which no detail may repeat. */
export const refusal = (answer: WireAnswer, at: Instant.Instant, secret: string | null): Refusal => {
  const said = saidIn(jsonIn(answer.body))
  const read = readRefusal(answer.status, said, secret)
  return {
    ...read,
    detail: `answered ${answer.status}${read.detail}`,
    retryAfterSeconds: read.why === "throttled" || read.why === "failed" ? waitOf(answer.retryAfter, at) : null
  }
}

/** An error that stands in the place of an answer or of an event, where the status is one of success. */
export const reportedError = (json: unknown, secret: string | null): Refusal => {
  const said = saidIn(json)
  const read = readRefusal(statusIn(json) ?? statusBy(said), said, secret)
  return { ...read, detail: `reported an error${read.detail === "" ? "" : `:${read.detail}`}`, retryAfterSeconds: null }
}

const readRefusal = (status: number, said: Said, secret: string | null): Omit<Refusal, "retryAfterSeconds"> => {
  const why = whyOf(status, said)
  const code = said.codes.find((one) => isShowable(one, secret))
  const isOfInput = why === "refused_input" || why === "content_policy" || why === "context_too_long"
  return {
    why,
    detail: code === undefined ? "" : ` ${code}`,
    param: isOfInput && said.param !== null && isField(said.param, secret) ? said.param : null
  }
}

const whyOf = (status: number, said: Said): UpstreamWhy => {
  const { message } = said
  const names = (pattern: RegExp) => said.codes.some((code) => pattern.test(code))
  if (status < 400 || status > 599) return "wrong_route"
  if (status >= 500) return status === 503 && names(ofThrottling) ? "throttled" : "failed"
  if (status === 401 || status === 402 || status === 403 || names(ofTheOperator)) return "operator"
  if (status === 429) return !names(ofThrottling) && spentInWords.test(message) ? "operator" : "throttled"
  if (status === 413) return "too_large"
  // The route is wrong, not the file.
  if (status === 400 && names(/^model_not_found$/)) return "wrong_route"
  if (status === 400 || status === 415 || status === 422) {
    if (spentInRefusal.test(message)) return "operator"
    if (names(ofContentPolicy)) return "content_policy"
    return isOfContext(said) ? "context_too_long" : "refused_input"
  }
  if (status === 404) return "not_found"
  return status === 408 ? "timeout" : "wrong_route"
}

const isOfContext = ({ codes, message }: Said): boolean =>
  codes.some((code) => ofContext.test(code)) || contextInWords.test(message)

/** The status as which an error would have been answered that has codes alone. */
const statusBy = (said: Said): number => {
  const names = (pattern: RegExp) => said.codes.some((code) => pattern.test(code))
  if (names(/^overloaded/i)) return 529
  if (names(ofTheOperator)) return 403
  if (names(/rate_?limit|too_many|throttl|concurren|slow_down/i)) return 429
  if (names(/too_large/i)) return 413
  return isOfContext(said) || names(ofTheRequest) || spentInRefusal.test(said.message) ? 400 : 500
}

/** Some servers write the status as the code. */
const statusIn = (json: unknown): number | null => {
  const outer = record(json)
  const { code, status } = record(outer.error)
  const found = [code, status, outer.code].find((one) => /^[45]\d\d$/.test(String(one)))
  return found === undefined ? null : Number(found)
}

/** The text of a refusal: it is recognised, and never shown, because it is the vendor's. */
export const sentenceOf = ({ body }: WireAnswer): string => saidIn(jsonIn(body)).message

/** The names by which an error calls its cause, the most exact first, the sentence beside them, and the field. */
interface Said {
  readonly codes: ReadonlyArray<string>
  readonly message: string
  readonly param: string | null
}

/** In all the shapes of errors. */
const saidIn = (json: unknown): Said => {
  const outer = record(json)
  const inner = record(outer.error ?? outer.detail)
  const codes = [inner.code, inner.type, outer.err_code, outer.category, outer.code, outer.error, outer.type]
  const message = [inner.message, outer.err_msg, outer.message, outer.detail, outer.error].find(
    (one) => typeof one === "string"
  )
  return {
    // The type of a body that is an error is that.
    codes: codes.filter((one) => typeof one === "string").filter((one) => one !== "error"),
    message: message ?? "",
    param: [inner.param, outer.param].find((one) => typeof one === "string") ?? null
  }
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

/** Words joined by underscores, hyphens or dots: no sentence, no address, no token, and no part of our key. */
const isShowable = (code: string, secret: string | null): boolean =>
  code.length <= 48 && /^[a-z]+([._-][a-z]+)*$/i.test(code) && !isOfKey(code, secret)

/** A path of names and numbers, such as `messages.[0].content`. */
const isField = (param: string, secret: string | null): boolean =>
  param.length <= 64 && /^[a-z_]\w*(\.?\[\w+\]|\.\w+)*$/i.test(param) && !isOfKey(param, secret)

const isOfKey = (text: string, secret: string | null): boolean =>
  secret !== null && (secret.includes(text) || text.includes(secret))

/** Seconds to wait, within a second and an hour; null where nothing usable is said. */
const waitOf = (header: string | null, at: Instant.Instant): number | null => {
  const seconds = retryAfterSeconds(header, at)
  return seconds === null ? null : Math.min(3600, Math.max(1, seconds))
}
