/** Templates of a number's business account: asked of the channel, and known here. Source: docs/reference/messaging.md#templates. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Actor, operator } from "../../platform/accounts/index.ts"
import { type NewEvent, Outbox } from "../../platform/events/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import {
  type ChannelFailed,
  type ChannelTemplates,
  type ConnectedNumber,
  type ConnectedNumberNotFound,
  channelLacks,
  ExamplesMissing,
  type NewFile,
  NumberFactsStore,
  type PlatformMissing,
  type PlatformRefusal,
  type PlatformTrouble,
  type TemplateAnswer,
  type TemplateFacts,
  TemplateInUse,
  TemplateUses
} from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import { dueReads, numberRequests, type Sender } from "../sending/index.ts"
import { type KnownTemplate, KnownTemplateStore, type TemplateOwner } from "./KnownTemplate.ts"
import { KnownTemplates } from "./KnownTemplates.ts"

type Failed = ConnectedNumberNotFound | PlatformMissing | PlatformTrouble | StorageError
type Query = Readonly<Record<string, string>>

/** Which templates are deleted: the one of an id, or every language of a name. */
export interface DeletedTemplates {
  readonly name: string
  readonly id: string | null
}

export class Templates extends Context.Service<
  Templates,
  {
    /** The templates of the number's business account, in the channel's words. */
    readonly list: (tenantId: Ids.AccountId, phoneNumberId: string, query: Query) => Effect.Effect<JsonObject, Failed>
    /** Submits a template, which the channel's network approves later. */
    readonly create: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      template: JsonObject
    ) => Effect.Effect<JsonObject, Failed>
    readonly get: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      id: string,
      query: Query
    ) => Effect.Effect<JsonObject, Failed>
    /** The template of exactly this name in exactly this language, as the network has it now; null where there is none. */
    readonly named: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      template: { readonly name: string; readonly language: string }
    ) => Effect.Effect<TemplateFacts | null, Failed>
    readonly change: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      id: string,
      change: JsonObject
    ) => Effect.Effect<JsonObject, Failed>
    readonly remove: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      template: DeletedTemplates,
      actor?: Actor
    ) => Effect.Effect<void, Failed | TemplateInUse>
    /** Lets a template be sent again that the channel's network has paused. */
    readonly unpause: (tenantId: Ids.AccountId, phoneNumberId: string, id: string) => Effect.Effect<JsonObject, Failed>
    /** Keeps a file that shows what a template's header looks like; returns the handle by which a template names it. */
    readonly keepExample: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      file: NewFile
    ) => Effect.Effect<string, Failed | ExamplesMissing>
    /** Reads templates that are due anew; returns how many. What cannot be read stays as it was. */
    readonly readDue: Effect.Effect<number, StorageError>
    readonly nextRead: Effect.Effect<Instant.Instant | null, StorageError>
  }
