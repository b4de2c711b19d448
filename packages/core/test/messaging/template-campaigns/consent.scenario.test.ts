/** Who is written to, asked when each message is committed, and what fills it. Verifies: TCMP-3, TCMP-4. */
import { Contacts, Instant, Suppression } from "@trunkline/core/effect"
import type { Ids, JsonObject } from "@trunkline/core/provider"
import { type CrmContact, type NewTemplateCampaignFields, OptOuts } from "@trunkline/core/testing"
import {
  type CampaignWorld,
  campaignsOf,
  listed,
  phoneOf,
  type ReplyWorld,
  refuses,
  sampleNumber,
  sampleTemplate,
  waits
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { names, scenario } from "../ReplyScenarios.ts"

const { second } = Instant

/** Puts somebody into the address book. */
const knows = (
  world: ReplyWorld,
  phone: string,
  person: Partial<Pick<CrmContact, "company" | "custom" | "firstName" | "optedIn">>
) => world.run(Contacts.use((contacts) => contacts.create(world.tenant, { ...person, phone })))

/** Puts somebody on the do-not-call list. */
const suppresses = (world: ReplyWorld, phone: string) =>
  world.run(Suppression.use((list) => list.add(world.tenant, [{ phone, reason: null }])))

const optOut = (
  world: ReplyWorld,
  phone: string,
  more: { readonly scope?: "all" | "marketing"; readonly phoneNumberId?: string } = {}
) =>
  world.run(
    OptOuts.use((list) =>
      list.add(world.tenant, [
        { person: { phone, userId: null }, phoneNumberId: null, scope: "all", detail: null, ...more }
      ])
    )
  )

/** What has become of each contact: its status, or why it was skipped. */
const fates = (campaigns: CampaignWorld, id: Ids.TemplateCampaignId) =>
  Effect.map(campaigns.contacts(id), (all) => all.map(({ reason, status }) => reason ?? status))

const marketing = { ...sampleTemplate, category: "MARKETING" }

describe("a person is skipped", () => {
  scenario("for the first reason that holds", function* (world) {
    const campaigns = campaignsOf(world)
    const own = sampleNumber.displayPhoneNumber.replace(/\D/g, "")
    const [all, listedOut, agreed, bare, filled] = [1, 2, 3, 4, 5].map(phoneOf) as [
      string,
      string,
      string,
      string,
      string
    ]
    for (const phone of [all, own]) yield* optOut(world, phone)
    for (const phone of [all, listedOut]) yield* suppresses(world, phone)
    const nothing = { optedIn: false, variables: {} }
    const id = yield* campaigns.begun([
      listed(all, nothing),
      listed(listedOut, nothing),
      listed(own, nothing),
      listed(agreed, nothing),
      listed(bare, { variables: {} }),
      listed(filled)
    ])
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, id)).toEqual([
      "opted_out",
      "do_not_call",
      "opted_out",
      "no_opt_in",
      "missing_variable",
      "sent"
    ])
    const contacts = yield* campaigns.contacts(id)
    expect(contacts[4]!.error).toMatchObject({ code: null, message: expect.stringContaining("body.1") })
    for (const { attempts, error, status } of contacts.slice(0, 5)) {
      expect({ attempts, status }).toEqual({ attempts: 0, status: "skipped" })
      expect(error!.message).toMatch(/\.$/)
    }
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { skipped: 5, sent: 1 } })
    expect(campaigns.reached).toEqual([filled])
    expect((yield* campaigns.events).at(-1)).toMatchObject({ data: { completed_contacts: 6, failed_contacts: 0 } })
  })

  scenario("who is the number itself", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun([listed(sampleNumber.displayPhoneNumber, { optedIn: false })])
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, id)).toEqual(["own_number"])
  })

  scenario("who is on the do-not-call list, unless the campaign does not ask for it", function* (world) {
    const campaigns = campaignsOf(world)
    yield* suppresses(world, phoneOf(1))
    const asks = yield* campaigns.begun([listed(phoneOf(1))])
    const does = yield* campaigns.begun([listed(phoneOf(1))], { respectDoNotCall: false })
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, asks)).toEqual(["do_not_call"])
    expect(yield* fates(campaigns, does)).toEqual(["sent"])
  })

  scenario("who has agreed neither on the list nor in the address book", function* (world) {
    const campaigns = campaignsOf(world)
    yield* knows(world, phoneOf(1), { optedIn: true })
    yield* knows(world, phoneOf(2), { optedIn: false })
    yield* knows(world, phoneOf(3), { optedIn: false })
    const people = [
      listed(`+${phoneOf(1)}`, { optedIn: false }),
      listed(phoneOf(2), { optedIn: false }),
      listed(phoneOf(3)),
      listed(phoneOf(4), { optedIn: false })
    ]
    const id = yield* campaigns.begun(people)
    const open = yield* campaigns.begun(people, { requireOptIn: false })
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, id)).toEqual(["sent", "no_opt_in", "sent", "no_opt_in"])
    expect(yield* fates(campaigns, open)).toEqual(["sent", "sent", "sent", "sent"])
  })
})

