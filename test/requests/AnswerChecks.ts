/** What must be so of every answer, whatever was sent. Pure, but for the validators that it keeps. */
import { contractOf } from "@trunkline/testing/contract"
import type { Json } from "./Description.ts"
import type { Generated, Outcome } from "./Requests.ts"

export interface Problem {
  /** What is wrong, without what differs between requests. */
  readonly cause: string
  readonly detail: string
}

export interface Marks {
  /** What only the second tenant may see. */
  readonly others: ReadonlyArray<string>
  /** What nobody may see. */
  readonly secrets: ReadonlyArray<string>
}

const shown = (text: string): string =>
  text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text

/** An error is a sentence, or a hundred of them. */
const maxErrorBytes = 256 * 1024

const isJsonError = ({ headers, status }: Outcome): boolean =>
  status >= 400 && String(headers["content-type"] ?? "").startsWith("application/json")

const stack = /(?:\n|\\n)\s+at .{1,200}:\d+:\d+|node_modules\/|file:\/\/\/|\/packages\/[a-z-]+\/src\//

const targetOf = ({ request }: Generated): string =>
  request.via === "raw"
    ? (/^\S+ (\S+)/.exec(
        request.steps
          .find((step) => typeof step !== "number")
          ?.subarray(0, 2000)
          .toString() ?? ""
      )?.[1] ?? "")
    : request.target

const sentText = ({ request }: Generated): string =>
  request.via === "http"
    ? `${request.target}${request.body?.subarray(0, 100_000).toString() ?? ""}`
    : JSON.stringify(request)

const leaks = (
  generated: Generated,
  { headers, text }: Outcome,
  { others, secrets }: Marks
): ReadonlyArray<Problem> => {
  const answer = `${JSON.stringify(headers)}${text}`
  const found = (marks: ReadonlyArray<string>) =>
    marks.filter((mark) => answer.includes(mark) && !sentText(generated).includes(mark))
  return [
    ...found(others).map((mark) => ({ cause: "an answer contains something of the second tenant", detail: mark })),
    ...found(secrets).map((mark) => ({ cause: "an answer contains a secret", detail: mark })),
    ...(stack.test(answer) ? [{ cause: "an answer contains a stack trace or a path", detail: shown(text) }] : [])
  ]
}

/** The form that errors of a family of paths have. */
const envelope = (target: string, body: unknown): boolean => {
  const { detail, error } = (body ?? {}) as { readonly detail?: unknown; readonly error?: unknown }
  const path = target.split("?")[0]!
  if (/^\/(openai\/)?v1(\/|$)/.test(path)) return typeof (error as Json | undefined)?.message === "string"
  if (/^\/api\/v1\/messaging\/[^/]+\/(.+\/)?messages$/.test(path) && error !== undefined)
    return typeof (error as Json).message === "string"
  if (path.startsWith("/api/v1/")) return typeof detail === "string" || Array.isArray(detail) || hasReason(detail)
  return true
}

/** Refusals of the email surface name their reason beside the sentence. */
const hasReason = (detail: unknown): boolean =>
  typeof (detail as Json | undefined)?.reason === "string" && typeof (detail as Json).error === "string"

const enveloped = (generated: Generated, outcome: Outcome): ReadonlyArray<Problem> => {
  const { request } = generated
  const isHead = request.via === "http" && request.method === "HEAD"
  if (isHead || !isJsonError(outcome) || outcome.bytes !== Buffer.byteLength(outcome.text)) return []
  try {
    if (envelope(targetOf(generated), JSON.parse(outcome.text))) return []
  } catch {
    // Told below.
  }
  return [{ cause: "an error is not in the form of its family", detail: shown(outcome.text) }]
}

const described = (generated: Generated, outcome: Outcome, document: Json): ReadonlyArray<Problem> => {
  const { request } = generated
  if (request.via !== "http" || outcome.bytes !== Buffer.byteLength(outcome.text)) return []
  try {
    const sent = request.json === undefined ? {} : { json: request.json }
    contractOf(document).check(request.method, request.target, sent, {
      ...outcome,
      text: outcome.text
    } as never)
    return []
  } catch (error) {
    const text = String(error instanceof Error ? error.message : error)
    if (text.includes("the contract has no path for")) return []
    return [
      {
        cause: `not as described: ${outcome.status}`,
        detail: text.length > 1500 ? `${text.slice(0, 700)} … ${text.slice(-700)}` : text
      }
    ]
  }
}

const wrongStatus = (generated: Generated, { ms, status, text }: Outcome): ReadonlyArray<Problem> => {
  const { fails = [], request, right } = generated
  const detail = shown(text)
  if (status === 0) {
    const isLarge =
      request.via === "http" && (request.body?.length ?? 0) > 60_000 && /EPIPE|ECONNRESET|socket hang up/.test(text)
    // Who is refused while he still sends may not see the answer. An answer that nobody reads has none.
    if (isLarge || right?.includes(0) === true || (request.via === "raw" && right === undefined)) return []
    return [{ cause: "no answer", detail: `${detail} after ${Math.round(ms)} ms` }]
  }
  if (status >= 500 && !fails.includes(status)) return [{ cause: `status ${status}`, detail }]
  const isRight = right === undefined || right.includes(status) || fails.includes(status)
  return isRight ? [] : [{ cause: `status ${status}, where ${right.join(", ")} is right`, detail }]
}

export const problemsOf = (
  generated: Generated,
  outcome: Outcome,
  document: Json,
  marks: Marks
): ReadonlyArray<Problem> => {
  const wrong = wrongStatus(generated, outcome)
  if (outcome.status === 0) return wrong
  const { bytes, headers, status } = outcome
  return [
    ...wrong,
    ...(wrong.length === 0 ? described(generated, outcome, document) : []),
    ...leaks(generated, outcome, marks),
    ...enveloped(generated, outcome),
    ...(headers["x-request-id"] === undefined && status !== 101
      ? [{ cause: `an answer ${status} without X-Request-Id`, detail: shown(outcome.text) }]
      : []),
    ...(status >= 400 && bytes > maxErrorBytes
      ? [{ cause: `an error of more than 256 KiB`, detail: `${bytes} bytes` }]
      : [])
  ]
}
