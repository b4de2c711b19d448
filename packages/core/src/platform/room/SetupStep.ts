/** What a newcomer has to do before the product is of use: each step stands with the room that knows whether it is done. */
import type * as Effect from "effect/Effect"
import type * as Ids from "../PlatformIds.ts"

/** The steps in the order in which a person takes them. A room that is not there has no step. */
export const setupSteps = [
  "carrier",
  "caller_number",
  "credits",
  "agent",
  "campaign",
  "chat_number",
  "webhook",
  "key"
] as const

export type SetupStepId = (typeof setupSteps)[number]

export interface SetupState {
  readonly done: boolean
  /** A word about how it is done; null where there is nothing to say. */
  readonly note: string | null
}

export interface SetupStep<E = unknown, R = unknown> {
  readonly id: SetupStepId
  /** True where the product is set up without it. */
  readonly isOptional?: true
  readonly look: (tenantId: Ids.AccountId) => Effect.Effect<SetupState, E, R>
}

/** A step that is done or not, and says nothing more. */
export const setupState = (done: boolean): SetupState => ({ done, note: null })
