/**
 * The background sender of template campaigns: decides the campaigns that are due, each in one transaction, and sends what these have
 * committed. What it does stands in rows first, so that another process can continue from there. Source: docs/reference/template-campaigns.md#sending.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { Outbox } from "../../platform/events/index.ts"
import { Instant, LruCache } from "../../platform/kernel/index.ts"
import { Counts, Durations, type MetricSample } from "../../platform/room/index.ts"
import { lock, Storage, StorageError } from "../../platform/storage/index.ts"
import type { ChannelFailed, Sent } from "../channels/index.ts"
import { contentOf } from "../messages/ContentTranslation.ts"
import { type Message, MessageStore } from "../messages/index.ts"
import { Outgoing, type Sender, SendOutcomes } from "../sending/index.ts"
import { recipientOf } from "../sending/Outgoing.ts"
import { begunRequests, notedAt } from "./BegunRequests.ts"
import { pausedFor } from "./CampaignCounting.ts"
import { CampaignSignal } from "./CampaignSignal.ts"
import { campaignStarts } from "./CampaignStart.ts"
import { campaignStates } from "./CampaignState.ts"
import { campaignTurns } from "./CampaignTurn.ts"
import { contactChanges } from "./FollowedMessages.ts"
import { isUnplanned, numberReads } from "./NumberReads.ts"
import { type Answer, type Answered, type Claimed, type Outbound, outcomeOf, sendAnswers } from "./SendAnswers.ts"
import { SentSecond } from "./SentSecond.ts"
import { standingPause } from "./StandingPause.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import { templateCampaignFailed } from "./TemplateCampaignEvents.ts"
import {
  ContactChangeStore,
  type DueTemplateCampaign,
  SenderPaceStore,
  TemplateCampaignStore,
  TemplateContactStore
} from "./TemplateCampaignStore.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** Numbers and campaigns whose last second a process knows. */
const maxSeconds = 1000

/** Campaigns of one pass. */
const passSize = 32

/** Campaigns that are decided at a time. */
const concurrency = 8

/** Messages that one process has under way at most; the next turn waits for answers. */
const maxUnderWay = 1024

/** Answers that are recorded in one transaction. */
const recordedAtATime = 64

/** How long a campaign waits after a failure that does not pass by itself. */
const defectAgainMs = Instant.minute

/** How long a scheduled campaign waits while its template cannot be read. */
const startAgainMs = 5 * Instant.second

/** Contacts that one pass settles. */
const settledAtATime = 100

/** People whom no messaging limit counts any more, and rows of campaigns that are gone. */
const sweepSize = 1000

const countedMs = Instant.day

export class TemplateSender extends Context.Service<
  TemplateSender,
  {
    /** One pass over the campaigns that are due; true where the next one is due at once. */
    readonly tick: Effect.Effect<boolean, StorageError>
    /** When the next campaign is due; null for none, and while as much is under way as may be. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Counts what was reported of messages; true where there is more. */
    readonly count: Effect.Effect<boolean, StorageError>
    /** When the oldest change was written that is still to be counted; null for none. */
    readonly nextCount: Effect.Effect<Instant.Instant | null, StorageError>
    /** Pauses the campaigns whose number or template does not let them go on, and has their numbers read every so often. */
    readonly watch: Effect.Effect<void, StorageError>
    /** Settles messages of which nothing was heard, and removes what nobody needs any more. */
    readonly sweep: Effect.Effect<void, StorageError>
    /** Waits until no message is under way. */
    readonly idle: Effect.Effect<void>
    /** How many messages are under way in this process. */
    readonly underWay: () => number
    /** How many of this process's requests to send a message have come to which outcome. */
    readonly outcomes: () => ReadonlyArray<MetricSample>
    /** How long these requests have taken until their answers. */
    readonly durations: () => ReadonlyArray<MetricSample>
  }
