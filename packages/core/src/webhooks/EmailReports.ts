/** Bounces and complaints that the host reports: they suppress the address, and tell the email subscriptions. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Accounts } from "../access/index.ts"
import { Publishing } from "../events/index.ts"
import { Ids, Instant, isLonger, type Page, type Paged } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { type EmailReason, type EmailSuppression, EmailSuppressionStore } from "./EmailSuppressionStore.ts"
import { deliveriesOf } from "./NewDelivery.ts"
import * as Payload from "./Payload.ts"
import { WebhookStore } from "./WebhookStore.ts"

export class EmailReportRefused extends Schema.TaggedError<EmailReportRefused>()("EmailReportRefused", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export class EmailEntryNotFound extends Schema.TaggedError<EmailEntryNotFound>()("EmailEntryNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Entry not found"
  }
}

export interface EmailReport {
  readonly type: string
  readonly recipient: string
  readonly messageId?: string | null
  readonly emailId?: string | null
  readonly detail?: string | null
  readonly domain?: string | null
  /** The same key of one account is taken once. */
  readonly idempotencyKey?: string | null
}

const reasons: Readonly<Record<string, EmailReason>> = {
  "email.bounced": "bounced",
  "email.complained": "complained"
}

/** An address as far as it matters here: something, an at sign, something, and no white space. */
const address = /^[^\s@]+@[^\s@]+$/

export class EmailReports extends Context.Service<
  EmailReports,
  {
    /** Takes in a report. Tells whether it was new. Source: docs/webhooks.md#email. */
    readonly report: (
      tenantId: Ids.AccountId,
      report: EmailReport
    ) => Effect.Effect<boolean, EmailReportRefused | StorageError>
    /** Newest first. */
    readonly suppressed: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<Paged<EmailSuppression>, StorageError>
    readonly unsuppress: (
      tenantId: Ids.AccountId,
      id: Ids.EmailEntryId,
      actor: string
    ) => Effect.Effect<void, EmailEntryNotFound | StorageError>
  }
>()("@trunkline/core/webhooks/EmailReports") {
  static readonly layer = Layer.effect(
    EmailReports,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { takeKey } = yield* Publishing
      const storage = yield* Storage
      const store = yield* EmailSuppressionStore
      const webhooks = yield* WebhookStore
      const { wake } = yield* DeliverySignal

      const report = Effect.fn("EmailReports.report")(function* (tenantId: Ids.AccountId, given: EmailReport) {
        const reason = Object.hasOwn(reasons, given.type) ? reasons[given.type] : undefined
        if (reason === undefined) {
          return yield* new EmailReportRefused({
            detail: `There is no report ${given.type}: use ${Object.keys(reasons).join(" or ")}`
          })
        }
        const email = given.recipient.trim().toLowerCase()
        if (!address.test(email) || isLonger(email, 320)) {
          return yield* new EmailReportRefused({ detail: `${JSON.stringify(given.recipient)} is no email address` })
        }
        const isNew = yield* storage.transact(
          Effect.gen(function* () {
            const at = yield* Instant.now
            const key = given.idempotencyKey ?? null
            if (key !== null && !(yield* takeKey(tenantId, `email ${key}`))) return false
            const detail = given.detail ?? null
            yield* store.add({
              id: yield* Ids.fresh<"EmailSuppression">(),
              tenantId,
              email,
              reason,
              detail,
              createdAt: at
            })
            const data = {
              email_id: given.emailId ?? null,
              message_id: given.messageId ?? null,
              recipient: given.recipient.trim(),
              detail,
              domain: given.domain ?? null
            }
            const occurrence = {
              tenantId,
              surface: "email" as const,
              event: given.type,
              botId: null,
              payload: Payload.ofEmail(given.type, data, at),
              sendId: data.email_id,
              at
            }
            const filters = yield* webhooks.activeFilters(tenantId, "email")
            const deliveries = deliveriesOf(occurrence, filters, yield* Ids.source)
            if (deliveries.length > 0) yield* webhooks.addDeliveries(deliveries)
            return true
          })
        )
        if (isNew) yield* wake
        return isNew
      })

      const unsuppress = Effect.fn("EmailReports.unsuppress")(function* (
        tenantId: Ids.AccountId,
        id: Ids.EmailEntryId,
        actor: string
      ) {
        if (!(yield* store.remove(tenantId, id))) return yield* new EmailEntryNotFound({ id })
        yield* accounts.record(tenantId, actor, "email.suppression.delete", id)
      }, storage.transact)

      return EmailReports.of({
        report,
        unsuppress,
        suppressed: (tenantId, page) =>
          storage.read(Effect.all({ items: store.list(tenantId, page), total: store.count(tenantId) }))
      })
    })
  )
}
