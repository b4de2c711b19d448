/** Bills and their payments, for callers of the API, and the worker that confirms and expires them. Source: docs/reference/payments.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Accounts, type Actor, type Doer, operator } from "../../platform/accounts/index.ts"
import { Outbox } from "../../platform/events/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import {
  type Bill,
  type ChannelFailed,
  type ChannelPayments,
  ChatChannels,
  type ConnectedNumber,
  type ConnectedNumberNotFound,
  channelLacks,
  type InvalidMessage,
  type OptedOut,
  type OrderUpdate,
  type PaymentConfiguration,
  type PlatformMissing,
  type PlatformRefusal,
  type PlatformTrouble,
  type WindowClosed
} from "../channels/index.ts"
import { userIdOf } from "../customers/MessagingEvents.ts"
import * as Ids from "../MessagingIds.ts"
import type { PaymentFacts } from "../messages/index.ts"
import {
  type ClaimWith,
  dueReads,
  type NativeMessage,
  NativeSend,
  numberRequests,
  type Sender
} from "../sending/index.ts"
import { lockReference } from "./BilledMessages.ts"
import { billTotals } from "./BillTotals.ts"
import type { Payment } from "./Payment.ts"
import { afterLookUp, afterTime, afterUpdate, newPayment, type PaymentNews } from "./PaymentChanges.ts"
import {
  InvalidPayment,
  PaymentCaptured,
  PaymentConfigurationNotFound,
  PaymentNotFound,
  ReferenceUsed
} from "./PaymentErrors.ts"
import { paymentEvent } from "./PaymentEvents.ts"
import { KnownConfigurationStore, type PaymentFilter, PaymentStore } from "./PaymentStore.ts"

/** What a caller asks a customer to pay. Amounts are whole numbers of the smallest unit of the currency. */
export interface NewPayment extends Omit<Bill, "configuration" | "subtotal" | "total"> {
  readonly phoneNumberId: string
  readonly to: NativeMessage["to"]
  /** The name of a configuration of the number's business account. */
  readonly configuration: string
}

type Asked = ConnectedNumberNotFound | PlatformMissing | PlatformTrouble | StorageError
type SendFailed = Asked | InvalidMessage | OptedOut | WindowClosed

/** Who does something: for the audit log, and beside the message. */
export interface By {
  readonly actor?: Actor
  readonly sentBy?: Doer | null
}

export class Payments extends Context.Service<
  Payments,
  {
    /** Where the money of the number's business account may go. */
    readonly configurations: (
      tenantId: Ids.AccountId,
      phoneNumberId: string
    ) => Effect.Effect<ReadonlyArray<PaymentConfiguration>, Asked>
    readonly configuration: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      name: string
    ) => Effect.Effect<PaymentConfiguration, Asked | PaymentConfigurationNotFound>
    /**
     * Sends a bill, once. Where the platform has certainly not taken it there is no payment, and its reference is free. Where nobody
     * knows, the payment stays `requested`.
     */
    readonly create: (
      tenantId: Ids.AccountId,
      given: NewPayment,
      by?: By
    ) => Effect.Effect<Payment, SendFailed | InvalidPayment | ReferenceUsed>
    readonly get: (tenantId: Ids.AccountId, id: Ids.PaymentId) => Effect.Effect<Payment, PaymentNotFound | StorageError>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: PaymentFilter,
      page: Page
    ) => Effect.Effect<Paged<Payment>, StorageError>
    /** Asks the network about a payment now; returns the payment with what it says. */
    readonly refresh: (tenantId: Ids.AccountId, id: Ids.PaymentId) => Effect.Effect<Payment, Asked | PaymentNotFound>
    /** Sends the customer how far the order has come. `canceled` withdraws the bill, unless it is paid. */
    readonly update: (
      tenantId: Ids.AccountId,
      id: Ids.PaymentId,
      given: Omit<OrderUpdate, "referenceId">,
      by?: By
    ) => Effect.Effect<Payment, SendFailed | PaymentCaptured | PaymentNotFound>
    /** Confirms and expires payments that are due; returns how many. */
    readonly settleDue: Effect.Effect<number, StorageError>
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
  }
