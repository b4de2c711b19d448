/** What is known of a template of a business account, and its port. Source: docs/reference/messaging.md#known-templates. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type { TemplateFacts } from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { JsonObject } from "../messages/JsonObject.ts"

/** Each account knows its own templates, also where two of them have numbers of one business account. */
export interface KnownTemplate extends TemplateFacts {
  readonly tenantId: Ids.AccountId
  readonly channel: string
  readonly businessAccountId: string
  /** Why it has its status, in the network's words. */
  readonly reason: string | null
  readonly rejection: JsonObject | null
  /** When the network will disable it; null where it will not. */
  readonly disableAt: Instant.Instant | null
  /** When the network wrote the newest delivery that was applied; null where none was. */
  readonly reportedAt: Instant.Instant | null
  /** When it is to be read; null while there is no reason to. */
  readonly readDueAt: Instant.Instant | null
  readonly updatedAt: Instant.Instant
}

/** Whose templates: those of one business account, as one account knows them. */
export type TemplateOwner = Pick<KnownTemplate, "tenantId" | "channel" | "businessAccountId">

/** Lock ("template", id) before a template is looked for and saved. */
export class KnownTemplateStore extends Context.Service<
  KnownTemplateStore,
  {
    /** Those of some ids, in no order; an id that is not known is left out. */
    readonly among: (
      owner: TemplateOwner,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KnownTemplate>, StorageError, Read>
    /** The one of a name in a language that was written last; null for none. */
    readonly named: (
      owner: TemplateOwner,
      name: string,
      language: string
    ) => Effect.Effect<KnownTemplate | null, StorageError, Read>
    /** Adds it, or writes it anew. */
    readonly save: (template: KnownTemplate) => Effect.Effect<void, StorageError, Tx>
    /** Forgets the template of an id, which has this name; every language of the name where no id is named. */
    readonly remove: (
      owner: TemplateOwner,
      template: { readonly name: string; readonly id: string | null }
    ) => Effect.Effect<void, StorageError, Tx>
    /** When the first template is to be read; null for none. */
    readonly nextRead: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Takes templates that are due at `at`: nobody else takes them before `until`. */
    readonly claimReads: (
      at: Instant.Instant,
      until: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<KnownTemplate>, StorageError, Tx>
  }
>()("@trunkline/core/messaging/templates/KnownTemplateStore") {}
