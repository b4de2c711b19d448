/** Writes of the platform under an Idempotency-Key: each has one effect and one answer. Source: docs/reference/http-conventions.md#idempotency. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { CurrentPrincipal, Vault } from "../accounts/index.ts"
import { fingerprintOf, Idempotency, IdempotencyRefused, type StoredResponse } from "../idempotency/index.ts"
import { leaseMs, ownTurn } from "../kernel/index.ts"
import type { EdgeFamily } from "../room/index.ts"
import { type LimitReached, Storage, type StorageError, storageErrors } from "../storage/index.ts"
import {
  type AnswerOnce,
  CurrentRequestId,
  edgeCodes,
  type KeyedRequest,
  type KeyedRoute,
  type KeyedWrites,
  withErrorCode
} from "./engine/index.ts"
import { Envelope } from "./PlatformEnvelope.ts"
import { unavailableDetail } from "./PlatformErrors.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Marks an endpoint that asks others for something before it has stored anything. */
export const ActsOutside = Context.Reference<boolean>("@trunkline/core/platform/http/ActsOutside", {
  defaultValue: () => false
})

/** Marks an endpoint whose request or answer must leave nothing behind: a key would keep a digest of the one, and the other, for a day. */
export const TakesNoKey = Context.Reference<boolean>("@trunkline/core/platform/http/TakesNoKey", {
  defaultValue: () => false
})

/** True of a route that takes an Idempotency-Key: every POST that needs a credential, but for those that are marked. */
export const takesKey = ({ endpoint: { method }, mergedAnnotations, middleware }: KeyedRoute): boolean =>
  method === "POST" && [...middleware].some(HttpApiMiddleware.isSecurity) && !Context.get(mergedAnnotations, TakesNoKey)

/** Routes of `/v1/*` read their key themselves, since they know what of a request counts. */
export const isKeyedWrite = (route: KeyedRoute): boolean =>
  takesKey(route) && Context.get(route.mergedAnnotations, Envelope).isPlatform

type Refused = IdempotencyRefused | LimitReached | StorageError

interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A retry cannot help although a client library would try. */
const isFinal = { "x-should-retry": "false" } as const

/** Source: docs/reference/errors.md#edges. */
export const keyRefusals: Readonly<Record<IdempotencyRefused["reason"], Refusal>> = {
  key_invalid: { status: 422, code: edgeCodes[422]!, message: "An Idempotency-Key has 1 to 255 characters." },
  key_reused: {
    status: 409,
    code: "idempotency_key_reused",
    message: "This Idempotency-Key was used for another request. Use a new one.",
    headers: isFinal
  },
  in_progress: {
    status: 409,
    code: "idempotency_in_progress",
    message: "The first request with this Idempotency-Key is still running. Send it again after Retry-After.",
    headers: { "retry-after": "1" }
  },
  outcome_unknown: {
    status: 409,
    code: "idempotency_outcome_unknown",
    message:
      "The first request with this Idempotency-Key did something, and its answer was lost, so it is not done again. Look for what it made among the newest entries of its list, and send what is not there with a new key.",
    headers: isFinal
  }
}

const refusalOf = (error: Refused): Refusal => {
  switch (error._tag) {
    case "IdempotencyRefused":
      return keyRefusals[error.reason]
    case "LimitReached":
      return { ...storageErrors.LimitReached, message: error.message }
    case "StorageError":
      return { ...storageErrors.StorageError, message: unavailableDetail }
  }
}

const platformAnswer = ({ message, status }: Refusal): Response => {
  const fault = { loc: ["header", "Idempotency-Key"], msg: message, type: "string_length" }
  return HttpServerResponse.jsonUnsafe({ detail: status === 422 ? [fault] : message }, { status })
}

/** A family of its own has no 422. */
const plainRefusal = ({ message, status }: Refusal) => ({ message, status: status === 422 ? 400 : status })

const noBytes: StoredResponse = { status: 204, contentType: "", body: "", headers: {} }

