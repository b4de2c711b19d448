/** Port: what uses a template, and therefore keeps it from being deleted. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"

export class TemplateUses extends Context.Service<
  TemplateUses,
  {
    /** True while a campaign of the account that is scheduled, running or paused sends it; `language` null means in any language. */
    readonly isUsed: (
      owner: Pick<ConnectedNumber, "tenantId" | "channel" | "businessAccountId">,
      template: { readonly name: string; readonly language: string | null }
    ) => Effect.Effect<boolean, StorageError, Read>
  }
>()("@trunkline/core/messaging/channels/TemplateUses") {}
