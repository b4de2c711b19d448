/** Port: people whom a business account has written to with a template outside of an open reply window. Source: docs/reference/template-campaigns.md#pace. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { StorageError, Tx } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"

export class TemplateRecipients extends Context.Service<
  TemplateRecipients,
  {
    /** Counts somebody against the messaging limit of a number's business account, as a part of the transaction that stores the message. */
    readonly count: (
      number: ConnectedNumber,
      person: { readonly phone: string | null; readonly userRef: string | null },
      at: Instant.Instant
    ) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/messaging/channels/TemplateRecipients") {}
