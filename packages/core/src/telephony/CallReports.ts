/** Takes in what carriers tell of calls. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../storage/index.ts"
import { advance, isEnded } from "./Call.ts"
import { CallMoves } from "./CallMoves.ts"
import type { CallReport } from "./Carrier.ts"

export class CallReports extends Context.Service<
  CallReports,
  {
    /** Applies a report, which may be late, repeated or about a call that nobody here knows: those change nothing. */
    readonly take: (report: CallReport) => Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/telephony/CallReports") {
  static readonly layer = Layer.effect(
    CallReports,
    Effect.gen(function* () {
      const moves = yield* CallMoves

      const take = Effect.fn("CallReports.take")(function* ({ at, callId, news, providerCallId }: CallReport) {
        const found = yield* moves.move(callId, (call) => {
          if (isEnded(call) || (call.providerCallId !== null && call.providerCallId !== providerCallId))
            return Effect.succeed(null)
          // The report may be faster than the answer to the request that placed the call.
          const placed = call.providerCallId === null
          const { answered, call: advanced, detected, ended } = advance({ ...call, providerCallId }, news, at)
          return Effect.succeed({ call: advanced, placed, answered, detected, ended, heard: true })
        })
        if (found === null) yield* Effect.logDebug("a carrier told of a call that is not known here", callId)
      })

      return CallReports.of({ take })
    })
  )
}
