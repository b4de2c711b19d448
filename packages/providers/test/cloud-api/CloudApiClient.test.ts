/** Verifies: CLAP-1, CLAP-4, CLAP-6. */
import { assert, describe, it } from "@effect/vitest"
import { Instant } from "@trunkline/core/effect"
import { platformError } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { CloudApiFailed } from "../../src/cloud-api/CloudApiRequests.ts"
import { refusalOf } from "../../src/cloud-api/PlatformAnswers.ts"
import { clientOf, failureOf, fakePlatform, hello, number, token } from "./Numbers.ts"

const id = "wamid.HBgNNDk=="

describe("a send", () => {
  // Verifies: N-37.
  it.live("posts the body as it is under the product value, with the number's token", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform({ product: "whatsapp" })
      const { send } = yield* clientOf(fake)
      const body = {
        messaging_product: "messaging",
        recipient_type: "individual",
        biz_opaque_callback_data: "m1",
        ...hello
      }
      const accepted = yield* send(number, body)
      const [request] = fake.requests
      assert.strictEqual(`${request?.method} ${request?.path}`, "POST /106540352242922/messages")
      assert.strictEqual(request?.token, token)
      assert.strictEqual(request?.headers["content-type"], "application/json")
      assert.deepStrictEqual(request?.body, { ...body, messaging_product: "whatsapp" })
      assert.deepStrictEqual(accepted, {
        id: fake.messages[0]!.id,
        contact: { input: hello.to, phone: "491701234567", userRef: null }
      })
    })
  )

  // Verifies: N-37.
  it.live("goes by another product value where the host says so", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform({ product: "messaging" })
      const { send } = yield* clientOf(fake, { product: "messaging" })
      yield* send(number, hello)
      assert.strictEqual(fake.messages[0]?.body.messaging_product, "messaging")
    })
  )

  it.live("to a user ref is distinguished from one to a phone", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      const { contact } = yield* send(number, {
        recipient: "US.13491208655302741918",
        type: "text",
        text: { body: "x" }
      })
      assert.deepStrictEqual(contact, {
        input: "US.13491208655302741918",
        phone: null,
        userRef: "US.13491208655302741918"
      })
    })
  )

  it.live.each([
    ["no contacts", { messages: [{ id }] }, null],
    ["contacts without names", { messages: [{ id }], contacts: [{}] }, null],
    ["an id of digits alone", { messages: [{ id: 17 }] }, null, "17"],
    ["contacts of another shape", { messages: [{ id }], contacts: "x" }, null],
    [
      "more than is known",
      { messages: [{ id, x: 1 }, { id: "b" }], contacts: [{ input: "+1", wa_id: "1", x: 1 }] },
      { input: "+1", phone: "1", userRef: null }
    ]
  ] as const)("is understood with %s", ([_, body, contact, expectedId]) =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.behave({ does: "answer", status: 200, body })
      const { send } = yield* clientOf(fake)
      assert.deepStrictEqual(yield* send(number, hello), { id: expectedId ?? id, contact })
    })
  )
})

describe("a message that is held back", () => {
  it.live("is reported as such", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.behave({
        does: "answer",
        status: 200,
        body: { messages: [{ id, message_status: "held_for_quality_assessment" }] }
      })
      const { send } = yield* clientOf(fake)
      const messageStatus = "held_for_quality_assessment"
      assert.deepStrictEqual(yield* send(number, hello), { id, contact: null, messageStatus })
    })
  )
})

