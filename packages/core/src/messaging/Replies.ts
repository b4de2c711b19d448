/**
 * The reply worker. Each customer is a lane: one worker at a time answers what has come in, commits the answer with all of its
 * parts, and sends them one after the other. What it does stands in rows first, so that another one can go on from there.
 * Source: docs/messaging.md#replies.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import { Accounts, isActive } from "../access/index.ts"
import { Agent, type AgentFailed, type Bot, Bots, type Said, seesImages } from "../bots/index.ts"
import { ModelCatalogue } from "../inference/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, Storage, type StorageError } from "../storage/index.ts"
import { ChatPlatform, type PlatformFailed, type WireObject } from "./ChatPlatform.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "./ConnectedNumber.ts"
import { type Conversation, ConversationStore, type Customer } from "./ConversationStore.ts"
import { dueOf, typingEveryMs, waitAfterRun, waitAfterThrottling } from "./Lane.ts"
import { LaneWake } from "./LaneWake.ts"
import type { Message } from "./Message.ts"
import { MessagingSettings } from "./MessagingSettings.ts"
import { Outgoing } from "./Outgoing.ts"
import { kindOf } from "./PlatformCodes.ts"
import { isAnswerable, whyNot } from "./ReplyConditions.ts"
import { splitText } from "./Splitter.ts"

/** A lane is held for so long, and held again at a third of it: another process takes it over after that. */
const leaseMs = 60 * Instant.second

/** Of a customer's talk, what a model gets to see. */
const mostHistory = 60

/** An answer that is not there by then is given up. */
const longestAnswerMs = 3 * Instant.minute

/** Of one burst that is answered: what comes beyond is answered after it. */
const mostPending = 100

/** Pictures of a burst that a model gets, the last ones, and the bytes of each. */
const mostImages = 4
const imageBytes = 5 * 1024 * 1024

/** Everything that decides whether and how an answer is made. */
interface Scene {
  readonly number: ConnectedNumber
  readonly bot: Bot | null
  readonly conversation: Conversation
  readonly pending: ReadonlyArray<Message>
  readonly turns: number
}

export class Replies extends Context.Service<
  Replies,
  {
    /** Begins work in as many due lanes as there are places for; tells how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next lane is due, or a claim runs out. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Waits until no lane is worked in. */
    readonly idle: Effect.Effect<void>
    /** Lanes that this process works in. */
    readonly working: () => number
    /** Gives up the models' runs that still go on: their lanes are free at once. What is being sent is written down. */
    readonly giveUp: Effect.Effect<void>
  }
