/** How many things an account may have: the table, its page, and the sentences of refusals. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { snakeName } from "../../../src/platform/kernel/Wire.ts"
import {
  type AccountLimit,
  accountLimitNames,
  accountLimits,
  accountLimitsOf,
  LimitReached
} from "../../../src/platform/storage/index.ts"

const page = readFileSync(new URL("../../../../../docs/reference/plans.md", import.meta.url), "utf8")

/** The cells of each row below a heading. */
const rowsBelow = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, after = ""] = page.split(`\n## ${heading}\n`)
  const [section = ""] = after.split("\n## ")
  const lines = section.split("\n").filter((line) => line.startsWith("|"))
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}

describe("the numbers of an account", () => {
  it("are what docs/reference/plans.md lists, row by row and in its order", () => {
    expect(rowsBelow("Numbers")).toEqual(
      accountLimitNames.map((name) => {
        const { owner, standard, things }: AccountLimit = accountLimits[name]
        return [things, owner, standard.toLocaleString("en-US"), `\`limits.${snakeName(name)}\``]
      })
    )
  })

  it("are those that are configured, null for none, and otherwise the standard", () => {
    expect(accountLimitsOf({ agents: 7, campaigns: null })).toEqual({
      ...Object.fromEntries(accountLimitNames.map((name) => [name, accountLimits[name].standard])),
      ...{ agents: 7, campaigns: null }
    })
  })

  it.each(accountLimitNames)("of %s are named in its refusal, with what to do", (name) => {
    const { advice, things }: AccountLimit = accountLimits[name]
    const { message } = new LimitReached({ name, max: 12, fits: 0 })
    expect(message).toContain(`12 ${things} already: ${advice}`)
    expect(new LimitReached({ name, max: 12, fits: 4 }).message).toContain("there is room for 4 more")
  })
})
