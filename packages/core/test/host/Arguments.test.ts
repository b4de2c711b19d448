/** Arguments of promises are decoded with the schemas of the routes. Verifies: HOST-4. */

import { inspect } from "node:util"
import { createTrunkline, type Trunkline, TrunklineError } from "@trunkline/core"
import { channelProvider, telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { accepts, FakeChatPlatform } from "@trunkline/testing/messaging"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const id = "00000000-0000-4000-8000-000000000001"
const gone = "00000000-0000-4000-8000-000000000000"
const image = { contentType: "image/png", fileName: "a.png", bytes: new Uint8Array([1]) }
const message = { phoneNumberId: "1", to: "16505551234", content: "Hi" }
const webhook = { url: "https://example.com/hooks", events: ["campaign.started"] }
const publication = { event: "payment.succeeded", data: { payment_id: "1" }, botId: id, idempotencyKey: "k" }
const report = { type: "email.bounced", recipient: "a@example.com", idempotencyKey: "k" }
const connection = { phoneNumberId: "1", businessAccountId: "2", accessToken: "t" }
const page = { limit: 1, offset: 0 }
const other = { name: "b", storage: sqlite(":memory:"), encryptionKey: "the key of another installation, 32" }

/** Methods whose id is a key's. */
const ofKeys = new Set(["admin.changeKey", "admin.rotateKey", "admin.revokeKey"])

/** Arguments that decode, for every method: a method without a row fails the first test. */
const methods: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  "admin.createAccount": [{ name: "A", plan: "free", voiceCampaigns: true }],
  "admin.getAccount": [id],
  "admin.listAccounts": [page],
  "admin.changeAccount": [id, { name: "B", monthlyBudget: 1n, paymentDeadline: "2030-01-01T00:00:00Z" }],
  "admin.createKey": [id, { name: "K", scopes: ["calls:read"], budget: "1.5", requestsPerMinute: 5 }],
  "admin.listKeys": [id, page],
  "admin.changeKey": [id, { name: null, scopes: ["calls:read"], budget: "1.5", models: null, expiresAt: null }],
  "admin.rotateKey": [id, { overlapSeconds: 60 }],
  "admin.revokeKey": [id],
  "admin.createToken": [id, { role: "owner", secondsToLive: 60 }],
  "admin.createPortalToken": [id, { secondsToLive: 60 }],
  "admin.addCredits": [id, "1.5"],
  "admin.credits": [id],
  "admin.reencryptSecrets": [],
  "admin.audit": [id, page],
  "campaigns.create": [id, { name: "C", dialMode: "parallel", parallelLines: 2, scheduledAt: new Date(0) }, {}],
  "campaigns.get": [id, id, {}],
  "campaigns.list": [id, page],
  "campaigns.change": [id, id, { name: "C", scheduledAt: null, maxAttempts: 2 }, {}],
  "campaigns.move": [id, id, "scheduled", {}],
  "campaigns.remove": [id, id, {}],
  "campaigns.addContacts": [id, id, [{ phone: "+14155550100", name: "Asha" }], {}],
  "campaigns.listContacts": [id, id, page],
  "campaigns.importCsv": [id, id, new Uint8Array([65]), { columnMap: { a: "phone" }, dryRun: true, optedIn: false }],
  "campaigns.approve": [id, id, id, {}],
  "campaigns.live": [id, id, {}],
  "suppression.add": [id, [{ phone: "+14155550100", reason: "asked" }], {}],
  "suppression.remove": [id, id, {}],
  "suppression.list": [id, page],
  "calls.create": [id, { to: "+14155550100", fromNumberId: id, botId: id }, {}],
  "calls.get": [id, id, {}],
  "calls.list": [id, { ...page, campaignId: id, contactId: id, status: "failed" }],
  "calls.transcript": [id, id, {}],
  "calls.hangUp": [id, id, {}],
  "events.read": [null, 10, {}],
  "events.publish": [id, publication, {}],
  "webhooks.create": [id, { ...webhook, botId: id, retrySchedule: "long", pauseAfterDays: 3 }, {}],
  "admin.createMember": [id, { email: "ada@example.com", role: "viewer", name: "Ada" }],
  "admin.listMembers": [id, page],
  "admin.changeMember": ["ada@example.com", { role: "viewer", name: "Ada" }],
  "admin.removeMember": ["ada@example.com"],
  "admin.createMemberLink": ["ada@example.com"],
  "admin.createOwnerLink": [id],
  "webhooks.get": [id, id, {}],
  "webhooks.list": [id, page],
  "webhooks.change": [id, id, { ...webhook, isActive: false, botId: null }, {}],
  "webhooks.remove": [id, id, {}],
  "webhooks.rotateSecret": [id, id, 60, {}],
  "webhooks.test": [id, id, {}],
  "webhooks.deliveries": [id, id, page],
  "webhooks.delivery": [id, id, id, {}],
  "webhooks.replay": [id, id, id, {}],
  "webhooks.recover": [id, id, new Date(0), {}],
  "usage.plan": [id, {}],
  "voiceAlerts.create": [
    id,
    {
      name: "A",
      metric: "call_volume",
      threshold: 1,
      comparison: "below",
      windowSeconds: 60,
      botId: id,
      enabled: true
    },
    {}
  ],
  "voiceAlerts.get": [id, id, {}],
  "voiceAlerts.list": [id, page],
  "voiceAlerts.change": [id, id, { name: "A", threshold: 1, cooldownSeconds: 0 }, {}],
  "voiceAlerts.remove": [id, id, {}],
  "voice.create": [id, { botId: id, maxDurationSeconds: 60, sttModel: "whisper-large-v3-turbo", language: "en" }, {}],
  "voice.list": [id, { status: "active", botId: id, callId: id, limit: 1, offset: 0 }],
  "voice.transcript": [id, id, {}],
  "voice.cost": [id, id, {}],
  "voice.removeRecording": [id, id, {}],
  "voice.get": [id, id, {}],
  "voice.connected": [id, id, { token: "t" }],
  "voice.end": [id, id, "agent_error", {}],
  "messaging.numbers.connectTo": [id, "cloud-api", { accessToken: "t", settings: {} }, {}],
  "messaging.numbers.connect": [id, { ...connection, displayPhoneNumber: "+1" }, {}],
  "messaging.numbers.get": [id, id, {}],
  "messaging.numbers.list": [id, page],
  "messaging.numbers.change": [id, id, { aiAutoreplyEnabled: true }, {}],
  "messaging.numbers.disconnect": [id, id, {}],
  "messaging.numbers.linkBot": [id, id, id, {}],
  "flows.list": [id, "1", { fields: "name", limit: 5 }, {}],
  "flows.create": [
    id,
    "1",
    { name: "a", categories: ["OTHER"], flowJson: { version: "7.2" }, endpointUrl: "https://example.com" },
    {}
  ],
  "flows.get": [id, "1", "2", { fields: "name" }, {}],
  "flows.change": [id, "1", "2", { name: "a", rotateSecret: true }, {}],
  "flows.saveJson": [id, "1", "2", { version: "7.2" }, {}],
  "flows.json": [id, "1", "2", {}],
  "flows.publish": [id, "1", "2", {}],
  "flows.deprecate": [id, "1", "2", {}],
  "flows.delete": [id, "1", "2", {}],
  "flows.makeKey": [id, id, {}],
  "flows.key": [id, id, {}],
  "optOuts.add": [id, [{ phone: "+14155550100", userId: "US.1", scope: "marketing", detail: "asked" }], {}],
  "optOuts.list": [id, { ...page, phone: "+14155550100", source: "api" }],
  "optOuts.remove": [id, id, {}],
  "payments.configurations": [id, "1", {}],
  "payments.configuration": [id, "1", "shop", {}],
  "payments.create": [
    id,
    {
      phoneNumberId: "1",
      to: "+14155550100",
      referenceId: "order-1",
      configuration: "shop",
      kind: "physical",
      currency: "INR",
      items: [{ retailerId: "tea", name: "Tea", amount: 1, quantity: 1, saleAmount: null }],
      body: "Your order",
      expiresAt: new Date(0)
    },
    {}
  ],
  "payments.get": [id, id, {}],
  "payments.list": [id, { ...page, status: "captured", referenceId: "order-1" }],
  "payments.refresh": [id, id, {}],
  "payments.setStatus": [id, id, { status: "shipped", body: "On its way" }, {}],
  "templateCampaigns.create": [
    id,
    {
      name: "C",
      phoneNumberId: "1",
      template: { name: "offer", language: "en" },
      parameters: { "body.1": { field: "name", fallback: null } },
      scheduledAt: new Date(0),
      maxPerDay: 5
    },
    {}
  ],
  "templateCampaigns.get": [id, id, {}],
  "templateCampaigns.list": [id, { ...page, status: "draft", phoneNumberId: "1" }],
  "templateCampaigns.change": [id, id, { name: "C", scheduledAt: null, pauseOnQuality: "never" }, {}],
  "templateCampaigns.remove": [id, id, {}],
  "templateCampaigns.move": [id, id, "running", {}],
  "templateCampaigns.addContacts": [id, id, [{ phone: "+14155550100", variables: { "1": "a" }, optedIn: true }], {}],
  "templateCampaigns.addSegment": [id, id, { tags: ["a"], match: "all", excludeTags: ["b"], dryRun: true }, {}],
  "templateCampaigns.importCsv": [id, id, new Uint8Array([65]), { columnMap: { a: "phone" }, dryRun: true }],
  "templateCampaigns.listContacts": [id, id, { ...page, status: "failed", reason: "platform", replied: false }],
  "templateCampaigns.removeContact": [id, id, id, {}],
  "templateCampaigns.retry": [id, id, { reasons: ["platform"] }, {}],
  "templateCampaigns.dryRun": [id, id, {}],
  "templateCampaigns.test": [id, id, { to: "+14155550100", variables: { "1": "a" } }, {}],
  "templateCampaigns.live": [id, id, {}],
  "messaging.numbers.discover": [id, { businessAccountId: "1", accessToken: "t" }, {}],
  "messaging.numbers.refresh": [id, id, {}],
  "messaging.numbers.register": [id, id, { pin: "482915", dataLocalizationRegion: "DE" }, {}],
  "messaging.numbers.deregister": [id, id, {}],
  "messaging.numbers.setPin": [id, id, "482915", {}],
  "messaging.numbers.profile": [id, id, {}],
  "messaging.numbers.changeProfile": [id, id, { about: "Open", websites: ["https://example.com"] }, {}],
  "messaging.numbers.blocked": [id, id, { limit: 5 }, {}],
  "messaging.numbers.block": [id, id, ["14155550100"], {}],
  "messaging.numbers.unblock": [id, id, ["14155550100"], {}],
  "messaging.conversations.get": [id, id, {}],
  "messaging.conversations.list": [id, { ...page, phoneId: id, status: "open" }],
  "messaging.conversations.messages": [id, id, page],
  "messaging.conversations.setAutoReply": [id, id, true, {}],
  "messaging.send": [id, { ...message, type: "text", answers: "wamid.A" }, {}],
  "messaging.files.upload": [id, "1", image, {}],
  "messaging.files.get": [id, "1", "2", {}],
  "messaging.templates.read": [id, "1", { name: "a", limit: 5 }, {}],
  "messaging.templates.create": [id, "1", { name: "a" }, {}],
  "messaging.templates.get": [id, "1", "2", { fields: "name" }, {}],
  "messaging.templates.change": [id, "1", "2", { category: "UTILITY" }, {}],
  "messaging.templates.delete": [id, "1", { name: "a", id: "2" }, {}],
  "messaging.templates.unpause": [id, "1", "2", {}],
  "messaging.templates.uploadExample": [id, "1", image, {}],
  "analytics.delivery": [
    id,
    { from: 0, to: 1, granularity: "hour", timezone: "Asia/Kolkata", phoneNumberId: "1", campaignId: id, type: "text" },
    {}
  ],
  "analytics.messages": [id, "1", { start: 0, end: 1, granularity: "month", thisNumber: false }, {}],
  "analytics.pricing": [id, "1", { start: 0, end: 1, granularity: "half_hour", dimensions: ["country"] }, {}],
  "analytics.templates": [id, "1", { start: 0, end: 1, templateIds: ["2"] }, {}],
  "analytics.enableTemplates": [id, "1", {}],
  "email.report": [id, report, {}],
  cancelMove: [id, other, {}],
  metrics: [{}],
  ready: [{}]
}

