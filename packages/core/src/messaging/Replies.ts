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
import * as Option from "effect/Option"
import { Agent, type AgentFailed } from "../bots/index.ts"
import { Outbox } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { ChatPlatform, type PlatformFailed, type WireObject } from "./ChatPlatform.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "./ConnectedNumber.ts"
import { type Conversation, ConversationStore, type Customer } from "./ConversationStore.ts"
import { dueOf, typingEveryMs, waitAfterRun, waitAfterThrottling } from "./Lane.ts"
import { LaneWake } from "./LaneWake.ts"
import type { Message } from "./Message.ts"
import { MessagingSettings } from "./MessagingSettings.ts"
import { Outgoing, type Sender } from "./Outgoing.ts"
import { kindOf } from "./PlatformCodes.ts"
import { isAnswerable } from "./ReplyConditions.ts"
import { type Judgement, replyJudges } from "./ReplyJudge.ts"
import { splitText } from "./Splitter.ts"
import { talks } from "./Talk.ts"

/**
 * A lane is held for so long, and held again while a model runs: another process takes it over after that, within a minute of
 * its start whatever else it has to do first.
 */
const leaseMs = 50 * Instant.second

/** An answer that is not there by then is given up, and not tried again: nobody waits for longer. */
const longestAnswerMs = 3 * Instant.minute

/** Whatever a model's server asks for, the customer is there no longer. */
const longestAskedMs = Instant.minute

/** What came of a request is tried to be written down for so long. */
const writingMs = 8 * Instant.second

/** A part is sent within so long after its claim was renewed, so that the claim lasts until what came of it is written. */
const freshMs = 2 * Instant.second

/** Of one burst that is answered: what comes beyond is answered after it. */
const mostPending = 1000

/** Everything that decides whether and how an answer is made. */
interface Scene extends Judgement {
  readonly number: ConnectedNumber
  readonly conversation: Conversation
  /** The customer's messages that were not looked at yet. */
  readonly pending: ReadonlyArray<Message>
}

export class Replies extends Context.Service<
  Replies,
  {
    /** Begins work in as many due lanes as there are places for; tells how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next lane is due, or a claim runs out; null while there is no place for it. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Waits until no lane is worked in. */
    readonly idle: Effect.Effect<void>
    /** Lanes that this process works in. */
    readonly working: () => number
    /** Gives up the models' runs that still go on: their lanes are free at once. Waits a second for what is being sent. */
    readonly giveUp: Effect.Effect<void>
  }
