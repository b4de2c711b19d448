/** What the facades share. */
import * as Effect from "effect/Effect"
import { Accounts, type Feature, FeatureDisabled } from "../platform/accounts/index.ts"
import type { Paged } from "../platform/kernel/index.ts"
import { AccountMoves } from "../platform/moving/index.ts"
import { Storage } from "../platform/storage/index.ts"
import type { Argument, Decoded, Given } from "./Arguments.ts"
import type { Services } from "./Assembly.ts"
import type * as Ids from "./HostIds.ts"
import { type PromiseFailure, schemaRefused } from "./TrunklineError.ts"

/** Every promise of the product can be cancelled: what had not begun is not begun, what was committed stays. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface PageOptions extends CallOptions {
  readonly limit?: number
  readonly offset?: number
}

/** Runs a program of the rooms as a promise, whose failure is a `TrunklineError`. */
export type Run = <A, E extends PromiseFailure>(
  program: Effect.Effect<A, E, Services>,
  options?: CallOptions
) => Promise<A>

/** Makes a method of the product object: its arguments are decoded together, then the program runs. */
export type Method = <const Args extends ReadonlyArray<Argument<unknown, unknown>>, A, E extends PromiseFailure>(
  args: Args,
  program: (...decoded: Decoded<Args>) => Effect.Effect<A, E, Services>
) => (...given: Given<Args>) => Promise<A>

const signalOf = (last: unknown): CallOptions =>
  typeof last === "object" && last !== null && "signal" in last && last.signal !== undefined
    ? { signal: last.signal as AbortSignal }
    : {}

/** Fails for an account that moves to another installation, or has moved. */
const isHere = (id: Ids.AccountId) => AccountMoves.use(({ check }) => check(id))

/** Fails for an account that lacks the feature; one that is not there is refused by what the method does. */
const hasFeature = Effect.fnUntraced(function* (id: Ids.AccountId, feature: Feature) {
  const storage = yield* Storage
  const account = yield* storage.read(Accounts.use(({ find }) => find(id)))
  if (account !== null && !account[feature]) return yield* new FeatureDisabled({ accountId: id })
})

/** Makes methods of a `run`. */
export const methods =
  (run: Run): Method =>
  (args, program) =>
  async (...given) => {
    const read = args.map((argument, at) => argument.read(given[at]))
    const faults = read.flatMap((one) => (one._tag === "Failure" ? one.failure : []))
    if (faults.length > 0) throw schemaRefused(faults)
    const values = read.flatMap((one) => (one._tag === "Success" ? [one.success] : []))
    const work = program(...(values as never))
    const at = args.findIndex(({ mustBeHere }) => mustBeHere === true)
    if (at < 0) return run(work, signalOf(values.at(-1)))
    const [accountId, feature] = [values[at] as Ids.AccountId, args[at]?.feature]
    const admitted = feature === undefined ? work : Effect.andThen(hasFeature(accountId, feature), work)
    return run(Effect.andThen(isHere(accountId), admitted), signalOf(values.at(-1)))
  }

/** Fails for an account that is not there: nothing is stored for it. */
export const ofAccount = <A, E, R>(tenantId: Ids.AccountId, program: Effect.Effect<A, E, R>) =>
  Effect.andThen(
    Accounts.use((accounts) => accounts.get(tenantId)),
    program
  )

/** A page of records as they are shown. */
export const shownPage =
  <A, B>(show: (item: A) => B) =>
  ({ items, total }: Paged<A>): Paged<B> => ({ items: items.map(show), total })
