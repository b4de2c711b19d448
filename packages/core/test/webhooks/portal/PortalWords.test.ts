/** The installation's own texts of the portal page, and the list of all texts on its page: docs/reference/webhooks-portal.md#words. */
import { readFileSync } from "node:fs"
import { english } from "@trunkline/portal/words"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wordFaults } from "../../../src/platform/brand/index.ts"
import { languageOf, portalWords } from "../../../src/webhooks/portal/index.ts"

const messagesOf = (words: Readonly<Record<string, string>>) =>
  wordFaults(words, portalWords).map(({ key, message }) => `${key} ${message}`)

// Verifies: E-70.
describe("the words of the portal", () => {
  it("may replace every text, in every order of its placeholders", () => {
    expect(messagesOf(english)).toEqual([])
    const reversed = Object.entries(english).map(([key, text]) => [
      key,
      text
        .split(/(\{\w+\})/)
        .reverse()
        .join("")
    ])
    expect(messagesOf(Object.fromEntries(reversed))).toEqual([])
  })

  it("may have the plural forms of their own language, with the placeholders of the general form", () => {
    const forms = {
      "events.found.few": "{count} події",
      "events.found.many": "{count} подій",
      "events.found.zero": "0"
    }
    expect(messagesOf(forms)).toEqual([
      'events.found.zero must have {count}, as its English text has: "{count} events found."'
    ])
    expect(messagesOf({ "list.hint.few": "x" })[0]).toMatch(/^list\.hint\.few is no key of a text/)
  })

  it("are refused under a key that is none, and the nearest one is named", () => {
    expect(messagesOf({ "action.pauze": "Anhalten", "Ganz anders und weit weg": "x", constructor: "x" })).toEqual([
      "action.pauze is no key of a text: did you mean action.pause?",
      "Ganz anders und weit weg is no key of a text: docs/reference/webhooks-portal.md#words lists all keys",
      "constructor is no key of a text: docs/reference/webhooks-portal.md#words lists all keys"
    ])
  })

  it("are refused where they are empty, lack a placeholder of their English text, or have another one", () => {
    expect(messagesOf({ "action.edit": " ", "list.newest": "{count} von {gesamt}" })).toEqual([
      "action.edit must be a text that is not empty",
      'list.newest must have {total}, as its English text has: "The newest {count} of {total} are shown."',
      'list.newest must not have {gesamt}, which its English text does not have: "The newest {count} of {total} are shown."'
    ])
  })

  it("are checked whatever they are: a text is right exactly when it has the placeholders of its English text", () => {
    const parts = fc.array(fc.constantFrom("{count}", "{total}", "{other}", "x", " ", "{", "}"), { maxLength: 8 })
    fc.assert(
      fc.property(parts, (given) => {
        const text = given.join("")
        const named = new Set(text.match(/\{\w+\}/g))
        const isRight = named.size === 2 && named.has("{count}") && named.has("{total}")
        expect(wordFaults({ "list.newest": text }, portalWords).length === 0).toBe(isRight)
      })
    )
  })

  it("have a general form for every text about a number", () => {
    const ones = Object.keys(english).filter((key) => key.endsWith(".one"))
    expect(ones.length).toBeGreaterThan(3)
    expect(ones.filter((key) => !(key.replace(/one$/, "other") in english))).toEqual([])
  })

  it("have a language tag, which is brought into its usual spelling", () => {
    const tags = ["de", "DE-at", "pt-br", "zh-hant-tw", "", "de_DE", "d", 'de" onload="x', "de; x"]
    expect(tags.map(languageOf)).toEqual(["de", "de-AT", "pt-BR", "zh-Hant-TW", null, null, null, null, null])
  })
})

const start = "<!-- The list is made from the catalogue: `vitest run PortalWords.test.ts --update`. -->\n"

describe("the page about the portal", () => {
  it("lists every text; `vitest run PortalWords.test.ts --update` writes the list anew", async () => {
    const file = "../../../../../docs/reference/webhooks-portal.md"
    const page = readFileSync(new URL(file, import.meta.url), "utf8")
    const rows = Object.entries(english).map(([key, text]) => `| \`${key}\` | ${text} |\n`)
    const list = `\n| Key | English text |\n|---|---|\n${rows.join("")}`
    const [before, after] = page.split(start)
    expect(after).toBeDefined()
    await expect(`${before}${start}${list}`).toMatchFileSnapshot(file)
  })

  it("has an example whose words are right", () => {
    const page = readFileSync(new URL("../../../../../docs/reference/webhooks-portal.md", import.meta.url), "utf8")
    const example = /^ {6}words: (\{[\s\S]*?^ {6}\})/m.exec(page)?.[1] ?? ""
    const words = [...example.matchAll(/"([\w.]+)": "([^"]+)"/g)].map(([, key = "", text = ""]) => [key, text])
    expect(words.length).toBeGreaterThan(3)
    expect(messagesOf(Object.fromEntries(words))).toEqual([])
  })
})
