/** A request's exact bytes and target, for checks of a signature over them, and the facts that are known of it before they are read. */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import { HttpServerError, RequestParseError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { CallbackRules } from "../../room/index.ts"
import { addressOf } from "./HandOver.ts"

export interface RawRequest {
  readonly method: string
  /** Path and query below the mount point. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The client's address; null where nobody knows it. */
  readonly address: string | null
  readonly body: Uint8Array
}

type Request = HttpServerRequest.HttpServerRequest

/** Why a callback with a body cannot be genuine, whatever the body is; null where it can. */
export const unproven = ({ headers, method }: Request, { proof }: CallbackRules): string | null =>
  method !== "POST" || proof === undefined || proof.form.test(headers[proof.header] ?? "")
    ? null
    : `The header ${proof.header} is missing or has not the form of a signature. The body was not read.`

const tooLarge = (request: Request) =>
  new HttpServerError({ reason: new RequestParseError({ request, reason: "BodyTooLarge" }) })

/** The request with its body, which a POST alone has. A body that is too large, or breaks off, is a defect that the edge answers. */
export const rawRequest = (request: Request, { maxBytes }: CallbackRules = {}): Effect.Effect<RawRequest> => {
  const { headers, method, url: target } = request
  const raw = (body: Uint8Array): RawRequest => ({ method, target, headers, address: addressOf(request), body })
  if (method !== "POST") return Effect.succeed(raw(new Uint8Array(0)))
  if (maxBytes !== undefined && Number(headers["content-length"] ?? 0) > maxBytes) return Effect.die(tooLarge(request))
  const body = Effect.map(Effect.orDie(request.arrayBuffer), (bytes) => raw(new Uint8Array(bytes)))
  return maxBytes === undefined
    ? body
    : Effect.provideService(body, HttpServerRequest.MaxBodySize, ByteSize.bytes(maxBytes))
}
