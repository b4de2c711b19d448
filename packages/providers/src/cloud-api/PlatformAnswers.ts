/** Reads answers of the platform: the needed fields must be there, and no other may get in the way. */
import { type Instant, isObject, type JsonObject, type Sent } from "@trunkline/core/provider"
import * as Schema from "effect/Schema"
import type { WireAnswer } from "../chat/ChannelWire.ts"
import { jsonIn, retryAfterSeconds, textIn } from "../http/index.ts"

/**
 * The platform refused, and said so: nothing was sent. `body` is its own answer, for callers that get errors in its shape; none of
 * it is logged. `code` is null where it named none.
 */
export class PlatformRefused extends Schema.TaggedError<PlatformRefused>()("PlatformRefused", {
  httpStatus: Schema.Int,
  code: Schema.NullOr(Schema.Int),
  message: Schema.String,
  details: Schema.NullOr(Schema.String),
  /** As the platform said it; null where it did not. */
  retryAfterSeconds: Schema.NullOr(Schema.Int),
  body: Schema.Unknown,
  /** True where the adapter refused by itself, and asked nobody. */
  isLocal: Schema.optionalKey(Schema.Boolean)
}) {}

export const isSuccess = ({ status }: Pick<WireAnswer, "status">): boolean => status >= 200 && status < 300

/** The object that an answer's body is; undefined for everything else. */
export const objectIn = (text: string): JsonObject | undefined => asObject(jsonIn(text))

const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

const firstOf = (list: unknown): JsonObject => (Array.isArray(list) ? asObject(list[0]) : undefined) ?? {}

export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** Ids are texts; some servers write those that have digits alone as numbers. */
export const idOf = (value: unknown): string | null => (Number.isSafeInteger(value) ? String(value) : textOf(value))

/** An accepted message has an id. Undefined where the answer has none. */
export const acceptedIn = (answer: JsonObject): Sent | undefined => {
  const message = firstOf(answer.messages)
  const id = idOf(message.id)
  if (id === null) return undefined
  const { input, user_id, wa_id } = firstOf(answer.contacts)
  const [phone, userRef] = [textOf(wa_id), textOf(user_id)]
  const recipient = textOf(input) ?? phone ?? userRef
  const messageStatus = textOf(message.message_status)
  return {
    id,
    contact: recipient === null ? null : { input: recipient, phone, userRef },
    ...(messageStatus === null ? {} : { messageStatus })
  }
}

/** A page of a list, and where the next one begins; null where this is the last one. Undefined where it is none. */
export const pageIn = ({
  data,
  paging
}: JsonObject): { readonly data: ReadonlyArray<unknown>; readonly after: string | null } | undefined => {
  if (!Array.isArray(data)) return undefined
  const { cursors, next } = asObject(paging) ?? {}
  return { data, after: textOf(next) === null ? null : textOf(asObject(cursors)?.after) }
}

/** Below it a token could be a part of any word. */
const minTokenLength = 8

const isFound = "[token]"

/** The platform repeats tokens, in complaints about them and in addresses of further pages: no answer is passed on with one. */
export const withoutToken = (text: string, token: string): string =>
  token.length < minTokenLength
    ? text
    : [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)].reduce(
        (clean, form) => clean.replaceAll(form, isFound),
        text
      )

/** The answer refuses: its status is none of success. `at` is now. */
export const refusalOf = (answer: WireAnswer, token: string, at: Instant.Instant): PlatformRefused => {
  const { body, retryAfter, status } = answer
  const said = typeof body === "string" ? undefined : objectIn(withoutToken(textIn(body), token))
  const { code, error_data, message } = asObject(said?.error) ?? {}
  return new PlatformRefused({
    httpStatus: status,
    code: Number.isSafeInteger(code) ? (code as number) : null, // a safe integer is a number
    message: textOf(message) ?? `The platform answered ${status}.`,
    details: textOf(asObject(error_data)?.details),
    retryAfterSeconds: waitOf(retryAfter, at),
    body: said ?? null
  })
}

/** A refusal that the platform need not be asked for, in its own shape. */
export const refusedHere = (httpStatus: number, code: number, message: string): PlatformRefused =>
  new PlatformRefused({
    httpStatus,
    code,
    message,
    details: null,
    retryAfterSeconds: null,
    body: { error: { message, type: "OAuthException", code } },
    isLocal: true
  })

const maxRetrySeconds = 2 ** 31

/** Seconds to wait; null where the platform did not say. */
const waitOf = (header: string | null, at: Instant.Instant): number | null => {
  const seconds = retryAfterSeconds(header, at)
  return seconds === null ? null : Math.min(maxRetrySeconds, seconds)
}
