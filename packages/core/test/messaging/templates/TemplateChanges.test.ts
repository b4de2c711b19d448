/** What reads and deliveries change of a template: docs/reference/messaging.md#known-templates. Verifies: TPL-1, TPL-2. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type * as Ids from "../../../src/messaging/MessagingIds.ts"
import { afterRead, afterReport, unknownTemplate } from "../../../src/messaging/templates/TemplateChanges.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const owner = { tenantId: "t" as Ids.AccountId, channel: "cloud-api", businessAccountId: "1" }
const at = Instant.make(1_000_000)
const unknown = unknownTemplate(owner, "5", at)

const status = (status: string, writtenAt: number | null) => ({
  id: "5",
  name: "welcome",
  language: "en",
  news: { _tag: "Status", status, reason: null, rejection: null, disableAt: null } as const,
  writtenAt: writtenAt === null ? null : Instant.make(writtenAt)
})

const facts = (over: object = {}) => ({
  id: "5",
  name: "welcome",
  language: "en",
  status: "APPROVED",
  category: "UTILITY",
  quality: null,
  components: [{ type: "BODY", text: "Hello" }],
  ...over
})

describe("a template", () => {
  it("that is read for the first time has not changed", () => {
    assert.deepStrictEqual(afterRead(unknown, facts(), at)?.changes, [])
  })

  it("that is read again without a change stays as it was", () => {
    const known = afterRead(unknown, facts(), at)!.template
    assert.isNull(afterRead(known, facts(), Instant.plus(at, 1)))
    assert.isNull(afterRead(known, facts({ components: null, status: null }), Instant.plus(at, 1)))
  })

  it("changes by what a read says otherwise", () => {
    const known = afterRead(unknown, facts(), at)!.template
    const read = facts({ status: "PAUSED", category: "MARKETING", components: [{ type: "BODY", text: "Bye" }] })
    const changed = afterRead(known, read, at)
    assert.deepStrictEqual(changed?.changes, ["status", "category", "components"])
    assert.strictEqual(changed?.previousStatus, "APPROVED")
  })

  it("whose words were reported as changed makes no second event of them", () => {
    const known = afterRead(unknown, facts(), at)!.template
    const reported = afterReport(known, { ...status("", 1), news: { _tag: "Components" } }, at)!
    assert.deepStrictEqual([reported.changes, reported.template.readDueAt], [["components"], at])
    assert.deepStrictEqual(afterRead(reported.template, facts({ components: [] }), at)?.changes, [])
  })

  it("is not changed by a delivery that was written earlier, and is by one of the same second", () => {
    const known = afterReport(unknown, status("APPROVED", 2000), at)!.template
    assert.isNull(afterReport(known, status("PAUSED", 1000), at))
    assert.deepStrictEqual(afterReport(known, status("PAUSED", 2000), at)?.changes, ["status"])
    assert.deepStrictEqual(afterReport(known, status("PAUSED", null), at)?.changes, ["status"])
  })

  it("ends with the delivery that was written last, in whatever order they come", () => {
    const times = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(times, (order) => {
        const end = order.reduce(
          (known, time) => afterReport(known, status(`S${time}`, time * 1000), at)?.template ?? known,
          unknown
        )
        assert.strictEqual(end.status, `S${Math.max(...order)}`)
      })
    )
  })
})
