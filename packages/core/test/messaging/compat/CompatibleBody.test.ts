/** What is understood of the chat platform's own body, and what is only passed on. docs/reference/messaging.md#compatible-body. Verifies: COMP-1. */

import { contentOf, Ids } from "@trunkline/core/provider"
import { bodyOf } from "@trunkline/providers/cloud-api"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { readCompatible } from "../../../src/messaging/compat/index.ts"

const own = { word: "messaging", userIdField: "user_id", isAlias: false }
const alias = { word: "whatsapp", userIdField: "wa_id", isAlias: true }

const ours = Ids.as<"Message">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11")

const read = (body: object) => readCompatible(body as Parameters<typeof readCompatible>[0], [own, alias])
const message = (over: object = {}) => ({
  messaging_product: "messaging",
  to: "16505551234",
  type: "text",
  text: { body: "Hi" },
  ...over
})
const accepted = (body: object) => {
  const result = read(body)
  if (Result.isFailure(result)) throw new Error(result.failure.message)
  const whole = result.success as Extract<typeof result.success, { readonly _tag: "Message" }>
  const { callbackData, message, to, ...rest } = whole
  const { answers: context, body: content, text, type } = message
  // What the platform gets of it, without our own id of the message.
  const outbound = { content: contentOf(type, content), answers: context, options: message.options }
  const { biz_opaque_callback_data: ref, ...wire } = bodyOf(to, outbound, ours)
  expect(ref).toBe(ours)
  return { ...rest, message: { type, text, body: content, context, callbackData }, wire }
}
const refused = (body: object) => {
  const result = read(body)
  if (Result.isSuccess(result)) throw new Error(`was accepted: ${JSON.stringify(result.success)}`)
  return result.failure
}

