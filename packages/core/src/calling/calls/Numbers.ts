/** Caller numbers and voicemail templates of an account. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StillInUse } from "../../agents/bots/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import {
  type LimitReached,
  lock,
  type Read,
  roomFor,
  Storage,
  type StorageError
} from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { NumberNotFound, TemplateNeedsOneSource, TemplateNotFound, UnusableNumber } from "./CallErrors.ts"
import { type CallerNumber, NumberStore, type VoicemailTemplate } from "./NumberStore.ts"

/** Who may still need a number or a template: asked before one is removed. */
export class NumberUses extends Context.Service<
  NumberUses,
  {
    readonly number: (tenantId: Ids.AccountId, id: Ids.NumberId) => Effect.Effect<boolean, StorageError, Read>
    readonly template: (tenantId: Ids.AccountId, id: Ids.TemplateId) => Effect.Effect<boolean, StorageError, Read>
  }
>()("@trunkline/core/calling/calls/NumberUses") {}

export type NewTemplate = Pick<VoicemailTemplate, "name" | "text" | "audioUrl">

export class Numbers extends Context.Service<
  Numbers,
  {
    readonly add: (
      tenantId: Ids.AccountId,
      phone: string,
      label: string | null
    ) => Effect.Effect<CallerNumber, UnusableNumber | LimitReached | StorageError>
    readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<Paged<CallerNumber>, StorageError>
    /** Gives a caller number another name in lists; without one it keeps its own. */
    readonly label: (
      tenantId: Ids.AccountId,
      id: Ids.NumberId,
      label: string | null | undefined
    ) => Effect.Effect<CallerNumber, NumberNotFound | StorageError>
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.NumberId
    ) => Effect.Effect<void, NumberNotFound | StillInUse | StorageError>
    readonly ownedNumber: (
      tenantId: Ids.AccountId,
      id: Ids.NumberId
    ) => Effect.Effect<CallerNumber, NumberNotFound | StorageError, Read>
    readonly addTemplate: (
      tenantId: Ids.AccountId,
      template: NewTemplate
    ) => Effect.Effect<VoicemailTemplate, TemplateNeedsOneSource | LimitReached | StorageError>
    readonly changeTemplate: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateId,
      change: Partial<NewTemplate>
    ) => Effect.Effect<VoicemailTemplate, TemplateNotFound | TemplateNeedsOneSource | StorageError>
    readonly getTemplate: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateId
    ) => Effect.Effect<VoicemailTemplate, TemplateNotFound | StorageError>
    readonly listTemplates: (
      tenantId: Ids.AccountId,
      page: Page
    ) => Effect.Effect<Paged<VoicemailTemplate>, StorageError>
    readonly removeTemplate: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateId
    ) => Effect.Effect<void, TemplateNotFound | StillInUse | StorageError>
    readonly ownedTemplate: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateId
    ) => Effect.Effect<VoicemailTemplate, TemplateNotFound | StorageError, Read>
  }
>()("@trunkline/core/calling/calls/Numbers") {
  static readonly layer = Layer.effect(
    Numbers,
    Effect.gen(function* () {
      const store = yield* NumberStore
      const storage = yield* Storage
      const uses = yield* NumberUses
      const roomForNumber = yield* roomFor("callerNumbers")
      const roomForTemplate = yield* roomFor("voicemailTemplates")

      const ownedNumber = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.NumberId) {
        return (yield* store.findNumber(tenantId, id)) ?? (yield* new NumberNotFound({ id }))
      })

      const ownedTemplate = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.TemplateId) {
        return (yield* store.findTemplate(tenantId, id)) ?? (yield* new TemplateNotFound({ id }))
      })

      const add = tracedFn("Numbers.add")(function* (tenantId: Ids.AccountId, phone: string, label: string | null) {
        if (PhoneNumber.usable(phone) === undefined)
          return yield* new UnusableNumber({ field: "phone", written: phone })
        const number: CallerNumber = {
          id: yield* Ids.fresh<"Number">(),
          tenantId,
          phone,
          label,
          createdAt: yield* Instant.now
        }
        yield* storage.transact(
          Effect.andThen(roomForNumber(tenantId, store.countNumbers(tenantId)), store.putNumber(number))
        )
        return number
      })

      const label = tracedFn("Numbers.label")(function* (
        tenantId: Ids.AccountId,
        id: Ids.NumberId,
        text: string | null | undefined
      ) {
        yield* lock("numbers", tenantId)
        const number = yield* ownedNumber(tenantId, id)
        if (text === undefined) return number
        const labelled = { ...number, label: text }
        yield* store.putNumber(labelled)
        return labelled
      }, storage.transact)

      const remove = tracedFn("Numbers.remove")(function* (tenantId: Ids.AccountId, id: Ids.NumberId) {
        yield* lock("numbers", tenantId)
        yield* ownedNumber(tenantId, id)
        if (yield* uses.number(tenantId, id)) return yield* new StillInUse({ what: "phone number" })
        yield* store.removeNumber(tenantId, id)
      }, storage.transact)

      const addTemplate = tracedFn("Numbers.addTemplate")(function* (tenantId: Ids.AccountId, given: NewTemplate) {
        const at = yield* Instant.now
        const template = {
          ...given,
          id: yield* Ids.fresh<"VoicemailTemplate">(),
          tenantId,
          createdAt: at,
          updatedAt: at
        }
        if (!hasOneSource(template)) return yield* new TemplateNeedsOneSource()
        yield* storage.transact(
          Effect.andThen(roomForTemplate(tenantId, store.countTemplates(tenantId)), store.addTemplate(template))
        )
        return template
      })

      const changeTemplate = tracedFn("Numbers.changeTemplate")(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateId,
        change: Partial<NewTemplate>
      ) {
        yield* lock("numbers", tenantId)
        const template = { ...(yield* ownedTemplate(tenantId, id)), ...change, updatedAt: yield* Instant.now }
        if (!hasOneSource(template)) return yield* new TemplateNeedsOneSource()
        yield* store.saveTemplate(template)
        return template
      }, storage.transact)

      const removeTemplate = tracedFn("Numbers.removeTemplate")(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateId
      ) {
        yield* lock("numbers", tenantId)
        yield* ownedTemplate(tenantId, id)
        if (yield* uses.template(tenantId, id)) return yield* new StillInUse({ what: "voicemail template" })
        yield* store.removeTemplate(tenantId, id)
      }, storage.transact)

      return Numbers.of({
        add,
        label,
        remove,
        ownedNumber,
        addTemplate,
        changeTemplate,
        removeTemplate,
        ownedTemplate,
        getTemplate: (tenantId, id) => storage.read(ownedTemplate(tenantId, id)),
        list: (tenantId, page) =>
          storage.read(Effect.all({ items: store.listNumbers(tenantId, page), total: store.countNumbers(tenantId) })),
        listTemplates: (tenantId, page) =>
          storage.read(
            Effect.all({ items: store.listTemplates(tenantId, page), total: store.countTemplates(tenantId) })
          )
      })
    })
  )
}

const hasOneSource = ({ audioUrl, text }: NewTemplate): boolean => (audioUrl === null) !== (text === null)
