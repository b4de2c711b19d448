/** Contents between the words of the public API and those of the domain: docs/reference/messaging.md#contents. Verifies: COMP-1. */

import {
  contentJson,
  contentOf,
  contentTypes,
  Ids,
  type JsonObject,
  type KnownContent,
  type MessageContent
} from "@trunkline/core/provider"
import { bodyOf } from "@trunkline/providers/cloud-api"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const ref = Ids.as<"Message">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11")

/** What the first channel's platform gets of a content. */
const sentOf = (type: string, content: MessageContent) =>
  bodyOf({ _tag: "User", id: "1" }, { content, answers: null, options: {} }, ref)[type]

/** The object under a type as the public API stores it: a list stands under the type's name. */
const storedOf = (type: string, given: unknown): JsonObject =>
  Array.isArray(given) ? { [type]: given } : (given as JsonObject) // an object: all contents but lists are

const text = fc.string({ maxLength: 8 })
const id = fc.string({ minLength: 1, maxLength: 8 })
const json = fc.json({ maxDepth: 3 }).map((written) => JSON.parse(written) as unknown)
const unknownFields = fc.dictionary(fc.oneof(text, fc.constantFrom("__proto__", "toString", "type", "later")), json, {
  maxKeys: 3
})

/** An object with the given fields, some of them missing, and with fields that nobody knows. */
const object = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>, requiredKeys: ReadonlyArray<string>) =>
  fc
    .tuple(unknownFields, fc.record(fields, { requiredKeys: [...requiredKeys] }))
    .map(([unknown, known]): JsonObject => ({ ...unknown, ...known }))
const whole = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) => object(fields, Object.keys(fields))
const list = (item: fc.Arbitrary<unknown>) => fc.array(item, { minLength: 1, maxLength: 3 })

const option = { id, title: text }
const row = object({ ...option, description: text }, ["id", "title"])
const words = whole({ text })
const media = fc.oneof(
  object({ id, caption: text, filename: text, mime_type: text, voice: fc.boolean() }, ["id"]),
  object({ link: fc.webUrl(), caption: text, filename: text }, ["link"]),
  whole({ id, link: fc.webUrl() })
)
const degrees = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  fc.constant("1.50")
)

/** Contents as the contract has them, each with unknown fields at every depth. */
const contents: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: object({ body: text, preview_url: fc.boolean() }, ["body"]),
  template: object({ name: text, language: whole({ code: text }), components: fc.array(json) }, ["name", "language"]),
  image: media,
  audio: media,
  video: media,
  document: media,
  sticker: media,
  interactive: fc.oneof(
    whole({
      type: fc.constant("button"),
      body: words,
      action: whole({ buttons: list(whole({ type: fc.constant("reply"), reply: whole(option) })) })
    }),
    whole({
      type: fc.constant("list"),
      header: json,
      body: words,
      action: whole({ button: text, sections: list(object({ title: text, rows: list(row) }, ["rows"])) })
    }),
    whole({ type: fc.constant("button_reply"), button_reply: whole(option) }),
    whole({ type: fc.constant("list_reply"), list_reply: row })
  ),
  location: object({ latitude: degrees, longitude: degrees, name: text, address: text }, ["latitude", "longitude"]),
  contacts: list(
    object(
      {
        name: object({ formatted_name: text, first_name: text }, ["formatted_name"]),
        phones: list(whole({ phone: text }))
      },
      ["name"]
    )
  ),
  reaction: object({ message_id: id, emoji: text }, ["message_id"])
}

const typed = (of: (type: string) => fc.Arbitrary<unknown>) =>
  fc.constantFrom(...contentTypes).chain((type) => fc.tuple(fc.constant(type), of(type)))

