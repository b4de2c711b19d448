/** Preview mode: docs/reference/campaigns.md#preview. Verifies: CAMP-5. */
import { CampaignContacts, Ids } from "@trunkline/core/effect"
import { describe, expect } from "vitest"
import { scenario } from "../calls/Scenarios.ts"

const [a, b, c] = ["+14155550101", "+14155550102", "+14155550103"]

describe("preview mode", () => {
  // Verifies: C-47, C-147, D-67.
  scenario("dials nobody whom no person has approved", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview" }, [a, b])
    yield* stage.wait(600_000)
    expect(stage.dialed).toEqual([])
    const approved = yield* stage.approve(id, b)
    expect(approved).toMatchObject({ phone: b, status: "approved", attempts: 0, nextAttemptAt: null })
    yield* stage.rest
    expect(stage.dialed).toEqual([b])
    yield* stage.wait(600_000)
    expect(stage.dialed).toEqual([b])
  })

  // Verifies: C-47, C-147, D-64.
  scenario("dials in the order of approval, one at a time and without a pace", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview", paceSeconds: 3600 }, [a, b, c])
    for (const phone of [c, a, b]) {
      yield* stage.approve(id, phone)
      yield* stage.wait(1)
    }
    expect(stage.dialed).toEqual([c])
    yield* stage.completeCall(c, 30)
    expect(stage.dialed).toEqual([c, a])
    yield* stage.end(a, "busy")
    expect(stage.dialed).toEqual([c, a, b])
  })

  scenario("dials approvals of one instant in the order of the list", function* (stage) {
    const id = yield* stage.draft({ dialMode: "preview" }, [a, b, c])
    for (const phone of [c, b, a]) yield* stage.approve(id, phone)
    yield* stage.move(id, "scheduled")
    yield* stage.move(id, "running")
    yield* stage.rest
    expect(stage.dialed).toEqual([a])
  })

  // Verifies: D-65.
  scenario("accepts approvals in every status that is not final, and dials only while running", function* (stage) {
    const id = yield* stage.draft({ dialMode: "preview" }, [a, b, c])
    yield* stage.approve(id, a)
    yield* stage.move(id, "scheduled")
    yield* stage.approve(id, b)
    yield* stage.wait(60_000)
    expect(stage.dialed).toEqual([])
    yield* stage.move(id, "paused")
    yield* stage.approve(id, c)
    yield* stage.wait(60_000)
    expect(stage.dialed).toEqual([])
    yield* stage.move(id, "running")
    yield* stage.rest
    expect(stage.dialed).toEqual([a])
  })

  // Verifies: D-66.
  scenario("lets one approval cover the contact's retries", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview" }, [a, b])
    yield* stage.approve(id, a)
    yield* stage.rest
    yield* stage.end(a, "busy")
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1, lastError: "busy" })
    expect(yield* stage.fails(stage.approve(id, a))).toMatchObject({ _tag: "NotWaiting" })
    yield* stage.wait(15 * 60_000)
    expect(stage.dialed).toEqual([a, a])
    yield* stage.end(a, "no_answer")
    yield* stage.wait(30 * 60_000)
    expect(stage.dialed).toEqual([a, a, a])
    yield* stage.end(a, "no_answer")
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "failed", attempts: 3, lastError: "no_answer" })
  })

  scenario("honours window, suppression and attempts as the other modes do", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview", quietHoursStart: 9, quietHoursEnd: 10, maxAttempts: 1 }, [
      a,
      b
    ])
    yield* stage.approve(id, a)
    yield* stage.approve(id, b)
    yield* stage.suppress(b)
    yield* stage.waitUntil("2026-11-21T08:59:59.999Z")
    expect(stage.dialed).toEqual([])
    yield* stage.wait(1)
    expect(stage.dialed).toEqual([a])
    yield* stage.end(a, "busy")
    expect((yield* stage.contacts(id)).map(({ attempts, lastError, status }) => [status, attempts, lastError])).toEqual(
      [
        ["failed", 1, "busy"],
        ["failed", 0, "do_not_call"]
      ]
    )
  })

  // Verifies: C-145, D-12.
  scenario("refuses to approve somebody twice, or while called, or when all is over for them", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview", maxAttempts: 1 }, [a, b])
    yield* stage.approve(id, a)
    expect(yield* stage.fails(stage.approve(id, a))).toMatchObject({ _tag: "NotWaiting", status: "approved" })
    yield* stage.rest
    expect(yield* stage.fails(stage.approve(id, a))).toMatchObject({ _tag: "NotWaiting", status: "calling" })
    yield* stage.completeCall(a, 5)
    expect(yield* stage.fails(stage.approve(id, a))).toMatchObject({ _tag: "NotWaiting", status: "done" })
    yield* stage.approve(id, b)
    yield* stage.rest
    yield* stage.end(b, "busy")
    // That was the last one: the campaign is completed, too.
    expect(yield* stage.fails(stage.approve(id, b))).toMatchObject({ _tag: "CampaignEnded" })
  })

  // Verifies: C-144.
  scenario("refuses to approve outside preview mode and on a campaign that has ended", function* (stage) {
    const power = yield* stage.running({ dialMode: "power" }, [a])
    expect(yield* stage.fails(stage.approve(power, a))).toMatchObject({ _tag: "NotPreview" })
    const cancelled = yield* stage.draft({ dialMode: "preview" }, [a])
    yield* stage.move(cancelled, "cancelled")
    expect(yield* stage.fails(stage.approve(cancelled, a))).toMatchObject({ _tag: "CampaignEnded" })
    expect(yield* stage.contact(cancelled, a)).toMatchObject({ status: "pending" })
  })

  // Verifies: C-146, C-173.
  scenario("knows no contact of another campaign, whatever mode that is in", function* (stage) {
    const one = yield* stage.running({ dialMode: "preview" }, [a])
    const other = yield* stage.running({ dialMode: "preview" }, [b])
    const { id } = yield* stage.contact(other, b)
    const approving = (campaign: Ids.CampaignId, contact: Ids.ContactId) =>
      stage.fails(
        CampaignContacts.use((contacts) =>
          contacts.approve(stage.tenant, campaign, contact, { id: "user:anna", name: "Anna" })
        )
      )
    expect(yield* approving(one, id)).toMatchObject({ _tag: "ContactNotFound" })
    expect(yield* approving(one, Ids.as("01936f00-0000-7000-8000-0000000000ff"))).toMatchObject({
      _tag: "ContactNotFound"
    })
  })

  // Verifies: D-52.
  scenario("goes on running while somebody waits for approval", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview" }, [a, b])
    yield* stage.approve(id, a)
    yield* stage.rest
    yield* stage.completeCall(a, 5)
    yield* stage.wait(24 * 3_600_000)
    expect(yield* stage.campaign(id)).toMatchObject({ status: "running", completedContacts: 1 })
    yield* stage.approve(id, b)
    yield* stage.rest
    yield* stage.completeCall(b, 5)
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", completedContacts: 2 })
  })
})

