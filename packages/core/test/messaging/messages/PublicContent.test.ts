/** What a native send is made of: docs/reference/messaging.md#sending. Verifies: CHAT-5. */

import { ChannelUnreachable, type ContentType, contentOf, contentTypes, Ids } from "@trunkline/core/provider"
import { bodyOf, channelRefused, PlatformRefused } from "@trunkline/providers/cloud-api"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { troubleOf } from "../../../src/messaging/channels/index.ts"
import { digitsOf, parseContent, shownStatus } from "../../../src/messaging/messages/index.ts"

const parts = (type: ContentType, content: unknown) => Result.getOrThrow(parseContent(type, content, 4096))
const fault = (type: ContentType, content: unknown) =>
  Result.match(parseContent(type, content, 4096), { onSuccess: () => null, onFailure: ({ field }) => field })

describe("a number", () => {
  it.each([
    ["+1 (650) 555-1234", "16505551234"],
    ["16505551234", "16505551234"],
    ["+49.30/1234\u00a05678", "493012345678"],
    ["123456", "123456"],
    ["1".repeat(15), "1".repeat(15)],
    ["12345", undefined],
    ["1".repeat(16), undefined],
    ["1650555CALL", undefined],
    ["+44 (0)20 7946 0958", "442079460958"],
    ["+12125550101/0102", "12125550101"],
    ["555 0101 555 0102", undefined],
    ["2026-11-28", undefined],
    ["１２３４５６７", undefined],
    ["", undefined]
  ])("%j has the digits %s", (text, digits) => {
    expect(digitsOf(text)).toBe(digits)
  })
})

describe("a message", () => {
  it("of text is one or more, which keep what stands beside the text", () => {
    expect(parts("text", "Hi")).toEqual([{ type: "text", text: "Hi", body: { body: "Hi" } }])
    const long = parts("text", { body: `${"a".repeat(4096)} ${"b".repeat(10)}`, preview_url: true })
    expect(long.map(({ text }) => text)).toEqual(["a".repeat(4096), "b".repeat(10)])
    for (const { body, text } of long) expect(body).toEqual({ body: text, preview_url: true })
  })

  it("of every other type is one, with the words that can be read of it", () => {
    for (const type of contentTypes.filter((type) => type !== "text" && type !== "contacts")) {
      expect(parts(type, { id: "1" }), type).toEqual([{ type, text: null, body: { id: "1" } }])
    }
    expect(parts("image", { id: "1", caption: "Look" })[0]!.text).toBe("Look")
    expect(parts("interactive", { type: "button", body: { text: "Which?" } })[0]!.text).toBe("Which?")
    expect(parts("template", { name: "x", caption: 5 })[0]!.text).toBeNull()
  })

  it("of contact cards is stored as an object, and sent as the list that it is", () => {
    const cards = [{ name: { formatted_name: "Ada" } }]
    const [content] = parts("contacts", cards)
    expect(content).toEqual({ type: "contacts", text: null, body: { contacts: cards } })
    const message = { content: contentOf("contacts", content!.body), answers: null, options: {} }
    const sent = bodyOf({ _tag: "User", id: "1" }, message, Ids.as<"Message">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11"))
    expect(sent.contacts).toStrictEqual(cards)
  })

  it("has a text of at most 65,536 code points, given by itself or as an object", () => {
    const longest = "😀".repeat(65_536)
    for (const content of [longest, { body: longest }]) expect(parts("text", content)).toHaveLength(16)
    for (const content of [`${longest}!`, { body: `${longest}!` }]) expect(fault("text", content)).toBe("text")
  })

  it("has at most 256 KiB beside its text", () => {
    const long = "x".repeat(256 * 1024)
    for (const [type, content] of [
      ["template", { name: long }],
      ["contacts", [{ name: long }]],
      ["text", { body: "Hi", extra: long }]
    ] as const) {
      expect(fault(type, content), type).toBe(type)
    }
    expect(fault("template", { name: long.slice(1024) })).toBeNull()
  })

  it("is refused under the field that is wrong", () => {
    for (const [type, content] of [
      ["text", undefined],
      ["text", null],
      ["text", ""],
      ["text", " \n\t"],
      ["text", 5],
      ["text", []],
      ["text", {}],
      ["text", { body: 5 }],
      ["image", "1"],
      ["image", []],
      ["contacts", {}],
      ["contacts", []]
    ] as const) {
      expect(fault(type, content), `${type} ${JSON.stringify(content)}`).toBe(type)
    }
  })
})

describe("a status", () => {
  it("is shown in six words", () => {
    expect(
      (["received", "queued", "sending", "unknown", "sent", "delivered", "read", "failed"] as const).map(shownStatus)
    ).toEqual(["received", "queued", "sent", "failed", "sent", "delivered", "read", "failed"])
  })
})

describe("trouble with the platform", () => {
  const refused = (code: number | null, httpStatus: number, retryAfterSeconds: number | null = null) =>
    channelRefused(
      new PlatformRefused({ httpStatus, code, message: "leak", details: "leak", retryAfterSeconds, body: {} })
    )
  const unreachable = (isCertain: boolean) => new ChannelUnreachable({ isCertain, detail: "leak" })

  it.each([
    ["PlatformRefusal", refused(131026, 400)],
    ["PlatformRefusal", refused(190, 401)],
    ["PlatformRefusal", refused(131047, 400)],
    ["PlatformRefusal", refused(null, 404)],
    ["PlatformRefusal", refused(3, 500)],
    ["PlatformThrottled", refused(130429, 400)],
    ["PlatformThrottled", refused(null, 429)],
    ["PlatformDown", refused(131000, 500)],
    ["PlatformDown", refused(null, 503)],
    ["PlatformDown", unreachable(true)],
    ["PlatformDown", unreachable(false)]
  ] as const)("is returned by kind: %s", (tag, failed) => {
    const { _tag, message } = troubleOf(failed)
    expect(_tag).toBe(tag)
    expect(message).not.toContain("leak")
    if (failed._tag === "ChannelRefused" && failed.code !== null) expect(message).toContain(String(failed.code))
    expect(message).not.toMatch(/parts/)
    expect(troubleOf(failed, { sent: 2, parts: 3 }).message).toBe(`${message} 2 of 3 parts were sent.`)
  })

  // Verifies: H-834.
  it("is certain where nothing was taken: neither this part nor one before it", () => {
    for (const failed of [refused(131026, 400), refused(130429, 400), unreachable(true)]) {
      expect(troubleOf(failed).isCertain).toBe(true)
      expect(troubleOf(failed, { sent: 1, parts: 3 }).isCertain).toBe(false)
    }
    expect(troubleOf(unreachable(false)).isCertain).toBe(false)
    expect(troubleOf(refused(null, 502)).isCertain).toBe(false)
  })

  it("says when to come again: as the platform does, and at least a second", () => {
    const secondsOf = (asked: number | null) => {
      const trouble = troubleOf(refused(130429, 400, asked))
      return trouble._tag === "PlatformThrottled" ? trouble.retryAfterSeconds : null
    }
    expect([secondsOf(null), secondsOf(0), secondsOf(17)]).toEqual([6, 1, 17])
  })
})
