/** What fills the places of a template: docs/reference/template-campaigns.md#variables. */
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { TemplateShape } from "../../../src/messaging/channels/index.ts"
import type { TemplateParameter } from "../../../src/messaging/template-campaigns/TemplateCampaign.ts"
import {
  addressesOf,
  filled,
  parameterFaults,
  renderedText
} from "../../../src/messaging/template-campaigns/TemplateFill.ts"
import type { BookEntry } from "../../../src/platform/overview/index.ts"

type Parameters = Readonly<Record<string, TemplateParameter>>

const shape: TemplateShape = {
  header: { _tag: "Text", text: "Order {{1}}", places: ["1"] },
  body: { text: "Dear {{name}}, {{2}} is on its way. {{ name }}!", places: ["name", "2"] },
  footer: "Reply STOP to opt out",
  buttons: [
    { index: 0, kind: "url", title: "Track", value: "required" },
    { index: 1, kind: "quick_reply", title: "Call me", value: "optional" },
    { index: 2, kind: "phone_number", title: "Call us", value: "none" }
  ],
  unsupported: null,
  hasExamples: true
}
const bodyOnly = (...places: ReadonlyArray<string>): TemplateShape => ({
  header: null,
  body: { text: places.map((name) => `{{${name}}}`).join(" "), places },
  footer: null,
  buttons: [],
  unsupported: null,
  hasExamples: true
})
const withMedia: TemplateShape = { ...bodyOnly(), header: { _tag: "Media", kind: "image" } }

const nobody = { name: null, phone: null, variables: {} }
const asha: BookEntry = {
  phone: "+919876543210",
  name: "Asha Devi Rao",
  firstName: "Asha Devi",
  lastName: "Rao",
  email: "asha@example.com",
  company: "Rao & Sons",
  optedIn: true,
  custom: { city: "Pune" }
}

/** What one place of a body is filled with, by one parameter; null where it is missing. */
const one = (parameter: TemplateParameter, contact: Partial<typeof nobody | PersonGiven> = {}, book = asha) => {
  const result = filled(bodyOnly("1"), { "body.1": parameter }, { ...nobody, ...contact }, book)
  return result._tag === "Filled" ? result.values["body.1"] : null
}
interface PersonGiven {
  readonly name: string | null
  readonly phone: string | null
  readonly variables: Readonly<Record<string, string>>
}

