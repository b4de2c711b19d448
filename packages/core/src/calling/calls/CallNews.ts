/** What a carrier reports of a call. Pure. */
import * as Schema from "effect/Schema"
import type { AnsweredBy, CallStatus, OpenCallStatus } from "./CallStatus.ts"

export type FinalStatus = Exclude<CallStatus, typeof OpenCallStatus.Type>

/** Why a failed call failed. */
export const Failure = Schema.Literals(["invalid_number", "blocked_number", "provider_error"])
export type Failure = typeof Failure.Type

/** Something that happened to a call, as its carrier reports it. Reports may be late, repeated and out of order. */
export type CallNews =
  | { readonly _tag: "Queued" }
  | { readonly _tag: "Dialing" }
  | { readonly _tag: "Ringing" }
  | { readonly _tag: "Answered" }
  | { readonly _tag: "Detected"; readonly answeredBy: AnsweredBy }
  | {
      readonly _tag: "Ended"
      readonly status: FinalStatus
      /** Why a `failed` call failed. */
      readonly failure: Failure | null
      /** Seconds of conversation by the carrier's own count, where it reports them. */
      readonly durationSeconds: number | null
      /** The callee, or the carrier, ended an answered call; null where the carrier cannot tell. */
      readonly by: "remote" | "local" | null
      /** True where the carrier's record says that the phone rang; absent where it does not say. */
      readonly rang?: boolean
    }
