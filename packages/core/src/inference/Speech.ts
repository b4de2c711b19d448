/** A speech request from its form to its answer: judged in one order, paid for, run, billed. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { ApiKeys } from "../access/index.ts"
import { KeyLimits, type Metered, Metering, type Payer, type Place, type Used } from "../billing/index.ts"
import { type Ids, Instant } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"
import { AudioLength } from "./AudioLength.ts"
import { fingerprint } from "./Fingerprint.ts"
import { Idempotency, type Keep, type KeptAnswer } from "./Idempotency.ts"
import { codeless, type InferenceRefused, inferenceCodes, refuse, refuseFields } from "./InferenceErrors.ts"
import type { Model } from "./Model.ts"
import { ModelCatalogue } from "./ModelCatalogue.ts"
import { written } from "./SpeechAnswers.ts"
import {
  lengthRefusal,
  modelRefusal,
  noRoute,
  optionRefusal,
  sizeRefusal,
  spendingRefusal,
  upstreamRefusal
} from "./SpeechChecks.ts"
import type { SpeechForm, Upload } from "./SpeechForm.ts"
import { readRequest, type SpeechRequest, type SpeechRoute, taskOf } from "./SpeechRequest.ts"
import { type SpeechAnswer, type SpeechWork, type Upstream, Upstreams } from "./Upstream.ts"
import { cameTo, leaseOf, persistently, quietly } from "./UpstreamWork.ts"

/** Who asks, and what their work is booked under. */
export interface SpeechCaller {
  readonly payer: Payer
  readonly key: Pick<ApiKeys.ApiKey, "allowedModels"> | null
  readonly usageId: Ids.UsageId
  /** The key's place, which is given back together with the bill. */
  readonly place: Place | null
  readonly requestId: string
  readonly sessionId: string | null
  readonly traceId: string | null
  readonly startedAt: Instant.Instant
}

export interface SpeechAsked {
  readonly route: SpeechRoute
  readonly form: SpeechForm
  /** The form's file has a digest when there is one. */
  readonly idempotencyKey: string | null
}

export interface SpeechResult {
  /** Its headers' names are without the brand's prefix. */
  readonly answer: KeptAnswer
  /** Whether it was answered before, and nothing was run or billed. */
  readonly replayed: boolean
}

/** Whose answer it is, where the upstream wants it said. */
export const servedByHeader = "served-by"

export class Speech extends Context.Service<
  Speech,
  {
    /**
     * Answers a request whose sender has been admitted. Whatever ends it, what it held is given back, and what an upstream
     * has answered is billed, the client being there or not. Source: docs/gateway.md#speech.
     */
    readonly run: (
      caller: SpeechCaller,
      asked: SpeechAsked
    ) => Effect.Effect<SpeechResult, InferenceRefused | StorageError>
  }