>()("@trunkline/core/messaging/payments/Payments") {
  static readonly layer = Layer.effect(
    Payments,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const channels = yield* ChatChannels
      const native = yield* NativeSend
      const outbox = yield* Outbox
      const storage = yield* Storage
      const known = yield* KnownConfigurationStore
      const store = yield* PaymentStore
      const { ask, owned } = yield* numberRequests

      type Request<A> = (payments: ChannelPayments, sender: Sender) => Effect.Effect<A, ChannelFailed | PlatformRefusal>

      const asking = <A>(tenantId: Ids.AccountId, phoneNumberId: string, request: Request<A>) =>
        ask(tenantId, phoneNumberId, (sender) =>
          sender.channel.network.payments === null ? lacks : request(sender.channel.network.payments, sender)
        )

      /** A number whose customers can pay, and how its channel writes bills. */
      const paying = Effect.fnUntraced(function* (tenantId: Ids.AccountId, phoneNumberId: string) {
        const number = yield* owned(tenantId, phoneNumberId)
        return channels.of(number).network.payments ?? (yield* lacks)
      })

      const withKept = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        read: ReadonlyArray<PaymentConfiguration>
      ) {
        const { businessAccountId, channel, tenantId } = number
        const kept = yield* storage.read(known.of({ tenantId, channel, businessAccountId }))
        return read.map((one) => {
          const reported = kept.find(({ name }) => name === one.name)
          const isNews = reported !== undefined && (one.updatedAt === null || one.updatedAt <= reported.reportedAt)
          return isNews ? { ...one, status: reported.status } : one
        })
      })

      const configurations = tracedFn("Payments.configurations")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string
      ) {
        const { number, read } = yield* asking(tenantId, phoneNumberId, (payments, { connection, number }) =>
          Effect.map(payments.configurations(connection), (read) => ({ number, read }))
        )
        return yield* withKept(number, read)
      })

      const configuration = tracedFn("Payments.configuration")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        name: string
      ) {
        const { number, read } = yield* asking(tenantId, phoneNumberId, (payments, { connection, number }) =>
          Effect.map(payments.configuration(connection, name), (read) => ({ number, read }))
        )
        const [found] = read === null ? [] : yield* withKept(number, [read])
        return found ?? (yield* new PaymentConfigurationNotFound({ name }))
      })

      /** The claim of a reference, in the transaction that writes the message: nothing is sent without it. */
      const claimOf =
        (
          id: Ids.PaymentId,
          tenantId: Ids.AccountId,
          given: NewPayment,
          amount: bigint,
          actor: Actor
        ): ClaimWith<ReferenceUsed> =>
        (message, customer) =>
          Effect.gen(function* () {
            const { configuration, currency, expiresAt, phoneNumberId, referenceId } = given
            yield* lockReference({ tenantId, phoneNumberId }, referenceId)
            if ((yield* store.byReference(tenantId, phoneNumberId, referenceId)) !== null) {
              return yield* new ReferenceUsed({ referenceId })
            }
            const payment = newPayment(
              {
                ...{ id, tenantId, phoneNumberId, referenceId, configuration, currency, expiresAt, amount },
                phone: customer.phone,
                userId: userIdOf(customer),
                messageId: message.id,
                conversationId: message.conversationId
              },
              yield* Instant.now
            )
            yield* store.add(payment)
            yield* accounts.record(tenantId, actor, "payment.create", id, referenceId)
          })

      const create = tracedFn("Payments.create")(function* (
        tenantId: Ids.AccountId,
        given: NewPayment,
        { actor = operator, sentBy = null }: By = {}
      ) {
        const totals = yield* Effect.fromResult(checked(given, yield* Instant.now))
        const { configuration: name, phoneNumberId, referenceId, to, ...said } = given
        const payments = yield* paying(tenantId, phoneNumberId)
        if ((yield* storage.read(store.byReference(tenantId, phoneNumberId, referenceId))) !== null) {
          return yield* new ReferenceUsed({ referenceId })
        }
        const found = yield* asking(tenantId, phoneNumberId, (_, { connection }) =>
          payments.configuration(connection, name)
        )
        if (found === null || found.provider === null) return yield* invalid("configuration", noConfiguration)
        const bill: Bill = {
          ...said,
          referenceId,
          configuration: { name, provider: found.provider },
          subtotal: Number(totals.subtotal),
          total: Number(totals.total)
        }
        const id = yield* Ids.fresh<"Payment">()
        const message = { phoneNumberId, to, type: "interactive", answers: null, sentBy } as const
        const claim = claimOf(id, tenantId, given, totals.total, actor)
        yield* native.send(tenantId, { ...message, content: payments.billOf(bill) }, claim)
        return yield* Effect.orDie(get(tenantId, id))
      })

      const get = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.PaymentId) {
        return (yield* storage.read(store.find(tenantId, id))) ?? (yield* new PaymentNotFound({ id }))
      })

      /** Changes a payment by what it is now, with the events of that; null: it is gone. */
      const settle = Effect.fnUntraced(function* (
        { id, phoneNumberId, referenceId, tenantId }: Payment,
        decide: (present: Payment, at: Instant.Instant) => Settled
      ) {
        const work: Effect.Effect<
          { readonly settled: Settled | null; readonly written: Written },
          StorageError,
          Tx | Read
        > = Effect.gen(function* () {
          yield* lockReference({ tenantId, phoneNumberId }, referenceId)
          const present = yield* store.find(tenantId, id)
          if (present === null) return { settled: null, written: [] }
          const settled = decide(present, yield* Instant.now)
          yield* store.save(settled.payment)
          const events = settled.news.map((news) => paymentEvent(settled.payment, news))
          return { settled, written: yield* outbox.append(events) }
        })
        const { settled, written } = yield* storage.transact(work)
        yield* outbox.publish(written)
        if (settled !== null && settled.mismatch !== null) {
          yield* Effect.logWarning(`the chat platform names ${settled.mismatch} for payment ${id}: it is not believed`)
        }
        return settled?.payment ?? null
      })

      const lookUp = ({ configuration, phoneNumberId, referenceId, tenantId }: Payment) =>
        asking(tenantId, phoneNumberId, (payments, { connection }) =>
          payments.lookUp(connection, { configuration, referenceId })
        )

      const refresh = tracedFn("Payments.refresh")(function* (tenantId: Ids.AccountId, id: Ids.PaymentId) {
        const payment = yield* get(tenantId, id)
        const facts = yield* lookUp(payment)
        const settled = yield* settle(payment, (present, at) => lookedUp(present, facts, at, false))
        return settled ?? (yield* new PaymentNotFound({ id }))
      })

      const update = tracedFn("Payments.update")(function* (
        tenantId: Ids.AccountId,
        id: Ids.PaymentId,
        given: Omit<OrderUpdate, "referenceId">,
        { sentBy = null }: By = {}
      ) {
        const payment = yield* get(tenantId, id)
        if (given.status === "canceled" && payment.status === "captured") return yield* new PaymentCaptured({ id })
        const { phone, phoneNumberId, referenceId, userId } = payment
        const payments = yield* paying(tenantId, phoneNumberId)
        const to =
          phone === null
            ? ({ _tag: "User", userId: userId ?? "" } as const)
            : ({ _tag: "Phone", digits: phone } as const)
        const content = payments.updateOf({ ...given, referenceId })
        yield* native.send(tenantId, { phoneNumberId, to, type: "interactive", content, answers: null, sentBy })
        const settled = yield* settle(payment, (present, at) => {
          const { news, payment } = afterUpdate(present, given.status, at)
          return { payment, news: listOf(news), mismatch: null }
        })
        return settled ?? (yield* new PaymentNotFound({ id }))
      })

      /** Null where nothing was learnt: it is asked again, by its schedule. */
      const asked = (payment: Payment): Effect.Effect<PaymentFacts | null, StorageError> => {
        const nothing = () => Effect.succeed(null)
        return Effect.catchTags(lookUp(payment), {
          ConnectedNumberNotFound: nothing,
          PlatformDown: nothing,
          PlatformMissing: nothing,
          PlatformRefusal: nothing,
          PlatformThrottled: nothing
        })
      }

      const settleOne = Effect.fnUntraced(function* (claimed: Payment) {
        const isAsked = claimed.lookUpAt !== null && claimed.lookUpAt <= (yield* Instant.now)
        const facts = isAsked ? yield* asked(claimed) : null
        const after = yield* settle(claimed, (present, at) => {
          const first = isAsked ? lookedUp(present, facts, at, true) : { payment: present, news: [], mismatch: null }
          const { news, payment } = afterTime(first.payment, at)
          return { ...first, payment, news: [...first.news, ...listOf(news)] }
        })
        if (isAsked && after !== null && after.lookUpAt === null && after.status !== "captured") {
          yield* Effect.logWarning(
            `the chat platform has not confirmed payment ${claimed.id}, whose capture it has reported`
          )
        }
      })

      return Payments.of({
        configurations,
        configuration,
        create,
        get,
        list: (tenantId, filter, page) =>
          storage.read(Effect.all({ items: store.list(tenantId, filter, page), total: store.count(tenantId, filter) })),
        refresh,
        update,
        settleDue: Effect.provideService(dueReads(store.claimDue, settleOne), Storage, storage),
        nextDue: storage.read(store.nextDue)
      })
    })
  )
}