/** Methods of the product itself, whose arguments are no data; and `move`, after which the account is not here: it decodes as `cancelMove` does. */
const notDecoded = [
  "api",
  "move",
  "fetch",
  "matches",
  "start",
  "stop",
  "workers",
  "openapi",
  "events.on",
  "upgrade",
  "closeSockets"
]

type Callable = (...given: ReadonlyArray<unknown>) => Promise<unknown>

/** Every function of the product object, by its path; a namespace that stands at two paths has the longer one. */
const functionsOf = (of: object, prefix = ""): ReadonlyArray<readonly [path: string, method: Callable]> => {
  const found = Object.entries(of).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === "function") return [[prefix + name, value as Callable] as const]
    return typeof value === "object" && value !== null ? functionsOf(value, `${prefix}${name}.`) : []
  })
  return found.filter(([path, method]) => !found.some(([other, same]) => same === method && other.length > path.length))
}

const hostile: ReadonlyArray<unknown> = [
  null,
  "",
  " ",
  "zippy",
  "2027-01-01",
  "x".repeat(70_000),
  "\0\ud800",
  -1,
  0.5,
  1e9,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n ** 30n,
  true,
  [],
  [null],
  [{}],
  [[]],
  {},
  { constructor: 1, toString: 2 },
  Object.create(null),
  new Date(Number.NaN),
  new Map([["name", 1]]),
  Symbol("name"),
  () => 1,
  new Uint8Array(3)
]