describe("the parameters of a campaign", () => {
  const right: Parameters = {
    "body.1": { value: "a".repeat(1024) },
    "body.first_name": { field: "first_name", fallback: "b".repeat(1024) },
    "header.1": { field: "name" },
    "header.title": { field: "custom.city", fallback: null },
    "header.media": { value: "https://example.com/a.jpg" },
    "buttons.0": { field: "variables.code" }
  }

  it("may name every place and every field", () => {
    expect(parameterFaults(right)).toEqual([])
    for (const field of ["name", "first_name", "last_name", "email", "company", "phone", "custom.a b", "variables.1"]) {
      expect(parameterFaults({ "body.1": { field } }), field).toEqual([])
    }
  })

  const wrongAddresses = [
    "",
    "body",
    "body.",
    "body.a b",
    "body.{1}",
    "footer.1",
    "buttons.x",
    "buttons.",
    "buttons.100"
  ]
  for (const address of [...wrongAddresses, "header", "HEADER.1", "carousel.0.body.1", "__proto__"]) {
    it(`are refused with the address ${JSON.stringify(address)}, which no template has`, () => {
      const parameters = Object.fromEntries([[address, { value: "x" }]])
      expect(parameterFaults(parameters)).toMatchObject([{ field: `parameters.${address}` }])
    })
  }

  for (const field of ["", "Name", "password", "custom", "custom.", "variables.", "constructor", "opted_in"]) {
    it(`are refused with the field ${JSON.stringify(field)}, which no contact has`, () => {
      expect(parameterFaults({ "body.1": { field } })).toMatchObject([{ field: "parameters.body.1" }])
    })
  }

  const long = "a".repeat(1025)
  const tooLong = [{ value: long }, { field: `custom.${long}` }, { field: "name", fallback: long }]
  for (const parameter of tooLong) {
    it(`are refused with a text of more than 1024 characters as ${Object.keys(parameter).at(-1)}`, () => {
      expect(parameterFaults({ "body.1": parameter })).toHaveLength(1)
    })
  }

  const media = [
    { text: "https://example.com/a.jpg", isRight: true },
    { text: "HTTPS://example.com/a.jpg?b=1", isRight: true },
    { text: "1234567890", isRight: true },
    { text: "http://example.com/a.jpg", isRight: false },
    { text: "https://", isRight: false },
    { text: "https://example.com/a b.jpg", isRight: false },
    { text: "javascript:alert(1)", isRight: false },
    { text: "12a", isRight: false },
    { text: "", isRight: false }
  ]
  for (const { isRight, text } of media) {
    it(`${isRight ? "may" : "may not"} have ${JSON.stringify(text)} as the header's file, for everybody or as a fallback`, () => {
      for (const parameter of [{ value: text }, { field: "variables.file", fallback: text }]) {
        expect(parameterFaults({ "header.media": parameter })).toHaveLength(isRight ? 0 : 1)
      }
      const given = filled(withMedia, {}, { ...nobody, variables: { "header.media": text } }, null)
      expect(given).toEqual(
        isRight ? { _tag: "Filled", values: { "header.media": text } } : { _tag: "Missing", address: "header.media" }
      )
    })
  }

  it("report every fault, each at its place", () => {
    const parameters = { "body.1": { value: "" }, "footer.1": { field: "age" }, "header.media": { value: "file" } }
    expect(parameterFaults(parameters).map(({ field }) => field)).toEqual([
      "parameters.footer.1",
      "parameters.footer.1",
      "parameters.header.media"
    ])
  })
})

describe("the places of a template", () => {
  it("are those of its header, its body and its buttons, in this order", () => {
    expect(addressesOf(shape)).toEqual([
      { address: "header.1", isRequired: true },
      { address: "body.name", isRequired: true },
      { address: "body.2", isRequired: true },
      { address: "buttons.0", isRequired: true },
      { address: "buttons.1", isRequired: false }
    ])
    expect(addressesOf(withMedia)).toEqual([{ address: "header.media", isRequired: true }])
  })

  it("are filled by the contact's own variables where the campaign names no parameter", () => {
    const variables = { name: "Asha", "2": "a pen", "header.1": "7", "buttons.0": "abc", "body.2": "unused" }
    expect(filled(shape, {}, { ...nobody, variables }, null)).toEqual({
      _tag: "Filled",
      values: { "header.1": "7", "body.name": "Asha", "body.2": "a pen", "buttons.0": "abc" }
    })
  })

  it("that need a value and have none are named, the first of them", () => {
    expect(filled(shape, {}, nobody, asha)).toEqual({ _tag: "Missing", address: "header.1" })
    const variables = { name: "Asha", "2": " \t\n", "header.1": "7" }
    expect(filled(shape, {}, { ...nobody, variables }, null)).toEqual({ _tag: "Missing", address: "body.2" })
  })

  it("are filled from nothing that every object has", () => {
    const names = ["constructor", "__proto__", "toString"]
    for (const name of names) {
      expect(filled(bodyOnly(name), {}, nobody, asha)._tag, name).toBe("Missing")
      expect(one({ field: `custom.${name}` }), name).toBeNull()
      expect(one({ field: `variables.${name}` }), name).toBeNull()
    }
  })

  it("take the same value for everybody", () => {
    expect(one({ value: "  ten percent " })).toBe("ten percent")
    expect(one({ value: " " })).toBeNull()
  })

  const fields = [
    { field: "name", is: "Asha Devi Rao" },
    { field: "first_name", is: "Asha Devi" },
    { field: "last_name", is: "Rao" },
    { field: "email", is: "asha@example.com" },
    { field: "company", is: "Rao & Sons" },
    { field: "phone", is: "+919876543210" },
    { field: "custom.city", is: "Pune" },
    { field: "custom.street", is: null },
    { field: "variables.code", is: "X1" }
  ]
  for (const { field, is } of fields) {
    it(`take ${field} from what is known of the person: ${is ?? "nothing"}`, () => {
      expect(one({ field }, { variables: { code: "X1" } })).toBe(is)
      expect(one({ field, fallback: "friend" }, { variables: { code: "X1" } })).toBe(is ?? "friend")
    })
  }

  it("take the number of the contact before that of the address book", () => {
    expect(one({ field: "phone" }, { phone: "98765 43210" })).toBe("98765 43210")
  })

  const blanks = [null, "", "   ", "\n\t"]
  for (const blank of blanks) {
    it(`take the fallback where the field is ${JSON.stringify(blank)}, and are missing without one`, () => {
      const book = { ...asha, email: blank }
      expect(one({ field: "email", fallback: "none@example.com" }, {}, book)).toBe("none@example.com")
      expect(one({ field: "email" }, {}, book)).toBeNull()
      expect(one({ field: "email", fallback: blank }, {}, book)).toBeNull()
    })
  }

  it("take the fallback of the header's file where a contact's is no file", () => {
    const parameters = { "header.media": { field: "variables.file", fallback: "https://example.com/a.jpg" } }
    const fileOf = (file: string) => filled(withMedia, parameters, { ...nobody, variables: { file } }, null)
    expect(fileOf("a.jpg")).toEqual({ _tag: "Filled", values: { "header.media": "https://example.com/a.jpg" } })
    expect(fileOf("42")).toEqual({ _tag: "Filled", values: { "header.media": "42" } })
  })
})