type Written = Effect.Success<ReturnType<Outbox["Service"]["append"]>>

interface Settled {
  readonly payment: Payment
  readonly news: ReadonlyArray<PaymentNews>
  readonly mismatch: string | null
}

const listOf = (news: PaymentNews | null): ReadonlyArray<PaymentNews> => (news === null ? [] : [news])

const lookedUp = (present: Payment, facts: PaymentFacts | null, at: Instant.Instant, isScheduled: boolean): Settled => {
  const { mismatch, news, payment } = afterLookUp(present, facts, { at, isScheduled })
  return { payment, news: listOf(news), mismatch }
}

const lacks = channelLacks("payments")

const noConfiguration = "Expected the name of a payment configuration of this number's business account"

const invalid = (field: string, message: string) => new InvalidPayment({ faults: [{ field, message }] })

/** How far ahead a bill may expire. */
const [soonest, latest] = [5 * Instant.minute, 30 * Instant.day]

/** What a bill comes to, unless it cannot be asked for. */
const checked = ({ discount, expiresAt, items, shipping, tax }: NewPayment, at: Instant.Instant) => {
  if (expiresAt !== null && (expiresAt < Instant.plus(at, soonest) || expiresAt > Instant.plus(at, latest))) {
    return Result.fail(invalid("expiresAt", "Expected an instant that is 5 minutes to 30 days ahead"))
  }
  return Result.mapError(billTotals(items, { tax, shipping, discount }), ({ field, message }) =>
    invalid(field, message)
  )
}
