/** What runs in a process, what lasts in the database, and who stands outside. */
import type { TrunklineOptions } from "../../src/index.ts"
import { box, type Picture, path, words } from "./Drawing.ts"

type WorkerSwitch = keyof NonNullable<TrunklineOptions["workers"]>

/** What each worker does that can be switched off; a worker without a line does not compile. */
const workers: Readonly<Record<WorkerSwitch, string>> = {
  dialer: "calls who is due",
  deliveries: "sends webhooks",
  replies: "answers chats",
  templateCampaigns: "sends templates",
  batches: "runs files",
  analysis: "reads what was said"
}

const names = Object.keys(workers) as ReadonlyArray<WorkerSwitch>

const process = (x: number, name: string) => [
  box({ x, y: 24, width: 300, height: 300, tone: "frame", lines: [] }),
  words(name, { x: x + 14, y: 46 }, { kind: "name" }),
  box({ x: x + 14, y: 58, width: 272, height: 46, lines: ["Requests", "routes, uploads, streams, callbacks"] }),
  box({ x: x + 14, y: 112, width: 272, height: 46, lines: ["Conversations", "sound of calls and sockets, in memory"] }),
  box({
    x: x + 14,
    y: 166,
    width: 272,
    height: 146,
    isLeft: true,
    lines: ["Workers", ...names.map((one) => `${one}: ${workers[one]}`)]
  })
]

interface Outside {
  readonly name: string
  readonly line: string
  /** Who begins: it, the product, or either. */
  readonly begins: ReadonlyArray<"it" | "we">
}

const outside: ReadonlyArray<Outside> = [
  { name: "Your users and programs", line: "HTTP, WebSocket", begins: ["it"] },
  { name: "Carrier", line: "orders, callbacks, sound", begins: ["it", "we"] },
  { name: "Chat platforms", line: "deliveries, sending", begins: ["it", "we"] },
  { name: "Upstreams of models", line: "hear, think, speak", begins: ["we"] },
  { name: "Your endpoints", line: "signed webhooks", begins: ["we"] }
]

const linesOf = ({ begins }: Outside, middle: number): ReadonlyArray<string> =>
  begins.map((who, nth) => {
    const y = middle + nth * 14 - (begins.length - 1) * 7
    const [from, to] = who === "it" ? [716, 644] : [644, 716]
    return path([
      [from, y],
      [to, y]
    ])
  })

export const processes: Picture = {
  title: "Processes hold what is under way; the database holds everything that lasts",
  width: 940,
  height: 490,
  parts: [
    ...process(24, "Process 1"),
    ...process(344, "Process 2, 3, …"),
    box({
      x: 24,
      y: 386,
      width: 620,
      height: 62,
      lines: [
        "Database: SQLite for one process, or Postgres",
        "accounts, credit, campaigns, calls, conversations, messages, deliveries,",
        "and who has claimed which work, until when"
      ]
    }),
    path(
      [
        [174, 324],
        [174, 386]
      ],
      { label: "transactions, claims" }
    ),
    path(
      [
        [494, 324],
        [494, 386]
      ],
      { label: "transactions, claims" }
    ),
    ...outside.flatMap((one, nth) => [
      box({ x: 716, y: 24 + nth * 62, width: 200, height: 46, tone: "outside", lines: [one.name, one.line] }),
      ...linesOf(one, 47 + nth * 62)
    ]),
    words(
      "When a process dies, its claims expire, and another process continues its work.",
      { x: 24, y: 472 },
      { kind: "small" }
    )
  ]
}
