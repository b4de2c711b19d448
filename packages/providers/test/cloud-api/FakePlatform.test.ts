/** The fake of the chat platform, as far as the adapter's own tests do not use it. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { costing, type FakePlatform, failedWith, inbound, sentTemplate } from "@trunkline/testing/messaging"
import { startReceiver } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import { clientOf, failureOf, fakePlatform, hello, number, token } from "./Numbers.ts"

const secret = "app-secret"
const [phone, customer] = [number.id, hello.to]

const receiver = Effect.acquireRelease(
  Effect.promise(() => startReceiver()),
  (one) => Effect.promise(one.close)
)

const asked = (fake: FakePlatform, path: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(fake.baseUrl + path, { headers: { authorization: `Bearer ${token}` }, ...init })
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> } // always an object
  })

describe("the fake platform", () => {
  it.live("logs every request in its order, with the time of its arrival", () =>
    Effect.gen(function* () {
      let now = 1_000
      const fake = yield* fakePlatform({
        now: () => {
          now += 1
          return now
        }
      })
      const port = yield* clientOf(fake)
      yield* port.send(number, hello)
      yield* port.markRead(number, { id: "wamid.1", typing: true })
      yield* port.subscribe(number)
      yield* Effect.exit(asked(fake, "/nothing/like/it"))
      assert.deepStrictEqual(
        fake.requests.map(({ route }) => route),
        ["send", "read", "subscribe", "unknown"]
      )
      const times = fake.requests.map(({ at }) => at)
      assert.deepStrictEqual(
        times,
        [...times].sort((a, b) => a - b)
      )
      assert.lengthOf(fake.of("send"), 1)
    })
  )

  it.live("refuses every token that it was not configured with", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      for (const headers of [{}, { authorization: "Bearer other" }, { authorization: "Basic a" }]) {
        assert.deepInclude(yield* asked(fake, "/1/subscribed_apps", { method: "POST", headers }), { status: 401 })
      }
      assert.strictEqual(fake.subscribed.size, 0)
      const open = yield* fakePlatform({ tokens: ["x"] })
      assert.strictEqual((yield* asked(open, "/1/subscribed_apps")).status, 401)
    })
  )

  it.live.each([
    [{ ...hello, messaging_product: "messaging" }, 100],
    [{ type: "text", text: { body: "x" } }, 131008],
    [{ ...hello, type: "image" }, 131008],
    [{ ...hello, text: { body: "x".repeat(4097) } }, 100],
    [{ ...hello, text: { body: "x".repeat(4096) } }, null]
  ] as const)("looks at messages: %#", ([body, code]) =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const answer = yield* asked(fake, `/${phone}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ messaging_product: "whatsapp", ...body })
      })
      const error = answer.body.error as { readonly code: number } | undefined
      assert.strictEqual(error?.code ?? null, code)
      assert.lengthOf(fake.messages, code === null ? 1 : 0)
    })
  )

  it.live("behaves as configured: first for the next requests, then for a customer, then for all", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { markRead, send } = yield* clientOf(fake)
      const code = (to: string) =>
        Effect.match(send(number, { ...hello, to }), {
          onFailure: (failed) => (failed._tag === "PlatformRefused" ? failed.code : -1),
          onSuccess: () => null
        })
      fake.behave({ does: "refuse", code: 131000 })
      fake.toward("2", { does: "refuse", code: 131026 })
      fake.next({ does: "refuse", code: 131056 }, 2)
      yield* markRead(number, { id: "wamid.1", typing: false })
      const codes = yield* Effect.forEach(["2", "1", "2", "1"], code)
      assert.deepStrictEqual(codes, [131056, 131056, 131026, 131000])
      fake.behave(null)
      fake.toward("2", null)
      assert.deepStrictEqual(yield* Effect.forEach(["2", "1"], code), [null, null])
      fake.behave(({ id }) => (id === phone ? { does: "refuse", code: 4 } : null))
      assert.strictEqual(yield* code("1"), 4)
    })
  )

  it.live("answers each code with the status that it has on the platform", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      const statuses: Array<number> = []
      for (const code of [190, 131031, 132001, 131000, 2, 131047, 130429]) {
        fake.next({ does: "refuse", code })
        const failed = yield* failureOf(send(number, hello))
        statuses.push(failed._tag === "PlatformRefused" ? failed.httpStatus : 0)
      }
      assert.deepStrictEqual(statuses, [401, 403, 404, 500, 503, 400, 400])
    })
  )

  it.live(
    "shuts the window 24 hours after the customer's last message, to the millisecond, but never to templates",
    () =>
      Effect.gen(function* () {
        let now = Date.UTC(2026, 0, 1)
        const fake = yield* fakePlatform({ enforcesWindow: true, now: () => now })
        const { send } = yield* clientOf(fake)
        const isClosed = Effect.match(send(number, hello), {
          onFailure: (failed) => failed._tag === "PlatformRefused" && failed.code === 131047,
          onSuccess: () => false
        })
        assert.isTrue(yield* isClosed)
        fake.wroteAt(phone, customer)
        now += 24 * 3_600_000 - 1
        assert.isFalse(yield* isClosed)
        now += 1
        assert.isTrue(yield* isClosed)
        yield* send(number, { to: customer, type: "template", template: { name: "a", language: { code: "en" } } })
        fake.wroteAt("another number", customer)
        assert.isTrue(yield* isClosed)
        fake.enforceWindow(false)
        assert.isFalse(yield* isClosed)
      })
  )

  it.live("lets an address of a file live for five minutes", () =>
    Effect.gen(function* () {
      let now = 0
      const fake = yield* fakePlatform({ now: () => now })
      const id = fake.keep({ contentType: "image/png", bytes: new Uint8Array(3) })
      const headers = { authorization: `Bearer ${token}` }
      const { url } = yield* Effect.promise(async () => {
        const answer = await fetch(`${fake.baseUrl}/${id}`, { headers })
        return (await answer.json()) as { readonly url: string }
      })
      const status = Effect.promise(async () => {
        const answer = await fetch(url, { headers })
        return [answer.status, (await answer.arrayBuffer()).byteLength]
      })
      assert.deepStrictEqual(yield* status, [200, 3])
      now = 5 * 60_000 - 1
      assert.deepStrictEqual((yield* status)[0], 200)
      now += 1
      assert.deepStrictEqual((yield* status)[0], 404)
      now = 0
      fake.expireAddresses()
      assert.deepStrictEqual((yield* status)[0], 404)
    })
  )
})

describe("templates at the fake platform", () => {
  const template = (id: number, name: string) => ({ id: String(id), name, language: "en", status: "APPROVED" })
  const sale = {
    name: "sale",
    language: { code: "en" },
    components: [{ type: "body", parameters: [{ type: "text", text: "Ada" }] }]
  }
  const message = { to: customer, type: "template", template: sale, biz_opaque_callback_data: "ours" }

  it.live("are found by any part of their names, page by page", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.templates.push(template(1, "sale"), template(2, "hello"), template(3, "BIG_SALE"), template(4, "sale_2"))
      const page = (query: string) =>
        Effect.map(asked(fake, `/1/message_templates?${query}`), ({ body }) => ({
          ids: (body.data as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id),
          paging: body.paging as { readonly cursors: { readonly after: string }; readonly next?: string }
        }))
      const first = yield* page("name=Sale&limit=2")
      assert.deepStrictEqual(first.ids, ["1", "3"])
      assert.isString(first.paging.next)
      const second = yield* page(`name=Sale&limit=2&after=${first.paging.cursors.after}`)
      assert.deepStrictEqual([second.ids, second.paging.next], [["4"], undefined])
      assert.deepStrictEqual((yield* page("limit=10")).ids, ["1", "2", "3", "4"])
    })
  )

  it.live.each([true, false])("are logged as they were sent, with their requests: %s", (keepsRequests) =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform({ keepsRequests, now: () => 5 })
      const { send } = yield* clientOf(fake)
      yield* send(number, message)
      yield* send(number, { recipient: "US.1", type: "template", template: { name: "a", language: { code: "de" } } })
      yield* send(number, hello)
      assert.deepStrictEqual(fake.messages.map(sentTemplate), [
        { to: customer, name: "sale", language: "en", components: sale.components, ref: "ours", at: 5 },
        { to: "US.1", name: "a", language: "de", components: [], ref: null, at: 5 },
        null
      ])
      assert.deepStrictEqual(fake.messages[0]?.body, { ...message, messaging_product: "whatsapp" })
      assert.lengthOf(fake.requests, keepsRequests ? 3 : 0)
    })
  )

  it.live("are held back where a test says so", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      fake.next({ does: "accept", messageStatus: "held_for_quality_assessment" })
      assert.strictEqual((yield* send(number, message)).messageStatus, "held_for_quality_assessment")
      assert.isUndefined((yield* send(number, message)).messageStatus)
      assert.lengthOf(fake.messages, 2)
    })
  )
})

describe("what the fake platform delivers", () => {
  const value = (body: Buffer) =>
    (
      JSON.parse(body.toString()) as {
        readonly entry: ReadonlyArray<{
          readonly changes: ReadonlyArray<{ readonly value: Readonly<Record<string, ReadonlyArray<object>>> }>
        }>
      }
    ).entry[0]!.changes[0]!.value

  it.live("is signed over its bytes, with letters outside of ASCII escaped", () =>
    Effect.gen(function* () {
      const [fake, hooks] = [yield* fakePlatform(), yield* receiver]
      fake.deliverTo({ url: `${hooks.origin}/inbound`, appSecret: secret })
      const said = yield* Effect.promise(() => fake.says(phone, customer, "Grüße 👋"))
      assert.strictEqual(said.status, 200)
      const [delivery] = hooks.received
      const { body, headers } = delivery!
      assert.match(body.toString("latin1"), /Gr\\u00fc\\u00dfe \\ud83d\\udc4b/)
      assert.strictEqual(
        headers["x-hub-signature-256"],
        `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
      )
      assert.deepInclude(value(body).messages?.[0], {
        id: said.id,
        from: customer,
        type: "text",
        text: { body: "Grüße 👋" }
      })
      assert.deepInclude(value(body).metadata, { phone_number_id: phone } as never)
    })
  )

  it.live("of a customer opens the window, whatever its type", () =>
    Effect.gen(function* () {
      const [fake, hooks] = [yield* fakePlatform({ enforcesWindow: true }), yield* receiver]
      fake.deliverTo({ url: hooks.origin, appSecret: secret })
      const message = inbound.image("look")
      const said = yield* Effect.promise(() => fake.says(phone, customer, message))
      assert.strictEqual(said.id, message.id)
      const { send } = yield* clientOf(fake)
      yield* send(number, hello)
      const { from_user_id: _, ...content } = message
      const expected: Readonly<Record<string, unknown>> = { ...content, from: customer }
      const arrived: Readonly<Record<string, unknown>> = { ...value(hooks.received[0]!.body).messages?.[0] }
      assert.deepStrictEqual({ ...arrived, timestamp: expected.timestamp }, expected)
    })
  )

  it.live("reports on messages, with what they were tagged with", () =>
    Effect.gen(function* () {
      const [fake, hooks] = [yield* fakePlatform(), yield* receiver]
      fake.deliverTo({ url: hooks.origin, appSecret: secret })
      fake.reportAll(["sent", "delivered", "read"])
      const { send } = yield* clientOf(fake)
      const { id } = yield* send(number, { ...hello, biz_opaque_callback_data: "ours" })
      yield* Effect.promise(() => fake.until(() => fake.delivered.length === 3))
      fake.reportAll([])
      const errors = [{ code: 131026, title: "undeliverable" }]
      yield* Effect.promise(() => fake.report(id, "failed", { errors }))
      const statuses = hooks.received.map(({ body }) => value(body).statuses?.[0])
      assert.deepStrictEqual(
        statuses.map((one) => (one as { readonly status: string }).status),
        ["sent", "delivered", "read", "failed"]
      )
      const other = yield* send(number, { recipient: "US.1", type: "text", text: { body: "x" } })
      yield* Effect.promise(() => fake.report(other.id, "sent"))
      const last = value(hooks.received.at(-1)!.body).statuses?.[0]
      assert.deepInclude(last, { id: other.id, recipient_user_id: "US.1" })
      assert.notProperty(last, "recipient_id")
      assert.deepInclude(statuses[3], { id, recipient_id: customer, biz_opaque_callback_data: "ours", errors })
      assert.deepStrictEqual(fake.delivered, [200, 200, 200, 200, 200])
    })
  )

  it.live("may come before the answer to the message", () =>
    Effect.gen(function* () {
      const [fake, hooks] = [yield* fakePlatform(), yield* receiver]
      fake.deliverTo({ url: hooks.origin, appSecret: secret })
      const { send } = yield* clientOf(fake)
      const order: Array<string> = []
      const before = async (id: string) => {
        await fake.report(id, "failed", failedWith(131049))
        order.push("report")
      }
      fake.next({ does: "accept", before })
      const { id } = yield* send(number, { ...hello, biz_opaque_callback_data: "ours" })
      order.push("answer")
      assert.deepStrictEqual(order, ["report", "answer"])
      const [report] = value(hooks.received[0]!.body).statuses!
      assert.deepInclude(report, { id, status: "failed", biz_opaque_callback_data: "ours" })
      assert.strictEqual((report as { readonly errors: ReadonlyArray<{ code: number }> }).errors[0]!.code, 131049)
    })
  )

  it.live("is as a test says of each message, with its cost", () =>
    Effect.gen(function* () {
      const [fake, hooks] = [yield* fakePlatform(), yield* receiver]
      fake.deliverTo({ url: hooks.origin, appSecret: secret })
      fake.reportAll(({ to }) =>
        to === customer ? ["sent", ["delivered", costing("marketing", true)]] : [["failed", failedWith(131026)]]
      )
      const { send } = yield* clientOf(fake)
      yield* send(number, hello)
      yield* Effect.promise(() => fake.until(() => fake.delivered.length === 2))
      yield* send(number, { ...hello, to: "2" })
      yield* Effect.promise(() => fake.until(() => fake.delivered.length === 3))
      const statuses = hooks.received.map(({ body }) => value(body).statuses![0] as Readonly<Record<string, unknown>>)
      assert.deepStrictEqual(
        statuses.map(({ status }) => status),
        ["sent", "delivered", "failed"]
      )
      assert.deepStrictEqual(statuses[1]!.pricing, {
        billable: true,
        pricing_model: "PMP",
        type: "regular",
        category: "marketing"
      })
    })
  )

  it.live("and is not answered counts as such", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.deliverTo({ url: "http://127.0.0.1:1", appSecret: secret })
      assert.strictEqual(yield* Effect.promise(() => fake.deliver({})), 0)
    })
  )
})