describe("the names of a person", () => {
  const namesOf = (name: string | null, book: BookEntry | null) => {
    const parameters = {
      "body.1": { field: "name", fallback: "-" },
      "body.2": { field: "first_name", fallback: "-" },
      "body.3": { field: "last_name", fallback: "-" }
    }
    const result = filled(bodyOnly("1", "2", "3"), parameters, { ...nobody, name }, book)
    return result._tag === "Filled" ? Object.values(result.values) : []
  }
  const book = (name: string | null, firstName: string | null, lastName: string | null) => ({
    ...asha,
    name,
    firstName,
    lastName
  })

  const cases: ReadonlyArray<readonly [string, string | null, BookEntry | null, ReadonlyArray<string>]> = [
    ["one word is the first name", "Asha", null, ["Asha", "Asha", "-"]],
    ["what follows the first word is the last name", " Asha  Devi\tRao ", null, ["Asha  Devi Rao", "Asha", "Devi Rao"]],
    ["nothing is known", null, null, ["-", "-", "-"]],
    ["the address book is asked where the contact has none", " ", asha, ["Asha Devi Rao", "Asha Devi", "Rao"]],
    ["the contact's own counts as a whole", "Ravi", asha, ["Ravi", "Ravi", "-"]],
    ["the address book knows the parts of the same name", "Asha Devi Rao", asha, ["Asha Devi Rao", "Asha Devi", "Rao"]],
    ["the address book has the whole name alone", null, book("Asha Rao", null, null), ["Asha Rao", "Asha", "Rao"]],
    ["the address book has the parts alone", null, book(null, "Asha", "Rao"), ["Asha Rao", "Asha", "Rao"]],
    ["the address book has the first name alone", null, book(" ", "Asha", ""), ["Asha", "Asha", "-"]],
    [
      "the address book lacks the last name",
      null,
      book("Asha Devi Rao", "Asha Devi", null),
      ["Asha Devi Rao", "Asha Devi", "Rao"]
    ],
    ["the address book lacks the first name", null, book("Asha Rao", null, "Rao"), ["Asha Rao", "Asha", "Rao"]]
  ]
  for (const [why, name, known, expected] of cases) {
    it(`are read so: ${why}`, () => {
      expect(namesOf(name, known)).toEqual(expected)
    })
  }
})

