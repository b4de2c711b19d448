/** Whether an account may cause costs: docs/reference/credits.md#rule, row by row. */
import { type Account, Ids, Instant } from "@trunkline/core/effect"
import { describe, expect, it } from "vitest"
import { paymentNotice, spendingRefusal } from "../../../src/platform/accounts/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 21))
const day = (n: number) => Instant.plus(at, n * Instant.day)

const account: Account = {
  id: Ids.as("00000000-0000-7000-8000-000000000001"),
  name: "Account",
  plan: "free",
  status: "active",
  voiceCampaigns: false,
  paymentMethod: "verified",
  paymentDeadline: null,
  monthlyBudget: null,
  createdAt: at,
  updatedAt: at
}

describe("an account may spend", () => {
  it.each([
    [{}, 0, null],
    [{ status: "inactive" }, 0, "account_inactive"],
    [{ status: "terminated" }, 0, "account_terminated"],
    [{ status: "inactive", paymentMethod: "missing" }, 0, "account_inactive"],
    [{ paymentMethod: "missing" }, 0, "payment_method_required"],
    [{ paymentMethod: "missing", paymentDeadline: day(1) }, 0, "payment_method_required"],
    [{ paymentMethod: "grace" }, 1000, null],
    [{ paymentMethod: "grace", paymentDeadline: day(1) }, Instant.day - 1, null],
    [{ paymentMethod: "grace", paymentDeadline: day(1) }, Instant.day, "payment_method_required"]
  ] as const)("as %j after %s ms: refused for %s", (of, after, refusal) => {
    expect(spendingRefusal({ ...account, ...of }, Instant.plus(at, after))).toBe(refusal)
  })

  // Verifies: G-145, H-119.
  it("with a notice of the deadline in its grace period, and without one else", () => {
    const notice = (of: Partial<Account>) => paymentNotice({ ...account, ...of })
    expect(notice({ paymentMethod: "grace", paymentDeadline: day(10) })).toBe(
      "payment_method_required; deadline=2026-12-01T00:00:00.000Z"
    )
    expect(notice({ paymentMethod: "grace" })).toBe("payment_method_required")
    expect(notice({})).toBeNull()
    expect(notice({ paymentMethod: "missing", paymentDeadline: day(10) })).toBeNull()
  })
})
