/** The life of a campaign, of its calls and of its contacts, from the tables that decide them. */
import { advance, type Call, callStatuses, isEnded } from "../../src/calling/calls/Call.ts"
import type { CallNews, FinalStatus } from "../../src/calling/calls/CallNews.ts"
import {
  type CampaignStatus,
  isTerminal,
  type ServiceMove,
  type Transition,
  transitions
} from "../../src/calling/campaigns/Campaign.ts"
import { afterAttempt, type Outcome, retryDelay } from "../../src/calling/campaigns/ContactLifecycle.ts"
import { Instant } from "../../src/platform/kernel/index.ts"
import { arrow, type Box, box, type Picture, path, words } from "./Drawing.ts"

const size = { width: 110, height: 46 }

const places: Readonly<Record<CampaignStatus, Box>> = {
  draft: { ...size, x: 34, y: 70, lines: ["draft"] },
  scheduled: { ...size, x: 190, y: 70, lines: ["scheduled"] },
  running: { ...size, x: 420, y: 70, lines: ["running"] },
  paused: { ...size, x: 270, y: 240, lines: ["paused"] },
  insufficient_balance: { ...size, x: 474, y: 240, width: 170, tone: "bad", lines: ["insufficient_balance"] },
  completed: { ...size, x: 800, y: 70, tone: "good", lines: ["completed"] },
  cancelled: { ...size, x: 800, y: 240, tone: "good", lines: ["cancelled"] }
}

const reasons: Readonly<Record<ServiceMove, string>> = {
  start: "at scheduled_at",
  complete: "the list is done",
  runOutOfCredits: "no credit",
  halt: "cannot place calls"
}

const isServiceMove = (by: Transition["by"][number]): by is ServiceMove => by !== "caller"

const rows = transitions.filter(({ to }) => to !== "cancelled")

/** Two arrows between the same boxes stand side by side. */
const shiftOf = ({ from, to }: Transition): number => (rows.some((row) => row.from === to && row.to === from) ? 12 : 0)

/** Labels that would stand on another arrow stand beside their own. */
const labels: Readonly<Record<string, { readonly place?: number; readonly away?: number }>> = {
  "running-paused": { away: 62 },
  "running-insufficient_balance": { away: 40 },
  "running-completed": { place: 0.72 }
}

const moveOf = (row: Transition): string => {
  const service = row.by.filter(isServiceMove).map((by) => reasons[by])
  return arrow({
    from: places[row.from],
    to: places[row.to],
    shift: shiftOf(row),
    isDashed: !row.by.includes("caller"),
    ...labels[`${row.from}-${row.to}`],
    ...(service.length === 0 ? {} : { label: service.join(", ") })
  })
}

const cancellable = (Object.keys(places) as ReadonlyArray<CampaignStatus>).filter((status) => !isTerminal(status))
const isCancelledFromAll = cancellable.every((from) =>
  transitions.some((row) => row.from === from && row.to === "cancelled")
)
if (!isCancelledFromAll) throw new Error("A status that is no end has no way to cancelled: draw its arrows one by one")

const frame = { x: 20, y: 50, width: 642, height: 256 }

export const campaignLife: Picture = {
  title: "The statuses of a campaign, and which may follow which",
  width: 930,
  height: 384,
  parts: [
    box({ ...frame, tone: "frame", lines: [] }),
    ...rows.map(moveOf),
    path([
      [662, 263],
      [800, 263]
    ]),
    ...Object.values(places).map(box),
    words("Every status in the", { x: 40, y: 206 }, { kind: "small" }),
    words("frame can be cancelled.", { x: 40, y: 222 }, { kind: "small" }),
    words(
      "Solid: by the status route. Words beside a solid arrow: the service makes this move by itself as well, and when.",
      { x: 24, y: 340 },
      { kind: "small" }
    ),
    words(
      "Dashed: by the service alone. What has no arrow is refused with 409; the present status is no move.",
      { x: 24, y: 362 },
      { kind: "small" }
    )
  ]
}

const now = 1_700_000_000_000 as Instant.Instant

/** The statuses that may follow one, by the news that carriers bring. */
const nextStatuses = (status: Call["status"]): ReadonlyArray<Call["status"]> => {
  const ends = callStatuses.filter((one): one is FinalStatus => isEnded({ status: one }))
  const news: ReadonlyArray<CallNews> = [
    ...(["Dialing", "Ringing", "Answered"] as const).map((_tag) => ({ _tag })),
    ...ends.map((end) => ({ _tag: "Ended", status: end, failure: null, durationSeconds: null, by: null }) as const)
  ]
  const answeredAt = status === "in_progress" ? now : null
  const call = {
    status,
    startedAt: now,
    rangAt: null,
    answeredAt,
    answeredBy: null,
    stopReason: null,
    messageAt: null
  } as unknown as Call
  return [...new Set(news.map((one) => advance(call, one, now).call.status))].filter((next) => next !== status)
}

const callSize = { width: 128, height: 40 }
const open = callStatuses.filter((status) => !isEnded({ status }))
const callPlaces: Readonly<Record<string, Box>> = Object.fromEntries([
  ...open.map((status, nth) => [status, { ...callSize, x: 30 + nth * 200, y: 52, lines: [status] }] as const),
  ["completed", { ...callSize, x: 830, y: 52, tone: "good", lines: ["completed"] }] as const,
  ...callStatuses
    .filter((status) => isEnded({ status }) && status !== "completed")
    .map((status, nth) => [status, { ...callSize, x: 26 + nth * 142, y: 170, tone: "good", lines: [status] }] as const)
])

