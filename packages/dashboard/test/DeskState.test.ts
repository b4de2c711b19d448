/** What stands on the preview desk after each answer of the server. */
import type { CampaignContact, PreviewContact } from "@trunkline/client"
import { describe, expect, it } from "vitest"
import {
  awaitsCall,
  type Desk,
  emptyDesk,
  isUnsaved,
  nameOf,
  nextToStore,
  standingOf,
  withCalls,
  withNext,
  withStored
} from "../pages/preview/DeskState.ts"

const contact = (id: string, more: Partial<CampaignContact> = {}): CampaignContact => ({
  ...{ id, phone: `+4930${id}`, name: `Person ${id}`, status: "pending", attempts: 0, next_attempt_at: null },
  ...{ last_error: null, call_id: null, approved_by: null, approved_at: null, created_at: "2026-11-30T11:00:00Z" },
  ...{ outcome: null, held_by: null, held_until: null },
  ...more
})

const shown = (id: string, more: Partial<CampaignContact> = {}): PreviewContact => ({
  ...{ contact: contact(id, more), suppressed: false, crm: null, calls: [], conversation_id: null },
  held_until: "2026-11-30T11:02:00Z"
})

const call = (id: string, contactId: string) => ({ id, contact_id: contactId })

const approved = (desk: Desk, more: Partial<Desk> = {}): Desk => ({ ...desk, step: "approved", ...more })

// Verifies: B-404, B-405.
describe("the preview desk", () => {
  it("keeps what was typed about a contact that is shown again, and nothing for another one", () => {
    const first = { ...withNext(emptyDesk, shown("1")), note: "after five" }
    expect(withNext(first, shown("1")).note).toBe("after five")
    expect(withNext(first, shown("2"))).toMatchObject({ step: "waiting", note: "", earlier: [] })
    expect(withNext(first, null)).toMatchObject({ step: "nobody", shown: null })
  })

  it("finds the call of an approval, and not the one that the contact had before", () => {
    const desk = approved(withNext(emptyDesk, shown("1", { call_id: "old" })))
    expect(awaitsCall(desk)).toBe(true)
    expect(withCalls(desk, [call("old", "1"), call("other", "2")])).toBe(desk)
    const found = withCalls(desk, [call("new", "1"), call("old", "1")])
    expect(found.callId).toBe("new")
    expect(awaitsCall(found)).toBe(false)
  })

  it("stores what was noted of a call that had not begun, once it has", () => {
    const desk = approved(withNext(emptyDesk, shown("1")), { outcome: "Call back", note: "after five" })
    const next = withNext(desk, shown("2"))
    expect(nextToStore(next)).toBe(null)
    expect(awaitsCall(next)).toBe(true)
    const found = withCalls(next, [call("a", "1")])
    expect(nextToStore(found)).toMatchObject({ callId: "a", outcome: "Call back", note: "after five" })
    const stored = withStored(found, "a", { outcome: "Call back", note: "after five" })
    expect(nextToStore(stored)).toBe(null)
    expect(stored.earlier).toEqual([expect.objectContaining({ callId: "a", name: "Person 1", isStored: true })])
  })

  it("does not take for stored what was changed while it was on its way", () => {
    const desk = approved(withNext(emptyDesk, shown("1")), { callId: "a", outcome: "Other", note: "more" })
    expect(isUnsaved(withStored(desk, "a", { outcome: "Other", note: "" }))).toBe(true)
    expect(isUnsaved(withStored(desk, "a", { outcome: "Other", note: "more" }))).toBe(false)
  })

  it("shows the last calls that are done with, and never drops one that waits", () => {
    let desk = withNext(emptyDesk, shown("0"))
    for (let nth = 1; nth <= 9; nth++)
      desk = withNext(approved(desk, { callId: nth === 2 ? null : `call ${nth}` }), shown(String(nth)))
    expect(desk.earlier.map(({ contactId }) => contactId)).toEqual(["8", "7", "6", "5", "1"])
  })

  it("has the name of the campaign's list, else that of the address book, else none", () => {
    const crm = { first_name: "Asha", last_name: "Rao", name: null } as NonNullable<PreviewContact["crm"]>
    expect(nameOf(shown("1"))).toBe("Person 1")
    expect(nameOf({ ...shown("1", { name: " " }), crm })).toBe("Asha Rao")
    expect(nameOf(shown("1", { name: null }))).toBe(null)
  })

  it("knows by the row of a contact whether it waits, and who has it", () => {
    const held_by = { subject: "ben", name: "Ben" }
    expect(standingOf(contact("1"), "anna")).toEqual({ tag: "free" })
    expect(standingOf(contact("1", { held_by }), "ben")).toEqual({ tag: "free" })
    expect(standingOf(contact("1", { held_by }), "anna")).toEqual({ tag: "held", who: "Ben" })
    const done = { status: "calling", approved_at: "2026-11-30T11:00:00Z", approved_by: "user:anna" } as const
    expect(standingOf(contact("1", done), "anna")).toEqual({ tag: "own" })
    expect(standingOf(contact("1", done), "ben")).toEqual({ tag: "gone", status: "calling" })
    expect(standingOf(undefined, "anna")).toEqual({ tag: "removed" })
  })
})
