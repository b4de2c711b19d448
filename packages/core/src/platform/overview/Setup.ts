/** What is still to be done before an account can use the product. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Ids from "../PlatformIds.ts"
import { type SetupState, type SetupStep, type SetupStepId, setupSteps } from "../room/index.ts"
import { type Read, Storage, type StorageError } from "../storage/index.ts"

/** The steps of all rooms that are there, in no order. */
export class SetupSteps extends Context.Service<SetupSteps, ReadonlyArray<SetupStep<StorageError, Read>>>()(
  "@trunkline/core/platform/overview/SetupSteps"
) {}

export interface Setup {
  /** Whether every step is done that the product cannot be without. */
  readonly completed: boolean
  readonly steps: ReadonlyArray<SetupState & { readonly id: SetupStepId }>
}

const inOrder = (a: SetupStep, b: SetupStep): number => setupSteps.indexOf(a.id) - setupSteps.indexOf(b.id)

export const makeSetup = Effect.gen(function* () {
  const storage = yield* Storage
  const steps = [...(yield* SetupSteps)].sort(inOrder)

  return Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
    const states = yield* storage.read(Effect.all(steps.map(({ look }) => look(tenantId))))
    return {
      completed: steps.every(({ isOptional = false }, at) => isOptional || states[at]!.done),
      steps: steps.map(({ id }, at) => ({ id, ...states[at]! }))
    } satisfies Setup
  })
})
