/** Port: email addresses that must not be written to. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Entity, Instant, type Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import * as Ids from "../WebhooksIds.ts"

const emailReasons = ["bounced", "complained"] as const
export type EmailReason = (typeof emailReasons)[number]

/** Its row. */
export const emailSuppressionEntity = Schema.Struct({
  id: Ids.schema<"EmailSuppression">(),
  tenantId: Ids.schema<"Account">(),
  /** In lower case. */
  email: Schema.String,
  reason: Schema.Literals(emailReasons),
  detail: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso
})
export interface EmailSuppression extends Schema.Struct.Type<typeof emailSuppressionEntity.fields> {}

/** How a suppressed address is shown. */
export const EmailSuppressionRecord = Entity.recordOf(emailSuppressionEntity, [
  "id",
  "email",
  "reason",
  "detail",
  "createdAt"
])

export class EmailSuppressionStore extends Context.Service<
  EmailSuppressionStore,
  {
    /** Adds an address, unless it is there already: the first reason stays. */
    readonly add: (entry: EmailSuppression) => Effect.Effect<void, StorageError, Tx>
    readonly remove: (tenantId: Ids.AccountId, id: Ids.EmailEntryId) => Effect.Effect<boolean, StorageError, Tx>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<EmailSuppression>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/webhooks/email/EmailSuppressionStore") {}
