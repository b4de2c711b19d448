/** What campaigns change of their calls. */
import * as Effect from "effect/Effect"
import { lock } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type Call, isEnded } from "./Call.ts"
import type { CallStore } from "./CallStore.ts"

/** Changes a leg that has not ended, under its lock, as the campaign's rules say. */
export const changeLeg = Effect.fnUntraced(function* (
  calls: Pick<CallStore["Service"], "findInAnyAccount" | "save">,
  id: Ids.CallId,
  rule: (leg: Call) => Call
) {
  yield* lock("call", id)
  const leg = yield* calls.findInAnyAccount(id)
  if (leg !== null && !isEnded(leg)) yield* calls.save(rule(leg))
})