>()("@trunkline/core/messaging/Replies") {
  static readonly layer = Layer.effect(
    Replies,
    Effect.gen(function* () {
      const agent = yield* Agent
      const judgeOf = yield* replyJudges
      const numbers = yield* ConnectedNumberStore
      const outbox = yield* Outbox
      const outgoing = yield* Outgoing
      const platform = yield* ChatPlatform
      const { reply } = yield* MessagingSettings
      const storage = yield* Storage
      const store = yield* ConversationStore
      const talkOf = yield* talks
      const { wake } = yield* LaneWake
      const running = yield* FiberSet.make()
      let working = 0

      // --- the lane ------------------------------------------------------------------------------------------------------

      /** Changes a lane that the claim still holds, and holds it for longer than a request takes; null when it is somebody else's. */
      const inLane = <A, E>(
        id: Ids.CustomerId,
        claim: string,
        change: (present: Customer, at: Instant.Instant) => Effect.Effect<A, E, Tx | Read>
      ) =>
        storage.transact(
          Effect.gen(function* () {
            yield* lock("customer", id)
            const at = yield* Instant.now
            const isKept = yield* store.keepClaim(
              id,
              claim,
              Instant.plus(at, Math.max(leaseMs, freshMs + platform.longestMs + writingMs))
            )
            return isKept ? yield* change((yield* store.customerById(id))!, at) : null
          })
        )

      /** Ends the work in a lane. It is due again when it is told to be; else for whatever is left in it, which may be news. */
      const leave = Effect.fnUntraced(function* (present: Customer, again: Instant.Instant | null = null) {
        const { lastMessageAt, waitingSince } = present
        const isOpen = (yield* store.openParts(present.id)).length > 0
        const waits = waitingSince === null ? null : dueOf({ waitingSince, lastMessageAt }, reply)
        const failures = again === null ? 0 : present.failures
        yield* store.saveLane({ ...present, failures, dueAt: again ?? (isOpen ? yield* Instant.now : waits) })
        yield* store.endClaim(present.id, present.claim!)
      })

      /** Leaves a lane that has failed; it is gone on with after so many milliseconds. */
      const backOff = (id: Ids.CustomerId, claim: string, failures: number, wait: number) =>
        inLane(id, claim, (present, at) => leave({ ...present, failures }, Instant.plus(at, wait)))

      /**
       * What a lane is like once these messages were dealt with. Whatever else waits goes on waiting, also what came before them:
       * another customer's, who turned out to be this one. `isGone`: nothing of them waits any more.
       */
      const past = Effect.fnUntraced(function* (present: Customer, dealt: ReadonlyArray<Message>) {
        const ids = new Set(dealt.map(({ id }) => id))
        const waiting = yield* store.inboundAfter(present.id, present.handledUpTo, mostPending)
        const last = waiting.findLastIndex(({ id }) => ids.has(id))
        const news = waiting.filter(({ id }) => !ids.has(id))
        const first = news[0] === undefined ? waiting.length : waiting.indexOf(news[0])
        const handledUpTo = waiting[first - 1]?.id ?? present.handledUpTo
        // There may be more than were looked at.
        const next = news[0] ?? (yield* store.inboundAfter(present.id, handledUpTo, 1))[0]
        return {
          isGone: last === -1,
          isMixed: first < last,
          news,
          lane: { ...present, handledUpTo, waitingSince: next?.createdAt ?? null } satisfies Customer
        }
      })

      /** Leaves what waits without an answer. */
      const passOver = (id: Ids.CustomerId, claim: string, { pending }: Scene) =>
        inLane(id, claim, (present) => Effect.flatMap(past(present, pending), ({ lane }) => leave(lane)))

      /** Null where the number is not connected any more. */
      const sceneOf = Effect.fnUntraced(function* (
        customer: Customer,
        burst: ReadonlyArray<Message> | null
      ): Effect.fn.Return<Scene | null, StorageError, Read> {
        const number = yield* numbers.byId(customer.phoneId)
        if (number === null) return null
        const conversation = (yield* store.conversation(customer.conversationId))!
        const pending = burst ?? (yield* store.inboundAfter(customer.id, customer.handledUpTo, mostPending))
        const at = yield* Instant.now
        const turnsLastHour = yield* store.turnsSince(customer.id, Instant.plus(at, -Instant.hour))
        const judge = yield* judgeOf(number)
        const judgement = judge({ conversation, customer, burst: pending, turnsLastHour, at })
        return { ...judgement, number, conversation, pending }
      })

      // --- making an answer ----------------------------------------------------------------------------------------------

      /**
       * While an answer is made: shows the customer that one is being written, which is no matter when it fails, and keeps the
       * lane. Ends when it takes too long, or when somebody else has the lane and answers.
       */
      const minding = Effect.fnUntraced(function* (
        { pending }: Scene,
        { to }: Sender,
        customer: Customer,
        claim: string
      ) {
        const msgid = pending.at(-1)!.msgid
        for (let times = 0; times * typingEveryMs < longestAnswerMs; times++) {
          const at = yield* Instant.now
          if (times > 0) {
            const kept = storage.transact(store.keepClaim(customer.id, claim, Instant.plus(at, leaseMs)))
            // The storage may be back before the lease is over.
            if (!(yield* Effect.orElseSucceed(kept, () => true))) return
          }
          if (msgid !== null) {
            yield* Effect.ignore(Effect.timeoutOption(platform.markRead(to, msgid, true), typingEveryMs / 2))
          }
          yield* Effect.sleep(Math.max(0, Instant.plus(at, typingEveryMs) - (yield* Instant.now)))
        }
      })

      /** The agent's answer; null when it takes too long, or when somebody else has the lane and answers. */
      const answering = (scene: Scene, sender: Sender, customer: Customer, claim: string, turnId: Ids.TurnId) => {
        const { monthlyBudget, plan } = scene.account!
        const answer = Effect.flatMap(talkOf(scene, sender, customer), (history) =>
          agent.answer({
            bot: scene.bot!,
            payer: { tenantId: customer.tenantId, plan, monthlyBudget },
            turnId,
            conversationId: customer.conversationId,
            history
          })
        )
        return Effect.raceFirst(answer, Effect.as(minding(scene, sender, customer, claim), null))
      }

      /** Writes an answer down, unless something has changed meanwhile: then nothing is sent, and the lane is looked at again. */
      const commit = Effect.fnUntraced(function* (
        scene: Scene,
        customer: Customer,
        claim: string,
        turnId: Ids.TurnId,
        text: string
      ) {
        const texts = splitText(text)
        const outcome = yield* inLane(customer.id, claim, (present, at) =>
          Effect.gen(function* () {
            const { isGone, isMixed, lane, news } = yield* past(present, scene.pending)
            const now = yield* sceneOf(present, scene.pending)
            // A person has answered, or what came meanwhile ended the burst.
            if (isGone) return yield* leave(present)
            if (now === null || now.silence !== null || now.number.botId !== scene.number.botId)
              return yield* leave(lane)
            // Whoever goes on writing is waited for, as long as the first message may wait.
            const hasTime = at < Instant.plus(present.waitingSince ?? at, reply.maxWaitMs)
            if (isMixed || (hasTime && news.some((one) => isAnswerable(one, now.seesImages)))) {
              return yield* leave(present)
            }
            for (const [part, one] of texts.entries())
              yield* store.addMessage(yield* partOf(present, turnId, part, one, at))
            yield* store.saveConversation({ ...now.conversation, lastMessageAt: at })
            // Should we not live to send it, the lane is due.
            yield* store.saveLane({ ...lane, failures: 0, dueAt: at, lastMessageAt: at })
            return "committed" as const
          })
        )
        return outcome === "committed"
      })

      // --- sending it ----------------------------------------------------------------------------------------------------

      /**
       * What stands in the lane's way out, as a customer who may meanwhile be called by another name. `isUnsent`: this process has
       * marked the part as being sent, and has not sent it.
       */
      const nextStep = (id: Ids.CustomerId, claim: string, part: Message, isUnsent: boolean) =>
        inLane(id, claim, (present, at) =>
          Effect.gen(function* () {
            const now = yield* store.messageById(part.id)
            const isOurs = isUnsent && now?.status === "sending"
            // Whoever was sending it did not live to tell what came of it.
            if (now?.status === "sending" && !isOurs) yield* outgoing.lose(now)
            if (now === null || (now.status !== "queued" && !isOurs)) return { _tag: "Done" as const }
            const sending: Message = { ...now, status: "sending" }
            yield* store.saveMessage(sending.id, sending)
            return { _tag: "Send" as const, sending, to: present, until: Instant.plus(at, freshMs) }
          })
        )

      /** Sends what is open in a lane, in its order, and leaves it. */
      const sendParts = Effect.fnUntraced(function* (sender: Sender, customer: Customer, claim: string) {
        let { failures } = customer
        for (const part of yield* storage.read(store.openParts(customer.id))) {
          let step = yield* nextStep(customer.id, claim, part, false)
          // After a stall the lane may be another process's, which then has sent what comes behind this part.
          while (step?._tag === "Send" && (yield* Instant.now) > step.until) {
            step = yield* nextStep(customer.id, claim, part, true)
          }
          if (step === null) return
          if (step._tag === "Done") continue
          const waitFor = (failed: PlatformFailed): number | null =>
            willPass(failed) ? waitAfterThrottling(failures + 1, retryAfterOf(failed)) : null
          const { sending, to } = step
          const exit = yield* outgoing.post(sender, to, sending, wireOf(to, sending), (one) => waitFor(one) !== null)
          const failed = Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : null
          const wait = failed?._tag === "Some" ? waitFor(failed.value) : null
          if (wait !== null) return yield* backOff(customer.id, claim, failures + 1, wait)
          failures = 0
        }
        yield* inLane(customer.id, claim, (present) => leave(present))
      })

      /** Of a number that is not connected any more nothing goes out. */
      const dropAll = Effect.fnUntraced(function* ({ id, tenantId }: Customer, claim: string) {
        const events = yield* inLane(id, claim, (present) =>
          Effect.gen(function* () {
            const open = yield* store.openParts(id)
            for (const part of open) if (part.status === "sending") yield* outgoing.lose(part)
            const queued = open.filter(({ status }) => status === "queued")
            const told = yield* outbox.append(yield* outgoing.drop({ tenantId, botId: null }, queued, disconnected))
            const waiting = yield* store.inboundAfter(id, present.handledUpTo, mostPending)
            yield* leave((yield* past(present, waiting)).lane)
            return told
          })
        )
        yield* outbox.publish(events ?? [])
      })

      // --- the worker ----------------------------------------------------------------------------------------------------

      /** One look at a lane: sends what is open, else answers what waits. */
      const look = Effect.fnUntraced(function* (customer: Customer, claim: string) {
        const { isOpen, scene } = yield* storage.read(
          Effect.gen(function* () {
            const isOpen = (yield* store.openParts(customer.id)).length > 0
            return { isOpen, scene: yield* sceneOf(customer, null) }
          })
        )
        if (scene === null) return yield* dropAll(customer, claim)
        const { number, pending, silence } = scene
        if (!isOpen && (pending.length === 0 || silence !== null)) return yield* passOver(customer.id, claim, scene)
        const sender = { number, to: yield* outgoing.platformNumber(number) }
        if (isOpen) return yield* sendParts(sender, customer, claim)
        const turnId = yield* Ids.fresh<"Turn">()
        const exit = yield* Effect.exit(answering(scene, sender, customer, claim, turnId))
        if (Exit.isFailure(exit)) return yield* silent(scene, customer, claim, exit.cause)
        if (exit.value === null) return yield* passOver(customer.id, claim, scene)
        if (yield* commit(scene, customer, claim, turnId, exit.value)) {
          yield* sendParts(sender, { ...customer, failures: 0 }, claim)
        }
      })

      /** A run that failed is tried again a few times, where that may help; then the burst stays without an answer. */
      const silent = Effect.fnUntraced(function* (
        scene: Scene,
        customer: Customer,
        claim: string,
        cause: Cause.Cause<AgentFailed | StorageError>
      ) {
        const failed = Option.getOrNull(Cause.findErrorOption(cause))
        if (failed?._tag === "StorageError") return yield* failed
        yield* Effect.logWarning(
          `the agent of number ${scene.number.id} has no answer: ${failed?.detail ?? Cause.pretty(cause)}`
        )
        const failures = customer.failures + 1
        const wait = failed?.isRetryable === false ? null : waitAfterRun(failures)
        if (wait === null) return yield* passOver(customer.id, claim, scene)
        const asked = Math.min((failed?.retryAfterSeconds ?? 0) * Instant.second, longestAskedMs)
        yield* backOff(customer.id, claim, failures, Math.max(wait, asked))
      })

      /** Of what nobody expected: the storage is away for a moment, or something is wrong that only the operator can mend. */
      const trouble = (customer: Customer, claim: string, cause: Cause.Cause<StorageError>) => {
        const failures = Cause.hasDies(cause) ? customer.failures + 1 : customer.failures
        const wait = Cause.hasDies(cause) ? (waitAfterRun(failures) ?? Instant.minute) : troubleMs
        return Effect.andThen(
          Effect.logError("a reply failed", customer.id, cause),
          Effect.ignore(backOff(customer.id, claim, failures, wait))
        )
      }

      /** Whatever goes wrong, the lane is free again, at the latest when its claim runs out. */
      const work = (customer: Customer, claim: string) =>
        look(customer, claim).pipe(
          Effect.catchCause((cause) => trouble(customer, claim, cause)),
          Effect.onInterrupt(() => Effect.ignore(inLane(customer.id, claim, (present) => leave(present)))),
          Effect.ensuring(
            Effect.suspend(() => {
              working -= 1
              return wake
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
        nextDue: Effect.suspend(() => (working < reply.places ? storage.read(store.nextDue()) : Effect.succeed(null))),
        idle: Effect.gen(function* () {
          while (working > 0) yield* FiberSet.awaitEmpty(running)
        }),
        working: () => working,
        giveUp: Effect.asVoid(Effect.timeoutOption(FiberSet.clear(running), giveUpMs))
      })
    })
  )
}

/** Claimed in one transaction at most: a look takes milliseconds, in which nobody else has the process. */
const claimedTogether = 4

const troubleMs = 5 * Instant.second

/** What is being sent has so long to be written down; after that the next process finds it unknown. */
const giveUpMs = Instant.second

const disconnected = "Not sent, since its number was disconnected."

const partOf = Effect.fnUntraced(function* (
  { conversationId, id, phoneId, tenantId }: Customer,
  turnId: Ids.TurnId,
  part: number,
  text: string,
  createdAt: Instant.Instant
) {
  const message: Message = {
    id: yield* Ids.fresh<"Message">(),
    tenantId,
    phoneId,
    customerId: id,
    conversationId,
    msgid: null,
    direction: "outbound",
    role: "assistant",
    type: "text",
    text,
    body: { body: text },
    context: null,
    callbackData: null,
    status: "queued",
    fault: null,
    turnId,
    part,
    createdAt
  }
  return message
})

const wireOf = ({ phone, userRef }: Customer, { body }: Message): WireObject => ({
  recipient_type: "individual",
  ...(phone === null ? { recipient: userRef } : { to: phone }),
  type: "text",
  text: body
})

/** What may be sent again as it is, since it was surely not taken. */
const willPass = (failed: PlatformFailed): boolean => {
  if (failed._tag === "PlatformUnreachable") return failed.isCertain
  const kind = kindOf(failed)
  return kind === "throttled" || (kind === "passing" && failed.code !== null)
}

const retryAfterOf = (failed: PlatformFailed): number | null =>
  failed._tag === "PlatformRefused" ? failed.retryAfterSeconds : null
