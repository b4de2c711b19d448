/** What a host takes, and what it leaves out: docs/reference/embedding.md#areas. Verifies: ROOM-2. */
import {
  type AreaChoice,
  agents,
  calling,
  createTrunkline,
  gateway,
  messaging,
  TrunklineError,
  voice,
  webhooks
} from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import { describe, expect, it } from "vitest"

const options = () => ({
  storage: sqlite(":memory:"),
  encryptionKey: "a key of at least 32 characters, for tests",
  log: () => undefined
})

/** A path of each area, and a metric where it has one. */
const signs = {
  gateway: { path: "/v1/models", metric: "trunkline_inference_running" },
  agents: { path: "/api/v1/bots", metric: null },
  calling: { path: "/api/v1/voice-campaigns", metric: "trunkline_calls_open" },
  messaging: { path: "/api/v1/messaging/phone_numbers", metric: "trunkline_replies_running" },
  webhooks: { path: "/api/v1/webhooks", metric: "trunkline_deliveries_waiting" },
  voice: { path: "/v1/voice/sessions", metric: "trunkline_voice_sessions_active" }
} as const

type Name = keyof typeof signs

const namespaces: Readonly<Record<string, Name>> = {
  campaigns: "calling",
  calls: "calling",
  suppression: "calling",
  webhooks: "webhooks",
  email: "webhooks",
  voice: "voice",
  voiceAlerts: "voice",
  messaging: "messaging"
}

const cases: ReadonlyArray<readonly [string, ReadonlyArray<AreaChoice>, ReadonlyArray<Name>]> = [
  ["the gateway alone", [gateway], ["gateway"]],
  ["agents alone", [agents], ["agents"]],
  ["calling alone", [calling], ["calling", "agents"]],
  ["messaging alone", [messaging], ["messaging", "agents", "gateway"]],
  ["webhooks alone", [webhooks], ["webhooks", "agents"]],
  ["voice alone", [voice], ["voice", "agents", "gateway"]],
  ["calling and webhooks", [calling, webhooks], ["calling", "webhooks", "agents"]],
  ["the gateway and webhooks", [gateway, webhooks], ["gateway", "webhooks", "agents"]],
  ["calling, messaging and voice", [voice, calling, messaging], ["voice", "calling", "messaging", "agents", "gateway"]]
]

describe.each(cases)("a product with %s", (_, areas, there) => {
  it("has the routes, the metrics and the promises of these areas, and of no other", async () => {
    const core = await createTrunkline({ ...options(), areas })
    try {
      const has = (name: Name) => there.includes(name)
      const paths = Object.keys(core.openapi().paths as object)
      const metrics = (await core.metrics()).map(({ name }) => name)
      for (const [name, { metric, path }] of Object.entries(signs) as ReadonlyArray<[Name, (typeof signs)[Name]]>) {
        expect(core.matches(path), path).toBe(has(name))
        expect(paths.includes(path), path).toBe(has(name))
        if (metric !== null) expect(metrics.includes(metric), metric).toBe(has(name))
      }
      const known = Object.entries(namespaces)
      expect(
        Object.keys(core)
          .filter((key) => key in namespaces)
          .sort()
      ).toEqual(known.flatMap(([key, name]) => (has(name) ? [key] : [])).sort())
    } finally {
      await core.stop()
    }
  })

  it("starts, answers its routes, refuses those of others, and stops", async () => {
    const core = await createTrunkline({ ...options(), areas })
    await core.start()
    const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
    const { text: key } = await core.admin.createKey(id)
    const ask = async (path: string) => {
      const headers = { authorization: `Bearer ${key}` }
      return (await core.fetch(new Request(`http://localhost${path}`, { headers }))).status
    }
    const statuses = await Promise.all(
      Object.entries(signs).map(async ([name, { path }]) => [name, await ask(path)] as const)
    )
    expect(Object.fromEntries(statuses)).toEqual(
      Object.fromEntries(statuses.map(([name]) => [name, there.includes(name as Name) ? 200 : 404]))
    )
    await core.stop()
  })
})

