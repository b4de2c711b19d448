/** What a campaign waits for: docs/reference/template-campaigns.md#waiting-for. */
import { describe, expect, it } from "vitest"
import {
  type CampaignSituation,
  sendingHold,
  sendingHoldReasons
} from "../../../src/messaging/template-campaigns/CampaignHold.ts"
import { templateCampaignStatuses } from "../../../src/messaging/template-campaigns/TemplateCampaign.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 22, 9, 30))
const after = (hours: number) => Instant.plus(at, hours * Instant.hour)
const running: CampaignSituation = {
  campaign: { status: "running", scheduledAt: null, maxPerDay: 100 },
  accountOpen: true,
  isOpen: true,
  opensAt: at,
  sentToday: 99,
  dayOpensAt: after(20),
  heldUntil: null,
  isLimitReached: false,
  limitFreeAt: after(3),
  due: 1,
  nextRetryAt: after(1),
  isRateTaken: false
}

/** Each reason with what brings it about and when it ends, in the order in which they are reported. */
const table: ReadonlyArray<{
  readonly reason: string
  readonly by: Partial<CampaignSituation>
  readonly until: Instant.Instant | null
}> = [
  { reason: "not_running", by: { campaign: { ...running.campaign, status: "paused" } }, until: null },
  { reason: "account", by: { accountOpen: false }, until: null },
  { reason: "window", by: { isOpen: false, opensAt: after(12) }, until: after(12) },
  { reason: "daily_limit", by: { sentToday: 100 }, until: after(20) },
  { reason: "platform", by: { heldUntil: after(0.1) }, until: after(0.1) },
  { reason: "messaging_limit", by: { isLimitReached: true }, until: after(3) },
  { reason: "nothing_due", by: { due: 0 }, until: after(1) },
  { reason: "rate", by: { isRateTaken: true }, until: null }
]

describe("a running campaign", () => {
  it("waits for nothing where its next message may go", () => {
    expect(sendingHold(running, at)).toBeNull()
  })

  table.forEach(({ by, reason, until }, nth) => {
    it(`waits for ${reason}, ${until === null ? "until something happens" : "until it ends by itself"}, whatever of what comes after it holds`, () => {
      expect(sendingHold({ ...running, ...by }, at)).toEqual({ reason, until })
      const rest = Object.assign({}, ...table.slice(nth + 1).map((later) => later.by))
      expect(sendingHold({ ...running, ...rest, ...by }, at)).toEqual({ reason, until })
    })
  })

  it("waits for every reason that is documented, in that order", () => {
    expect(table.map(({ reason }) => reason)).toEqual(sendingHoldReasons)
  })

  it("is never at its daily limit where it has none", () => {
    const campaign = { ...running.campaign, maxPerDay: null }
    expect(sendingHold({ ...running, campaign, sentToday: 1_000_000 }, at)).toBeNull()
  })

  it("goes on at the instant at which its number's wait ends", () => {
    const held = { ...running, heldUntil: after(1) }
    expect(sendingHold(held, after(1))).toBeNull()
    expect(sendingHold(held, Instant.plus(after(1), -1))?.reason).toBe("platform")
  })
})

describe("a campaign that is not running", () => {
  for (const status of templateCampaignStatuses.filter((one) => one !== "running")) {
    it(`waits for its start where it is ${status}${status === "scheduled" ? ", at its time" : ""}`, () => {
      const campaign = { ...running.campaign, status, scheduledAt: after(5) }
      expect(sendingHold({ ...running, campaign }, at)).toEqual({
        reason: "not_running",
        until: status === "scheduled" ? after(5) : null
      })
    })
  }
})
