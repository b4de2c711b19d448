/** An admitted request at its upstream, until it is answered and billed, or handed over to its route. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { Allowance, ConcurrencySlot, Metering } from "../../platform/billing/index.ts"
import { type RelayedExchange, requestIdAnnotation } from "../../platform/http/index.ts"
import type { Idempotency } from "../../platform/idempotency/index.ts"
import { guarded, type Instant, type ListMember, leaseMs } from "../../platform/kernel/index.ts"
import type { DirectRequests, FailedAttempt } from "../admission/index.ts"
import { codeless } from "../errors/InferenceErrors.ts"
import { failureOf, type LlmAnswer, llmFailures, pingText, type StreamReader, textOf } from "../llm/index.ts"
import type { InferenceRoutes } from "../routes/index.ts"
import type { CircuitBreakers } from "../run/CircuitBreakers.ts"
import { logFailure, type MeteredRun } from "../run/MeteredRun.ts"
import { type Attempt, answeredBy, attemptOf, outcomeOf } from "../run/RunAttempt.ts"
import { marginMs, overdue } from "../run/RunUpstream.ts"
import { afterBegun } from "../run/StreamedRun.ts"
import type { GenerateAnswer, LlmEvent } from "../upstreams/GenerateWork.ts"
import type { GenerateExchange, UpstreamFailed } from "../upstreams/Upstream.ts"
import type { RelayedRequest } from "./RelayAdmission.ts"
import { RelayedResponse } from "./RelayedResponse.ts"
import { handOver } from "./RelayHandOver.ts"

/** What a run needs to be asked, billed and watched. */
export interface RelayServices {
  readonly breakers: Pick<CircuitBreakers["Service"], "end">
  readonly direct: Pick<DirectRequests["Service"], "begin">
  readonly idempotency: Pick<Idempotency["Service"], "finish" | "renew">
  readonly metered: Pick<MeteredRun["Service"], "billOf">
  readonly metering: Pick<Metering["Service"], "release" | "withoutFiber">
  readonly routes: Pick<InferenceRoutes["Service"], "conclude">
  readonly releaseSlot: (slot: ConcurrencySlot) => Effect.Effect<void>
  /** Goes on with a stream under an Idempotency-Key whose client has gone and whose first attempt has failed. */
  readonly goOnAlone: (relayed: RelayedRequest, attempt: FailedAttempt) => Effect.Effect<void>
  readonly now: () => Instant.Instant
  readonly fork: (effect: Effect.Effect<void>) => void
  /** A stream without an event for this time gets a ping, in milliseconds. */
  readonly pingMs: number
  readonly headerPrefix: string
  /** Called once, when the run has ended. */
  readonly ended: (run: RelayedRun) => void
}

/** What a request is run with. */
interface Admitted {
  readonly exchange: RelayedExchange
  readonly relayed: RelayedRequest
  readonly allowance: Allowance | null
}

export class RelayedRun implements ListMember {
  listPlace = -1
  readonly #exchange: RelayedExchange
  readonly #relayed: RelayedRequest
  readonly #allowance: Allowance | null
  readonly #services: RelayServices
  readonly #response: RelayedResponse
  /** It is null where the answer is not streamed. */
  readonly #reader: StreamReader | null
  /** Ends the count of the request. It is null once the request is answered or its stream has begun. */
  #endCounting: (() => void) | null
  #upstream: GenerateExchange | null = null
  /** Whether its upstream is asked. What ends that decides how the request ends. */
  #isAsking = true
  #isPaused = false
  /** Whether a part of a stream has been sent, or kept for a client that has gone: from then on nothing is tried again. */
  #hasBegun = false
  /** Whether its client has gone, and it goes on. */
  #isAbandoned = false
  #sentAt: Instant.Instant
  #renewedAt: Instant.Instant

  constructor({ allowance, exchange, relayed }: Admitted, services: RelayServices) {
    this.#exchange = exchange
    this.#relayed = relayed
    this.#allowance = allowance
    this.#services = services
    const { headerPrefix } = services
    this.#response = new RelayedResponse({ exchange, relayed, allowance, headerPrefix, drained: () => this.#resume() })
    this.#reader = relayed.request.isStreamed ? relayed.run.reader(relayed.chosen) : null
    this.#endCounting = services.direct.begin()
    this.#sentAt = services.now()
    this.#renewedAt = this.#sentAt
  }