>()("@trunkline/core/messaging/Replies") {
  static readonly layer = Layer.effect(
    Replies,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const agent = yield* Agent
      const bots = yield* Bots
      const catalogue = yield* ModelCatalogue
      const numbers = yield* ConnectedNumberStore
      const outgoing = yield* Outgoing
      const platform = yield* ChatPlatform
      const { reply } = yield* MessagingSettings
      const storage = yield* Storage
      const store = yield* ConversationStore
      const { wake } = yield* LaneWake
      const running = yield* FiberSet.make()
      let working = 0

      /** A customer that this claim still holds, for the rest of the transaction; null when the lane is somebody else's. */
      const mine = Effect.fnUntraced(function* (id: Ids.CustomerId, claim: string) {
        yield* lock("customer", id)
        const until = Instant.plus(yield* Instant.now, leaseMs + platform.longestMs)
        return (yield* store.keepClaim(id, claim, until)) ? yield* store.customerById(id) : null
      })

      const sceneOf = Effect.fnUntraced(function* (
        customer: Customer
      ): Effect.fn.Return<Scene | null, StorageError, Read> {
        const number = yield* numbers.byId(customer.phoneId)
        const conversation = yield* store.conversation(customer.conversationId)
        if (number === null || conversation === null) return null
        const at = yield* Instant.now
        return {
          number,
          conversation,
          bot: number.botId === null ? null : yield* bots.find(customer.tenantId, number.botId),
          pending: yield* store.inboundAfter(customer.id, customer.handledUpTo, mostPending),
          turns: yield* store.turnsSince(customer.id, Instant.plus(at, -Instant.hour))
        }
      })

      const refusalOf = (
        { bot, conversation, number, pending, turns }: Scene,
        customer: Customer,
        at: Instant.Instant
      ) =>
        whyNot({
          number,
          bot: bot === null ? null : { ...bot, seesImages: seesImages(bot, catalogue) },
          conversation,
          burst: pending,
          isOwnNumber: customer.phone !== null && customer.phone === digitsOf(number.displayPhoneNumber),
          windowExpiresAt: customer.windowExpiresAt,
          turnsLastHour: turns,
          at
        })

      /** Leaves a lane; what came in meanwhile makes it due again. Tells the reply worker. */
      const leave = (
        id: Ids.CustomerId,
        claim: string,
        change: (customer: Customer, at: Instant.Instant) => Partial<Customer>
      ) =>
        Effect.andThen(
          storage.transact(
            Effect.gen(function* () {
              const customer = yield* mine(id, claim)
              if (customer === null) return
              const at = yield* Instant.now
              yield* store.saveCustomer({ ...customer, ...change(customer, at) })
              yield* store.endClaim(id, claim)
            })
          ),
          wake
        )

      /** When what is still waiting is due; null where nothing is. */
      const nextOf = ({ lastMessageAt, waitingSince }: Pick<Customer, "lastMessageAt" | "waitingSince">) =>
        waitingSince === null ? null : dueOf({ waitingSince, lastMessageAt }, reply)

      /** What was looked at is behind us. Whoever wrote after it waits since then. */
      const handled = (pending: ReadonlyArray<Message>, newer: ReadonlyArray<Message>) => ({
        handledUpTo: pending.at(-1)!.id,
        waitingSince: newer[0]?.createdAt ?? null,
        failures: 0
      })

      const passOver = (customer: Customer, claim: string, pending: ReadonlyArray<Message>) =>
        storage.transact(
          Effect.gen(function* () {
            const present = yield* mine(customer.id, claim)
            if (present === null) return
            const newer = yield* store.inboundAfter(customer.id, pending.at(-1)!.id, 1)
            const next = { ...present, ...handled(pending, newer) }
            yield* store.saveCustomer({ ...next, dueAt: nextOf(next) })
            yield* store.endClaim(customer.id, claim)
          })
        )

      /** Pictures of the burst; one that cannot be had is left out. */
      const imagesOf = Effect.fnUntraced(function* (number: ConnectedNumber, pending: ReadonlyArray<Message>) {
        const found = new Map<Ids.MessageId, Said["images"]>()
        const to = yield* outgoing.platformNumber(number)
        for (const message of pending.filter(({ type }) => type === "image").slice(-mostImages)) {
          const { id } = message.body
          if (typeof id !== "string") continue
          const image = yield* Effect.option(platform.media(to, id, imageBytes))
          if (image._tag === "Some") found.set(message.id, [image.value])
        }
        return found
      })

      const said = Effect.fnUntraced(function* ({ bot, number, pending }: Scene, customer: Customer) {
        const history = yield* storage.read(store.history(customer.id, mostHistory))
        const sees = bot !== null && seesImages(bot, catalogue)
        const images = sees ? yield* imagesOf(number, pending) : new Map<Ids.MessageId, Said["images"]>()
        return history.flatMap((message): ReadonlyArray<Said> => {
          const words = wordsOf(message)
          const pictures = images.get(message.id) ?? []
          return words === "" && pictures.length === 0 ? [] : [{ role: message.role, text: words, images: pictures }]
        })
      })

      /** Shows the customer that an answer is being written, for as long as it is. It is no matter when this fails. */
      const typing = Effect.fnUntraced(function* ({ number, pending }: Scene) {
        const msgid = pending.findLast((message) => message.msgid !== null)?.msgid
        if (msgid === undefined || msgid === null) return
        const to = yield* outgoing.platformNumber(number)
        yield* Effect.forever(
          Effect.andThen(Effect.ignore(platform.markRead(to, msgid, true)), Effect.sleep(typingEveryMs))
        )
      })

      /** Keeps the lane while something slow goes on; ends when the lane is lost. */
      const holding = (customer: Customer, claim: string) =>
        Effect.gen(function* () {
          for (;;) {
            yield* Effect.sleep(leaseMs / 3)
            const until = Instant.plus(yield* Instant.now, leaseMs)
            const isKept = yield* Effect.orElseSucceed(
              storage.transact(store.keepClaim(customer.id, claim, until)),
              // The storage may be back before the lease is over.
              () => true
            )
            if (!isKept) return
          }
        })

      const answering = Effect.fnUntraced(function* (
        scene: Scene,
        customer: Customer,
        claim: string,
        turnId: Ids.TurnId
      ) {
        const { monthlyBudget, plan } = yield* Effect.orDie(accounts.get(customer.tenantId))
        const history = yield* said(scene, customer)
        const answer = agent.answer({
          bot: scene.bot!,
          payer: { tenantId: customer.tenantId, plan, monthlyBudget },
          turnId,
          conversationId: customer.conversationId,
          history
        })
        const bounded = Effect.timeoutOption(answer, longestAnswerMs)
        // A process that has lost its lane stops: somebody else answers.
        const held = Effect.raceFirst(bounded, Effect.andThen(holding(customer, claim), Effect.interrupt))
        return yield* Effect.raceFirst(held, Effect.andThen(typing(scene), Effect.never))
      })

      /** Commits an answer, unless something has changed: then nothing is sent, and the lane is looked at again. */
      const commit = Effect.fnUntraced(function* (
        scene: Scene,
        customer: Customer,
        claim: string,
        turnId: Ids.TurnId,
        text: string
      ) {
        const texts = splitText(text)
        return yield* storage.transact(
          Effect.gen(function* () {
            const present = yield* mine(customer.id, claim)
            if (present === null) return "lost"
            const at = yield* Instant.now
            const now = yield* sceneOf(present)
            const last = scene.pending.at(-1)!.id
            const newer = yield* store.inboundAfter(customer.id, last, mostPending)
            // Whoever goes on writing is waited for, as long as the first message may wait.
            const patience = Instant.plus(present.waitingSince ?? at, reply.maxWaitMs)
            if (newer.some(isAnswerableText) && at < patience) {
              yield* store.saveCustomer({ ...present, dueAt: nextOf(present) })
              yield* store.endClaim(present.id, claim)
              return "again"
            }
            const next = { ...present, ...handled(scene.pending, newer) }
            if (now === null || refusalOf({ ...now, pending: scene.pending }, present, at) !== null) {
              yield* store.saveCustomer({ ...next, dueAt: nextOf(next) })
              yield* store.endClaim(present.id, claim)
              return "dropped"
            }
            for (const [part, one] of texts.entries()) {
              yield* store.addMessage({
                id: yield* Ids.fresh<"Message">(),
                tenantId: present.tenantId,
                phoneId: present.phoneId,
                customerId: present.id,
                conversationId: present.conversationId,
                msgid: null,
                direction: "outbound",
                role: "assistant",
                type: "text",
                text: one,
                body: { body: one },
                status: "queued",
                fault: null,
                turnId,
                part,
                createdAt: at
              })
            }
            // Should we not live to send it, the lane is due.
            yield* store.saveCustomer({ ...next, dueAt: at, lastMessageAt: at })
            return "committed"
          })
        )
      })

      /** Sends the open parts of a lane in their order. Tells when it is to be gone on with; null when all is done. */
      const sendParts = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        customer: Customer,
        claim: string,
        parts: ReadonlyArray<Message>
      ): Effect.fn.Return<Instant.Instant | null, StorageError> {
        let isBroken: Ids.TurnId | null = null
        for (const part of parts) {
          if (part.turnId !== null && part.turnId === isBroken) {
            yield* storage.transact(store.saveMessage(part.id, { msgid: null, status: "failed", fault: brokenTurn }))
            continue
          }
          // Whoever was sending it did not live to tell what came of it.
          if (part.status === "sending") {
            yield* storage.transact(outgoing.lose(part))
            continue
          }
          const isMine = yield* storage.transact(
            Effect.gen(function* () {
              const present = yield* mine(customer.id, claim)
              if (present === null) return false
              yield* store.saveMessage(part.id, { msgid: null, status: "sending", fault: null })
              return true
            })
          )
          if (!isMine) return null
          const waitFor = (failed: PlatformFailed): number | null =>
            willPass(failed) ? waitAfterThrottling(customer.failures + 1, retryAfterOf(failed)) : null
          const sending = { ...part, status: "sending" } as const
          const exit = yield* outgoing.post(
            number,
            customer,
            sending,
            wireOf(customer, part),
            (failed) => waitFor(failed) !== null
          )
          if (Exit.isSuccess(exit)) continue
          const failed = Cause.findErrorOption(exit.cause)
          const wait = failed._tag === "Some" ? waitFor(failed.value) : null
          if (wait !== null) return Instant.plus(yield* Instant.now, wait)
          if (failed._tag === "Some" && isFinal(failed.value)) isBroken = part.turnId
        }
        return null
      })

      const fail = (customer: Customer, claim: string, scene: Scene, failed: AgentFailed | null) =>
        Effect.gen(function* () {
          const backoff = waitAfterRun(customer.failures + 1)
          const isHopeless = backoff === null || (failed !== null && !failed.isRetryable)
          yield* Effect.logWarning(
            `the agent of number ${scene.number.id} has no answer: ${failed?.detail ?? "it took too long"}`
          )
          if (isHopeless) return yield* passOver(customer, claim, scene.pending)
          const wait = Math.max(backoff, (failed?.retryAfterSeconds ?? 0) * Instant.second)
          yield* leave(customer.id, claim, (present, at) => ({
            dueAt: Instant.plus(at, wait),
            failures: present.failures + 1
          }))
        })

      /** One look at a lane: sends what is open, else answers what waits. Tells whether there is more to do at once. */
      const look = Effect.fnUntraced(function* (customer: Customer, claim: string) {
        const parts = yield* storage.read(store.openParts(customer.id))
        const scene = yield* storage.read(sceneOf(customer))
        if (scene === null) return yield* leave(customer.id, claim, () => ({ dueAt: null, waitingSince: null }))
        if (parts.length > 0) {
          const again = yield* sendParts(scene.number, customer, claim, parts)
          return yield* leave(customer.id, claim, (present) =>
            again === null ? { dueAt: nextOf(present), failures: 0 } : { dueAt: again, failures: present.failures + 1 }
          )
        }
        if (scene.pending.length === 0) {
          return yield* leave(customer.id, claim, () => ({ dueAt: null, waitingSince: null, failures: 0 }))
        }
        const isPayer = isActive(yield* Effect.orDie(accounts.get(customer.tenantId)))
        if (!isPayer || refusalOf(scene, customer, yield* Instant.now) !== null) {
          return yield* passOver(customer, claim, scene.pending)
        }
        const turnId = yield* Ids.fresh<"Turn">()
        const exit = yield* Effect.exit(answering(scene, customer, claim, turnId))
        if (Exit.isFailure(exit)) {
          const failed = Cause.findErrorOption(exit.cause)
          if (failed._tag === "None") return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
          if (failed.value._tag === "StorageError") return yield* failed.value
          return yield* fail(customer, claim, scene, failed.value)
        }
        if (exit.value._tag === "None") return yield* fail(customer, claim, scene, null)
        const outcome = yield* commit(scene, customer, claim, turnId, exit.value.value)
        if (outcome !== "committed") return yield* wake
        const sent = yield* storage.read(store.openParts(customer.id))
        const again = yield* sendParts(scene.number, { ...customer, failures: 0 }, claim, sent)
        yield* leave(customer.id, claim, (present) =>
          again === null ? { dueAt: nextOf(present), failures: 0 } : { dueAt: again, failures: present.failures + 1 }
        )
      })

      /** Whatever goes wrong, the lane is free again, at the latest when its claim runs out. */
      const work = (customer: Customer, claim: string) =>
        look(customer, claim).pipe(
          Effect.catchCause((cause) =>
            Effect.andThen(
              Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("a reply failed", customer.id, cause),
              Effect.ignore(
                leave(customer.id, claim, (present, at) => ({
                  dueAt: Cause.hasInterruptsOnly(cause) ? present.dueAt : Instant.plus(at, 5 * Instant.second)
                }))
              )
            )
          ),
          Effect.ensuring(
            Effect.sync(() => {
              working -= 1
            })
          )
        )

      const tick = Effect.gen(function* () {
        const limit = reply.places - working
        if (limit <= 0) return 0
        const at = yield* Instant.now
        const claim = yield* Ids.fresh()
        const claimed = yield* storage.transact(
          store.claimDue({ at, until: Instant.plus(at, leaseMs), claim, limit: Math.min(limit, claimedTogether) })
        )
        for (const customer of claimed) {
          working += 1
          yield* FiberSet.run(running, work(customer, claim))
        }
        return claimed.length
      })

      return Replies.of({
        tick,
        nextDue: Effect.suspend(() => storage.read(store.nextDue())),
        idle: Effect.gen(function* () {
          while (working > 0) yield* FiberSet.awaitEmpty(running)
        }),
        working: () => working,
        giveUp: FiberSet.clear(running)
      })
    })
  )
}