describe("a body of the compatible send", () => {
  it("goes to the platform with everything that it says, but for the product value and the callback data", () => {
    const body = message({
      recipient_type: "individual",
      context: { message_id: "wamid.A" },
      text: { body: "Hi", preview_url: true, later: [1, { deep: null }] },
      recipient_identity_key_hash: "abc",
      biz_opaque_callback_data: "my order 7",
      something_new: { of: ["theirs"] }
    })
    const { messaging_product: _product, biz_opaque_callback_data: _data, ...rest } = body as Record<string, unknown>
    expect(accepted(body)).toEqual({
      _tag: "Message",
      product: own,
      input: "16505551234",
      person: { phone: "16505551234", userRef: null, name: null },
      message: { type: "text", text: "Hi", body: body.text, context: "wamid.A", callbackData: "my order 7" },
      wire: rest
    })
  })

  it("is to one person, and a text, where it does not say so", () => {
    const { type: _, ...untyped } = message()
    expect(accepted(untyped).wire).toEqual({
      to: "16505551234",
      recipient_type: "individual",
      type: "text",
      text: { body: "Hi" }
    })
    expect(refused({ messaging_product: "messaging", to: "16505551234", image: { id: "1" } }).message).toMatch(
      /^type must/
    )
  })

  it.each([
    ["+1 650 555 1234", "16505551234"],
    ["+16505551234", "16505551234"],
    [" 1 (650) 555-1234", "16505551234"],
    [16505551234, "16505551234"]
  ])("writes the phone %j as digits, and remembers how it was written", (to, digits) => {
    const { input, person, wire } = accepted(message({ to }))
    expect([input, person.phone, wire.to]).toEqual([String(to), digits, digits])
  })

  it.each(["abc", "US.1349", "1234", "1".repeat(21), "１６５０５５５１２３４", "", " ", true, {}])(
    "refuses %j as a phone",
    (to) => {
      expect(refused(message({ to })).message).toMatch(/^to (must be|is required)/)
    }
  )

  it("goes to the platform's own id of a person where there is no phone; the phone counts where both are there", () => {
    const { to: _, ...nobody } = message()
    const ref = accepted({ ...nobody, recipient: "US.13491208655302741918" })
    expect(ref).toMatchObject({
      input: "US.13491208655302741918",
      person: { phone: null, userRef: "US.13491208655302741918" },
      wire: { recipient: "US.13491208655302741918" }
    })
    expect(ref.wire).not.toHaveProperty("to")
    expect(accepted(message({ recipient: "US.1" }))).toMatchObject({
      input: "16505551234",
      person: { phone: "16505551234", userRef: null },
      wire: { to: "16505551234", recipient: "US.1" }
    })
    expect(refused(nobody).message).toBe("to is required")
    expect(refused({ ...nobody, recipient: "x".repeat(513) }).message).toBe("recipient must be at most 512 characters")
  })

  it("may go to a group, which the platform knows by an id that is no phone", () => {
    expect(accepted(message({ recipient_type: "group", to: "Y2FwaV9ncm91cDo" }))).toMatchObject({
      person: { phone: null, userRef: "Y2FwaV9ncm91cDo" },
      wire: { recipient_type: "group", to: "Y2FwaV9ncm91cDo" }
    })
    expect(refused(message({ recipient_type: "everybody" })).message).toMatch(/^recipient_type must/)
  })

  // Verifies: M-34.
  it("accepts every type with its object, passed on as it came", () => {
    const contents: Readonly<Record<string, unknown>> = {
      text: { body: "Hi" },
      template: { name: "hello", language: { code: "en_US" }, components: [{ type: "body", parameters: [] }] },
      image: { link: "https://example.com/a.jpg", caption: "A picture" },
      audio: { id: "1" },
      video: { id: "1", caption: "" },
      document: { id: "1", filename: "a.pdf", caption: "A document" },
      sticker: { id: "1" },
      interactive: { type: "button", body: { text: "Which?" }, action: { buttons: [] } },
      location: { latitude: 1.5, longitude: -2, name: "N", address: "A" },
      contacts: [{ name: { formatted_name: "Ada" } }],
      reaction: { message_id: "wamid.A", emoji: "👍" }
    }
    const words: Readonly<Record<string, string>> = {
      text: "Hi",
      image: "A picture",
      document: "A document",
      interactive: "Which?"
    }
    for (const [type, content] of Object.entries(contents)) {
      const { message, wire } = accepted({ messaging_product: "messaging", to: "16505551234", type, [type]: content })
      expect(wire[type], type).toStrictEqual(content)
      expect(message, type).toEqual({
        type,
        text: words[type] ?? null,
        body: type === "contacts" ? { contacts: content } : content,
        context: null,
        callbackData: null
      })
    }
  })

  // Verifies: N-48.
  it("keeps callback data of up to 512 characters, and refuses what is none", () => {
    const data = (biz_opaque_callback_data: unknown) => message({ biz_opaque_callback_data })
    for (const text of ["", "order 7", "😀".repeat(512)]) expect(accepted(data(text)).message.callbackData).toBe(text)
    expect(accepted(data(null)).message.callbackData).toBeNull()
    for (const wrong of ["x".repeat(513), 7, { order: 7 }, ["a"]]) {
      expect(refused(data(wrong))).toMatchObject({
        code: 100,
        message: "biz_opaque_callback_data must be a text of at most 512 characters"
      })
    }
  })

  it.each([
    ["a type that there is not", { type: "poll", poll: {} }, /^type must be one of text, template, image/],
    ["a type that every object has", { type: "constructor" }, /^type must be/],
    ["a type without its object", { type: "image" }, /^image must be an object/],
    ["a text that is none", { text: "Hi" }, /^text must be an object/],
    ["a text without a body", { text: {} }, /^text.body must be a text/],
    ["contacts that are no list", { type: "contacts", contacts: {} }, /^contacts must be a list/],
    ["a list that is no object", { type: "image", image: [] }, /^image must be an object/],
    ["a content of another type that is no object", { template: -1 }, /^template must be an object/],
    ["contacts of another type that are no list", { contacts: {} }, /^contacts must be a list/]
  ])("refuses %s", (_, over, said) => {
    const { code, message: text } = refused(message(over))
    expect(code).toBe(100)
    expect(text).toMatch(said)
  })

  it("passes over a content of another type that is null, which stands for an absent one", () => {
    expect(accepted(message({ template: null, contacts: null })).message.type).toBe("text")
  })

  it("accepts a text of 4096 code points, and refuses a longer one with its name and bound", () => {
    const text = (body: string) => message({ text: { body } })
    expect(accepted(text("x".repeat(4096))).message.text).toHaveLength(4096)
    expect(accepted(text("😀".repeat(4096))).message.text).toBe("😀".repeat(4096))
    for (const body of ["x".repeat(4097), "😀".repeat(4097)]) {
      const { code, details, message: said } = refused(text(body))
      expect([code, said]).toEqual([100, "text.body must be at most 4096 characters"])
      expect(details).toContain("4097")
    }
  })

  // Verifies: M-33.
  it("goes under the channel's own product value or one of those beside it, and under no other", () => {
    expect(accepted(message({ messaging_product: "whatsapp" })).product).toBe(alias)
    for (const messaging_product of ["WhatsApp", "", null, undefined, 7, ["whatsapp"]]) {
      expect(refused(message({ messaging_product })).message).toBe('messaging_product must be "messaging"')
    }
  })

  it("marks a message read where it says so, with or without a sign that somebody is writing", () => {
    const mark = { messaging_product: "messaging", status: "read", message_id: "wamid.A" }
    expect(read(mark)).toEqual(Result.succeed({ _tag: "Read", product: own, messageId: "wamid.A", typing: false }))
    expect(read({ ...mark, typing_indicator: { type: "text" } })).toMatchObject({ success: { typing: true } })
    expect(refused({ ...mark, status: "delivered" }).message).toBe('status must be "read"')
    for (const message_id of [undefined, "", 7]) {
      expect(refused({ ...mark, message_id }).message).toBe("message_id is required")
    }
  })

  it("is refused where it has more than 256 KiB, in a field that we know or in another", () => {
    const long = "x".repeat(256 * 1024)
    expect(refused(message({ template: { name: long } })).message).toMatch(/256 KiB/)
    expect(refused(message({ template: { name: "hello" }, later: long })).message).toMatch(/256 KiB/)
    expect(accepted(message({ template: { name: long.slice(1024) } })).wire.template).toBeDefined()
  })
})