/** Without an answer: the ends that every status before the answer has. */
const unanswered = nextStatuses("queued").filter((status) => isEnded({ status }) && status !== "completed")
const isSame = ["dialing", "ringing"].every((status) =>
  unanswered.every((end) => nextStatuses(status as Call["status"]).includes(end))
)
if (!isSame) throw new Error("An end does not follow every status before the answer: draw its arrows one by one")

const steps = open.map((status, nth) => [status, open[nth + 1] ?? "completed"] as const)

export const callLife: Picture = {
  title: "The statuses of a call, which only go forward",
  width: 990,
  height: 290,
  parts: [
    box({ x: 16, y: 36, width: 572, height: 72, tone: "frame", lines: [] }),
    ...steps.map(([from, to]) => {
      if (!nextStatuses(from).includes(to as Call["status"])) throw new Error(`${to} does not follow ${from}`)
      return arrow({ from: callPlaces[from]!, to: callPlaces[to]! })
    }),
    ...unanswered.map((end) => {
      const { x } = callPlaces[end]!
      return path([
        [x + 64, 108],
        [x + 64, 170]
      ])
    }),
    ...Object.values(callPlaces).map(box),
    words(
      "Before the answer a call can end in each of these four ways, after it in one.",
      { x: 30, y: 244 },
      { kind: "small" }
    ),
    words(
      "A status may be skipped, where a carrier's report is lost. None goes back, and an ended call never changes.",
      { x: 30, y: 266 },
      { kind: "small" }
    )
  ]
}

const always = { timezone: "UTC", startHour: 0, endHour: 24 }

const outcomes: Readonly<Record<string, { readonly outcome: Outcome; readonly text: string }>> = {
  answered: { outcome: { _tag: "Answered" }, text: "answered" },
  left: { outcome: { _tag: "MachineMessageLeft" }, text: "message left on a machine" },
  busy: { outcome: { _tag: "Busy" }, text: "busy" },
  noAnswer: { outcome: { _tag: "NoAnswer" }, text: "no answer" },
  machine: { outcome: { _tag: "MachineHungUp" }, text: "machine without a message" },
  provider: { outcome: { _tag: "ProviderError" }, text: "failed to connect" },
  canceled: { outcome: { _tag: "Canceled", rang: true }, text: "cancelled by a person" },
  lost: { outcome: { _tag: "LostRace", rang: true }, text: "lost the race, had rung" },
  window: { outcome: { _tag: "WindowClosed", rang: false }, text: "calling hours ended" },
  never: { outcome: { _tag: "NeverPlaced" }, text: "the carrier took no call" },
  lostUnrung: { outcome: { _tag: "LostRace", rang: false }, text: "lost the race, had not rung" },
  invalid: { outcome: { _tag: "InvalidNumber" }, text: "invalid number" },
  blocked: { outcome: { _tag: "BlockedNumber" }, text: "blocked number" },
  suppressed: { outcome: { _tag: "Suppressed", rang: false }, text: "on the do-not-call list" },
  unknown: { outcome: { _tag: "OutcomeUnknown" }, text: "outcome unknown" }
}

const after = (outcome: Outcome) =>
  afterAttempt({ outcome, at: now, before: { attempts: 0, lastError: null }, maxAttempts: 5, window: always })

type Group = "done" | "later" | "at once" | "failed"
const groupOf = (outcome: Outcome): Group => {
  const { nextAttemptAt, status } = after(outcome)
  if (status !== "pending") return status
  return nextAttemptAt === now ? "at once" : "later"
}
const listed = (group: Group): ReadonlyArray<string> =>
  Object.values(outcomes).flatMap(({ outcome, text }) => (groupOf(outcome) === group ? [text] : []))

const minutes = [1, 2, 3, 4].map((attempt) => retryDelay(attempt) / Instant.minute)

const column = (nth: number) => ({ x: 20 + nth * 238, width: 222 })
const groups: ReadonlyArray<Box> = [
  { ...column(0), y: 168, height: 62, tone: "good", isLeft: true, lines: ["done", ...listed("done")] },
  { ...column(1), y: 168, height: 130, isLeft: true, lines: ["pending, after a wait", ...listed("later")] },
  { ...column(2), y: 168, height: 80, isLeft: true, lines: ["pending, due at once", ...listed("at once")] },
  { ...column(3), y: 168, height: 96, tone: "bad", isLeft: true, lines: ["failed, never again", ...listed("failed")] }
]
const [pending, approved, calling]: readonly [Box, Box, Box] = [
  { x: 20, y: 48, width: 222, height: 46, lines: ["pending", "waits for its turn"] },
  { x: 322, y: 48, width: 222, height: 46, lines: ["approved", "in preview mode alone"] },
  { x: 624, y: 48, width: 222, height: 46, lines: ["calling", "an attempt is under way"] }
]

export const contactLife: Picture = {
  title: "What follows an attempt to reach a contact",
  width: 990,
  height: 378,
  parts: [
    arrow({ from: pending, to: approved, label: "a person" }),
    arrow({ from: approved, to: calling }),
    path(
      [
        [131, 48],
        [131, 28],
        [735, 28],
        [735, 48]
      ],
      { label: "in the other modes" }
    ),
    ...groups.map(({ width, x }) =>
      path([
        [735, 94],
        [735, 130],
        [x + width / 2, 130],
        [x + width / 2, 168]
      ])
    ),
    ...[pending, approved, calling, ...groups].map(box),
    words(
      `The wait after attempt 1, 2, 3, 4: ${minutes.join(", ")} minutes, or until calling hours begin again.`,
      { x: 20, y: 330 },
      { kind: "small" }
    ),
    words(
      "When max_attempts are used up, a contact that would wait is failed instead.",
      { x: 20, y: 352 },
      { kind: "small" }
    )
  ]
}
