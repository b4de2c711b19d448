/** Port: caller numbers and voicemail templates. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Entity, Instant, type Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"

/** The row of a caller number. Source: docs/reference/telephony.md#numbers. */
export const callerNumberEntity = Schema.Struct({
  id: Ids.schema<"Number">(),
  tenantId: Ids.schema<"Account">(),
  phone: Schema.String,
  label: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso
})
export interface CallerNumber extends Schema.Struct.Type<typeof callerNumberEntity.fields> {}

/** How a caller number is shown. */
export const CallerNumberRecord = Entity.recordOf(callerNumberEntity, ["id", "phone", "label", "createdAt"])

/** The row of a voicemail template: exactly one of `text` and `audioUrl` is set. Source: docs/reference/telephony.md#voicemail. */
export const voicemailTemplateEntity = Schema.Struct({
  id: Ids.schema<"VoicemailTemplate">(),
  tenantId: Ids.schema<"Account">(),
  name: Schema.String,
  text: Schema.NullOr(Schema.String),
  audioUrl: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso
})
export interface VoicemailTemplate extends Schema.Struct.Type<typeof voicemailTemplateEntity.fields> {}

/** How a voicemail template is shown. */
export const VoicemailTemplateRecord = Entity.recordOf(voicemailTemplateEntity, [
  "id",
  "name",
  "text",
  "audioUrl",
  "createdAt",
  "updatedAt"
])

export class NumberStore extends Context.Service<
  NumberStore,
  {
    /** Adds a number, or writes the one with its id anew. */
    readonly putNumber: (number: CallerNumber) => Effect.Effect<void, StorageError, Tx>
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
>()("@trunkline/core/calling/calls/NumberStore") {}