>()("@trunkline/core/messaging/template-campaigns/TemplateSender") {
  static readonly layer = Layer.effect(
    TemplateSender,
    Effect.gen(function* () {
      const { note, update } = yield* contactChanges
      const mayBegin = yield* begunRequests
      const changes = yield* ContactChangeStore
      const contacts = yield* TemplateContactStore
      const messages = yield* MessageStore
      const outbox = yield* Outbox
      const outcomes = yield* SendOutcomes
      const outgoing = yield* Outgoing
      const paces = yield* SenderPaceStore
      const planRead = yield* numberReads
      const record = yield* sendAnswers
      const starts = yield* campaignStarts
      const states = yield* campaignStates
      const storage = yield* Storage
      const store = yield* TemplateCampaignStore
      const turn = yield* campaignTurns
      const { wake } = yield* CampaignSignal
      const fibers = yield* FiberSet.make()
      const answers = yield* Queue.unbounded<Recordable>()
      let underWay = 0
      const outcomeCounts = new Counts()
      const durations = new Durations(durationBounds)

      const recordAll = Effect.fnUntraced(function* (group: ReadonlyArray<Recordable>) {
        const written = yield* Effect.exit(record(group[0]!.claimed, group))
        // The contacts stay as they are, and are settled once their time is over.
        if (Exit.isFailure(written)) yield* Effect.logError("recording what became of messages", written.cause)
        for (const { done } of group) yield* Deferred.succeed(done, undefined)
      })

      /** Answers that have come in meanwhile are recorded together. */
      const recorder = Effect.gen(function* () {
        const some = yield* Queue.takeBetween(answers, 1, recordedAtATime)
        const groups = Map.groupBy(some, ({ claimed }) => claimed.campaign.id)
        yield* Effect.forEach(groups.values(), recordAll, { concurrency: "unbounded", discard: true })
        yield* wake
      })
      yield* Effect.forkScoped(Effect.forever(recorder))

      const request = ({ channel, connection }: Sender, { customer, message }: Outbound) => {
        const content = contentOf(message.type, message.body)
        return channel.send(connection, recipientOf(customer), { content, answers: null, options: {} }, message.id)
      }

      const seconds = new LruCache<string, SentSecond>(maxSeconds)
      const secondOf = (id: string) => {
        const known = seconds.get(id) ?? new SentSecond()
        seconds.set(id, known)
        return known
      }

      const sleepUntil = Effect.fnUntraced(function* (at: number) {
        const waitMs = at - (yield* Instant.now)
        if (waitMs > 0) yield* Effect.sleep(waitMs)
      })

      /** A process that stood still would send all at once what has waited meanwhile. */
      const inItsSecond = Effect.fnUntraced(function* ({ campaign: { id, maxPerSecond }, number, rate }: Claimed) {
        const [ofNumber, ofCampaign] = [secondOf(number.id), secondOf(id)]
        const own = maxPerSecond ?? rate
        for (;;) {
          const now = yield* Instant.now
          const at = Math.max(ofNumber.freeAt(rate), ofCampaign.freeAt(own))
          if (at <= now) {
            ofNumber.add(now, rate)
            ofCampaign.add(now, own)
            return
          }
          yield* Effect.sleep(at - now)
        }
      })

      const send = Effect.fnUntraced(function* (claimed: Claimed, sender: Sender, outbound: Outbound) {
        yield* sleepUntil(notedAt(outbound.slot))
        if (!(yield* mayBegin(outbound.contact))) return
        yield* sleepUntil(outbound.slot / 1000)
        yield* inItsSecond(claimed)
        const [duration, exit] = yield* Effect.timed(Effect.exit(request(sender, outbound)))
        durations.observe(Duration.toSeconds(duration))
        const answer = answerOf(exit)
        outcomeCounts.add({ outcome: outcomeOf(answer) })
        const done = yield* Deferred.make<void>()
        yield* Queue.offer(answers, { claimed, outbound, answer, done })
        yield* Deferred.await(done)
      })

      const sendAll = Effect.fnUntraced(function* (claimed: Claimed) {
        const sender = yield* outgoing.senderOf(claimed.number)
        for (const outbound of claimed.outbound) {
          underWay += 1
          const sending = Effect.ensuring(
            send(claimed, sender, outbound),
            Effect.sync(() => {
              underWay -= 1
            })
          )
          yield* FiberSet.run(fibers, sending)
        }
      })

      /** Pauses a campaign that could not be started when its time came, or puts it off. */
      const startFailed = Effect.fnUntraced(function* ({ id, phoneId }: TemplateCampaign, isRefused: boolean) {
        yield* lock("template-sender", phoneId)
        yield* lock("template-campaign", id)
        const present = yield* store.findInAnyAccount(id)
        if (present === null || present.status !== "scheduled") return []
        const at = yield* Instant.now
        const next = isRefused
          ? pausedFor(present, "start_refused", at)
          : { ...present, nextTurnAt: Instant.plus(at, startAgainMs) }
        yield* store.save(next)
        return yield* outbox.append(isRefused ? [templateCampaignFailed(next, "start_refused", null)] : [])
      }, storage.transact)

      /** A scheduled campaign whose time has come. */
      const start = Effect.fnUntraced(function* (campaign: TemplateCampaign) {
        const begun = yield* Effect.result(starts.begin(campaign, { to: "running", by: "schedule" }, () => Effect.void))
        if (begun._tag === "Success") return true
        const { failure } = begun
        if (failure._tag === "StorageError") return yield* failure
        const isRefused = failure._tag !== "PlatformDown" && failure._tag !== "PlatformThrottled"
        yield* outbox.publish(yield* startFailed(campaign, isRefused))
        return false
      })

      const postpone = Effect.fnUntraced(
        function* ({ id, phoneId }: DueTemplateCampaign) {
          yield* lock("template-sender", phoneId)
          yield* lock("template-campaign", id)
          const campaign = yield* store.findInAnyAccount(id)
          if (campaign === null || campaign.nextTurnAt === null) return
          yield* store.save({ ...campaign, nextTurnAt: Instant.plus(yield* Instant.now, defectAgainMs) })
        },
        storage.transact,
        (written) => Effect.ignoreCause(written)
      )

      /** One campaign that cannot be processed must not stop the others, nor fill the log: it is postponed. */
      const reportFailure = Effect.fnUntraced(function* (due: DueTemplateCampaign, cause: Cause.Cause<StorageError>) {
        yield* Effect.logError("sending for a campaign", due.id, cause)
        const error = Cause.squash(cause)
        if (!(error instanceof StorageError && error.isRetryable)) yield* postpone(due)
        return false
      })

      const process = (due: DueTemplateCampaign) =>
        Effect.gen(function* () {
          const present = yield* storage.read(store.findInAnyAccount(due.id))
          if (present === null) return false
          if (present.status === "scheduled") return yield* start(present)
          const { claimed, hasMore } = yield* turn(due)
          if (claimed !== null) yield* sendAll(claimed)
          return hasMore
        }).pipe(Effect.catchCause((cause) => reportFailure(due, cause)))

      const tick = Effect.gen(function* () {
        if (underWay >= maxUnderWay) return false
        const due = yield* storage.read(Effect.flatMap(Instant.now, (at) => store.due(at, passSize)))
        const more = yield* Effect.forEach(due, process, { concurrency })
        return more.includes(true)
      })

      const count = Effect.gen(function* () {
        const waiting = yield* storage.read(changes.waiting(passSize))
        const found = yield* storage.read(
          Effect.forEach(waiting, ({ campaignId }) => store.findInAnyAccount(campaignId))
        )
        const turns = yield* Effect.forEach(
          found.filter((one) => one !== null),
          process,
          { concurrency }
        )
        return turns.includes(true)
      })

      const pause = Effect.fnUntraced(function* (of: TemplateCampaign) {
        const situated = yield* states.load(of)
        if (situated === null) return []
        yield* store.save(situated.campaign)
        return yield* outbox.append(situated.events)
      }, storage.transact)

      const standingOf = (campaign: TemplateCampaign) =>
        Effect.map(states.standingOf(campaign), (standing) => ({ campaign, standing }))

      const watch = Effect.gen(function* () {
        for (let after: TemplateCampaign["id"] | null = null; ; ) {
          const running: ReadonlyArray<TemplateCampaign> = yield* storage.read(store.running(after, passSize))
          const all = yield* storage.read(Effect.forEach(running, standingOf))
          for (const { campaign, standing } of all) {
            const isHalted = standingPause(campaign, standing, yield* Instant.now) !== null
            if (isHalted) yield* outbox.publish(yield* pause(campaign))
            if (isUnplanned(standing.number)) yield* planRead(standing.number)
          }
          if (running.length < passSize) return
          after = running.at(-1)!.id
        }
      })

      /** A message whose request has not begun: its process has ended, and it waits for its turn again. */
      const requeue = Effect.fnUntraced(function* (contact: TemplateContact, message: Message) {
        if (!(yield* contacts.requeue(contact))) return
        yield* note(contact, { ...contact, status: "queued" }, null)
        yield* messages.save(message, { ...message, status: "queued" })
      })

      /** A message of which nothing was heard: first nobody knows of it, and then it has failed. */
      const settle = Effect.fnUntraced(function* ({ id, messageId }: TemplateContact) {
        const known = messageId === null ? null : yield* messages.byId(messageId)
        if (known !== null) yield* lock("customer", known.customerId)
        const message: Message | null = messageId === null ? null : yield* messages.byId(messageId)
        const at = yield* Instant.now
        const contact = yield* contacts.byId(id)
        if (contact === null || contact.settleBy === null || contact.settleBy > at) return
        if (contact.status === "sending" && message !== null) {
          return yield* contact.hasBegun ? outcomes.markUnknown(message) : requeue(contact, message)
        }
        yield* update(id, (now) =>
          now.status !== "unknown" && now.status !== "sending"
            ? null
            : {
                ...now,
                status: "failed",
                reason: "outcome_unknown",
                error: { code: null, message: lostSentence },
                settleBy: null,
                failedAt: at,
                outcomeAt: now.outcomeAt ?? at
              }
        )
      }, storage.transact)

      const sweep = Effect.gen(function* () {
        const at = yield* Instant.now
        const overdue = yield* storage.read(contacts.overdue(at, settledAtATime))
        for (const contact of overdue) yield* settle(contact)
        if (overdue.length > 0) yield* wake
        yield* storage.transact(store.sweep(sweepSize))
        yield* storage.transact(paces.sweepRecipients(Instant.plus(at, -countedMs), sweepSize))
      })

      return TemplateSender.of({
        tick,
        nextDue: Effect.suspend(() => (underWay >= maxUnderWay ? Effect.succeed(null) : storage.read(store.nextDue))),
        count,
        nextCount: Effect.map(storage.read(changes.waiting(1)), ([first]) => first?.at ?? null),
        watch,
        sweep,
        idle: Effect.gen(function* () {
          while (underWay > 0) yield* FiberSet.awaitEmpty(fibers)
        }),
        underWay: () => underWay,
        outcomes: () => outcomeCounts.samples,
        durations: () => durations.samples
      })
    })
  )
}

/** An answer that waits to be recorded. */
interface Recordable extends Answered {
  readonly claimed: Claimed
  readonly done: Deferred.Deferred<void>
}

/** In seconds. A request ends with an answer, or after the time of one request. */
const durationBounds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const lostSentence =
  "Whether the platform took this message was never known. It was not sent again, so that it could not arrive twice."

const answerOf = (exit: Exit.Exit<Sent, ChannelFailed>): Answer => {
  if (Exit.isSuccess(exit)) return { _tag: "Accepted", sent: exit.value }
  const found = Cause.findErrorOption(exit.cause)
  return { _tag: "Refused", failed: found._tag === "None" ? null : found.value }
}
