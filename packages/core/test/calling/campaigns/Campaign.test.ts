/** Verifies: CAMP-1. */
import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as Campaign from "../../../src/calling/campaigns/Campaign.ts"
import { defaults, settings } from "../../../src/calling/campaigns/DialingSettings.ts"
import { Wire } from "../../../src/platform/kernel/index.ts"

type Status = Campaign.CampaignStatus

const statuses: ReadonlyArray<Status> = [
  "draft",
  "scheduled",
  "running",
  "paused",
  "insufficient_balance",
  "completed",
  "cancelled"
]

/** Columns in the order of `statuses`. `+` allowed, `S` allowed and announced as started, `C` as completed, `=` stays. */
const posted: Record<Status, string> = {
  draft: "=+----+",
  scheduled: "+=S+--+",
  running: "--=+-C+",
  paused: "-+S=--+",
  insufficient_balance: "--S+=-+",
  completed: "-----=-",
  cancelled: "------="
}

const shown = (result: Result.Result<Campaign.Move, Campaign.MoveRefused>): string =>
  Result.match(result, {
    onFailure: () => "-",
    onSuccess: (move) =>
      move._tag === "Stay"
        ? "="
        : { "campaign.started": "S", "campaign.completed": "C", none: "+" }[move.announce ?? "none"]
  })

describe("a status that a caller posts", () => {
  // Verifies: C-21.
  it("knows seven statuses", () => {
    expect(Campaign.CampaignStatus.literals).toEqual(statuses)
  })

  // Verifies: C-77, C-78, C-80, C-81, C-82, C-83, C-85, C-87, C-88, C-90, C-92, C-93, C-99, D-54.
  it.each(statuses.flatMap((from) => statuses.map((to, i) => [from, to, posted[from][i]!] as const)))(
    "from %s to %s comes to %s",
    (from, to, expected) => {
      const result = Campaign.move(from, to)
      expect(shown(result)).toBe(expected)
      if (Result.isSuccess(result) && result.success._tag === "Moved") expect(result.success.to).toBe(to)
    }
  )

  // Verifies: C-75.
  it("is refused in words that name both ends", () => {
    const refused = Campaign.move("draft", "running")
    if (Result.isSuccess(refused)) throw new Error("a draft ran directly")
    expect(refused.failure).toBeInstanceOf(Campaign.MoveRefused)
    expect(refused.failure).toMatchObject({ _tag: "MoveRefused", from: "draft", to: "running" })
    expect(refused.failure.message).toBe("A campaign cannot move from draft to running")
  })
})

describe("the service's own moves", () => {
  it.each([
    ["start", Campaign.start, "-S=----"],
    ["complete", Campaign.complete, "--C--=-"],
    ["run out of credits", Campaign.runOutOfCredits, "--+-=--"],
    ["halt", Campaign.halt, "--+=---"]
  ] as const)("%s is made from %s", (_, decide, expected) => {
    expect(statuses.map((from) => shown(decide(from))).join("")).toBe(expected)
  })

  it("lead where they say", () => {
    expect(Campaign.runOutOfCredits("running")).toEqual(
      Result.succeed({ _tag: "Moved", to: "insufficient_balance", announce: null })
    )
    expect(Campaign.halt("running")).toEqual(Result.succeed({ _tag: "Moved", to: "paused", announce: null }))
  })
})

describe("the table of moves", () => {
  // Verifies: C-74, C-97.
  it("names each pair of statuses once and never a status twice", () => {
    const pairs = Campaign.transitions.map((row) => `${row.from} ${row.to}`)
    expect(new Set(pairs).size).toBe(pairs.length)
    expect(Campaign.transitions.filter((row) => row.from === row.to || row.by.length === 0)).toEqual([])
  })

  // Verifies: C-94, C-95.
  it("ends in completed and cancelled alone", () => {
    expect(statuses.filter(Campaign.isTerminal)).toEqual(["completed", "cancelled"])
  })

  it("leaves every campaign that has not ended a way to its end", () => {
    for (const status of statuses.filter((one) => !Campaign.isTerminal(one))) {
      expect(shown(Campaign.move(status, "cancelled")), status).toBe("+")
    }
  })
})

describe("a campaign's fields", () => {
  it("accepts contacts while draft, scheduled or paused", () => {
    expect(statuses.filter(Campaign.acceptsContacts)).toEqual(["draft", "scheduled", "paused"])
  })

  it("has defaults within its bounds", () => {
    for (const [name, { default: standard, given }] of Object.entries(settings))
      expect(Schema.is(given as Schema.Codec<unknown>)(standard), name).toBe(true)
  })

  // Verifies: C-1, C-25, C-28, C-29, C-30, C-31, C-50.
  it("has the bounds and defaults that its reference lists", () => {
    expect(Campaign.bounds).toEqual({
      name: { minimum: 1, maximum: 255 },
      contactPhone: { minimum: 1, maximum: 64 },
      contactName: { minimum: 0, maximum: 255 },
      contactsAdded: { minimum: 0, maximum: 1000 }
    })
    expect(defaults).toMatchObject({
      timezone: "Asia/Kolkata",
      quietHoursStart: 9,
      quietHoursEnd: 21,
      maxAttempts: 3,
      dialMode: "power",
      paceSeconds: 30,
      parallelLines: 1,
      amdEnabled: false
    })
    for (const [name, one] of Object.entries(settings)) {
      const [, bounds, onCreate] = referenceRow(Wire.snakeName(name))
      expect(onCreate, `default of ${name}`).toBe(`${one.default}`)
      if ("bounds" in one) expect(bounds, name).toMatch(new RegExp(`^${one.bounds.minimum}–${one.bounds.maximum}`))
    }
  })

  it("is shown with every field of its reference, and no other", () => {
    expect(Object.keys(Campaign.CampaignRecord.schema.fields)).toEqual(referenceFields)
  })
})

const reference = readFileSync(new URL("../../../../../docs/reference/campaigns.md", import.meta.url), "utf8")
  .split("## Campaign\n")[1]!
  .split("\n\n- ")[0]!
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) =>
    line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim().replaceAll("`", ""))
  )

const referenceRow = (name: string) => reference.find(([field]) => field === name)?.slice(1) ?? []
const referenceFields = reference.flatMap(([field]) => field!.split(", "))