describe("a refusal", () => {
  it.live("is returned with all that the platform said", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.behave({ does: "refuse", code: 131047, message: "Re-engagement message", details: "24 hours have passed" })
      const { send } = yield* clientOf(fake)
      const failed = yield* failureOf(send(number, hello))
      assert.deepInclude(failed, {
        _tag: "PlatformRefused",
        httpStatus: 400,
        code: 131047,
        message: "(#131047) Re-engagement message",
        details: "24 hours have passed",
        retryAfterSeconds: null,
        body: platformError(131047, "Re-engagement message", "24 hours have passed")
      })
      assert.lengthOf(fake.requests, 1)
      assert.lengthOf(fake.messages, 0)
    })
  )

  it.live("says when to come back", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.behave({ does: "refuse", code: 130429, status: 429, retryAfter: 7 })
      const { send } = yield* clientOf(fake)
      assert.deepInclude(yield* failureOf(send(number, hello)), { httpStatus: 429, retryAfterSeconds: 7 } as never)
    })
  )

  it.each([
    ["7", 7],
    ["0", 0],
    ["1.2", 2],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30],
    ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
    ["9".repeat(30), 2 ** 31],
    ["-5", null],
    ["soon", null],
    ["", null],
    [null, null]
  ] as const)("with Retry-After %s asks for %s seconds", (retryAfter, seconds) => {
    const answer = { status: 429, retryAfter, contentType: null, body: new Uint8Array() }
    const at = Instant.make(Date.UTC(2026, 0, 1))
    assert.strictEqual(refusalOf(answer, token, at).retryAfterSeconds, seconds)
  })

  it.live.each([
    ["a page", { does: "answer", status: 502, body: "<html>leaky</html>" }, 502],
    ["nothing", { does: "answer", status: 500 }, 500],
    ["a list", { does: "answer", status: 400, body: [1] }, 400],
    ["half a body", { does: "truncate", status: 503 }, 503],
    ["too much", { does: "answer", status: 400, body: "x".repeat(1024 * 1024 + 1) }, 400],
    ["a redirect", { does: "answer", status: 307, headers: { location: "https://leaky.example/" } }, 307]
  ] as const)("that says %s instead is returned by its status", ([_, mood, httpStatus]) =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.behave(mood)
      const { send } = yield* clientOf(fake)
      const failed = yield* failureOf(send(number, hello))
      assert.deepInclude(failed, {
        _tag: "PlatformRefused",
        httpStatus,
        code: null,
        message: `The platform answered ${httpStatus}.`,
        details: null,
        body: null
      } as never)
      assert.lengthOf(fake.requests, 1)
    })
  )

  it.live("with fields of other shapes is returned with those that fit", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const body = { error: { code: "190", message: 7, error_data: "why" } }
      fake.behave({ does: "answer", status: 400, body })
      const { send } = yield* clientOf(fake)
      const failed = yield* failureOf(send(number, hello))
      assert.deepInclude(failed, { httpStatus: 400, code: null, details: null, body } as never)
    })
  )

  it.live("never repeats the token, however the platform writes it", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      fake.behave({
        does: "answer",
        status: 401,
        body: {
          error: {
            message: `Malformed access token ${token}`,
            code: 190,
            error_data: { details: `see https://x.example/?access_token=${encodeURIComponent(token)}` }
          }
        }
      })
      const failed = yield* failureOf(send(number, hello))
      assert.deepInclude(failed, {
        message: "Malformed access token [token]",
        details: "see https://x.example/?access_token=[token]"
      } as never)
    })
  )
})

describe("a request that no platform would accept", () => {
  const bad = ["", ".", "..", "1/2", "1?a=b", "1#a", "%2e%2e", "1 2", "1\r\n2", "ü", "x".repeat(200)]

  it.live("is refused here, where an id is none of the platform's", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const port = yield* clientOf(fake)
      for (const one of bad) {
        const phone = { ...number, id: one }
        const account = { ...number, accountId: one }
        const asked: ReadonlyArray<Effect.Effect<unknown, CloudApiFailed>> = [
          port.send(phone, hello),
          port.markRead(phone, { id, typing: false }),
          port.upload(phone, { contentType: "image/png", fileName: "a.png", bytes: new Uint8Array(1) }),
          port.subscribe(account),
          port.templates(account, {}),
          port.createTemplate(account, {}),
          port.media(number, one, 10)
        ]
        for (const each of asked) {
          const failed = yield* failureOf(each)
          assert.deepInclude(failed, { _tag: "PlatformRefused", httpStatus: 400, code: 100 } as never)
        }
      }
      assert.strictEqual(fake.connections(), 0)
    })
  )

  it.live("is refused here, where the token is no header", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      for (const one of ["", "a b", "a\r\nx: y", "ü"]) {
        const failed = yield* failureOf(send({ ...number, credentials: Redacted.make(one) }, hello))
        assert.deepInclude(failed, { _tag: "PlatformRefused", httpStatus: 401, code: 190, isLocal: true } as never)
      }
      assert.strictEqual(fake.connections(), 0)
    })
  )

  it.live("keeps an id with odd characters in one segment", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { media } = yield* clientOf(fake)
      yield* Effect.flip(media(number, "a:b=c.d", 10))
      assert.strictEqual(fake.requests[0]?.path, "/a%3Ab%3Dc.d")
    })
  )
})

