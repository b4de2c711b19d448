/** What a campaign waits for, in the order in which it is asked: the rules themselves prove the order, two by two. */
import type { CampaignState } from "../../src/calling/campaigns/Campaign.ts"
import { type AdmissionForecast, HoldReason, holdReason, type Situation } from "../../src/calling/campaigns/DialPlan.ts"
import { Instant } from "../../src/platform/kernel/index.ts"
import { box, type Picture, path, words } from "./Drawing.ts"

/** Noon in UTC. */
const at = Date.UTC(2026, 10, 24, 12) as Instant.Instant

type Whole = Situation & AdmissionForecast

/** A campaign whose next call may start now. */
const ready: Whole = {
  campaign: {
    ...{ status: "running", scheduledAt: null, timezone: "UTC", quietHoursStart: 0, quietHoursEnd: 24 },
    ...{ dialMode: "power", paceSeconds: 30, lastDialAt: null, maxCallsPerDay: null, parallelLines: 1 }
  } as unknown as CampaignState, // the fields that rules read
  ...{ accountOpen: true, openCalls: 0, startedToday: 0, due: 1, pendingApproval: 0, nextRetryAt: null },
  ...{ maySpend: true, affordable: true, agentRefusal: null, carrierBusyUntil: null }
}

const withCampaign =
  (change: Partial<CampaignState>) =>
  (one: Whole): Whole => ({ ...one, campaign: { ...one.campaign, ...change } })

interface Obstacle {
  readonly reason: HoldReason
  readonly question: string
  readonly put: (one: Whole) => Whole
}

const obstacles: ReadonlyArray<Obstacle> = [
  { reason: "not_running", question: "Is the campaign running?", put: withCampaign({ status: "draft" }) },
  {
    reason: "account",
    question: "Is the account active, with calling on?",
    put: (one) => ({ ...one, accountOpen: false })
  },
  { reason: "account", question: "Has it a payment method?", put: (one) => ({ ...one, maySpend: false }) },
  {
    reason: "credits",
    question: "Is there credit and budget for a minute?",
    put: (one) => ({ ...one, affordable: false })
  },
  {
    reason: "not_running",
    question: "Was it resumed after it ran out?",
    put: withCampaign({ status: "insufficient_balance" })
  },
  {
    reason: "account",
    question: "Has the plan a conversation left?",
    put: (one) => ({ ...one, agentRefusal: "conversations" })
  },
  {
    reason: "provider",
    question: "Does the carrier accept a call now?",
    put: (one) => ({ ...one, carrierBusyUntil: Instant.plus(at, 60_000) })
  },
  {
    reason: "window",
    question: "Is it within calling hours?",
    put: withCampaign({ quietHoursStart: 1, quietHoursEnd: 2 })
  },
  {
    reason: "daily_limit",
    question: "May more calls start today?",
    put: (one) => ({ ...withCampaign({ maxCallsPerDay: 1 })(one), startedToday: 1 })
  },
  {
    reason: "approval",
    question: "Is anybody approved, in preview mode?",
    put: (one) => ({ ...withCampaign({ dialMode: "preview" })(one), due: 0, pendingApproval: 1 })
  },
  { reason: "lines", question: "Is a line free?", put: (one) => ({ ...one, openCalls: 1 }) },
  { reason: "pace", question: "Is the pause between calls over?", put: withCampaign({ lastDialAt: at }) },
  { reason: "nothing_due", question: "Is anybody due?", put: (one) => ({ ...one, due: 0 }) },
  { reason: "lines", question: "Is a session left for the agent?", put: (one) => ({ ...one, agentRefusal: "places" }) }
]

const reasonOf = (put: ReadonlyArray<Pick<Obstacle, "put">>): HoldReason | null =>
  holdReason(
    put.reduce((one, obstacle) => obstacle.put(one), ready),
    at
  )?.reason ?? null

/** Throws where the rules ask in another order, or for something that is not drawn. Two that exclude each other have none. */
const check = (): void => {
  for (const { put, reason } of obstacles)
    if (reasonOf([{ put }]) !== reason) throw new Error(`The rules do not wait for ${reason} alone`)
  for (const [nth, first] of obstacles.entries())
    for (const later of obstacles.slice(nth + 1)) {
      const [one, other] = [reasonOf([first, later]), reasonOf([later, first])]
      if (one === other && one !== first.reason) throw new Error(`${later.reason} is asked before ${first.reason}`)
    }
  const drawn = new Set(obstacles.map(({ reason }) => reason))
  const left = HoldReason.literals.filter((reason) => !drawn.has(reason))
  if (left.length > 0) throw new Error(`Draw ${left.join(", ")} too`)
}
check()

const height = 26
const top = 46
const yOf = (nth: number): number => top + nth * (height + 8)
const bottom = yOf(obstacles.length)

export const dialReasons: Picture = {
  title: "What must hold before a campaign dials, in the order in which it is asked",
  width: 700,
  height: bottom + 104,
  parts: [
    words("The first question whose answer is no is the reason in waiting_for.", { x: 24, y: 28 }, { kind: "small" }),
    ...obstacles.flatMap(({ question, reason }, nth) => [
      ...(nth === 0
        ? []
        : [
            path([
              [184, yOf(nth) - 8],
              [184, yOf(nth)]
            ])
          ]),
      box({ x: 24, y: yOf(nth), width: 320, height, lines: [question] }),
      path(
        [
          [344, yOf(nth) + height / 2],
          [450, yOf(nth) + height / 2]
        ],
        { label: "no" }
      ),
      box({ x: 450, y: yOf(nth), width: 220, height, tone: "bad", lines: [reason] })
    ]),
    path([
      [184, bottom - 8],
      [184, bottom + 12]
    ]),
    box({
      x: 24,
      y: bottom + 12,
      width: 320,
      height: 44,
      tone: "good",
      lines: ["Call the next contact", "retries first, then the list in its order"]
    }),
    words(
      "Two checks of the number follow: its form, and the do-not-call list.",
      { x: 24, y: bottom + 80 },
      { kind: "small" }
    )
  ]
}
