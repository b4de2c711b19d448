/** What an installation decides about its own sign-in. */
import * as Context from "effect/Context"
import type { SessionTimes } from "./SignInSession.ts"

export interface SignInSettings extends SessionTimes {
  /** False where people sign in elsewhere: no session counts then. */
  readonly isOn: boolean
  /** How long a link works by which an owner is made or a password is set anew. */
  readonly linkMs: number
  /** How long an invitation works. */
  readonly invitationMs: number
  /** The name of the session's cookie, and those that it had under earlier encryption keys. */
  readonly cookieNames: readonly [string, ...ReadonlyArray<string>]
}

/** Source: docs/reference/sign-in.md. */
export class PeopleSettings extends Context.Service<PeopleSettings, SignInSettings>()(
  "@trunkline/core/platform/people/PeopleSettings"
) {}
