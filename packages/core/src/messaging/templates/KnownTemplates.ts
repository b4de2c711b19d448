/** Keeps what reads and deliveries say of templates, in the caller's transaction. Source: docs/reference/messaging.md#known-templates. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type { TemplateFacts } from "../channels/index.ts"
import { type KnownTemplate, KnownTemplateStore, type TemplateOwner } from "./KnownTemplate.ts"
import {
  afterRead,
  afterReport,
  type ChangedTemplate,
  type TemplateReport,
  unknownTemplate
} from "./TemplateChanges.ts"
import { templateEvents } from "./TemplateEvents.ts"

export class KnownTemplates extends Context.Service<
  KnownTemplates,
  {
    /** Keeps what the network has answered about templates; returns the events of what has changed. */
    readonly learn: (
      owner: TemplateOwner,
      templates: ReadonlyArray<TemplateFacts>
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
    /** Applies a delivery, unless one that was written later has been applied; returns the events of what has changed. */
    readonly report: (
      owner: TemplateOwner,
      report: TemplateReport
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
    /** Has a template that is known read at an instant; null for no more. */
    readonly readAt: (
      owner: TemplateOwner,
      id: string,
      at: Instant.Instant | null
    ) => Effect.Effect<void, StorageError, Tx | Read>
  }
>()("@trunkline/core/messaging/templates/KnownTemplates") {
  static readonly layer = Layer.effect(
    KnownTemplates,
    Effect.gen(function* () {
      const store = yield* KnownTemplateStore

      type Change = (known: KnownTemplate, at: Instant.Instant) => ChangedTemplate | null

      const changing = Effect.fnUntraced(function* (owner: TemplateOwner, id: string, change: Change) {
        yield* lock("template", id)
        const at = yield* Instant.now
        const [known = unknownTemplate(owner, id, at)] = yield* store.among(owner, [id])
        const changed = change(known, at)
        if (changed === null) return []
        yield* store.save(changed.template)
        return templateEvents(changed)
      })

      const learn = Effect.fnUntraced(function* (owner: TemplateOwner, templates: ReadonlyArray<TemplateFacts>) {
        const at = yield* Instant.now
        const ids = templates.map(({ id }) => id)
        const known = new Map((yield* store.among(owner, ids)).map((one) => [one.id, one]))
        // Most reads say what is known: only what they change is locked, in one order, and looked at again.
        const news = templates
          .filter((facts) => afterRead(known.get(facts.id) ?? unknownTemplate(owner, facts.id, at), facts, at) !== null)
          .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        const events: Array<NewEvent> = []
        for (const facts of news) {
          events.push(...(yield* changing(owner, facts.id, (before, now) => afterRead(before, facts, now))))
        }
        return events
      })

      const readAt = Effect.fnUntraced(function* (owner: TemplateOwner, id: string, at: Instant.Instant | null) {
        yield* lock("template", id)
        const [known] = yield* store.among(owner, [id])
        if (known !== undefined && known.readDueAt !== at) yield* store.save({ ...known, readDueAt: at })
      })

      return KnownTemplates.of({
        learn,
        readAt,
        report: (owner, report) => changing(owner, report.id, (known, at) => afterReport(known, report, at))
      })
    })
  )
}
