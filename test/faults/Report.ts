/** What a run has done and found, as text. */
import type { RunResult } from "./FaultRun.ts"

const counted = <A>(rows: ReadonlyArray<A>, key: (row: A) => string): string =>
  [...Map.groupBy(rows, key)].map(([name, own]) => `${name} ${own.length}`).join(", ")

const maxLines = 30

export const reportOf = ({ findings, folder, logs, skipped }: RunResult): ReadonlyArray<string> => {
  const begun = logs.faults.filter(({ phase }) => phase !== "end")
  const lines = [
    `faults: ${counted(begun, ({ what }) => what)}`,
    `  ${begun.filter(({ detail }) => detail?.includes("after an answer") === true).length} of them right after an answer of a neighbour`,
    `carrier: ${counted(logs.carrier, ({ what }) => what)}`,
    `callbacks: ${counted(
      logs.carrier.filter(({ what }) => what === "callback"),
      (line) => ("status" in line ? String(line.status) : "")
    )}`,
    `chat: ${counted(logs.chat, ({ what }) => what)}; models: ${counted(logs.models, ({ mood }) => mood)}`,
    `receivers: ${counted(logs.receivers, ({ status }) => String(status))}; client: ${counted(logs.client, ({ what }) => what)}`,
    ...skipped.map((why) => `skipped: ${why}`)
  ]
  for (const { checked, notes, promise, undecided, violations } of findings) {
    const more = Object.entries(notes ?? {}).map(([name, count]) => `, ${name} ${count}`)
    lines.push(
      `${violations.length === 0 ? "holds   " : "VIOLATED"} ${promise}: checked ${checked}, undecided ${undecided}${more.join("")}`
    )
    for (const { lines: shown, text } of violations.slice(0, 10)) {
      lines.push(`  ${text}`, ...shown.slice(0, maxLines).map((line) => `    ${JSON.stringify(line)}`))
    }
    if (violations.length > 10) lines.push(`  and ${violations.length - 10} more`)
  }
  return [...lines, folder === null ? "logs: removed; --keep keeps them" : `logs: ${folder}`]
}