describe("a content of the public API", () => {
  it("has a name in the domain for each type of the contract, whatever unknown fields it has", () => {
    expect(Object.keys(contents).toSorted()).toEqual(contentTypes.toSorted())
    fc.assert(
      fc.property(
        typed((type) => contents[type]!),
        ([type, given]) => {
          expect(contentOf(type, storedOf(type, given))._tag).not.toBe("Raw")
        }
      )
    )
  })

  it("goes to the first channel's platform as it was given, unknown fields at every depth included", () => {
    fc.assert(
      fc.property(
        typed((type) => contents[type]!),
        ([type, given]) => {
          expect(sentOf(type, contentOf(type, storedOf(type, given)))).toStrictEqual(given)
        }
      )
    )
  })

  it("goes there as it was given, too, where nobody can read it", () => {
    const odd = (type: string) =>
      type === "contacts"
        ? fc.array(json)
        : fc.oneof(unknownFields, object({ body: json, action: json, name: json }, []))
    fc.assert(
      fc.property(typed(odd), ([type, given]) => {
        expect(sentOf(type, contentOf(type, storedOf(type, given)))).toStrictEqual(given)
      })
    )
  })

  it.each([
    ["image", { caption: "No file" }],
    ["location", { latitude: 1.5 }],
    ["interactive", { type: "cta_url", body: { text: "Look" }, action: {} }],
    ["interactive", { type: "button", body: { text: "Which?" }, action: { buttons: [{ reply: { id: "a" } }] } }],
    ["hologram", { beam: 1 }],
    ["constructor", {}]
  ])("of the type %s that the domain has no words for is raw: %j", (type, given) => {
    expect(contentOf(type, given)).toMatchObject({ _tag: "Raw", type, json: given })
  })

  it("keeps what can be read of it where it is raw", () => {
    const url = contentOf("interactive", { type: "cta_url", body: { text: "Look" } })
    expect(url).toMatchObject({ _tag: "Raw", text: "Look" })
  })

  it("keeps what the domain has no words for as a difference, which other channels ignore", () => {
    const footer = { text: "Until noon" }
    const buttons = [{ type: "reply", reply: { id: "a", title: "A" } }]
    const given = { type: "button", body: { text: "Which?" }, footer, action: { buttons } }
    const read = contentOf("interactive", given)
    expect(read).toStrictEqual({
      _tag: "Buttons",
      text: "Which?",
      buttons: [{ id: "a", title: "A" }],
      extra: { footer }
    })
  })
})

const known: fc.Arbitrary<KnownContent> = fc.oneof(
  fc.record({ _tag: fc.constant("Text" as const), text, linkPreview: fc.boolean() }),
  fc.record({
    _tag: fc.constant("Media" as const),
    kind: fc.constantFrom("image", "audio", "video", "document", "sticker"),
    file: fc.oneof(fc.record({ id }), fc.record({ link: fc.webUrl() })),
    caption: text,
    fileName: text,
    mediaType: text,
    isVoice: fc.constant(true)
  }),
  fc.record({
    _tag: fc.constant("Location" as const),
    latitude: fc.integer(),
    longitude: fc.integer(),
    name: text,
    address: text
  }),
  fc.record({ _tag: fc.constant("Buttons" as const), text, buttons: fc.array(fc.record(option), { minLength: 1 }) }),
  fc.record({
    _tag: fc.constant("List" as const),
    text,
    button: text,
    sections: fc.array(fc.record({ title: text, rows: fc.array(fc.record({ ...option, description: text })) }))
  }),
  fc.record({ _tag: fc.constant("Choice" as const), ...option }),
  fc.record({
    _tag: fc.constant("Contacts" as const),
    cards: fc.array(fc.record({ name: text, phones: fc.array(text) }))
  }),
  fc.record({ _tag: fc.constant("Reaction" as const), messageId: id, emoji: text }),
  fc.record({ _tag: fc.constant("Template" as const), name: text, language: text })
)

describe("a content of the domain", () => {
  it("that is written in the words of the public API is read as itself", () => {
    fc.assert(
      fc.property(known, (content) => {
        const { json, type } = contentJson(content)
        expect(contentOf(type, json)).toEqual(content)
      })
    )
  })
})
