/** What an installation decides about keys and sign-in. */
import * as Context from "effect/Context"
import type { AuthenticationSettings } from "./Authentication.ts"

export class AccessSettings extends Context.Service<AccessSettings, AuthenticationSettings>()(
  "@trunkline/core/platform/accounts/AccessSettings"
) {}