const decoder = new TextDecoder()

/** Answers may have secrets in them, which no storage has in plain: all of them are sealed. */
const sealed =
  ({ seal }: Vault["Service"]) =>
  ({ body, status }: Response): Effect.Effect<StoredResponse> => {
    if (body._tag === "Empty") return Effect.succeed({ ...noBytes, status })
    if (body._tag !== "Uint8Array") return Effect.die(new Error(`an answer of ${body._tag} cannot be kept`))
    const { contentType } = body
    return Effect.map(seal(decoder.decode(body.body)), (text) => ({
      ...noBytes,
      status,
      contentType,
      body: text,
      encoding: "sealed"
    }))
  }

/** No cache may keep what may have a secret in it. */
const replayed = { "idempotent-replayed": "true", "cache-control": "no-store" } as const

/** The kept answer. One that no configured key of the installation opens is lost. */
const opened =
  ({ open }: Vault["Service"]) =>
  ({ body, contentType, encoding, status }: StoredResponse): Effect.Effect<Response, IdempotencyRefused> => {
    if (encoding !== "sealed") return Effect.succeed(HttpServerResponse.empty({ status, headers: replayed }))
    return open(body).pipe(
      Effect.map((text) => HttpServerResponse.text(text, { status, contentType, headers: replayed })),
      Effect.catch((lost) =>
        Effect.andThen(Effect.logError(lost.message), new IdempotencyRefused({ reason: "outcome_unknown" }))
      )
    )
  }

/** JSON however it was written: it was read and decoded before. */
const jsonOf = (request: Request) =>
  Effect.flatMap(Effect.orDie(request.arrayBuffer), (bytes) =>
    ownTurn(bytes.byteLength, () => {
      const text = decoder.decode(bytes)
      return Effect.succeed({ bytes: bytes.byteLength, body: text === "" ? null : (JSON.parse(text) as unknown) })
    })
  )

const requestFingerprint = Effect.fnUntraced(function* ({ asked, endpoint, form, request }: KeyedRequest) {
  const { body, bytes } = form === null ? yield* jsonOf(request) : { body: yield* form, bytes: 0 }
  return yield* fingerprintOf([`POST ${endpoint.path}`, ...asked, body], bytes)
})

export const keyedWrites = (families: ReadonlyArray<EdgeFamily>) =>
  Effect.gen(function* () {
    const idempotency = yield* Idempotency
    const storage = yield* Storage
    const vault = yield* Vault

    const refuse = Effect.fnUntraced(function* (error: Refused, { endpoint: { path } }: KeyedRequest) {
      if (error._tag === "StorageError") yield* Effect.logError(error)
      const refusal = refusalOf(error)
      yield* withErrorCode(refusal.code)
      const family = families.find(({ owns }) => owns(path))
      const answer =
        family === undefined
          ? platformAnswer(refusal)
          : family.answer({ path, ...plainRefusal(refusal), requestId: yield* CurrentRequestId })
      return HttpServerResponse.setHeaders(answer, refusal.headers ?? {})
    })

    const answerOnce: AnswerOnce = Effect.fnUntraced(function* (asked, work) {
      const { tenantId } = yield* CurrentPrincipal
      const fingerprint = yield* requestFingerprint(asked)
      const once = { tenantId, key: asked.key, fingerprint, leaseMs }
      // Nothing else would note that others are asked.
      const noted = Context.get(asked.endpoint.annotations, ActsOutside)
        ? Effect.andThen(storage.transact(Effect.void), work)
        : work
      const ran = yield* Effect.result(idempotency.perform(once, noted, sealed(vault)))
      if (ran._tag === "Failure") return yield* refuse(ran.failure, asked)
      if (ran.success._tag === "Executed") return yield* ran.success.result
      return yield* Effect.catch(opened(vault)(ran.success.response), (lost) => refuse(lost, asked))
    })
    const keyed: KeyedWrites = (route) => (isKeyedWrite(route) ? answerOnce : null)
    return keyed
  })