describe("a value", () => {
  const cases = [
    { given: "  a  ", is: "a" },
    { given: "a\nb\tc", is: "a b c" },
    { given: "a\r\nb", is: "a b" },
    { given: "a\u2028b", is: "a b" },
    { given: "a    b", is: "a    b" },
    { given: "a     b", is: "a    b" },
    { given: "a\n\n\n\n\n\nb", is: "a    b" },
    { given: "a   \n  \tb          c", is: "a    b    c" },
    { given: 'ünïcödé 😀 {{1}} "quoted"', is: 'ünïcödé 😀 {{1}} "quoted"' }
  ]
  for (const { given, is } of cases) {
    it(`is sent as ${JSON.stringify(is)} where it is written as ${JSON.stringify(given)}`, () => {
      expect(one({ value: given })).toBe(is)
    })
  }

  const hostile = fc.oneof(
    unicodeText({ maxLength: 40 }),
    fc.constantFrom(
      "{{2}}",
      "{{name}}",
      "$&",
      "$1",
      '"},{"type":"text","text":"x"}',
      "</body>",
      "\u0000",
      "__proto__",
      "a\n\n\n\n\n\nb",
      "body.9",
      "https://example.com"
    ),
    fc
      .array(fc.constantFrom(" ", "\t", "\n", "\r", "\u2029", "a", "{{1}}"), { maxLength: 30 })
      .map((all) => all.join(""))
  )
  const keys = fc.oneof(fc.constantFrom("name", "2", "header.1", "buttons.0", "body.9", "__proto__", "footer"), hostile)

  it("fills the template's own places alone, is cleaned once and for all, and makes nothing else, whatever it says", () => {
    const addresses = addressesOf(shape).map(({ address }) => address)
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, hostile), { maxLength: 12 }), hostile, (given, fixed) => {
        const variables = { name: "Asha", "header.1": "7", "buttons.0": "abc", ...Object.fromEntries(given) }
        const parameters = { "body.2": { value: fixed }, "body.9": { value: fixed }, "header.media": { value: fixed } }
        const result = filled(shape, parameters, { ...nobody, variables }, null)
        if (result._tag === "Missing") expect(addresses).toContain(result.address)
        for (const [address, value] of Object.entries(result._tag === "Filled" ? result.values : {})) {
          expect(addresses).toContain(address)
          expect(value).not.toMatch(/[\n\r\t\u2028\u2029]| {5}|^\s|\s$|^$/)
          expect(one({ value })).toBe(value)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("stands in the text as it is, and as many lines are there as the template has", () => {
    fc.assert(
      fc.property(hostile, hostile, (name, order) => {
        const contact = { ...nobody, variables: { name, "2": "a pen", "header.1": order, "buttons.0": "x" } }
        const result = filled(shape, {}, contact, null)
        if (result._tag === "Missing") return
        const { values } = result
        expect(renderedText(shape, values).split("\n")).toEqual([
          `Order ${values["header.1"]}`,
          `Dear ${values["body.name"]}, a pen is on its way. ${values["body.name"]}!`,
          "Reply STOP to opt out",
          "Track",
          "Call me",
          "Call us"
        ])
      })
    )
  })

  it("is not all of a message: parts that say nothing are left out of the text", () => {
    expect(renderedText(withMedia, { "header.media": "42" })).toBe("")
    const bare = {
      ...bodyOnly("1"),
      footer: " ",
      buttons: [{ index: 0, kind: "url", title: "", value: "none" as const }]
    }
    expect(renderedText(bare, { "body.1": "Hello" })).toBe("Hello")
  })
})
