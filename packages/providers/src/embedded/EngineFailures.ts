/** What every engine of this folder fails by, as failures of the port. */
import { UpstreamFailed, type UpstreamWhy } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { flitePackage, installCommand, missingPackages } from "./EnginePackages.ts"
import type { EngineReply, ThreadEngine } from "./ThreadEngine.ts"
import type { Warm } from "./ThreadLife.ts"

/** As the engines are called in the log. */
export type EngineName = "embedded speech engine" | "embedded sentence encoder" | "speech detector Silero"

/** The engine cannot work on this installation. The message says what to do. */
export class EngineNotInstalled extends Error {
  override readonly name = "EngineNotInstalled"

  constructor(packages: ReadonlyArray<string>, engine: EngineName = "embedded speech engine") {
    super(`the ${engine} lacks ${packages.join(", ")}; run ${installCommand(packages)}`)
  }
}

/** Why the engine cannot work on this installation, with the command that repairs it; null where all its packages are there. */
export const engineFault = (): string | null => faultWithout(missingPackages())

/** The same for the voices. */
export const fliteFault = (): string | null => faultWithout(missingPackages([flitePackage]))

const faultWithout = (packages: ReadonlyArray<string>): string | null => {
  return packages.length === 0 ? null : new EngineNotInstalled(packages).message
}

interface Failure {
  readonly detail: string
  readonly advice?: string
  readonly retryAfterSeconds?: number
}

export const failed = (why: UpstreamWhy, { advice, detail, retryAfterSeconds }: Failure): UpstreamFailed =>
  new UpstreamFailed({ why, detail, advice: advice ?? null, retryAfterSeconds: retryAfterSeconds ?? null })

/** A reply that is no engine's own. */
export const faultOf = (reply: EngineReply<never>, engine: EngineName): UpstreamFailed => {
  switch (reply.kind) {
    case "not_started":
      return failed("failed", { detail: reply.error instanceof Error ? reply.error.message : String(reply.error) })
    case "closed":
    case "stopped":
      return failed("unreachable", { detail: `the ${engine} was closed` })
    case "failed":
      return failed("failed", { detail: reply.detail })
  }
}

/** The reply to an order, which ends with who waits for it; a failure where the queue is full. */
export const submitted = <Order, Own>(
  engine: ThreadEngine<Order, Own>,
  order: Order,
  name: EngineName
): Effect.Effect<EngineReply<Own>, UpstreamFailed> =>
  Effect.callback((resume) => {
    const end = engine.submit(order, (reply) => resume(Effect.succeed(reply)))
    if (typeof end === "function") return Effect.sync(end)
    resume(Effect.fail(failed("throttled", { detail: `the queue of the ${name} is full`, retryAfterSeconds: end })))
    return undefined
  })

/** Completes once an engine has loaded, and keeps it so for as long as the scope is open. `failure` reads a reply that is none. */
export const keptWarm = <Order, Own extends { readonly kind: string }>(
  engine: ThreadEngine<Order, Own>,
  failure: (reply: EngineReply<Own>) => Effect.Effect<unknown, UpstreamFailed>
): Effect.Effect<void, UpstreamFailed, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(engine.keep), ({ letGo }) => Effect.sync(letGo)).pipe(
    Effect.flatMap(({ loaded }) => Effect.promise(() => loaded)),
    Effect.flatMap((reply) => (isWarm(reply) ? Effect.void : Effect.asVoid(failure(reply))))
  )

const isWarm = (reply: { readonly kind: string }): reply is Warm => reply.kind === "warm"
