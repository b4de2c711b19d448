/** Who may assign a conversation: docs/reference/messaging.md#assignment. */
import { describe, expect, it } from "vitest"
import { type Assigning, holderAgainst } from "../../../src/messaging/conversations/Assignment.ts"

const ada = { subject: "ada", name: "Ada" }
const ben = { subject: "ben", name: "Ben" }
const ofAda = { assignedTo: "ada", assignedName: "Ada" }
const free = { assignedTo: null, assignedName: null }

describe("a conversation", () => {
  // Verifies: B-506.
  it.each<[what: string, conversation: typeof ofAda | typeof free, assigning: Assigning, isRefused: boolean]>([
    ["that nobody has is taken", free, { to: ben, by: "ben", isForced: false }, false],
    ["that nobody has is assigned to somebody else", free, { to: ada, by: "ben", isForced: false }, false],
    ["of somebody else is not taken", ofAda, { to: ben, by: "ben", isForced: false }, true],
    [
      "of somebody else is not assigned to a third",
      ofAda,
      { to: { subject: "c", name: null }, by: "ben", isForced: false },
      true
    ],
    ["of somebody else is taken by force", ofAda, { to: ben, by: "ben", isForced: true }, false],
    ["of somebody else is returned to nobody", ofAda, { to: null, by: "ben", isForced: false }, false],
    ["stays with who has it", ofAda, { to: ada, by: "ben", isForced: false }, false],
    ["of one's own is passed on", ofAda, { to: ben, by: "ada", isForced: false }, false]
  ])("%s", (_, conversation, assigning, isRefused) => {
    expect(holderAgainst(conversation, assigning)).toEqual(isRefused ? ada : null)
  })
})
