/** What refuses the start of a campaign: docs/reference/template-campaigns.md#start. */
import { describe, expect, it } from "vitest"
import {
  type StartSituation,
  startFaultCodes,
  startFaults
} from "../../../src/messaging/template-campaigns/StartCheck.ts"

const shape = {
  header: null,
  body: { text: "Hello", places: [] },
  footer: null,
  buttons: [],
  unsupported: null,
  hasExamples: true
}
const template = { status: "APPROVED", category: "MARKETING", shape }
const ready: StartSituation = { contacts: 1, template, requireOptIn: true, isNumberConnected: true }
const codes = (situation: Partial<StartSituation>) => startFaults({ ...ready, ...situation }).map(({ code }) => code)

/** Each fault with what brings it about, and a word that its sentence has. */
const table: ReadonlyArray<readonly [string, Partial<StartSituation>, string]> = [
  ["no_contacts", { contacts: 0 }, "no contacts"],
  ["template_missing", { template: null }, "no template of this name"],
  ["template_not_approved", { template: { ...template, status: "PAUSED" } }, "PAUSED"],
  ["template_category", { template: { ...template, category: "AUTHENTICATION" } }, "AUTHENTICATION"],
  ["template_unsupported", { template: { ...template, shape: { ...shape, unsupported: "CAROUSEL" } } }, "CAROUSEL"],
  ["opt_in_required", { requireOptIn: false }, "require_opt_in"],
  ["number_disconnected", { isNumberConnected: false }, "not connected"]
]

describe("a campaign", () => {
  it("starts with contacts, an approved template and a connected number", () => {
    expect(startFaults(ready)).toEqual([])
    expect(codes({ template: { ...template, category: null } })).toEqual([])
  })

  for (const [code, situation, word] of table) {
    it(`does not start because of ${code} alone, with a sentence that says what to do`, () => {
      const [fault, ...others] = startFaults({ ...ready, ...situation })
      expect(fault).toMatchObject({ code })
      expect(fault?.message).toMatch(/^(The|A) .+: .+\.$/)
      expect(fault?.message).toContain(word)
      expect(others).toEqual([])
    })
  }

  it("has a test for every fault that is documented, in that order", () => {
    expect(table.map(([code]) => code)).toEqual(startFaultCodes)
  })

  it("reports all that is wrong with it, in one order", () => {
    const bad = { status: null, category: "AUTHENTICATION", shape: { ...shape, unsupported: "LIMITED_TIME_OFFER" } }
    expect(codes({ contacts: 0, template: bad, requireOptIn: false, isNumberConnected: false })).toEqual([
      "no_contacts",
      "template_not_approved",
      "template_category",
      "template_unsupported",
      "number_disconnected"
    ])
    expect(startFaults({ ...ready, template: { ...template, status: null } })[0]?.message).toContain("is unknown")
  })

  it("may go to people who have not agreed where its template is not of the category MARKETING", () => {
    for (const category of ["UTILITY", null]) {
      expect(codes({ template: { ...template, category }, requireOptIn: false })).toEqual([])
    }
  })

  it("whose template is missing has no other fault of the template", () => {
    expect(codes({ template: null, requireOptIn: false })).toEqual(["template_missing"])
  })
})