>()("@trunkline/core/messaging/templates/Templates") {
  static readonly layer = Layer.effect(
    Templates,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const known = yield* KnownTemplates
      const outbox = yield* Outbox
      const storage = yield* Storage
      const store = yield* KnownTemplateStore
      const facts = yield* NumberFactsStore
      const uses = yield* TemplateUses
      const { ask, askFor, owned } = yield* numberRequests

      /** Commits what has become known, and publishes its events. */
      const keeping = Effect.fnUntraced(function* (
        learnt: Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
      ) {
        yield* outbox.publish(yield* storage.transact(Effect.flatMap(learnt, outbox.append)))
      })

      const templatesOf = ({ channel }: Sender) =>
        channel.network.templates === null
          ? Effect.fail(channelLacks("templates"))
          : Effect.succeed(channel.network.templates)

      type Request<A> = (
        templates: ChannelTemplates,
        sender: Sender
      ) => Effect.Effect<A, ChannelFailed | PlatformRefusal>

      const asking = <A>(tenantId: Ids.AccountId, phoneNumberId: string, request: Request<A>) =>
        ask(tenantId, phoneNumberId, (sender) =>
          Effect.flatMap(templatesOf(sender), (templates) =>
            Effect.map(request(templates, sender), (answer) => ({ answer, owner: ownerOf(sender.number) }))
          )
        )

      /** Asks, and keeps what the answer says of templates. */
      const reading = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        request: Request<TemplateAnswer>
      ) {
        const { answer, owner } = yield* asking(tenantId, phoneNumberId, request)
        yield* keeping(known.learn(owner, answer.templates))
        return answer.answer
      })

      const named = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        { language, name }: { readonly name: string; readonly language: string }
      ) {
        const { answer, owner } = yield* asking(tenantId, phoneNumberId, (templates, { connection }) =>
          templates.named(connection, name)
        )
        yield* keeping(known.learn(owner, answer))
        return answer.find((one) => one.language === language) ?? null
      })

      /** Asks for a change of one template, which is then read anew: the answer does not say what has become of it. */
      const changing = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        id: string,
        request: Request<JsonObject>
      ) {
        const { answer, owner } = yield* asking(tenantId, phoneNumberId, request)
        yield* storage.transact(Effect.flatMap(Instant.now, (at) => known.readAt(owner, id, at)))
        return answer
      })

      const checkUnused = Effect.fnUntraced(function* (number: ConnectedNumber, { id, name }: DeletedTemplates) {
        const [found] = id === null ? [] : yield* store.among(ownerOf(number), [id])
        const language = found?.language ?? null
        if (yield* uses.isUsed(ownerOf(number), { name, language })) return yield* new TemplateInUse({ name })
      })

      const remove = tracedFn("Templates.remove")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        template: DeletedTemplates,
        actor: Actor = operator
      ) {
        yield* storage.read(checkUnused(yield* owned(tenantId, phoneNumberId), template))
        const { owner } = yield* asking(tenantId, phoneNumberId, (templates, { connection }) =>
          templates.remove(connection, template)
        )
        yield* storage.transact(
          Effect.gen(function* () {
            yield* store.remove(owner, template)
            yield* accounts.record(tenantId, actor, "template.delete", template.id, template.name)
          })
        )
      })

      const keepExample = tracedFn("Templates.keepExample")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        file: NewFile
      ) {
        const { answer } = yield* asking(tenantId, phoneNumberId, (templates, { connection }) =>
          templates.keepExample === null ? Effect.succeed(null) : templates.keepExample(connection, file)
        )
        return answer ?? (yield* new ExamplesMissing())
      })

      /** Any number of the business account may ask about its templates. */
      const readAnew = Effect.fnUntraced(function* (owner: TemplateOwner, id: string) {
        const all = yield* storage.read(facts.ofBusinessAccount(owner.channel, owner.businessAccountId))
        const number = all.find(({ tenantId }) => tenantId === owner.tenantId)
        if (number === undefined) return []
        const { templates } = yield* askFor(number, (sender) =>
          Effect.flatMap(templatesOf(sender), ({ get }) => get(sender.connection, id, {}))
        )
        return templates
      })

      const readOne = Effect.fnUntraced(function* (template: KnownTemplate) {
        const owner = ownerOf(template)
        const read = yield* Effect.catchTag(readAnew(owner, template.id), "PlatformRefusal", () => Effect.succeed([]))
        yield* keeping(Effect.tap(known.learn(owner, read), known.readAt(owner, template.id, null)))
      })

      return Templates.of({
        list: (tenantId, id, query) => reading(tenantId, id, ({ list }, { connection }) => list(connection, query)),
        create: (tenantId, id, template) =>
          reading(tenantId, id, ({ create }, { connection }) => create(connection, template)),
        get: (tenantId, id, templateId, query) =>
          reading(tenantId, id, ({ get }, { connection }) => get(connection, templateId, query)),
        change: (tenantId, id, templateId, change) =>
          changing(tenantId, id, templateId, (templates, { connection }) =>
            templates.change(connection, templateId, change)
          ),
        unpause: (tenantId, id, templateId) =>
          changing(tenantId, id, templateId, ({ unpause }, { connection }) => unpause(connection, templateId)),
        named,
        remove,
        keepExample,
        readDue: Effect.provideService(dueReads(store.claimReads, readOne), Storage, storage),
        nextRead: storage.read(store.nextRead)
      })
    })
  )
}

const ownerOf = ({
  businessAccountId,
  channel,
  tenantId
}: Pick<ConnectedNumber, "tenantId" | "channel" | "businessAccountId">): TemplateOwner => ({
  tenantId,
  channel,
  businessAccountId
})
