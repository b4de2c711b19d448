/** What the components of a template say, and the components that fill it. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject, TemplateShape } from "@trunkline/core/provider"
import * as fc from "fast-check"
import { contentOf, shapeOf } from "../../src/cloud-api/TemplateShapes.ts"

const plain: TemplateShape = {
  header: null,
  body: { text: "", places: [] },
  footer: null,
  buttons: [],
  unsupported: null,
  hasExamples: true
}

const named = { name: "order_update", language: "en_US" }

const componentsOf = (components: ReadonlyArray<JsonObject>, values: Readonly<Record<string, string>>) =>
  contentOf({ ...named, shape: shapeOf(components), values }).components

describe("the shape of a template", () => {
  it("has its texts, its places in the order of the text, and its buttons", () => {
    const shape = shapeOf([
      { type: "HEADER", format: "TEXT", text: "Order {{order_id}}" },
      { type: "BODY", text: "Dear {{name}}, {{ order_id }} leaves on {{day}}. Thank you, {{name}}." },
      { type: "FOOTER", text: "Reply STOP to stop" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "Yes" },
          { type: "URL", text: "Track", url: "https://shop.example/t/{{1}}" },
          { type: "URL", text: "Shop", url: "https://shop.example" },
          { type: "PHONE_NUMBER", text: "Ring", phone_number: "+15550783881" },
          { type: "VOICE_CALL", text: "Talk" },
          { type: "COPY_CODE", example: ["SAVE20"] },
          { type: "FLOW", text: "Book", flow_id: 7 }
        ]
      }
    ])
    assert.deepStrictEqual(shape, {
      header: { _tag: "Text", text: "Order {{order_id}}", places: ["order_id"] },
      body: {
        text: "Dear {{name}}, {{ order_id }} leaves on {{day}}. Thank you, {{name}}.",
        places: ["name", "order_id", "day"]
      },
      footer: "Reply STOP to stop",
      buttons: [
        { index: 0, kind: "quick_reply", title: "Yes", value: "optional" },
        { index: 1, kind: "url", title: "Track", value: "required" },
        { index: 2, kind: "url", title: "Shop", value: "none" },
        { index: 3, kind: "phone_number", title: "Ring", value: "none" },
        { index: 4, kind: "voice_call", title: "Talk", value: "none" },
        { index: 5, kind: "copy_code", title: "", value: "required" },
        { index: 6, kind: "flow", title: "Book", value: "optional" }
      ],
      unsupported: null,
      hasExamples: false
    })
  })

  it("has examples where each component and button that values fill shows one", () => {
    const url = { type: "URL", text: "Track", url: "https://shop.example/t/{{1}}" }
    const components = (over: { readonly header?: object; readonly body?: object; readonly button?: object }) => [
      { type: "HEADER", format: "IMAGE", example: { header_handle: ["https://shop.example/i.png"] }, ...over.header },
      { type: "BODY", text: "Dear {{1}}", example: { body_text: [["Ada"]] }, ...over.body },
      { type: "FOOTER", text: "Reply STOP to stop" },
      { type: "BUTTONS", buttons: [{ ...url, example: ["https://shop.example/t/7"], ...over.button }] }
    ]
    assert.isTrue(shapeOf(components({})).hasExamples)
    for (const part of ["header", "body", "button"]) {
      for (const example of [null, undefined]) {
        assert.isFalse(shapeOf(components({ [part]: { example } })).hasExamples, part)
      }
    }
    assert.isTrue(shapeOf([{ type: "BODY", text: "Hello" }]).hasExamples)
  })

  it.each(["image", "video", "document"] as const)("has a header of the format %s", (kind) => {
    for (const format of [kind, kind.toUpperCase()]) {
      assert.deepStrictEqual(
        shapeOf([
          { type: "header", format },
          { type: "body", text: "Hi" }
        ]),
        {
          ...plain,
          header: { _tag: "Media", kind },
          hasExamples: false,
          body: { text: "Hi", places: [] }
        }
      )
    }
  })

  it.each([
    ["a carousel", [{ type: "CAROUSEL", cards: [] }], "CAROUSEL"],
    ["an offer", [{ type: "BODY", text: "x" }, { type: "limited_time_offer" }], "LIMITED_TIME_OFFER"],
    ["a permission", [{ type: "CALL_PERMISSION_REQUEST" }], "CALL_PERMISSION_REQUEST"],
    ["an order", [{ type: "ORDER_DETAILS" }], "ORDER_DETAILS"],
    ["a location", [{ type: "HEADER", format: "LOCATION" }], "LOCATION"],
    ["a header without a format", [{ type: "HEADER", text: "x" }], "UNKNOWN"],
    ["a catalog", [{ type: "BUTTONS", buttons: [{ type: "CATALOG", text: "x" }] }], "CATALOG"],
    ["products", [{ type: "BUTTONS", buttons: [{ type: "QUICK_REPLY" }, { type: "mpm" }] }], "MPM"],
    ["a product", [{ type: "BUTTONS", buttons: [{ type: "SPM" }] }], "SPM"],
    ["a code", [{ type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE" }] }], "OTP"],
    ["something new", [{ type: "HOLOGRAM" }], "HOLOGRAM"],
    ["something endless", [{ type: "x".repeat(1000) }], "X".repeat(64)],
    ["nothing", [{}], "UNKNOWN"],
    ["two of them", [{ type: "BUTTONS", buttons: [{ type: "SPM" }] }, { type: "CAROUSEL" }], "SPM"]
  ] as const)("with %s names what no values can fill", (_, components, unsupported) => {
    assert.strictEqual(shapeOf(components).unsupported, unsupported)
  })

  it("keeps the index of a button behind one that no values can fill", () => {
    const buttons = [{ type: "CATALOG" }, { type: "COPY_CODE", text: "Copy" }]
    assert.deepStrictEqual(shapeOf([{ type: "BUTTONS", buttons }]).buttons, [
      { index: 1, kind: "copy_code", title: "Copy", value: "required" }
    ])
  })

  it("is read of whatever there is, and never throws", () => {
    const word = fc.constantFrom("HEADER", "BODY", "FOOTER", "BUTTONS", "TEXT", "IMAGE", "URL", "FLOW", "constructor")
    const value = fc.oneof(word, fc.constant("{{1}} {{a}} {{{{}}"), fc.jsonValue({ maxDepth: 2 }))
    const button = fc.oneof(fc.jsonValue(), fc.record({ type: value, text: value, url: value }))
    const component = fc.oneof(
      fc.jsonValue(),
      fc.record({ type: value, format: value, text: value, buttons: fc.oneof(value, fc.array(button)) })
    )
    fc.assert(
      fc.property(fc.array(component), (components) => {
        const shape = shapeOf(components as ReadonlyArray<JsonObject>) // the platform may send anything
        for (const { places } of [shape.body, ...(shape.header?._tag === "Text" ? [shape.header] : [])]) {
          assert.deepStrictEqual(places, [...new Set(places)])
        }
        contentOf({ ...named, shape, values: {} })
      })
    )
  })

  it("reads braces in a text of a megabyte within a moment", () => {
    const began = performance.now()
    shapeOf([
      { type: "BODY", text: "{".repeat(1_000_000) },
      { type: "FOOTER", text: "{{".repeat(500_000) }
    ])
    shapeOf([{ type: "BODY", text: "{{a".repeat(300_000) }])
    assert.isBelow(performance.now() - began, 2_000)
  })
})

describe("the content of a template", () => {
  it("has a component for each part that has parameters, in the template's order", () => {
    const components = [
      { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
      { type: "BODY", text: "Dear {{1}}, {{2}} leaves today." },
      { type: "FOOTER", text: "Bye" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "PHONE_NUMBER", text: "Ring" },
          { type: "URL", text: "Track", url: "https://shop.example/{{1}}" },
          { type: "COPY_CODE", text: "Copy" },
          { type: "QUICK_REPLY", text: "Yes" },
          { type: "FLOW", text: "Book" }
        ]
      }
    ]
    const values = {
      "header.1": "A-7",
      "body.1": "Ada",
      "body.2": "A-7",
      "buttons.1": "t/A-7",
      "buttons.2": "SAVE20",
      "buttons.3": "yes-please",
      "buttons.4": "token-1"
    }
    assert.deepStrictEqual(contentOf({ ...named, shape: shapeOf(components), values }), {
      name: "order_update",
      language: { code: "en_US" },
      components: [
        { type: "header", parameters: [{ type: "text", text: "A-7" }] },
        {
          type: "body",
          parameters: [
            { type: "text", text: "Ada" },
            { type: "text", text: "A-7" }
          ]
        },
        { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "t/A-7" }] },
        {
          type: "button",
          sub_type: "copy_code",
          index: "2",
          parameters: [{ type: "coupon_code", coupon_code: "SAVE20" }]
        },
        {
          type: "button",
          sub_type: "quick_reply",
          index: "3",
          parameters: [{ type: "payload", payload: "yes-please" }]
        },
        {
          type: "button",
          sub_type: "flow",
          index: "4",
          parameters: [{ type: "action", action: { flow_token: "token-1" } }]
        }
      ]
    })
  })

  it("names parameters whose places have names", () => {
    const components = [
      { type: "HEADER", format: "TEXT", text: "{{shop}}" },
      { type: "BODY", text: "Dear {{first_name}}" }
    ]
    assert.deepStrictEqual(componentsOf(components, { "header.shop": "Northwind", "body.first_name": "Ada" }), [
      { type: "header", parameters: [{ type: "text", parameter_name: "shop", text: "Northwind" }] },
      { type: "body", parameters: [{ type: "text", parameter_name: "first_name", text: "Ada" }] }
    ])
  })

  it("has numbered parameters in the order of their numbers, wherever they stand in the text", () => {
    const text = Array.from({ length: 11 }, (_, i) => `{{${11 - i}}}`).join(" ")
    const values = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`body.${i + 1}`, `value ${i + 1}`]))
    assert.deepStrictEqual(componentsOf([{ type: "BODY", text }], values), [
      {
        type: "body",
        parameters: Array.from({ length: 11 }, (_, i) => ({ type: "text", text: `value ${i + 1}` }))
      }
    ])
  })

  it.each(["image", "video", "document"] as const)(
    "fills a header of the format %s with a link or a file's id",
    (kind) => {
      const filled = (value: string) => componentsOf([{ type: "HEADER", format: kind }], { "header.media": value })
      const link = "https://files.example/a.png"
      assert.deepStrictEqual(filled(link), [{ type: "header", parameters: [{ type: kind, [kind]: { link } }] }])
      assert.deepStrictEqual(filled("1234567"), [
        { type: "header", parameters: [{ type: kind, [kind]: { id: "1234567" } }] }
      ])
    }
  )

  it("has no components where nothing varies", () => {
    const buttons = [
      { type: "URL", text: "Shop", url: "https://shop.example" },
      { type: "QUICK_REPLY", text: "Yes" },
      { type: "FLOW", text: "Book" }
    ]
    const components = [
      { type: "BODY", text: "Hello" },
      { type: "FOOTER", text: "Bye" },
      { type: "BUTTONS", buttons }
    ]
    const values = { "buttons.0": "x", "body.1": "x", "header.media": "https://a.example", "footer.1": "x" }
    assert.deepStrictEqual(componentsOf(components, values), [])
  })

  it("never changes by what a value says, but for the value itself", () => {
    const components = [
      { type: "HEADER", format: "TEXT", text: "{{a}}" },
      { type: "BODY", text: "{{1}} {{2}} {{__proto__}}" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "URL", url: "https://shop.example/{{1}}" },
          { type: "COPY_CODE" },
          { type: "QUICK_REPLY" },
          { type: "FLOW" }
        ]
      }
    ]
    const addresses = ["header.a", "body.1", "body.2", "body.__proto__", ...[0, 1, 2, 3].map((i) => `buttons.${i}`)]
    const hostile = fc.constantFrom(
      '"}]},{"type":"body"',
      "{{1}}",
      "{{header.a}}",
      "__proto__",
      "\u0000\n",
      "[object]",
      "1"
    )
    const values = fc.array(fc.oneof(hostile, fc.string()), { minLength: 8, maxLength: 8 })
    const others = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("body.3", "buttons.9", "components")),
      fc.string()
    )
    fc.assert(
      fc.property(values, others, (given, more) => {
        const known = Object.fromEntries(addresses.map((address, n) => [address, given[n]!]))
        const marks = Object.fromEntries(addresses.map((address, n) => [address, `mark ${n}`]))
        const sent = componentsOf(components, { ...more, ...known })
        const expected: unknown = JSON.parse(JSON.stringify(componentsOf(components, marks)), (_, value: unknown) =>
          typeof value === "string" && value.startsWith("mark ") ? given[Number(value.slice(5))] : value
        )
        assert.deepStrictEqual(sent, expected)
      })
    )
  })
})