describe("an opt-out", () => {
  scenario("of everything counts for every template, one of marketing for marketing alone", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.templates.push({ ...marketing, id: "5940002", name: "autumn_sale" })
    yield* optOut(world, phoneOf(1), { scope: "all" })
    yield* optOut(world, phoneOf(2), { scope: "marketing" })
    yield* optOut(world, phoneOf(3), { scope: "all", phoneNumberId: sampleNumber.phoneNumberId })
    const people = [1, 2, 3, 4].map((nth) => listed(phoneOf(nth)))
    const utility = yield* campaigns.begun(people)
    const sale = yield* campaigns.begun(people, { template: { name: "autumn_sale", language: "en" } })
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, utility)).toEqual(["opted_out", "sent", "opted_out", "sent"])
    expect(yield* fates(campaigns, sale)).toEqual(["opted_out", "opted_out", "opted_out", "sent"])
  })

  scenario("of another number does not count", function* (world) {
    const campaigns = campaignsOf(world)
    yield* world.connect({ phoneNumberId: "206540352242922", displayPhoneNumber: "+1 555-078-3882" })
    yield* optOut(world, phoneOf(1), { phoneNumberId: "206540352242922" })
    const id = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, id)).toEqual(["sent"])
  })

  scenario("during a campaign keeps every message back that is committed later", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(
      [1, 2, 3, 4, 5].map((nth) => listed(phoneOf(nth))),
      { maxPerSecond: 1 }
    )
    yield* campaigns.work(1.5 * second)
    yield* optOut(world, phoneOf(3))
    yield* world.deliver({
      object: "whatsapp_business_account",
      entry: [
        {
          id: "102290129340398",
          changes: [
            {
              field: "messages",
              value: {
                messaging_product: "whatsapp",
                metadata: {
                  display_phone_number: sampleNumber.displayPhoneNumber,
                  phone_number_id: sampleNumber.phoneNumberId
                },
                contacts: [{ profile: { name: "Four" }, wa_id: phoneOf(4) }],
                messages: [world.text("Stop", { from: phoneOf(4), from_user_id: undefined } as never)]
              }
            }
          ]
        }
      ]
    })
    yield* campaigns.work(8 * second)
    expect(yield* fates(campaigns, id)).toEqual(["sent", "sent", "opted_out", "opted_out", "sent"])
    expect(campaigns.reached).toEqual([1, 2, 5].map(phoneOf))
  })

  scenario("ends the retries of a message, which has failed then", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.next(refuses(131000, 500))
    const id = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second)
    yield* optOut(world, phoneOf(1))
    yield* campaigns.work(40 * second, second)
    expect(yield* campaigns.contacts(id)).toMatchObject([{ status: "skipped", reason: "opted_out", attempts: 1 }])
    expect(world.platform.of("send")).toHaveLength(1)
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { skipped: 1 } })
    expect(yield* world.messages(phoneOf(1))).toMatchObject([{ status: "failed" }])
  })

  scenario("while a message is under way changes nothing of that message", function* (world) {
    const campaigns = campaignsOf(world)
    const waiting = waits()
    world.platform.next(waiting.answering)
    const id = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second)
    yield* optOut(world, phoneOf(1))
    yield* waiting.go()
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, id)).toEqual(["sent"])
    const again = yield* campaigns.begun([listed(phoneOf(1))])
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, again)).toEqual(["opted_out"])
  })

  scenario("of a person's id counts for their number, once both are known", function* (world) {
    const campaigns = campaignsOf(world)
    yield* world.writes("Hello")
    yield* world.run(
      OptOuts.use((list) =>
        list.add(world.tenant, [
          {
            person: { phone: null, userId: "US.13491208655302741918" },
            phoneNumberId: null,
            scope: "all",
            detail: null
          }
        ])
      )
    )
    const id = yield* campaigns.begun([listed("16505551234")])
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, id)).toEqual(["opted_out"])
  })
})