describe("a number", () => {
  it.live("marks a message read, and shows that it is typing", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { markRead } = yield* clientOf(fake)
      yield* markRead(number, { id, typing: false })
      yield* markRead(number, { id, typing: true })
      assert.deepStrictEqual(
        fake.requests.map(({ body, path }) => ({ path, body })),
        [
          {
            path: "/106540352242922/messages",
            body: { messaging_product: "whatsapp", status: "read", message_id: id }
          },
          {
            path: "/106540352242922/messages",
            body: {
              messaging_product: "whatsapp",
              status: "read",
              message_id: id,
              typing_indicator: { type: "text" }
            }
          }
        ]
      )
      assert.deepStrictEqual(fake.marked, [
        { id, typing: false },
        { id, typing: true }
      ])
    })
  )

  it.live("subscribes to its business account, as often as it likes", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { subscribe } = yield* clientOf(fake)
      yield* subscribe(number)
      yield* subscribe(number)
      assert.deepStrictEqual([...fake.subscribed], ["102290129340398"])
      assert.strictEqual(fake.requests[0]?.headers["content-length"], "0")
      const failed = yield* failureOf(subscribe({ ...number, credentials: Redacted.make("EAAGother") }))
      assert.deepInclude(failed, { httpStatus: 401, code: 190 } as never)
    })
  )

  it.live("makes templates and reads them, page by page, without its token in the addresses of further pages", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { createTemplate, templates } = yield* clientOf(fake)
      const template = (name: string) => ({ name, language: "en", category: "UTILITY", components: [] })
      const made = yield* createTemplate(number, template("a"))
      assert.deepInclude(made, { status: "PENDING", category: "UTILITY" })
      yield* createTemplate(number, template("b"))
      assert.deepStrictEqual(fake.of("createTemplate")[0]?.body, template("a"))
      const answer = yield* templates(number, { limit: "1", access_token: "EAAGother" })
      assert.deepStrictEqual(fake.of("templates")[0]?.query, { limit: "1" })
      assert.deepInclude((answer.data as ReadonlyArray<object>)[0], { name: "a" })
      const { next } = answer.paging as { readonly next: string }
      assert.isTrue(next.endsWith("&access_token=[token]"), next)
      assert.notInclude(JSON.stringify(answer), "topsecret")
      const failed = yield* failureOf(createTemplate(number, { name: "c" }))
      assert.deepInclude(failed, { httpStatus: 400, code: 100 } as never)
    })
  )
})

describe("connections", () => {
  const tagged = (tag: number) => ({ ...hello, biz_opaque_callback_data: String(tag) })

  it.live("are used again, and not once the platform has closed them", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      for (let i = 0; i < 6; i += 1) yield* send(number, tagged(i))
      const before = fake.connections()
      assert.isAtMost(before, 2)
      fake.closeIdle()
      yield* Effect.promise(() => fake.until(() => fake.open() === 0))
      yield* Effect.sleep(5)
      yield* send(number, tagged(6))
      assert.strictEqual(fake.connections(), before + 1)
      assert.lengthOf(fake.messages, 7)
    })
  )

  it.live("that the platform closes as a message leaves repeat nothing: either it arrived, or nobody knows", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { send } = yield* clientOf(fake)
      const taken: Array<number> = []
      for (let i = 0; i < 40; i += 1) {
        const exit = yield* Effect.result(send(number, tagged(i)))
        if (Result.isSuccess(exit)) taken.push(i)
        else assert.deepInclude(exit.failure, { _tag: "ChannelUnreachable", isCertain: false } as never)
        fake.closeIdle()
      }
      const arrived = fake.messages.map(({ body }) => Number(body.biz_opaque_callback_data))
      assert.deepStrictEqual(arrived, [...new Set(arrived)])
      for (const one of taken) assert.include(arrived, one)
    })
  )

  it.live("end with the scope that they were opened in", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      fake.behave({ does: "hang" })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { send } = yield* clientOf(fake)
          yield* Effect.forkChild(send(number, hello), { startImmediately: true })
          yield* Effect.promise(() => fake.until(() => fake.requests.length === 1))
        })
      )
      yield* Effect.promise(() => fake.until(() => fake.aborted() === 1))
    })
  )
})
