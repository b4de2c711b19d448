/** Template campaigns of one world: their processes send, count, watch and settle under the test clock, and may die at any step. */
import { Instant, read } from "@trunkline/core/effect"
import type { AccountReport, Ids, JsonObject, NumberFacts } from "@trunkline/core/provider"
import {
  type ContactChange,
  ContactChangeStore,
  type TemplateCampaign,
  TemplateCampaignStore,
  type TemplateContact,
  TemplateListStore
} from "@trunkline/core/storage"
import {
  type ContactsListed,
  type GivenContact,
  Inbound,
  type NewTemplateCampaignFields,
  NumberManagement,
  type TemplateCampaignFields,
  TemplateCampaigns,
  type TemplateCampaignView,
  TemplateContacts,
  TemplateSender
} from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type AcceptedMessage, usualFacts } from "./FakeChatPlatform.ts"
import { sampleBusinessAccount, sampleNumber } from "./InboundBodies.ts"
import type { ReplyWorld } from "./ReplyWorld.ts"

type ContactReason = NonNullable<TemplateContact["reason"]>

/** A template as the platform has it: a body with one place, approved. */
export const sampleTemplate = {
  id: "5940001",
  name: "order_sent",
  language: "en",
  status: "APPROVED",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Hello {{1}}, your order is on its way." }]
} as const

/** Somebody on a list, who has agreed to be messaged. */
export const listed = (phone: string, more: Partial<GivenContact> = {}): GivenContact => ({
  phone,
  userId: null,
  name: null,
  variables: { "1": "Ada" },
  optedIn: true,
  ...more
})

/** Telephone numbers that do not end alike. */
export const phoneOf = (nth: number): string => `1415555${String(nth).padStart(4, "0")}`

/** Shorter than the time by which messages are committed ahead of theirs. */
const stepMs = 50

export class CampaignWorld {
  readonly world: ReplyWorld

  constructor(world: ReplyWorld) {
    this.world = world
  }

  /** Makes a draft that may send at any hour, with people on its list. */
  draft(
    people: ReadonlyArray<GivenContact>,
    fields: Partial<NewTemplateCampaignFields> = {}
  ): Effect.Effect<Ids.TemplateCampaignId, unknown> {
    const { world } = this
    return Effect.gen({ self: this }, function* (this: CampaignWorld) {
      const made = yield* world.run(
        TemplateCampaigns.use((campaigns) =>
          campaigns.create(world.tenant, {
            name: "Autumn",
            phoneNumberId: sampleNumber.phoneNumberId,
            template: { name: sampleTemplate.name, language: sampleTemplate.language },
            quietHoursStart: 0,
            quietHoursEnd: 24,
            ...fields
          })
        )
      )
      if (people.length > 0) yield* this.add(made!.id, people)
      return made!.id
    })
  }

  add(id: Ids.TemplateCampaignId, people: ReadonlyArray<GivenContact>): Effect.Effect<ContactsListed | null, unknown> {
    return this.world.run(TemplateContacts.use((contacts) => contacts.add(this.world.tenant, id, people)))
  }

  move(id: Ids.TemplateCampaignId, to: TemplateCampaign["status"], which = 0): Effect.Effect<unknown, unknown> {
    return this.world.run(
      TemplateCampaigns.use((campaigns) => campaigns.move(this.world.tenant, id, to)),
      which
    )
  }

  change(id: Ids.TemplateCampaignId, fields: TemplateCampaignFields): Effect.Effect<unknown, unknown> {
    return this.world.run(TemplateCampaigns.use((campaigns) => campaigns.change(this.world.tenant, id, fields)))
  }

  remove(id: Ids.TemplateCampaignId): Effect.Effect<unknown, unknown> {
    return this.world.run(TemplateCampaigns.use((campaigns) => campaigns.remove(this.world.tenant, id)))
  }

  /** Has contacts written to again that have failed; returns how many. */
  retry(id: Ids.TemplateCampaignId, reasons: ReadonlyArray<ContactReason> = ["platform"]) {
    return this.world.run(TemplateCampaigns.use((campaigns) => campaigns.retry(this.world.tenant, id, reasons)))
  }