describe("a host that chooses areas", () => {
  it("has all of them where it says nothing", async () => {
    const core = await createTrunkline(options())
    expect(Object.values(signs).filter(({ path }) => !core.matches(path))).toEqual([])
    await core.stop()
  })

  it("works with calling alone: an agent, a campaign, a contact", async () => {
    const core = await createTrunkline({ ...options(), areas: [calling] })
    const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
    const { text: key } = await core.admin.createKey(id)
    const made = await core.fetch(
      new Request("http://localhost/api/v1/bots", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "Receptionist" })
      })
    )
    const bot = (await made.json()) as { readonly id: string }
    const campaign = await core.campaigns.create(id, { name: "C", botId: bot.id })
    expect(await core.campaigns.addContacts(id, campaign.id, [{ phone: "+14155550100" }])).toMatchObject({
      inserted: 1
    })
    await core.stop()
  })

  it("is refused what is no area, with the list of all", async () => {
    for (const areas of [[], ["calling"], [{ area: "nothing" }], "calling"]) {
      const refused = await createTrunkline({ ...options(), areas: areas as never }).then(
        () => expect.fail("it was not refused"),
        (error: unknown) => error
      )
      expect(refused).toBeInstanceOf(TrunklineError)
      expect(refused).toMatchObject({ code: "options_refused", fields: [{ path: ["areas"] }] })
      expect(String(refused)).toMatch(/voice, messaging, calling, webhooks, agents, gateway/)
    }
  })

  it("has no promise of an area that is not there: it does not compile", async () => {
    const core = await createTrunkline({ ...options(), areas: [calling, webhooks] })
    expect(core.campaigns.create).toBeTypeOf("function")
    // @ts-expect-error: messaging is left out.
    expect(core.messaging).toBeUndefined()
    // @ts-expect-error: voice is left out.
    expect(core.voice).toBeUndefined()
    await core.stop()
  })

  it("is refused options of an area that is not there, and does not compile with them", async () => {
    const refused = await createTrunkline({
      ...options(),
      areas: [calling],
      // @ts-expect-error: messaging is left out.
      messaging: { checkBusinessAccount: true },
      limits: { fileBytes: 1000 } as never
    }).then(
      () => expect.fail("it was not refused"),
      (error: unknown) => error
    )
    expect(refused).toMatchObject({ code: "options_refused" })
    expect((refused as TrunklineError).fields.map(({ path }) => path.join(".")).sort()).toEqual([
      "limits.fileBytes",
      "messaging"
    ])
  })

  it("is refused such an option with the area that it belongs to and what to do, apart from names that are no options", async () => {
    const refused = await createTrunkline({
      ...options(),
      areas: [webhooks],
      ...({
        voice: {},
        onAnswer: () => ({ kind: "say" }),
        pricing: { usdToCredits: 96, callCreditsPerMinute: 1 },
        limits: { fileBytes: 1000, filebytes: 1000 },
        workers: { deliveries: false, replies: true, dailer: true },
        webhooks: { perEndpoint: 0 },
        retention: { callsDays: null }
      } as object)
    }).then(
      () => expect.fail("it was not refused"),
      (error: unknown) => error
    )
    const belongsTo = (area: string) =>
      `belongs to the area ${area}, which is not among areas: add it there, or remove this option`
    expect(
      Object.fromEntries((refused as TrunklineError).fields.map(({ message, path }) => [path.join("."), message]))
    ).toEqual({
      voice: belongsTo("voice"),
      onAnswer: belongsTo("calling"),
      "pricing.usdToCredits": belongsTo("gateway"),
      "pricing.callCreditsPerMinute": belongsTo("calling"),
      "limits.fileBytes": belongsTo("gateway"),
      "limits.filebytes": expect.stringMatching(/^is no setting/),
      "workers.replies": belongsTo("messaging"),
      "workers.dailer": expect.stringMatching(/^is no setting/),
      "webhooks.perEndpoint": expect.stringMatching(/^must be a whole number/),
      "retention.callsDays": belongsTo("calling")
    })
  })

  it("is refused a section of several areas with all of their names, where what is in it belongs to none of them", async () => {
    const refused = await createTrunkline({
      ...options(),
      areas: [webhooks],
      ...({ pricing: { euroToCredits: 90 } } as object)
    }).then(
      () => expect.fail("it was not refused"),
      (error: unknown) => error
    )
    expect((refused as TrunklineError).fields).toEqual([
      {
        path: ["pricing"],
        message:
          "belongs to the areas calling and gateway, none of which is among areas: add one of them there, or remove this option"
      }
    ])
  })

  it("offers the events of what is there: in the list, to subscriptions and in the description", async () => {
    const core = await createTrunkline({ ...options(), areas: [calling, webhooks] })
    const { id } = await core.admin.createAccount({ name: "A" })
    const url = "https://203.0.113.7/hooks"
    await expect(core.webhooks.create(id, { url, events: ["message.received"] })).rejects.toMatchObject({
      code: "schema_refused"
    })
    const described = Object.keys(core.openapi().webhooks as object)
    expect(described).toContain("call.completed")
    expect(described).toContain("credits.low")
    expect(described.filter((name) => /^(message|conversation|voice)/.test(name))).toEqual([])
    await core.stop()
  })
})

describe("the first steps", () => {
  it("are those of the areas that are there", async () => {
    let account = ""
    const core = await createTrunkline({
      ...options(),
      areas: [webhooks],
      auth: { authenticate: () => ({ accountId: account, subject: "ada" }) }
    })
    try {
      account = (await core.admin.createAccount({ name: "Account" })).id
      const answer = await core.fetch(new Request("http://localhost/api/v1/setup"))
      expect(await answer.json()).toEqual({
        completed: false,
        steps: ["agent", "webhook", "key"].map((id) => ({ id, done: false, note: null }))
      })
      const shown = await core.fetch(new Request("http://localhost/api/v1/account"))
      expect(await shown.json()).toMatchObject({ id: account, call_credits_per_minute: null })
    } finally {
      await core.stop()
    }
  })
})