/** `accepted`, or the error of a promise. */
const outcome = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => "accepted",
    (error: unknown) => (error instanceof TrunklineError ? error : { "no TrunklineError": error })
  )

const isGraceful = (found: unknown): boolean =>
  found === "accepted" ||
  (found instanceof TrunklineError &&
    found.status < 500 &&
    (found.code !== "schema_refused" || found.fields.length > 0))

/** Describes the arguments only when it fails. */
const expectGraceful = (found: unknown, given: () => string): void => {
  if (!isGraceful(found)) expect.fail(`${given()}: ${inspect(found)}`)
}

describe("every promise", () => {
  const platform = new FakeChatPlatform()
  let core: Trunkline
  let account: string
  let all: ReadonlyArray<readonly [string, Callable]>

  beforeAll(async () => {
    core = await createTrunkline({
      storage: sqlite(":memory:"),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      messaging: { platform: channelProvider(platform.layer) },
      encryptionKey: "a key of at least 32 characters, for tests",
      auth: { jwt: { secret: "what tokens are signed with, for tests" } },
      log: () => undefined
    })
    platform.does(accepts)
    account = (await core.admin.createAccount({ name: "A", voiceCampaigns: true })).id
    all = functionsOf(core).filter(([path]) => !notDecoded.includes(path))
  })
  afterAll(() => core.stop())

  /** The row's arguments, for an account that is there. */
  const given = (path: string): ReadonlyArray<unknown> => {
    const [first, ...rest] = methods[path]!
    return first === undefined ? [] : [first === id && !ofKeys.has(path) ? account : first, ...rest]
  }

  const refused = async (path: string, args: ReadonlyArray<unknown>): Promise<TrunklineError> => {
    const [, method] = all.find(([name]) => name === path)!
    const found = await outcome(method(...args))
    expect(found, path).toBeInstanceOf(TrunklineError)
    return found as TrunklineError
  }

  it("is in the table of this test", () => {
    expect(all.map(([path]) => path).sort()).toEqual(Object.keys(methods).sort())
  })

  it("decodes its own row", async () => {
    for (const [path, method] of all) {
      const found = await outcome(method(...given(path)))
      expect(found instanceof TrunklineError ? found.code : found, path).not.toBe("schema_refused")
      expectGraceful(found, () => `${path}`)
    }
  })

  it("refuses an argument that is missing, under its name", async () => {
    for (const [path] of all) {
      const [first] = methods[path]!
      if (first !== id) continue
      const { code, fields, status } = await refused(path, [])
      expect([status, code], path).toEqual([422, "schema_refused"])
      expect(fields[0]?.path, path).toEqual([ofKeys.has(path) ? "id" : "accountId"])
    }
  })

  it("refuses every value that is no UUID where an id belongs", async () => {
    for (const [path] of all) {
      for (const at of methods[path]!.keys()) {
        if (methods[path]![at] !== id) continue
        for (const wrong of hostile) {
          const args = [...given(path)]
          args[at] = wrong
          if (wrong === null && path === "messaging.numbers.linkBot" && at === 2) continue
          const { code } = await refused(path, args)
          if (code !== "schema_refused") expect.fail(`${path} ${at}: ${inspect(wrong)} is ${code}`)
        }
      }
    }
  })

  // Verifies: D-230.
  it("refuses any other argument with the reason, and never with a defect", async () => {
    for (const [path, method] of all) {
      for (const at of methods[path]!.keys()) {
        for (const wrong of hostile) {
          const args = [...given(path)]
          args[at] = wrong
          const found = await outcome(method(...args))
          expectGraceful(found, () => `${path} ${at}: ${inspect(wrong)}`)
        }
      }
    }
  })

  it("answers any value of any field of a record in the same way", async () => {
    for (const [path, method] of all) {
      for (const [at, value] of methods[path]!.entries()) {
        if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) continue
        for (const name of Object.keys(value)) {
          for (const wrong of hostile) {
            const args = [...given(path)]
            args[at] = { ...value, [name]: wrong }
            const found = await outcome(method(...args))
            expectGraceful(found, () => `${path} ${name}: ${inspect(wrong)}`)
          }
        }
      }
    }
  })

  it("refuses a field that it does not know, and names the one that was probably meant", async () => {
    for (const [path] of all) {
      for (const [at, value] of methods[path]!.entries()) {
        if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) continue
        // What stands in these is the platform's.
        if (/^messaging\.templates\.(create|change)$|^flows\.saveJson$/.test(path)) continue
        const args = [...given(path)]
        args[at] = { ...value, colour: 1 }
        const { code, fields } = await refused(path, args)
        expect([code, fields], `${path} ${at}`).toEqual([
          "schema_refused",
          [{ path: ["colour"], message: "Unknown field" }]
        ])
      }
    }
    const { message: sentence } = await refused("campaigns.create", [account, { name: "C", quiet_hours_start: 0 }])
    expect(sentence).toBe("quiet_hours_start: Unknown field: did you mean quietHoursStart?")
  })

  it("survives any arguments that a program can make", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(methods)),
        fc.array(fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }), {
          maxLength: 4
        }),
        async (path, args) => {
          const [, method] = all.find(([name]) => name === path)!
          expect(isGraceful(await outcome(method(...args)))).toBe(true)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("refuses a listener of an unknown event, and one that is no function, at once", () => {
    const on = core.events.on as unknown as (name: unknown, handler: unknown) => unknown
    for (const [name, handler, path] of [
      ["campaign.begun", () => undefined, ["name"]],
      ["*", "console.log", ["handler"]]
    ] as const) {
      let found: unknown
      try {
        on(name, handler)
      } catch (error) {
        found = error
      }
      expect(found).toMatchObject({ code: "schema_refused", fields: [{ path }] })
    }
  })

  it("stores nothing for an account that is not there", async () => {
    const creating = [
      ...["campaigns.create", "suppression.add", "events.publish", "webhooks.create", "voice.create", "email.report"],
      ...["messaging.numbers.connect", "admin.createKey", "admin.addCredits"]
    ]
    for (const path of creating) {
      const [, ...rest] = methods[path]!
      const { code, status } = await refused(path, [gone, ...rest])
      expect([status, code], path).toEqual([404, "account_not_found"])
    }
  })
})

