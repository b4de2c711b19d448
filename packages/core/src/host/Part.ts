/** What the parts of the product object share. */
import type * as Effect from "effect/Effect"
import { Ids } from "../kernel/index.ts"
import type { Services } from "./Assembly.ts"
import { uuid } from "./OutsideId.ts"

/** Every promise of the product can be given up: what had not begun is not begun, what was committed stays. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface PageOptions extends CallOptions {
  readonly limit?: number
  readonly offset?: number
}

/** Runs a program of the rooms as a promise, whose failure is a `TrunklineError`. */
export type Run = <A, E>(program: Effect.Effect<A, E, Services>, options?: CallOptions) => Promise<A>

export const account = (id: string) => Ids.as<"Account">(uuid(id))

export const page = ({ limit = 100, offset = 0 }: PageOptions = {}) => ({ limit, offset })
