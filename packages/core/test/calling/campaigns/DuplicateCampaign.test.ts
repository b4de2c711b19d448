/** The name of a duplicate. */
import { describe, expect, it } from "vitest"
import { copyName } from "../../../src/calling/campaigns/DuplicateCampaign.ts"

describe("the name of a duplicate", () => {
  it("says that it is a copy", () => {
    expect(copyName("Autumn")).toBe("Autumn (copy)")
  })

  it("has at most 255 code points, and no half of one", () => {
    expect([...copyName("😀".repeat(255))]).toHaveLength(255)
    expect(copyName("x".repeat(250))).toBe(`${"x".repeat(250)} (cop`)
  })
})
