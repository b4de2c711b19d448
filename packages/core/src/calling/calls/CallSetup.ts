/** What calls need before the first of them: a carrier, a number to call from, and credit for a minute. */
import * as Effect from "effect/Effect"
import { Accounts, spenderOf } from "../../platform/accounts/index.ts"
import { Credits } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { type SetupState, type SetupStep, setupState } from "../../platform/room/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import { Carrier, TelephonyConfigured } from "./Carrier.ts"
import { NumberStore } from "./NumberStore.ts"
import { TelephonySettings } from "./TelephonySettings.ts"

/** The carrier that calls nobody. */
const simulator = "simulator"

export const callSetup = Effect.gen(function* () {
  const accounts = yield* Accounts
  const credits = yield* Credits
  const isConfigured = yield* TelephonyConfigured
  const numbers = yield* NumberStore
  const { traits } = yield* Carrier
  const { creditsPerMinute } = yield* TelephonySettings

  const needsOwnNumber = traits.needsCaller && traits.defaultFrom === null

  const covers = (left: bigint | null) => left === null || left >= creditsPerMinute

  const affordsMinute: SetupStep<StorageError, Read>["look"] = Effect.fnUntraced(function* (tenantId) {
    const account = yield* accounts.find(tenantId)
    if (account === null) return setupState(false)
    const room = yield* credits.headroom(spenderOf(account), yield* Instant.now)
    return setupState(covers(room.credits) && covers(room.budget))
  })

  return [
    {
      id: "carrier",
      look: () =>
        Effect.succeed({ done: isConfigured, note: traits.name === simulator ? simulator : null } satisfies SetupState)
    },
    {
      id: "caller_number",
      look: (tenantId) =>
        needsOwnNumber
          ? Effect.map(numbers.countNumbers(tenantId), (n) => setupState(n > 0))
          : Effect.succeed(setupState(true))
    },
    { id: "credits", look: affordsMinute }
  ] satisfies ReadonlyArray<SetupStep<StorageError, Read>>
})
