/** What happens to template campaigns on a random day, command by command. */
import { Instant, read } from "@trunkline/core/effect"
import type { Ids } from "@trunkline/core/provider"
import { ContactChangeStore, TemplateCampaignStore, TemplateContactStore } from "@trunkline/core/storage"
import { OptOuts, TemplateCampaigns, TemplateSender } from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Command, Given, GivenReport, Outcome } from "./CampaignDay.ts"
import { bar, type Memory, unbar } from "./CampaignInvariants.ts"
import { type CampaignWorld, listed, phoneOf } from "./CampaignWorld.ts"
import {
  type AcceptedMessage,
  type Answering,
  accepts,
  holds,
  refuses,
  silent,
  unreachable
} from "./FakeChatPlatform.ts"
import { inboundBody, inboundChange, sampleBodies, sampleNumber } from "./InboundBodies.ts"
import { referenceOf } from "./ReplyMemory.ts"

const { inboundMessage, inboundStatus } = sampleBodies
const { second } = Instant

/** While messages are under way. */
const shortStepMs = 100
/** While what is due cannot be done. */
const idleStepMs = 2 * second

const livingOf = ({ world }: CampaignWorld): ReadonlyArray<number> =>
  [...world.processes.keys()].filter((which) => world.processes[which]!.alive && !world.processes[which]!.isStill)

/** How long until something is to be done, or may be answered. */
const nextStep = (campaigns: CampaignWorld) =>
  Effect.gen(function* () {
    const { world } = campaigns
    const living = livingOf(campaigns)
    const isUnderWay = living.some(
      (which) => Context.get(world.processes[which]!.context, TemplateSender).underWay() > 0
    )
    if (isUnderWay) return shortStepMs
    const due = yield* world.look(
      read(
        Effect.all([
          TemplateCampaignStore.use((store) => store.nextDue),
          TemplateContactStore.use((store) => store.nextOverdue),
          ContactChangeStore.use((store) => Effect.map(store.waiting(1), ([first]) => first?.at ?? null))
        ])
      )
    )
    const at = yield* Instant.now
    const next = Math.min(...due.map((one) => one ?? Number.POSITIVE_INFINITY))
    if (next > at) return next - at
    return living.length === 0 || world.isDown ? idleStepMs : shortStepMs
  })

/** Lets time pass, with every living process at work, side by side. */
export const goOn = (campaigns: CampaignWorld, milliseconds: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const until = (yield* Instant.now) + milliseconds
    for (;;) {
      yield* Effect.all(
        livingOf(campaigns).map((which) => campaigns.pass(which)),
        { concurrency: "unbounded" }
      )
      const at = yield* Instant.now
      if (at >= until) return
      yield* TestClock.adjust(Math.min(yield* nextStep(campaigns), until - at))
      yield* campaigns.world.settle
    }
  })

export const answeringOf = (outcome: Outcome): Answering => {
  switch (outcome.does) {
    case "accept":
      return accepts
    case "hold":
      return holds
    case "reject unheard":
      return silent(false)
    case "accept unheard":
      return silent(true)
    case "accept slowly":
      return (_, accept) => Effect.tap(accept, () => Effect.sleep(3 * second))
    case "be unreachable":
      return unreachable
    case "refuse":
      return refuses(outcome.code, 400, outcome.retryAfter)
    case "refuse slowly":
      return (...asked) =>
        Effect.andThen(Effect.sleep(2 * second), refuses(outcome.code, 400, outcome.retryAfter)(...asked))
  }
}

/** A process that is asked: one that goes on, if there is one. */
const pickOf = ({ campaigns }: Memory, pick: number): number => {
  const living = livingOf(campaigns)
  return living[pick % Math.max(1, living.length)] ?? pick
}

const campaignOf = ({ ids }: Memory, of: number): Ids.TemplateCampaignId => ids[of % ids.length]!

/** Somebody on one of the lists. */
const personOf = (memory: Memory, who: number): string => {
  const phones = [...new Set([...memory.contacts.values()].flatMap(({ phone }) => phone ?? []))]
  return phones[who % Math.max(1, phones.length)] ?? phoneOf(0)
}

/** Reports one of the messages that the platform has accepted. */
export const report = (
  memory: Memory,
  accepted: AcceptedMessage,
  given: Omit<GivenReport, "of" | "isRecent">,
  pick = 0
) =>
  Effect.gen(function* () {
    const { campaigns, reportedFailed, seen } = memory
    const reference = given.isNamed ? { biz_opaque_callback_data: referenceOf(accepted) } : {}
    const failure = given.word === "failed" ? { errors: [{ code: given.code, title: "Refused" }] } : {}
    const price = given.hasPrice ? {} : { pricing: undefined }
    const status = inboundStatus(accepted.id, given.word, {
      recipient_id: accepted.to,
      ...reference,
      ...price,
      ...failure
    })
    const body = inboundBody([inboundChange({ statuses: [status] })])
    if (given.word === "failed") reportedFailed.add(referenceOf(accepted))
    seen.reports += 1
    yield* Effect.all(
      Array.from({ length: given.times }, (_, nth) =>
        Effect.exit(campaigns.world.deliver(body, pickOf(memory, pick + nth)))
      ),
      { concurrency: "unbounded" }
    )
  })

type RunCommand<T extends Command["_tag"]> = (
  memory: Memory,
  given: Extract<Command, { readonly _tag: T }>,
  pick: number
) => Effect.Effect<void, unknown>

