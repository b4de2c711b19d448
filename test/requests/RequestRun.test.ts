/** A short run of generated requests on SQLite; the long ones: docs/contributing.md#generated-requests. */

import { fileURLToPath } from "node:url"
import { atMost } from "@trunkline/testing/slow-machine"
import { describe, expect, it } from "vitest"
import { commandOf } from "../faults/Processes.ts"
import { findingsOf } from "./RequestReport.ts"
import { requestRun } from "./RequestRun.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * Other tests run meanwhile. So waits are bounded by what takes far too long, and the event loop by what a turn uses of a
 * processor, with room for caches that others have emptied: the faults that were found so far took several seconds.
 */
const bounds = () => ({
  ...{ p99: atMost(15_000), times: 20, upload: atMost(30_000), turn: atMost(1000) },
  ...{ peak: 700e6, kept: 120e6, unsent: 700, stop: atMost(15_000) }
})

describe("a tenant who sends whatever there is", () => {
  it("stops nobody, reads nothing of another's, and gets what is described", async () => {
    const result = await requestRun({
      ...{ seed: 34, requests: 700, storage: "sqlite", concurrency: 6, maxMs: 1_200_000, patience: 0.2 },
      ...{ calmMs: 1000, settleMs: 1500 },
      ...{ command: await commandOf(root, false), log: () => undefined }
    })
    expect(findingsOf(result, bounds())).toEqual([])
    const isDone = ({ kind, status }: { readonly kind: string; readonly status: number }) =>
      kind === "valid" && status >= 200 && status < 300
    expect(result.sent.filter(isDone).length).toBeGreaterThan(100)
    expect(result.busy.length).toBeGreaterThan(100)
  })
})
