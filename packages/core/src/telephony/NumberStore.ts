/** Port: caller numbers and voicemail templates. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant, Page } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

/** Source: docs/telephony.md#numbers. */
export interface CallerNumber {
  readonly id: Ids.NumberId
  readonly tenantId: Ids.AccountId
  readonly phone: string
  readonly label: string | null
  readonly createdAt: Instant.Instant
}

/** Source: docs/telephony.md#voicemail. Exactly one of `text` and `audioUrl` is set. */
export interface VoicemailTemplate {
  readonly id: Ids.TemplateId
  readonly tenantId: Ids.AccountId
  readonly name: string
  readonly text: string | null
  readonly audioUrl: string | null
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}

export class NumberStore extends Context.Service<
  NumberStore,
  {
    readonly addNumber: (number: CallerNumber) => Effect.Effect<void, StorageError, Tx>
    readonly findNumber: (
      tenantId: Ids.AccountId,
      id: Ids.NumberId
    ) => Effect.Effect<CallerNumber | null, StorageError, Read>
    /** The account's first number, by age. */
    readonly firstNumber: (tenantId: Ids.AccountId) => Effect.Effect<CallerNumber | null, StorageError, Read>
    readonly listNumbers: (
      tenantId: Ids.AccountId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<CallerNumber>, StorageError, Read>
    readonly countNumbers: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    readonly removeNumber: (tenantId: Ids.AccountId, id: Ids.NumberId) => Effect.Effect<boolean, StorageError, Tx>
    readonly addTemplate: (template: VoicemailTemplate) => Effect.Effect<void, StorageError, Tx>
    readonly saveTemplate: (template: VoicemailTemplate) => Effect.Effect<void, StorageError, Tx>
    readonly findTemplate: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateId
    ) => Effect.Effect<VoicemailTemplate | null, StorageError, Read>
    readonly listTemplates: (
      tenantId: Ids.AccountId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<VoicemailTemplate>, StorageError, Read>
    readonly countTemplates: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    readonly removeTemplate: (tenantId: Ids.AccountId, id: Ids.TemplateId) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/telephony/NumberStore") {}