>()("@trunkline/core/inference/Speech") {
  static readonly layer = Layer.effect(
    Speech,
    Effect.gen(function* () {
      const audioLength = yield* AudioLength
      const catalogue = yield* ModelCatalogue
      const idempotency = yield* Idempotency
      const limits = yield* KeyLimits
      const metering = yield* Metering
      const upstreams = yield* Upstreams

      /** Everything that is judged before anything is spent. */
      const prepare = Effect.fnUntraced(function* (caller: SpeechCaller, request: SpeechRequest, { audio }: Upload) {
        const model = catalogue.get(request.model)
        const { key, payer } = caller
        const refused =
          modelRefusal(request.model, model, { key, plan: payer.plan }) ??
          optionRefusal(request.unserved) ??
          sizeRefusal(audio.size, model!)
        if (refused !== null) return yield* refused
        const { seconds } = yield* Effect.catch(audioLength.measure(audio), ({ message }) =>
          Effect.fail(refuse("invalid_request", { message, param: "file" }))
        )
        const tooLong = lengthRefusal(seconds, model!)
        if (tooLong !== null) return yield* tooLong
        return { model: model!, seconds: seconds === null ? null : billed(seconds) }
      })

      /** Runs under a hold. Nothing in here can be interrupted but the upstream's own work. */
      const spend = Effect.fnUntraced(function* (
        caller: SpeechCaller,
        request: SpeechRequest,
        upload: Upload,
        keep: Keep
      ) {
        const { model, seconds } = yield* prepare(caller, request, upload)
        const { audio } = upload
        const route = upstreams.route("stt", model.id)
        const cost = (counted: number) => catalogue.cost(model.price, { unit: "seconds", seconds: counted })
        const held = seconds ?? atMostSeconds(audio.size, model)
        const metered: Metered = {
          id: caller.usageId,
          payer: caller.payer,
          service: "stt",
          atMost: cost(held),
          leaseMs: leaseFor(route?.upstream)
        }
        const release = (used: Used | null) => quietly(metering.release(metered, used))
        const row = (httpStatus: number, units: number) =>
          Effect.map(Instant.now, (at): Used => usedOf(caller, model, httpStatus, units, at))

        return yield* Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            yield* Effect.catch(metering.reserve(metered), (error) =>
              Effect.fail(error._tag === "StorageError" ? error : spendingRefusal(error))
            )
            if (route === null || route.upstream.transcribe === null) {
              yield* release(null)
              yield* Effect.logWarning(`no upstream is configured to run the model ${model.id}: see models.routes`)
              return yield* noRoute(model.id)
            }
            const task = taskOf(request, model)
            const { diarize, features, language, mode } = task
            const work: SpeechWork = {
              ...{ task: task.task, model: route.model, asked: model.id, audio },
              ...{ language, mode, features, diarize }
            }
            const heard = yield* cameTo(route.upstream.transcribe(work), route.upstream.longestMs, restore)
            if (Exit.isFailure(heard)) {
              const { cause } = heard
              const failed = Cause.findErrorOption(cause)
              if (failed._tag === "None") {
                yield* release(yield* row(Cause.hasInterruptsOnly(cause) ? codeless.abandoned : codeless.failed, 0))
                return yield* Effect.failCause(cause as Cause.Cause<never>)
              }
              yield* Effect.logWarning(`upstream ${route.upstream.name}: ${failed.value.why}: ${failed.value.detail}`)
              const refused = upstreamRefusal(failed.value)
              yield* release(yield* row(refused.status, 0))
              return yield* refused
            }
            const units = seconds ?? told(heard.value) ?? held
            const answer: KeptAnswer = {
              status: codeless.answered,
              // Who tells nobody apart has no segments, whatever its upstream says.
              ...written(request, task, model.diarizes ? heard.value : { ...heard.value, segments: [] }, units),
              headers: route.upstream.servedBy === null ? {} : { [servedByHeader]: route.upstream.servedBy }
            }
            const used = yield* row(codeless.answered, units)
            const kept = keep(answer)
            const along = caller.place === null ? kept : Effect.andThen(kept, limits.leave(caller.place))
            yield* metering.settle(metered, cost(units), used, along).pipe(
              Effect.retry(persistently),
              // The key's run is another one, which pays: of this one the log alone tells.
              Effect.tapErrorTag("ClaimLost", () =>
                Effect.flatMap(row(inferenceCodes.idempotency_in_progress.status, 0), release)
              )
            )
            if (caller.place !== null) caller.place.isLeft = true
            return answer
          })
        )
      })

      const run = Effect.fn("Speech.run")(function* (caller: SpeechCaller, asked: SpeechAsked) {
        const { form, idempotencyKey, route } = asked
        const read = readRequest(route, form.fields)
        const faults = [
          ...(form.file === null ? [{ field: "file", message: "Field required" }] : []),
          ...(Result.isFailure(read) ? read.failure : [])
        ]
        if (form.file === null || Result.isFailure(read)) return yield* refuseFields(faults)
        const [request, upload] = [read.success, form.file]
        if (idempotencyKey === null) {
          const unkept = spend(caller, request, upload, () => Effect.void)
          // Without a key there is no claim to lose.
          return { answer: yield* Effect.catchTag(unkept, "ClaimLost", Effect.die), replayed: false }
        }
        const once = {
          tenantId: caller.payer.tenantId,
          key: idempotencyKey,
          fingerprint: fingerprint(route, form.fields, upload.digest ?? ""),
          leaseMs: leaseFor(upstreams.route("stt", request.model)?.upstream)
        }
        const ran = yield* idempotency.run(once, (keep) => spend(caller, request, upload, keep))
        return ran._tag === "Kept" ? { answer: ran.answer, replayed: true } : { answer: ran.result, replayed: false }
      })

      return Speech.of({ run })
    })
  )
}

/** Started seconds. Lengths in floating point are off by less than a microsecond. */
const billed = (seconds: number): number => Math.max(1, Math.ceil(Math.round(seconds * 1e6) / 1e6))

/** What the upstream has measured, of audio that we could not. */
const told = ({ seconds }: SpeechAnswer): number | null =>
  seconds === null || !Number.isFinite(seconds) || seconds < 0 ? null : billed(seconds)

/** No codec for speech that is in use has fewer bytes for a second. */
const fewestBytesPerSecond = 500

/** The longest that audio of an unknown length can be. Source: docs/metering.md#duration. */
const atMostSeconds = (size: number, { limits }: Model): number =>
  Math.min(limits.seconds ?? Number.POSITIVE_INFINITY, Math.ceil(size / fewestBytesPerSecond))

/** Where nobody is configured to run the model, and a request is held for a moment only. */
const standardMs = 60_000

const leaseFor = (upstream: Upstream | undefined): number => leaseOf(upstream?.longestMs ?? standardMs)

const usedOf = (
  { requestId, sessionId, startedAt, traceId }: SpeechCaller,
  { id }: Model,
  httpStatus: number,
  units: number,
  at: Instant.Instant
): Used => ({
  ...{ requestId, model: id, httpStatus, units, unit: "seconds", sessionId, traceId, latencyMs: at - startedAt },
  ...{ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 }
})
