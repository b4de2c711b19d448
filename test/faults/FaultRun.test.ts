/** A short run with kills on SQLite; what it proves and the long ones: docs/reference/reliability.md. */
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { shortRun } from "./Aims.ts"
import { faultRun } from "./FaultRun.ts"
import type { Logs } from "./Lines.ts"
import { commandOf } from "./Processes.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Each part of the product has done something that can be checked. */
const isEnough = ({ carrier, chat, client, receivers }: Logs): boolean =>
  carrier.some(({ what }) => what === "ended") &&
  chat.some((line) => line.what === "send" && line.id !== null) &&
  client.some((line) => line.what === "inference" && line.status === 200) &&
  client.some(({ what }) => what === "suppressed") &&
  receivers.some(({ event }) => event === "call.completed" || event === "call.failed")

describe("a server that is killed again and again under load", () => {
  it("keeps every promise that the outside can see", async () => {
    const { findings, logs } = await faultRun({
      ...{ seed: 7, kills: 0, storage: "sqlite", minutes: 0, load: 1, isWide: false, library: null },
      ...{ command: await commandOf(root, false), settleMs: 60_000, isEnough, aim: shortRun, log: () => undefined }
    })
    expect(findings.filter(({ violations }) => violations.length > 0)).toEqual([])
    expect(findings.filter(({ checked }) => checked === 0).map(({ promise }) => promise)).toEqual([])
    expect(logs.faults.filter(({ what }) => what === "kill").length).toBeGreaterThanOrEqual(3)
  })
})