/** Claimed in one transaction at most. */
const claimedTogether = 64

const brokenTurn = { code: null, message: "Not sent, since a part in front of it could not be sent." }

const isAnswerableText = (message: Message): boolean => isAnswerable(message, true)

/** What a model reads of a message. What has no words says at least what it is. */
const wordsOf = ({ direction, text, type }: Message): string =>
  text !== null && text.trim() !== "" ? text : direction === "inbound" && type !== "image" ? `[${type}]` : ""

const wireOf = (customer: Customer, { body }: Message): WireObject => ({
  recipient_type: "individual",
  ...(customer.phone === null ? { recipient: customer.userRef } : { to: customer.phone }),
  type: "text",
  text: body
})

const willPass = (failed: PlatformFailed): boolean => {
  if (failed._tag === "PlatformUnreachable") return failed.isCertain
  const kind = kindOf(failed)
  return kind === "throttled" || (kind === "passing" && failed.code !== null)
}

const isFinal = (failed: PlatformFailed): boolean => failed._tag === "PlatformRefused" && !willPass(failed)

const retryAfterOf = (failed: PlatformFailed): number | null =>
  failed._tag === "PlatformRefused" ? failed.retryAfterSeconds : null

const digitsOf = (phone: string | null): string | null => phone?.replace(/\D/g, "") ?? null