describe("promises of campaigns", () => {
  let core: Trunkline
  let account: string

  beforeAll(async () => {
    core = await createTrunkline({
      storage: sqlite(":memory:"),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      encryptionKey: "a key of at least 32 characters, for tests",
      log: () => undefined
    })
    account = (await core.admin.createAccount({ name: "A", voiceCampaigns: true })).id
  })
  afterAll(() => core.stop())

  const refused = async (asked: Promise<unknown>) => {
    const found = await outcome(asked)
    expect(found).toBeInstanceOf(TrunklineError)
    const { code, fields, status } = found as TrunklineError
    return { status, code, paths: [...new Set(fields.map(({ path }) => path.join(".")))].sort() }
  }

  const table: ReadonlyArray<readonly [what: string, fields: object, paths: ReadonlyArray<string>]> = [
    ["lines above the ceiling", { name: "C", parallelLines: 99, dialMode: "parallel" }, ["parallelLines"]],
    ["attempts above the ceiling", { name: "C", maxAttempts: 1000 }, ["maxAttempts"]],
    ["no pace", { name: "C", paceSeconds: 0 }, ["paceSeconds"]],
    ["a negative pace", { name: "C", paceSeconds: -5 }, ["paceSeconds"]],
    ["an empty name", { name: "" }, ["name"]],
    ["a name that is a number", { name: 5 }, ["name"]],
    ["a name of 5000 characters", { name: "x".repeat(5000) }, ["name"]],
    ["an unknown zone", { name: "C", timezone: "Mars/X" }, ["timezone"]],
    ["an unknown mode", { name: "C", dialMode: "zippy" }, ["dialMode"]],
    ["a day that is no instant", { name: "C", scheduledAt: "2027-01-01" }, ["scheduledAt"]],
    ["an instant that no calendar has", { name: "C", scheduledAt: 8.64e15 + 1 }, ["scheduledAt"]],
    ["a field in the routes' spelling", { name: "C", quiet_hours_start: 0 }, ["quiet_hours_start"]],
    ["a field that only the service sets", { name: "C", nextSeq: 7 }, ["nextSeq"]],
    [
      "several faults at once",
      { name: "C", maxAttempts: 9, timezone: 4, colour: 1 },
      ["colour", "maxAttempts", "timezone"]
    ]
  ]

  // Verifies: D-230.
  it.each(table)("refuse %s on create and on change", async (_, fields, paths) => {
    const { id } = await core.campaigns.create(account, { name: "C" })
    const expected = { status: 422, code: "schema_refused", paths }
    expect(await refused(core.campaigns.create(account, fields as never))).toEqual(expected)
    expect(await refused(core.campaigns.change(account, id, fields as never))).toEqual(expected)
  })

  it("refuse a campaign without a name", async () => {
    expect(await refused(core.campaigns.create(account, {} as never))).toMatchObject({ paths: ["name"] })
  })

  it.each([
    ["", "Expected at least 1 characters"],
    ["  ", "Expected more than white space"]
  ])("say once what is wrong with the name %j", async (name, message) => {
    await expect(core.campaigns.create(account, { name })).rejects.toMatchObject({
      fields: [{ path: ["name"], message }]
    })
  })

  it("name the field of a rule that only the merged record breaks", async () => {
    expect(await refused(core.campaigns.create(account, { name: "C", quietHoursStart: 22 }))).toEqual({
      status: 422,
      code: "rails_refused",
      paths: ["quietHoursEnd"]
    })
  })

  it("are refused as the page of arguments shows", async () => {
    const found = await outcome(
      core.campaigns.create(account, { name: "Spring", maxAttempts: 1000, quiet_hours_start: 9 } as never)
    )
    expect((found as TrunklineError).fields).toEqual([
      { path: ["quiet_hours_start"], message: "Unknown field: did you mean quietHoursStart?" },
      { path: ["maxAttempts"], message: "Expected a value between 1 and 5" }
    ])
  })

  it("say what is wrong with a file that is none, or that cannot be read", async () => {
    const { id } = await core.campaigns.create(account, { name: "C" })
    const texts = async function* () {
      yield "phone\n+14155550100\n" as never
    }
    const gone = new Error("ENOENT: no such file")
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("phone\n")
      throw gone
    }
    for (const file of [texts(), broken(), "contacts.csv" as never, null as never]) {
      expect(await refused(core.campaigns.importCsv(account, id, file))).toMatchObject({
        code: "schema_refused",
        paths: ["file"]
      })
    }
    expect(await outcome(core.campaigns.importCsv(account, id, broken()))).toMatchObject({ cause: gone })
  })

  it("of webhooks have the routes' statuses", async () => {
    const create = (fields: object) =>
      refused(core.webhooks.create(account, { url: "https://example.com", events: ["campaign.started"], ...fields }))
    expect(await create({ url: "nope" })).toEqual({ status: 400, code: "webhook_url_refused", paths: [] })
    expect(await create({ events: ["nope"] })).toEqual({ status: 422, code: "schema_refused", paths: ["events.0"] })
  })

  it("accept an instant as a Date, as milliseconds and as ISO 8601, and undefined for an absent field", async () => {
    const at = Date.UTC(2030, 0, 1)
    for (const scheduledAt of [new Date(at), at, "2030-01-01T00:00:00Z", "2030-01-01T05:30:00+05:30"]) {
      const made = await core.campaigns.create(account, { name: "C", scheduledAt, botId: undefined as never })
      expect([made.scheduledAt, made.botId]).toEqual([at, null])
    }
  })

  // Verifies: D-230.
  it("bound batches and pages as the routes do", async () => {
    const { id } = await core.campaigns.create(account, { name: "C" })
    const people = Array.from({ length: 1001 }, () => ({ phone: "+14155550100" }))
    expect(await refused(core.campaigns.addContacts(account, id, people))).toMatchObject({ paths: ["contacts"] })
    expect(await refused(core.suppression.add(account, people))).toMatchObject({ paths: ["entries"] })
    expect(await refused(core.campaigns.addContacts(account, id, [{ phone: "+1" }, {} as never]))).toMatchObject({
      paths: ["contacts.1.phone"]
    })
    expect(await refused(core.campaigns.list(account, { limit: 101, offset: -1 }))).toMatchObject({
      paths: ["limit", "offset"]
    })
    expect(await refused(core.calls.list(account, { status: "zippy" as never }))).toMatchObject({ paths: ["status"] })
    expect(await refused(core.campaigns.move(account, id, "zippy" as never))).toMatchObject({ paths: ["status"] })
  })
})