/** A template with a place of every kind. */
const full: JsonObject = {
  ...sampleTemplate,
  name: "full",
  components: [
    { type: "HEADER", format: "IMAGE" },
    { type: "BODY", text: "Dear {{1}} of {{2}}, your code is {{3}}." },
    { type: "FOOTER", text: "The shop" },
    {
      type: "BUTTONS",
      buttons: [
        { type: "QUICK_REPLY", text: "Stop" },
        { type: "URL", text: "Track", url: "https://shop.example/{{1}}" },
        { type: "COPY_CODE", example: "SAVE" }
      ]
    }
  ]
}

const named: JsonObject = {
  ...sampleTemplate,
  name: "named",
  parameter_format: "NAMED",
  components: [
    { type: "HEADER", format: "TEXT", text: "Order {{order}}" },
    { type: "BODY", text: "Hello {{first_name}}!" }
  ]
}

describe("what fills a message", () => {
  const sentWith = (campaigns: CampaignWorld) => campaigns.accepted.map(({ body }) => body.template as JsonObject)

  scenario("goes out in the template's order: header, body and buttons by their places", function* (world) {
    const campaigns = campaignsOf(world, full)
    yield* knows(world, phoneOf(1), { firstName: "Ada", company: "Engines", custom: { code: "A 1" } })
    const id = yield* campaigns.begun([listed(phoneOf(1), { variables: { "buttons.2": "SAVE10", ticket: "t/1" } })], {
      template: { name: "full", language: "en" },
      parameters: {
        "header.media": { value: "https://files.example/a.jpg" },
        "body.1": { field: "first_name" },
        "body.2": { field: "company" },
        "body.3": { field: "custom.code" },
        "buttons.1": { field: "variables.ticket" }
      }
    })
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, id)).toEqual(["sent"])
    expect(sentWith(campaigns)).toEqual([
      {
        name: "full",
        language: { code: "en" },
        components: [
          { type: "header", parameters: [{ type: "image", image: { link: "https://files.example/a.jpg" } }] },
          {
            type: "body",
            parameters: [
              { type: "text", text: "Ada" },
              { type: "text", text: "Engines" },
              { type: "text", text: "A 1" }
            ]
          },
          { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "t/1" }] },
          {
            type: "button",
            sub_type: "copy_code",
            index: "2",
            parameters: [{ type: "coupon_code", coupon_code: "SAVE10" }]
          }
        ]
      }
    ])
    const [message] = yield* world.messages(phoneOf(1))
    expect(message).toMatchObject({
      direction: "outbound",
      role: "agent",
      type: "template",
      status: "sent",
      text: expect.stringContaining("Dear Ada of Engines, your code is A 1.\nThe shop\nStop\nTrack")
    })
    expect(campaigns.accepted[0]!.body).toMatchObject({
      recipient_type: "individual",
      to: phoneOf(1),
      type: "template",
      biz_opaque_callback_data: message!.id
    })
  })

  scenario("names its places where the template does", function* (world) {
    const campaigns = campaignsOf(world, named)
    yield* campaigns.begun([listed(phoneOf(1), { name: "Grace", variables: { "header.order": "17" } })], {
      template: { name: "named", language: "en" },
      parameters: { "body.first_name": { field: "first_name" } }
    })
    yield* campaigns.work(second)
    expect(sentWith(campaigns)).toMatchObject([
      {
        components: [
          { type: "header", parameters: [{ type: "text", parameter_name: "order", text: "17" }] },
          { type: "body", parameters: [{ type: "text", parameter_name: "first_name", text: "Grace" }] }
        ]
      }
    ])
  })

  for (const [media, parameter] of [
    ["https://files.example/b.jpg", { link: "https://files.example/b.jpg" }],
    ["1003383421387256", { id: "1003383421387256" }],
    ["http://files.example/b.jpg", null],
    ["javascript:alert(1)", null]
  ] as const) {
    scenario(
      `takes ${media} for a header's file ${parameter === null ? "from nobody" : "from a contact"}`,
      function* (world) {
        const campaigns = campaignsOf(world, { ...full, components: [{ type: "HEADER", format: "IMAGE" }] })
        const id = yield* campaigns.begun([listed(phoneOf(1), { variables: { "header.media": media } })], {
          template: { name: "full", language: "en" }
        })
        yield* campaigns.work(second)
        expect(yield* fates(campaigns, id)).toEqual([parameter === null ? "missing_variable" : "sent"])
        if (parameter === null) return
        expect(sentWith(campaigns)[0]!.components).toEqual([
          { type: "header", parameters: [{ type: "image", image: parameter }] }
        ])
      }
    )
  }

  scenario("is a fallback where a value is missing or blank, and is cleaned", function* (world) {
    const campaigns = campaignsOf(world)
    const id = yield* campaigns.begun(
      [
        listed(phoneOf(1), { variables: { word: "  two\nlines\tand      gaps  " } }),
        listed(phoneOf(2), { variables: { word: " \n " } }),
        listed(phoneOf(3), { variables: {} })
      ],
      { parameters: { "body.1": { field: "variables.word", fallback: "friend" } } }
    )
    const strict = yield* campaigns.begun([listed(phoneOf(2), { variables: { word: " \n " } })], {
      parameters: { "body.1": { field: "variables.word" } }
    })
    yield* campaigns.work(second)
    expect(yield* fates(campaigns, id)).toEqual(["sent", "sent", "sent"])
    expect(yield* fates(campaigns, strict)).toEqual(["missing_variable"])
    expect(sentWith(campaigns).map(({ components }) => components)).toEqual(
      ["two lines and    gaps", "friend", "friend"].map((text) => [
        { type: "body", parameters: [{ type: "text", text }] }
      ])
    )
  })

  scenario("stays for automatic retries, and is found anew for a retry by order", function* (world) {
    const campaigns = campaignsOf(world)
    world.platform.toward(phoneOf(1), refuses(131000, 500))
    const fields: Partial<NewTemplateCampaignFields> = { parameters: { "body.1": { value: "Monday" } } }
    const id = yield* campaigns.begun([listed(phoneOf(1))], fields)
    yield* campaigns.work(second)
    yield* campaigns.change(id, { parameters: { "body.1": { value: "Tuesday" } } })
    yield* campaigns.work(15 * 60 * second, 5 * second)
    const asked = () => world.platform.of("send").map(({ body }) => JSON.stringify(body.template).includes("Monday"))
    expect(asked()).toEqual([true, true, true, true])
    expect(yield* fates(campaigns, id)).toEqual(["platform"])
    world.platform.toward(phoneOf(1), null)
    const before = (yield* campaigns.contacts(id))[0]!
    expect(yield* campaigns.retry(id)).toBe(1)
    yield* campaigns.work(2 * second)
    expect(asked()).toEqual([true, true, true, true, false])
    const after = (yield* campaigns.contacts(id))[0]!
    expect(after).toMatchObject({ status: "sent", attempts: 1, values: { "body.1": "Tuesday" } })
    expect(after.messageId).not.toBe(before.messageId)
    expect(names(yield* campaigns.events)).toEqual([
      "campaign.started",
      "campaign.completed",
      "campaign.started",
      "campaign.completed"
    ])
  })
})
