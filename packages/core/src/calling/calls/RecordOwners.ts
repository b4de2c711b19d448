/** Whose the carrier's records are that agree with a call in numbers and time alone. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import type { Call } from "./Call.ts"
import { CallSupervisionStore } from "./CallSupervisionStore.ts"
import type { CallReport } from "./Carrier.ts"

/**
 * Calls that started this close to each other may be meant by the same record: a record that is found by its number lies
 * within five minutes of its call.
 */
const rivalMs = 10 * Instant.minute

/** Which records no call has, and whether another call may be meant by them. */
export const recordOwners = Effect.map(CallSupervisionStore, ({ ownerOf, unnamed }) =>
  Effect.fnUntraced(function* ({ id, provider, startedAt, toKey }: Call, reports: ReadonlyArray<CallReport>) {
    const [since, until] = [Instant.plus(startedAt, -rivalMs), Instant.plus(startedAt, rivalMs)]
    // In this order: a call that gets its id meanwhile is among the owners.
    const rivals = yield* unnamed({ provider, key: toKey, since, until })
    const free: Array<CallReport> = []
    for (const report of reports) {
      if ((yield* ownerOf({ provider, providerCallId: report.providerCallId })) === null) free.push(report)
    }
    return { free, hasRival: rivals.some((rival) => rival !== id) }
  })
)
