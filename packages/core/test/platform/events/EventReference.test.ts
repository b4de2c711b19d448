/** The event reference is made from the catalogue: docs/reference/events-reference.md. */

import { describe, expect, it } from "vitest"
import { emailEvents, platformEvents } from "./AllEvents.ts"
import { eventReference } from "./EventReference.ts"
import { strictly } from "./StrictEvents.ts"

const page = eventReference()

const exampleOf = (name: string) => {
  const section = page.slice(page.indexOf(`\n### ${name}\n`))
  return JSON.parse(section.slice(section.indexOf("```json\n") + 8, section.indexOf("\n```\n")))
}

describe("the event reference", () => {
  it("is the committed one; `vitest run EventReference.test.ts --update` writes it anew", async () => {
    await expect(page).toMatchFileSnapshot("../../../../../docs/reference/events-reference.md")
  })

  // Verifies: E-51.
  it("shows of every event a body that is one", () => {
    for (const name of platformEvents) {
      const { data, ...around } = exampleOf(name)
      expect(around).toEqual({ event: name, timestamp: expect.stringMatching(/\+00:00$/) })
      expect(strictly(name, data)).toEqual([])
    }
    for (const name of emailEvents) {
      const { data, ...around } = exampleOf(name)
      expect(around).toEqual({ type: name, created_at: expect.stringMatching(/Z$/) })
      expect(strictly(name, data)).toEqual([])
    }
  })
})
