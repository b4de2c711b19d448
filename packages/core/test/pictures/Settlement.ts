/** How a request of the gateway is admitted, reserved and settled. Its checks are those of the page about the gateway. */
import { readFileSync } from "node:fs"
import { processLeaseMs } from "../../src/platform/billing/RunningRequests.ts"
import { Instant } from "../../src/platform/kernel/index.ts"
import { type Box, box, type Picture, path, words } from "./Drawing.ts"

const page = readFileSync(new URL("../../../../docs/reference/gateway.md", import.meta.url), "utf8")
const section = page.slice(page.indexOf("\n## Order\n"), page.indexOf("\n## Upstream failures\n"))

interface Check {
  readonly what: string
  readonly refusals: string
}

/** Without links and code marks, in words of a picture. */
const plain = (cell: string): string => cell.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "")

const checks: ReadonlyArray<Check> = [...section.matchAll(/^\| \d+(?:–\d+)? \| (.+) \| (.+) \|$/gm)].map(
  ([, what = "", refusals = ""]) => ({ what: plain(what), refusals: plain(refusals) })
)
if (checks.length < 8) throw new Error("docs/reference/gateway.md#order has no table of checks")

const outcomes: ReadonlyArray<Pick<Box, "lines" | "tone">> = [
  { tone: "good", lines: ["It succeeds", "charged as used,", "rest released,", "one log row"] },
  { tone: "bad", lines: ["It fails", "all released,", "cost 0,", "one log row"] },
  { tone: "bad", lines: ["A crash", "the reservation", "expires", "by itself"] }
]

const height = 42
const yOf = (nth: number): number => 48 + nth * (height + 4)
const bottom = yOf(checks.length)
const right = 580

export const settlement: Picture = {
  title: "A request is checked, its highest cost is reserved, and its outcome settles it",
  width: 1000,
  height: bottom + 24,
  parts: [
    words("Checked in this order; the first refusal is answered", { x: 24, y: 32 }, { kind: "name" }),
    ...checks.map(({ refusals, what }, nth) =>
      box({ x: 24, y: yOf(nth), width: 490, height, isLeft: true, lines: [what, refusals] })
    ),
    path([
      [514, bottom - 24],
      [right - 34, bottom - 24],
      [right - 34, 100],
      [right, 100]
    ]),
    box({
      x: right,
      y: 74,
      width: 396,
      height: 52,
      lines: ["Its highest cost is reserved", "of credit, budgets and the plan's calls, at one time"]
    }),
    path([
      [right + 198, 126],
      [right + 198, 160]
    ]),
    box({
      x: right,
      y: 160,
      width: 396,
      height: 52,
      tone: "outside",
      lines: ["The upstream runs", `the process renews its lease of ${processLeaseMs / Instant.second} s`]
    }),
    ...outcomes.flatMap((outcome, nth) => {
      const x = right + nth * 135
      return [
        path([
          [x + 63, 212],
          [x + 63, 250]
        ]),
        box({ ...outcome, x, y: 250, width: 126, height: 84 })
      ]
    }),
    words("A call is settled in the same way: a minute is reserved before", { x: right, y: 376 }, { kind: "small" }),
    words("it begins, and the price of started minutes is charged at its end.", { x: right, y: 394 }, { kind: "small" })
  ]
}
