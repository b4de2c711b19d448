/** The relays of this process, and the requests that they answer. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Authentication, type Principal } from "../../platform/accounts/index.ts"
import { hasClaimed, type LedgerAdmitted, Metering } from "../../platform/billing/index.ts"
import type { RelayedExchange } from "../../platform/http/index.ts"
import { Idempotency, isUsableKey } from "../../platform/idempotency/index.ts"
import { guarded, Ids, Instant, largeBytes } from "../../platform/kernel/index.ts"
import { AccountMoves } from "../../platform/moving/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { Admission, DirectRequests, keyAdmission, keyOf, needsOf } from "../admission/index.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { Llm, LlmRelays, LlmSettings, type RelayedApi, type RelayOf } from "../llm/index.ts"
import { InferenceRoutes } from "../routes/index.ts"
import { CircuitBreakers } from "../run/CircuitBreakers.ts"
import { MeteredRun } from "../run/MeteredRun.ts"
import { type RelayedRequest, relayedRequest } from "./RelayAdmission.ts"
import { RelayedRun, type RelayServices } from "./RelayedRun.ts"
import { handOver } from "./RelayHandOver.ts"
import { RunningRelays } from "./RunningRelays.ts"

/** How often what time alone changes is looked at, in milliseconds: pings, and upstreams that do not end. */
const maxTickMs = 1000

export class Relays extends Context.Service<
  Relays,
  {
    readonly relayOf: RelayOf
    /** Completes when no request is answered. */
    readonly idle: Effect.Effect<void>
    /** Ends all requests: what has been sent is billed. */
    readonly cancel: Effect.Effect<void>
  }
>()("@trunkline/core/gateway/relay/Relays") {
  static readonly layer = Layer.effect(
    Relays,
    Effect.gen(function* () {
      const authentication = yield* Authentication
      const breakers = yield* CircuitBreakers
      const catalogue = yield* ModelCatalogue
      const clock = yield* Clock.Clock
      const direct = yield* DirectRequests
      const idempotency = yield* Idempotency
      const ids = yield* Ids.IdSource
      const llm = yield* Llm
      const moves = yield* AccountMoves
      const metered = yield* MeteredRun
      const metering = yield* Metering
      const routes = yield* InferenceRoutes
      const { pingMs } = yield* LlmSettings
      const { release } = yield* keyAdmission
      const fork = Effect.runForkWith(yield* Effect.context<never>())
      const running = new RunningRelays(fork, Math.min(maxTickMs, pingMs / 2))
      yield* Effect.addFinalizer(() => Effect.sync(() => running.close()))

      const now = () => Instant.make(clock.currentTimeMillisUnsafe())
      const reading = { breakers, catalogue, metered, nextId: ids.next, storing: idempotency.storing }

      const goOnAlone: RelayServices["goOnAlone"] = ({ admission, caller, request }, attempt) => {
        const input = { request, idempotencyKey: admission.run?.key ?? null }
        const ended = Effect.suspend(() => (attempt.isTaken ? Effect.void : attempt.release))
        return llm.run({ ...caller, attempt }, input).pipe(
          Effect.flatMap((outcome) => (outcome._tag === "Stream" ? outcome.abandon : Effect.void)),
          Effect.ensuring(ended),
          // There is nobody whom a refusal could be sent to.
          Effect.catchTag("InferenceRefused", () => Effect.void),
          Effect.catchCause((cause) => Effect.logError("a stream whose client has gone failed", cause))
        )
      }

      const servicesOf = (headerPrefix: string): RelayServices => ({
        breakers,
        direct,
        goOnAlone,
        idempotency,
        metered,
        metering,
        routes,
        releaseSlot: release,
        now,
        fork,
        pingMs,
        headerPrefix,
        ended: (run) => running.end(run)
      })

      /** Once a second somebody looks whether accounts move. The route refuses requests of an account that moves. */
      const whenStaying = ({ tenantId }: Principal, { at, connection }: RelayedExchange, then: () => void): void => {
        if (moves.staysHere(tenantId, at)) then()
        else fork(Effect.matchCause(moves.check(tenantId), { onFailure: () => connection.handOver(), onSuccess: then }))
      }

      const admit = (exchange: RelayedExchange, relayed: RelayedRequest, services: RelayServices) => {
        const { connection } = exchange
        let run: RelayedRun | null = null
        const admitted = (exit: Exit.Exit<LedgerAdmitted, StorageError>) => {
          running.admitted()
          const acquired = Exit.isSuccess(exit) ? exit.value.acquired : null
          // The route refuses it for the same reason, and says so.
          if (acquired === null || acquired.error !== null) return connection.handOver()
          const { allowance } = acquired
          const { caller } = relayed
          if (Exit.isSuccess(exit) && !isAdmitted(exit.value)) {
            if (connection.isGone()) fork(release(caller.slot))
            else handOver(exchange, { caller, allowance, attempt: null })
            return
          }
          run = new RelayedRun({ exchange, relayed, allowance }, services)
          running.begin(run)
          run.begin()
        }
        running.admitting()
        const takeBack = metering.withoutFiber.admit(relayed.admission, admitted)
        connection.onGone(() => {
          if (run !== null) run.abandon()
          else if (takeBack()) running.admitted()
        })
      }

      const relayOf: RelayOf = (api, endpoint, headerPrefix) => {
        const needs = needsOf(endpoint)
        const services = servicesOf(headerPrefix)
        return (exchange) => {
          const { at, connection, maxBytes, request } = exchange
          const { headers } = request
          const { "content-length": length = "0", origin, referer } = headers
          const idempotencyKey = headers["idempotency-key"] ?? null
          if (!running.isOpen || Number(length) >= largeBytes) return false
          if (idempotencyKey !== null && !isUsableKey(idempotencyKey)) return false
          const principal = authentication.remembered(credentialIn(api, headers), request, at)
          const key = principal === null ? null : keyOf(principal)
          if (principal === null || key === null) return false
          if (Admission.refusalOf(principal, needs, { origin, referer }, at) !== null) return false
          if (!exchange.admitAddress()) return false
          const read = (body: Uint8Array | null) => {
            const asked = { api, exchange, principal, key, idempotencyKey }
            const relayed = body === null ? null : relayedRequest({ ...asked, body }, reading)
            if (relayed === null) connection.handOver()
            else whenStaying(principal, exchange, () => admit(exchange, relayed, services))
          }
          // A fault of ours is that of the route too, which answers and logs it.
          connection.readBody(
            maxBytes,
            guarded(read, () => connection.handOver())
          )
          return true
        }
      }

      return Relays.of({ relayOf, idle: running.idle, cancel: Effect.sync(() => running.cancel()) })
    })
  )

  /** What the routes of language models ask. */
  static readonly ofRoutes = Layer.effect(
    LlmRelays,
    Effect.map(Relays, ({ relayOf }) => relayOf)
  )
}

/** What is refused is refused by the route, for the same reason. It also answers a request whose key is in use. */
const isAdmitted = ({ claimed, refused }: LedgerAdmitted): boolean =>
  refused === null && (claimed === null || hasClaimed(claimed))

const bearer = "Bearer "

const credentialIn = (api: RelayedApi, headers: Readonly<Record<string, string | undefined>>): string => {
  const { authorization = "", "x-api-key": apiKey = "" } = headers
  if (api === "messages" && apiKey !== "") return apiKey
  return authorization.startsWith(bearer) ? authorization.slice(bearer.length) : ""
}
