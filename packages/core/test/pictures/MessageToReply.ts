/** The way of a customer's message to the agent's reply. */

import { standardReply } from "../../src/messaging/MessagingSettings.ts"
import type { MessageStatus } from "../../src/messaging/messages/Message.ts"
import { ReportedStatus, statusAfter } from "../../src/messaging/messages/StatusOrder.ts"
import {
  maxTurnsPerHour,
  type NoReplyReason,
  type ReplySituation,
  skipReason
} from "../../src/messaging/replies/NoReplyReason.ts"
import { runBackoff, throttleBackoff } from "../../src/messaging/reply-queue/ReplySchedule.ts"
import { Instant } from "../../src/platform/kernel/index.ts"
import { arrow, type Box, box, type Picture, path, words } from "./Drawing.ts"

const at = 1_700_000_000_000 as Instant.Instant

const answered: ReplySituation = {
  number: { botId: "a" as never, aiAutoreplyEnabled: true, disconnectedAt: null },
  bot: { systemPrompt: "You sell tea.", isActive: true, seesImages: false },
  conversation: { aiAutoreplyEnabled: true },
  messageGroup: [{ type: "text", text: "Hello" }],
  ...{
    isOwnNumber: false,
    hasWindow: true,
    windowExpiresAt: Instant.plus(at, 1),
    turnsLastHour: 0,
    isWithinPlan: true,
    at
  }
}

const number = (change: Partial<ReplySituation["number"]>) => ({
  ...answered,
  number: { ...answered.number, ...change }
})
const bot = (change: Partial<NonNullable<ReplySituation["bot"]>>) => ({
  ...answered,
  bot: { ...answered.bot!, ...change }
})

/** One situation for each reason why nobody is answered; a reason without one does not compile. */
const situations: Readonly<Record<NoReplyReason, ReplySituation>> = {
  number_disconnected: number({ disconnectedAt: at }),
  own_number: { ...answered, isOwnNumber: true },
  number_unlinked: number({ botId: null }),
  bot_gone: { ...answered, bot: null },
  bot_inactive: bot({ isActive: false }),
  bot_without_prompt: bot({ systemPrompt: null }),
  number_switched_off: number({ aiAutoreplyEnabled: false }),
  conversation_switched_off: { ...answered, conversation: { aiAutoreplyEnabled: false } },
  opted_out: { ...answered, messageGroup: [{ type: "text", text: "STOP" }] },
  nothing_to_answer: { ...answered, messageGroup: [{ type: "audio", text: null }] },
  window_closed: { ...answered, windowExpiresAt: at },
  too_many_turns: { ...answered, turnsLastHour: maxTurnsPerHour },
  quota_exceeded: { ...answered, isWithinPlan: false }
}

const reasons = Object.keys(situations) as ReadonlyArray<NoReplyReason>
const wrong = reasons.find((reason) => skipReason(situations[reason]) !== reason)
if (wrong !== undefined || skipReason(answered) !== null) throw new Error(`The rules give another reason than ${wrong}`)

const seconds = (ms: number | null): string => `${(ms ?? 0) / Instant.second} s`
const list = (times: ReadonlyArray<number | null>): string => times.map(seconds).join(", ")

const wide = { x: 30, width: 330 }
const steps: ReadonlyArray<Box> = [
  {
    ...wide,
    y: 24,
    height: 46,
    tone: "outside",
    lines: ["The channel delivers a message", "signed; 401 without the right signature"]
  },
  { ...wide, y: 96, height: 46, lines: ["It is stored once, and acknowledged", "event message.received"] },
  {
    ...wide,
    y: 168,
    height: 62,
    lines: [
      "Its group becomes complete",
      `${seconds(standardReply.quietMs)} after the last message, at the latest`,
      `${seconds(standardReply.maxWaitMs)} after the first`
    ]
  },
  { ...wide, y: 256, height: 46, lines: ["May the agent reply?", "asked now, and again at the commit"] },
  {
    ...wide,
    y: 328,
    height: 62,
    lines: ["The model runs, with its tools", "a run that fails is repeated after", list([1, 2, 3].map(runBackoff))]
  },
  { ...wide, y: 416, height: 46, lines: ["The reply is committed", "as parts of 4,096 characters"] },
  {
    ...wide,
    y: 488,
    height: 46,
    lines: [
      "Each part is sent, one after the other",
      `throttled: again after ${list([1, 2, 3].map((nth) => throttleBackoff(nth, null)))} …`
    ]
  }
]

const half = Math.ceil(reasons.length / 2)

type OwnStatus = Exclude<MessageStatus, "received">

/** How far a part has come; a status without a place does not compile. */
const life: Readonly<Record<OwnStatus, number>> = {
  queued: 0,
  sending: 1,
  unknown: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6
}
const ordered = (Object.keys(life) as ReadonlyArray<OwnStatus>).toSorted((a, b) => life[a] - life[b])
for (const reported of ReportedStatus.literals)
  for (const present of ordered)
    if ((statusAfter(present, reported) !== null) !== life[reported] > life[present])
      throw new Error(`${reported} does not follow ${present} as it is drawn`)

export const messageToReply: Picture = {
  title: "From a customer's message to the agent's reply",
  width: 860,
  height: 640,
  parts: [
    ...steps.slice(1).map((step, nth) => arrow({ from: steps[nth]!, to: step })),
    ...steps.map(box),
    path(
      [
        [360, 279],
        [430, 279]
      ],
      { label: "no" }
    ),
    box({ x: 430, y: 150, width: 400, height: 150, tone: "bad", lines: [] }),
    words("No reply, and none later. The reason in the log:", { x: 444, y: 172 }, { kind: "name" }),
    ...reasons.map((reason, nth) =>
      words(reason, { x: nth < half ? 444 : 644, y: 194 + (nth % half) * 16 }, { kind: "small" })
    ),
    path([
      [360, 359],
      [430, 359]
    ]),
    box({
      x: 430,
      y: 328,
      width: 400,
      height: 62,
      isLeft: true,
      lines: [
        "A message that comes meanwhile",
        "joins the group: the run begins anew. A person who answers,",
        "or takes the conversation over, ends it."
      ]
    }),
    words(
      "The statuses of a part, in their order; a report never moves one back:",
      { x: 30, y: 572 },
      { kind: "small" }
    ),
    ...ordered.flatMap((status, nth) => {
      const x = 30 + nth * 116
      return [
        ...(nth === 0
          ? []
          : [
              path([
                [x - 18, 602],
                [x, 602]
              ])
            ]),
        box({
          x,
          y: 586,
          width: 98,
          height: 32,
          tone: status === "failed" || status === "unknown" ? "bad" : "good",
          lines: [status]
        })
      ]
    })
  ]
}