describe("a change of mode", () => {
  // Verifies: D-19.
  scenario("out of preview dials approved contacts like pending ones, in the order of the list", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview", paceSeconds: 5 }, [a, b, c])
    yield* stage.wait(1000)
    yield* stage.move(id, "paused")
    yield* stage.approve(id, c)
    yield* stage.change(id, { dialMode: "power" })
    yield* stage.move(id, "running")
    for (const phone of [a, b, c]) {
      yield* stage.wait(5_000)
      yield* stage.completeCall(phone, 1)
    }
    expect(stage.dialed).toEqual([a, b, c])
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", completedContacts: 3 })
  })

  scenario(
    "into preview leaves everybody waiting who was not approved, retries that are due among them",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "power", paceSeconds: 5 }, [a, b])
      yield* stage.rest
      yield* stage.end(a, "busy")
      yield* stage.change(id, { dialMode: "preview" })
      yield* stage.wait(3_600_000)
      expect(stage.dialed).toEqual([a])
      expect((yield* stage.live(id)).awaitingApproval.map(({ phone }) => phone)).toEqual([b, a])
      yield* stage.approve(id, a)
      yield* stage.rest
      expect(stage.dialed).toEqual([a, a])
    }
  )

  scenario(
    "into preview does not hurry a retry: its approval remains, and it is dialed when it is due",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "power", paceSeconds: 5 }, [a, b])
      yield* stage.rest
      yield* stage.end(a, "busy")
      yield* stage.change(id, { dialMode: "preview" })
      yield* stage.approve(id, a)
      yield* stage.wait(15 * 60_000 - 1)
      expect(stage.dialed).toEqual([a])
      yield* stage.wait(1)
      expect(stage.dialed).toEqual([a, a])
    }
  )
})
