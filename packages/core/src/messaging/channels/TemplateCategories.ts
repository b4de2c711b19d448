/** Port: the categories of templates, as far as they are known. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"

export class TemplateCategories extends Context.Service<
  TemplateCategories,
  {
    /** The category of a template of a number's business account, such as `MARKETING`; null where it is not known. */
    readonly of: (
      number: Pick<ConnectedNumber, "tenantId" | "channel" | "businessAccountId">,
      template: { readonly name: string; readonly language: string }
    ) => Effect.Effect<string | null, StorageError, Read>
  }
>()("@trunkline/core/messaging/channels/TemplateCategories") {}
