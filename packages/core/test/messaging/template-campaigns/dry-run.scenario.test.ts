/** A dry run beside the run that follows it. Verifies: TCMP-7. */
import { Instant } from "@trunkline/core/effect"
import type { JsonObject, NumberFacts } from "@trunkline/core/provider"
import { CampaignTrials, type GivenContact, type NewTemplateCampaignFields, OptOuts } from "@trunkline/core/testing"
import { campaignsOf, listed, phoneOf, sampleTemplate } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { describe, expect } from "vitest"
import { scenario } from "../ReplyScenarios.ts"

const { second } = Instant

/** A person on the list, and whether that person has opted out before. */
const person = fc.record({
  optedIn: fc.boolean(),
  variables: fc.constantFrom<Readonly<Record<string, string>>>({ "1": "Ada" }, { "1": " " }, {}),
  optsOut: fc.boolean()
})

const lists = fc.sample(fc.array(person, { minLength: 1, maxLength: 12 }), { numRuns: 12, seed: 7 })

const own = { ...listed("+1 555-078-3881"), name: "The account's own number" }

describe("a dry run", () => {
  for (const [nth, list] of lists.entries()) {
    scenario(`has the numbers of the run that starts at once, for list ${nth + 1}`, function* (world) {
      const campaigns = campaignsOf(world)
      const people: ReadonlyArray<GivenContact> = [
        ...list.map(({ optedIn, variables }, at) => listed(phoneOf(at), { optedIn, variables })),
        own
      ]
      const id = yield* campaigns.draft(people)
      const entries = list.flatMap(({ optsOut }, at) =>
        optsOut
          ? [{ person: { phone: phoneOf(at), userId: null }, phoneNumberId: null, scope: "all" as const, detail: null }]
          : []
      )
      yield* world.run(OptOuts.use((optOuts) => optOuts.add(world.tenant, entries)))
      const dry = (yield* world.run(CampaignTrials.use((trials) => trials.dryRun(world.tenant, id))))!
      expect(campaigns.accepted).toEqual([])
      yield* campaigns.move(id, "running")
      yield* campaigns.work(3 * second)
      const contacts = yield* campaigns.contacts(id)
      const skipped: Record<string, number> = {}
      for (const { reason, status } of contacts) {
        if (status === "skipped" && reason !== null) skipped[reason] = (skipped[reason] ?? 0) + 1
      }
      expect(dry).toMatchObject({ contacts: people.length, sendable: campaigns.accepted.length, skipped, errors: [] })
      expect(Object.keys(dry.skipped).toSorted()).toEqual(Object.keys(skipped).toSorted())
      const sent = new Map(campaigns.accepted.map(({ body, to }) => [to, body.template]))
      for (const sample of dry.samples) expect(sent.get(sample.to)).toEqual(sample.template)
    })
  }

  scenario("names what would refuse the start, and changes nothing", function* (world) {
    const campaigns = campaignsOf(world, { ...sampleTemplate, status: "PENDING" })
    const id = yield* campaigns.draft([])
    const before = yield* campaigns.stored(id)
    const dry = yield* world.run(CampaignTrials.use((trials) => trials.dryRun(world.tenant, id)))
    expect(dry!.errors.map(({ code }) => code)).toEqual(["no_contacts", "template_not_approved"])
    expect(yield* campaigns.stored(id)).toEqual(before)
    const refused = yield* Effect.flip(campaigns.move(id, "running"))
    expect(refused).toMatchObject({ _tag: "StartRefused", reasons: dry!.errors })
  })

  const example = { body_text: [["Ada"]] }
  const shown = { ...sampleTemplate, components: [{ ...sampleTemplate.components[0], example }] }
  const limit = (perDay: number) => ({ messagingLimit: { tier: `TIER_${perDay}`, perDay } })

  for (const [code, { facts = {}, fields = {}, template = shown }] of Object.entries({
    number_quality: { facts: { qualityRating: "YELLOW" } },
    template_quality: { template: { ...shown, quality_score: { score: "RED" } } },
    missing_example: { template: sampleTemplate },
    messaging_limit: { facts: limit(2) },
    max_per_day: { fields: { maxPerDay: 2 } }
  } satisfies Record<string, Warned>) as ReadonlyArray<[string, Warned]>) {
    scenario(`warns of ${code} alone, where that is what is wrong`, function* (world) {
      const campaigns = campaignsOf(world, template)
      const id = yield* campaigns.draft(
        [0, 1, 2].map((nth) => listed(phoneOf(nth))),
        fields
      )
      yield* campaigns.numberIs({ ...limit(1000), ...facts })
      const dry = yield* world.run(CampaignTrials.use((trials) => trials.dryRun(world.tenant, id)))
      expect(dry!.warnings.map((warning) => warning.code)).toEqual([code])
    })
  }
})

interface Warned {
  readonly facts?: Partial<NumberFacts>
  readonly fields?: Partial<NewTemplateCampaignFields>
  readonly template?: JsonObject
}
