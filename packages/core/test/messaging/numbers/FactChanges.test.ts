/** What reads and deliveries change of what is known of a number: docs/reference/messaging.md#number-facts. Verifies: NUM-1. */
import { assert, describe, it } from "@effect/vitest"
import { nothingKnown } from "../../../src/messaging/channels/index.ts"
import { afterRead, afterReport } from "../../../src/messaging/numbers/FactChanges.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make(5000)
const { checkedAt: _, restriction: __, ...noFacts } = nothingKnown
const read = { ...noFacts, displayPhoneNumber: null }
const limit = { tier: "TIER_2K", perDay: 2000 }
const restriction = { type: "RESTRICTED_BIZ_INITIATED_MESSAGING", until: null }

describe("a read of a number", () => {
  it("is no change where nothing was known", () => {
    const first = afterRead(null, { ...read, qualityRating: "RED", verifiedName: "A", messagingLimit: limit }, at)
    assert.deepStrictEqual(first.changes, [])
    assert.deepInclude(first.facts, { qualityRating: "RED", checkedAt: at } as never)
  })

  it("changes what it says otherwise, once for each thing that receivers hear of", () => {
    const known = afterRead(
      null,
      { ...read, qualityRating: "GREEN", verifiedName: "A", nameStatus: "APPROVED" },
      at
    ).facts
    const next = { ...read, qualityRating: "RED", verifiedName: "B", nameStatus: "PENDING", status: "BANNED" } as const
    assert.deepStrictEqual(afterRead(known, next, at).changes, ["quality", "display_name"])
  })

  it("keeps the limit that it does not name, and every restriction", () => {
    const known = { ...nothingKnown, messagingLimit: limit, restriction }
    const { changes, facts } = afterRead(known, read, at)
    assert.deepStrictEqual([facts.messagingLimit, facts.restriction, changes], [limit, restriction, []])
  })
})

describe("a delivery about a number", () => {
  it("is a change also where nothing was known, and none where it repeats what is known", () => {
    for (const [report, change] of [
      [{ _tag: "Limit", limit }, "messaging_limit"],
      [{ _tag: "Number", phone: "1", limit }, "messaging_limit"],
      [{ _tag: "NumberName", phone: "1", nameStatus: "DECLINED" }, "display_name"],
      [{ _tag: "Restriction", restriction }, "restriction"]
    ] as const) {
      const first = afterReport(null, report)
      assert.deepStrictEqual(first.changes, [change])
      assert.deepStrictEqual(afterReport(first.facts, report).changes, [])
    }
    assert.deepStrictEqual(afterReport(null, { _tag: "Number", phone: "1", limit: null }).changes, [])
  })
})
