/** Bounces and complaints that the host reports: each suppresses the address and is an event for email subscriptions. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Actor } from "../../platform/accounts/index.ts"
import { Publishing } from "../../platform/events/index.ts"
import { Instant, isLonger, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { DeliverySignal } from "../DeliverySignal.ts"
import { DeliveryStore } from "../deliveries/DeliveryStore.ts"
import { deliveriesOf } from "../deliveries/NewDelivery.ts"
import * as Payload from "../deliveries/Payload.ts"
import { SubscriptionStore } from "../subscriptions/SubscriptionStore.ts"
import { EmailEntryNotFound, EmailReportRefused } from "../WebhookErrors.ts"
import * as Ids from "../WebhooksIds.ts"
import { type EmailReason, type EmailSuppression, EmailSuppressionStore } from "./EmailSuppressionStore.ts"

export interface EmailReport {
  readonly type: string
  readonly recipient: string
  readonly messageId?: string | null
  readonly emailId?: string | null
  readonly detail?: string | null
  readonly domain?: string | null
  /** The same key of one account is recorded once. */
  readonly idempotencyKey?: string | null
}

const reasons: Readonly<Record<string, EmailReason>> = {
  "email.bounced": "bounced",
  "email.complained": "complained"
}

/** An address as far as it matters here: something, an at sign, something, and no white space. */
const address = /^[^\s@]+@[^\s@]+$/

/** What a report says of an address. */
const readReport = Effect.fnUntraced(function* (given: EmailReport) {
  const reason = Object.hasOwn(reasons, given.type) ? reasons[given.type] : undefined
  if (reason === undefined) {
    const detail = `There is no report ${given.type}: use ${Object.keys(reasons).join(" or ")}`
    return yield* new EmailReportRefused({ detail })
  }
  const recipient = given.recipient.trim()
  const email = recipient.toLowerCase()
  if (!address.test(email) || isLonger(email, 320)) {
    return yield* new EmailReportRefused({ detail: `${JSON.stringify(given.recipient)} is no email address` })
  }
  return { email, recipient, reason }
})

export class EmailReports extends Context.Service<
  EmailReports,
  {
    /** Records a report; false when its key has been used before. Source: docs/reference/webhooks.md#email. */
    readonly report: (
      tenantId: Ids.AccountId,
      report: EmailReport
    ) => Effect.Effect<boolean, EmailReportRefused | StorageError>
    /** Newest first. */
    readonly suppressed: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<Paged<EmailSuppression>, StorageError>
    readonly unsuppress: (
      tenantId: Ids.AccountId,
      id: Ids.EmailEntryId,
      actor: Actor
    ) => Effect.Effect<void, EmailEntryNotFound | StorageError>
  }
>()("@trunkline/core/webhooks/email/EmailReports") {
  static readonly layer = Layer.effect(
    EmailReports,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { claimKey } = yield* Publishing
      const storage = yield* Storage
      const store = yield* EmailSuppressionStore
      const subscriptions = yield* SubscriptionStore
      const deliveries = yield* DeliveryStore
      const { wake } = yield* DeliverySignal

      const enqueue = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        given: EmailReport,
        { at, recipient }: { readonly at: Instant.Instant; readonly recipient: string }
      ) {
        const data = {
          email_id: given.emailId ?? null,
          message_id: given.messageId ?? null,
          recipient,
          detail: given.detail ?? null,
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
        const filters = yield* subscriptions.activeFilters({ tenantId, surface: "email" })
        yield* deliveries.add(deliveriesOf(occurrence, filters, yield* Ids.source))
      })

      const report = tracedFn("EmailReports.report")(function* (tenantId: Ids.AccountId, given: EmailReport) {
        const { email, reason, recipient } = yield* readReport(given)
        const isNew = yield* storage.transact(
          Effect.gen(function* () {
            const at = yield* Instant.now
            const key = given.idempotencyKey ?? null
            if (key !== null && !(yield* claimKey(tenantId, `email ${key}`))) return false
            const id = yield* Ids.fresh<"EmailSuppression">()
            yield* store.add({ id, tenantId, email, reason, detail: given.detail ?? null, createdAt: at })
            yield* enqueue(tenantId, given, { at, recipient })
            return true
          })
        )
        if (isNew) yield* wake
        return isNew
      })

      const unsuppress = tracedFn("EmailReports.unsuppress")(function* (
        tenantId: Ids.AccountId,
        id: Ids.EmailEntryId,
        actor: Actor
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
