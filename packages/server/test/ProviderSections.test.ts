/** What follows from a list of kinds of providers, shown with kinds that nobody has. Verifies: SERV-5. */
import { type ProviderKind, providerKind, Settings } from "@trunkline/core/provider"
import { describe, expect, it } from "vitest"
import { render } from "../src/ConfigFaults.ts"
import { allMade, chosenIn, entriesIn, faultsOf, made, type Part, presentIn } from "../src/ProviderSections.ts"

interface Options {
  readonly baseUrl: string
  readonly apiKey: string
  readonly playsTwice: boolean
}

/** A kind that makes of its options what it got. */
const kindOf = (name: string, options: ReadonlyArray<keyof Options>, refuses = {}): ProviderKind<unknown> =>
  providerKind<Options, unknown>({
    name,
    settings: Object.fromEntries(options.map((option) => [option, Settings.anything])),
    refuses,
    faultsOf: ({ baseUrl }) => (baseUrl === "" ? [{ path: ["baseUrl"], message: "must be where the server is" }] : []),
    make: async (given) => ({ name, given })
  })

const kinds = [
  kindOf("near", ["playsTwice"], { apiKey: "is for what is far away: remove it" }),
  kindOf("far", ["baseUrl", "apiKey"]),
  kindOf("farAway", ["baseUrl", "apiKey"])
]
const host = { log: () => undefined }
const lines = (part: Part<unknown>) => faultsOf(part).map(render)

describe("a kind of provider", () => {
  it("gets its own options alone, with secrets as texts", async () => {
    const apiKey = new Settings.SecretText("hunter2")
    const section = { provider: "far", far: { baseUrl: "x", apiKey, playsTwice: true }, near: {} }
    expect(await made(chosenIn(kinds, section, "calls"), host)).toEqual({
      name: "far",
      given: { baseUrl: "x", apiKey: "hunter2" }
    })
  })

  it("is the first one where a section names none, and needs no section of its own", async () => {
    expect(await made(chosenIn(kinds, {}, "calls"), host)).toEqual({ name: "near", given: {} })
  })

  it("is there where its section is, of kinds that stand beside each other", async () => {
    const parts = presentIn(kinds, { farAway: { baseUrl: "" } }, "chats")
    expect(parts.map(({ kind }) => kind.name)).toEqual(["farAway"])
    expect(lines(parts[0]!)).toEqual(["chats.far_away.base_url: must be where the server is"])
  })

  it("refuses the options of other kinds in its entry, in its own words where it has some", async () => {
    const entries = entriesIn(kinds, { a: { kind: "near", apiKey: "k", baseUrl: "x" } as never }, "models")
    expect(lines(entries.a!)).toEqual([
      "models.a.api_key: is for what is far away: remove it",
      'models.a.base_url: belongs to the kind "far" or "farAway": remove it'
    ])
  })

  it("is made of each entry that names it", async () => {
    const entries = entriesIn(kinds, { a: { kind: "near" }, b: { kind: "far", baseUrl: "x" } as never }, "models")
    expect(await allMade(entries, host)).toEqual({
      a: { name: "near", given: {} },
      b: { name: "far", given: { baseUrl: "x" } }
    })
    expect(await allMade(entriesIn(kinds, undefined, "models"), host)).toEqual({})
  })
})