  /** A draft with people on its list that runs. */
  begun(
    people: ReadonlyArray<GivenContact>,
    fields: Partial<NewTemplateCampaignFields> = {}
  ): Effect.Effect<Ids.TemplateCampaignId, unknown> {
    return Effect.gen({ self: this }, function* (this: CampaignWorld) {
      const id = yield* this.draft(people, fields)
      yield* this.move(id, "running")
      return id
    })
  }

  get(id: Ids.TemplateCampaignId): Effect.Effect<TemplateCampaignView, unknown> {
    return Effect.map(
      this.world.run(TemplateCampaigns.use((campaigns) => campaigns.get(this.world.tenant, id))),
      (found) => found!
    )
  }

  /** The contacts of a campaign, in the order of the list. */
  contacts(id: Ids.TemplateCampaignId): Effect.Effect<ReadonlyArray<TemplateContact>> {
    const every = { status: null, reason: null, replied: null, phone: null }
    return this.world.look(read(TemplateListStore.use((store) => store.after(id, every, -1, 100_000))))
  }

  /** Changes that are still to be counted. */
  uncounted(id: Ids.TemplateCampaignId): Effect.Effect<ReadonlyArray<ContactChange>> {
    return this.world.look(read(ContactChangeStore.use((store) => store.ofCampaigns([id]))))
  }

  stored(id: Ids.TemplateCampaignId): Effect.Effect<TemplateCampaign | null> {
    return this.world.look(read(TemplateCampaignStore.use((store) => store.findInAnyAccount(id))))
  }

  /** Messages of templates that the platform has accepted, in its order. */
  get accepted(): ReadonlyArray<AcceptedMessage> {
    return this.world.platform.accepted.filter(({ body }) => body.type === "template")
  }

  /** Whom they went to. */
  get reached(): ReadonlyArray<string> {
    return this.accepted.map(({ to }) => to)
  }

  /** What one process does in a pass of each of its workers. */
  pass(which = 0): Effect.Effect<void> {
    const once = TemplateSender.use((sender) =>
      Effect.gen(function* () {
        yield* sender.count
        yield* sender.watch
        yield* sender.tick
        yield* sender.sweep
      })
    )
    return Effect.andThen(Effect.ignore(this.world.run(once, which)), this.world.settle)
  }

  /** Lets time pass, with every living process at work. */
  work(milliseconds: number, step = stepMs): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* (this: CampaignWorld) {
      const until = (yield* Instant.now) + milliseconds
      for (;;) {
        for (const [which, { alive, isStill }] of this.world.processes.entries()) {
          if (alive && !isStill) yield* this.pass(which)
        }
        const at = yield* Instant.now
        if (at >= until) return
        yield* TestClock.adjust(Math.min(step, until - at))
        yield* this.world.settle
      }
    })
  }

  /** What the platform delivers about the business account. */
  reports(...reports: ReadonlyArray<AccountReport>): Effect.Effect<unknown, unknown> {
    const { world } = this
    return Effect.gen(function* () {
      const accounts = [{ accountId: sampleBusinessAccount, at: yield* Instant.now, reports }]
      yield* world.run(Inbound.use((inbox) => inbox.receive({ channel: "cloud-api", batches: [], accounts })))
      yield* world.settle
    })
  }

  /** What the platform says of a number from now on; it is read at once. */
  numberIs(
    facts: Partial<NumberFacts>,
    phoneId = this.world.phoneId,
    phoneNumberId: string = sampleNumber.phoneNumberId
  ) {
    this.world.platform.facts.set(phoneNumberId, { ...usualFacts, ...facts })
    return this.world.run(NumberManagement.use((numbers) => numbers.refresh(this.world.tenant, phoneId)))
  }

  /** The events of campaigns, oldest first. */
  readonly events = Effect.suspend(() =>
    Effect.map(this.world.events, (all) => all.filter(({ event }) => event.startsWith("campaign.")))
  )
}

/** The campaigns of a world whose platform has the sample template. */
export const campaignsOf = (world: ReplyWorld, template: JsonObject = sampleTemplate): CampaignWorld => {
  world.platform.templates.push(template)
  return new CampaignWorld(world)
}