const commands: { readonly [T in Command["_tag"]]: RunCommand<T> } = {
  Pass: ({ campaigns }, { ms }) => goOn(campaigns, ms),
  Move: (memory, { of, to }, pick) =>
    Effect.ignore(memory.campaigns.move(campaignOf(memory, of), to, pickOf(memory, pick))),
  Retry: (memory, { of }, pick) =>
    Effect.gen(function* () {
      const { seen, world } = { ...memory, world: memory.campaigns.world }
      const reasons = ["platform", "pair_rate", "marketing_limit", "invalid_content", "rejected"] as const
      const queued = yield* world.run(
        TemplateCampaigns.use((campaigns) => campaigns.retry(world.tenant, campaignOf(memory, of), reasons)),
        pickOf(memory, pick)
      )
      seen.retried += queued ?? 0
    }).pipe(Effect.ignore),
  Add: (memory, { from, of, people }) =>
    Effect.ignore(
      memory.campaigns.add(
        campaignOf(memory, of),
        Array.from({ length: people }, (_, nth) => listed(phoneOf(from + nth)))
      )
    ),
  OptOut: (memory, { isOfNumber, scope, who }, pick) =>
    Effect.gen(function* () {
      const { world } = memory.campaigns
      const phone = personOf(memory, who)
      const phoneNumberId = isOfNumber ? sampleNumber.phoneNumberId : null
      const entry = { person: { phone, userId: null }, phoneNumberId, scope, detail: null }
      const answer = yield* Effect.exit(
        world.run(
          OptOuts.use((list) => list.add(world.tenant, [entry])),
          pickOf(memory, pick)
        )
      )
      const isHeard = answer._tag === "Success" && answer.value !== null
      if (isHeard && (scope === "all" || memory.category === "MARKETING")) yield* bar(memory, phone)
    }),
  TakeBackOptOut: (memory, { who }, pick) =>
    Effect.gen(function* () {
      const { world } = memory.campaigns
      const phone = personOf(memory, who)
      const filter = { phone, source: "api", phoneNumberId: null } as const
      const answer = yield* Effect.exit(
        world.run(
          OptOuts.use((list) =>
            Effect.flatMap(list.list(world.tenant, filter, { limit: 100, offset: 0 }), ({ items }) =>
              Effect.forEach(items, ({ id }) => list.remove(world.tenant, id))
            )
          ),
          pickOf(memory, pick)
        )
      )
      yield* unbar(memory, phone, answer._tag === "Success" && answer.value !== null)
    }),
  Write: (memory, { quotes, text, who }, pick) =>
    Effect.gen(function* () {
      const { campaigns } = memory
      const phone = personOf(memory, who)
      const own = campaigns.accepted.filter(({ to }) => to === phone)
      const quoted = own[who % Math.max(1, own.length)]
      const message = inboundMessage(
        "text",
        { body: text },
        {
          from: phone,
          from_user_id: undefined,
          timestamp: campaigns.world.second,
          ...(quotes && quoted !== undefined ? { context: { id: quoted.id } } : {})
        }
      )
      const body = inboundBody([inboundChange({ messages: [message] })])
      const answer = yield* Effect.exit(campaigns.world.deliver(body, pickOf(memory, pick)))
      // A delivery has no answer but that it is stored; null is one that nobody hears.
      const isHeard = answer._tag === "Success" && answer.value !== null
      if (text === "START") return yield* unbar(memory, phone, isHeard)
      if (text === "STOP" && isHeard) yield* bar(memory, phone)
    }),
  Report: (memory, given, pick) =>
    Effect.gen(function* () {
      const { accepted } = memory.campaigns
      const chosen = given.isRecent
        ? accepted.at(-1 - (given.of % 3))
        : accepted[given.of % Math.max(1, accepted.length)]
      if (chosen === undefined) return
      const contact = [...memory.contacts.values()].find(({ messageId }) => messageId === referenceOf(chosen))
      if (contact?.status === "sending" || contact?.status === "unknown") memory.seen.early += 1
      yield* report(memory, chosen, given, pick)
    }),
  Outcomes: ({ campaigns }, { outcome, times }) =>
    Effect.sync(() => campaigns.world.platform.next(answeringOf(outcome), times)),
  Mood: ({ campaigns }, { outcome }) => Effect.sync(() => campaigns.world.platform.does(answeringOf(outcome))),
  CutStorage: ({ campaigns: { world } }, { isCut }, pick) =>
    Effect.sync(() => {
      // One process alone would only wait.
      if (world.processes.length > 1) world.processes[pick % world.processes.length]!.isCut = isCut
    }),
  StopStorage: ({ campaigns: { world } }, { isDown }) =>
    Effect.sync(() => {
      world.isDown = isDown
    }),
  LoseCommits: ({ campaigns: { world } }, { commits }, pick) =>
    Effect.sync(() => {
      world.processes[pick % world.processes.length]!.commitsToLose = commits
    }),
  Stall: (memory, given, pick) =>
    Effect.sync(() => {
      const { processes } = memory.campaigns.world
      memory.hasStalled = true
      processes[pick % processes.length]!.stall({ ...given })
    }),
  GoOn: ({ campaigns: { world } }, _, pick) =>
    Effect.andThen(world.processes[pick % world.processes.length]!.resume, world.settle),
  Crash: ({ campaigns: { world } }, { at, steps, when }, pick) =>
    Effect.sync(() => world.crashAfter(steps, when, at, pick))
}

export const runCommand = (memory: Memory, { pick, ...given }: Given): Effect.Effect<void, unknown> =>
  // A command and its handler have one tag, which the compiler cannot follow through the table.
  (commands[given._tag] as RunCommand<Command["_tag"]>)(memory, given as Command, pick)
