/** Port: commits that a fail-over of the database may have lost. Source: docs/reference/storage.md#fail-over. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"

/** What was committed from `since` until the fail-over may be lost. */
export interface LostWindow {
  readonly since: Instant.Instant
  /** When the fail-over was noticed. */
  readonly at: Instant.Instant
  /** Until then others are asked what the database may have lost. */
  readonly until: Instant.Instant
}

/** The window of the last fail-over, or null. A storage without fail-over loses nothing that was committed. */
export const LostCommits = Context.Reference<Effect.Effect<LostWindow | null>>(
  "@trunkline/core/platform/storage/LostCommits",
  {
    defaultValue: () => Effect.succeed(null)
  }
)