  /** Asks the upstream. */
  begin(): void {
    if (this.#exchange.connection.isGone()) {
      this.abandon()
      if (!this.#isAbandoned) return
    }
    const { open, request, sent } = this.#relayed
    const receiver = {
      events: (events: ReadonlyArray<LlmEvent>) => this.#pass(events),
      ended: (answer: GenerateAnswer) => this.#guarded(() => this.#read(answer)),
      failed: (error: UpstreamFailed) => this.#guarded(() => this.#failed(error))
    }
    this.#guarded(() => {
      this.#upstream = open({ ...sent, isStreamed: request.isStreamed }, receiver, this.#services.now)
    })
  }

  /** The client has gone. A stream under an Idempotency-Key goes on to its end, for the retry; everything else ends. */
  abandon(): void {
    const { caller, stream } = this.#relayed
    if (this.#reader === null || stream.kept === null) {
      this.cancel()
      return
    }
    this.#isAbandoned = true
    if (this.#isPaused) this.#resume()
    this.#stopCounting()
    this.#fork(this.#services.releaseSlot(caller.slot))
  }

  /** The process ends: what was sent is billed. */
  cancel(): void {
    this.#stop({ _tag: "Broken", cause: Cause.interrupt() })
  }

  /** Does the work that only time makes due: a ping, and the end of an upstream that does not end. */
  tick(at: Instant.Instant): void {
    const { caller, request, route, work } = this.#relayed
    const { pingMs } = this.#services
    const isSilent = this.#hasBegun && !this.#isAbandoned && at - this.#sentAt >= pingMs
    if (isSilent && !this.#isPaused) this.#send(pingText[request.api])
    if (at - this.#renewedAt >= leaseMs / 4) this.#renew(at)
    const maxMs = work.candidate.maxMs ?? route.upstream.maxMs
    if (!this.#isAsking || at - caller.startedAt <= maxMs + marginMs / 2) return
    this.#upstream?.cancel()
    this.#guarded(() => this.#failed(overdue))
  }

  /** Passes events on; false where no more are wanted. */
  #pass(events: ReadonlyArray<LlmEvent>): boolean {
    let goesOn = false
    this.#guarded(() => {
      const reader = this.#reader!
      const read = reader.push(events)
      if (read.length > 0) this.#send(textOf(this.#relayed.request.api, read))
      goesOn = reader.fault === null
    })
    return goesOn
  }

  #send(text: string): void {
    const { stream } = this.#relayed
    if (!this.#hasBegun) {
      this.#hasBegun = true
      stream.usageSoFar = () => this.#reader!.usageSoFar
      this.#stopCounting()
    }
    this.#sentAt = this.#services.now()
    stream.kept?.push(text)
    if (this.#isAbandoned || this.#response.send(text) || this.#isPaused) return
    this.#isPaused = true
    this.#upstream?.pause()
  }

  #resume(): void {
    this.#isPaused = false
    this.#upstream?.resume()
  }

  /** Reads what the upstream has ended with. */
  #read(answer: GenerateAnswer): void {
    const { chosen, run } = this.#relayed
    const reader = this.#reader
    if (reader === null) {
      const whole = run.readWhole(chosen, answer)
      if (Result.isSuccess(whole)) this.#settle(whole.success)
      else this.#fail(whole.failure)
      return
    }
    const fault = reader.faultOf(answer)
    if (fault === null) this.#finish(reader)
    else this.#fail(failureOf(fault, this.#hasBegun))
  }

  #failed(error: UpstreamFailed): void {
    // An upstream that breaks off after its whole answer has answered.
    if (this.#reader?.isWhole === true) this.#finish(this.#reader)
    else this.#fail(this.#hasBegun ? afterBegun(error) : error)
  }

  #finish(reader: StreamReader): void {
    const last = reader.end()
    if (Result.isFailure(last)) {
      this.#fail(failureOf(last.failure, this.#hasBegun))
      return
    }
    const { usage } = reader
    if (last.success.length > 0) this.#send(textOf(this.#relayed.request.api, last.success))
    this.#settle({ body: null, usage })
  }

  /** A request of whose answer nothing was sent goes on at its route, with its next attempt or its error. */
  #fail(error: UpstreamFailed): void {
    const { connection } = this.#exchange
    const { caller, run } = this.#relayed
    const { goOnAlone, now } = this.#services
    const failure = run.ownFailure(error)
    const endedAt = now()
    if (this.#hasBegun || (connection.isGone() && !this.#isAbandoned)) {
      const { route, work } = this.#relayed
      const exit = Exit.fail(failure)
      this.#stop(attemptOf({ candidate: work.candidate, route, exit, attempts: 1, endedAt }))
      return
    }
    this.#isAsking = false
    const claim = this.#relayed.admission.run?.claim ?? null
    const attempt = { claim, release: this.#release(), failure, endedAt, isTaken: false }
    this.#leave()
    if (this.#isAbandoned) this.#fork(goOnAlone(this.#relayed, attempt))
    else handOver(this.#exchange, { caller, allowance: this.#allowance, attempt })
  }

  /** Releases what is reserved, and the Idempotency-Key. */
  #release(): Effect.Effect<void> {
    const { idempotency, metering } = this.#services
    const { reserve, run } = this.#relayed.admission
    const released = logFailure(metering.release(reserve, null))
    if (run === null) return released
    const freed = Effect.catchCause(idempotency.finish(run, run.claim, null), (cause) =>
      Effect.logError("an Idempotency-Key is taken until the lease of its run ends", cause)
    )
    return Effect.andThen(released, freed)
  }

  /** Renews the lease of a run under an Idempotency-Key. */
  #renew(at: Instant.Instant): void {
    const { run } = this.#relayed.admission
    this.#renewedAt = at
    if (run === null) return
    const { idempotency } = this.#services
    this.#fork(
      Effect.catchCause(idempotency.renew(run, leaseMs), (cause) =>
        Effect.logWarning("a lease could not be renewed", cause)
      )
    )
  }

  #settle(answer: LlmAnswer): void {
    const { admission, caller, route, work } = this.#relayed
    const { metered, metering, now } = this.#services
    const at = now()
    const { candidate } = work
    const answered = answeredBy({ candidate, upstream: route.upstream, answer, attempts: 1 })
    this.#isAsking = false
    this.#endAtBreaker(Exit.succeed(answer), at)
    const response = work.encode(answered)
    const { due, used } = metered.billOf(work, { status: codeless.answered, amount: answered.amount, at })
    const { slot } = caller
    const kept = work.keptAnswer?.(response) ?? null
    metering.withoutFiber.settle(admission.reserve, { due, used, slot, answer: kept }, (settled) => {
      if (Exit.isFailure(settled)) {
        this.#conclude(answered)
        return
      }
      slot.isReleased = true
      this.#guarded(() => {
        this.#response.answer({ response, isReplayed: false })
        this.#leave()
      })
    })
  }

  #endAtBreaker(exit: Exit.Exit<unknown, UpstreamFailed>, at: Instant.Instant): void {
    const logged = this.#services.breakers.end(this.#relayed.route, { trial: null, outcome: outcomeOf(exit), at })
    if (logged !== Effect.void) this.#fork(logged)
  }

  /** Runs a step of ours: what it throws ends the request, and not the process. */
  #guarded(step: () => void): void {
    guarded(step, (fault) => {
      const cause = Cause.die(fault)
      if (this.#isAsking) this.#stop({ _tag: "Broken", cause })
      else this.#failWith(cause)
    })()
  }

  /** Ends a request that gets no answer. */
  #stop(attempt: Attempt<"generate", LlmAnswer>): void {
    if (!this.#isAsking) return
    this.#isAsking = false
    this.#upstream?.cancel()
    const exit = attempt._tag === "Failed" ? Exit.fail(attempt.failure) : Exit.interrupt()
    this.#endAtBreaker(exit, this.#services.now())
    this.#conclude(attempt)
  }

  /** Charges or releases the reservation, by a fiber, and ends the response. */
  #conclude(attempt: Attempt<"generate", LlmAnswer>): void {
    const { admission, caller, request, work } = this.#relayed
    const { releaseSlot, routes } = this.#services
    const concluded = Effect.matchCause(routes.conclude(llmFailures(request.api), work, attempt, admission.run), {
      onSuccess: (result) => {
        this.#response.answer(result)
        this.#leave()
      },
      onFailure: (cause) => this.#failWith(cause)
    })
    this.#fork(Effect.andThen(concluded, releaseSlot(caller.slot)))
  }

  #failWith(cause: Parameters<RelayedResponse["fail"]>[0]): void {
    const logged = this.#response.fail(cause)
    if (logged !== Effect.void) this.#fork(logged)
    this.#leave()
  }

  /** Runs an effect whose log names the request. */
  #fork(effect: Effect.Effect<void>): void {
    this.#services.fork(Effect.annotateLogs(effect, requestIdAnnotation, this.#exchange.requestId))
  }

  #stopCounting(): void {
    this.#endCounting?.()
    this.#endCounting = null
  }

  #leave(): void {
    this.#stopCounting()
    this.#services.ended(this)
  }
}
