/** The life of a batch: docs/reference/batches.md#status. Verifies: BATC-1. */

import { Ids, Instant } from "@trunkline/core/effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Batch,
  batchIdOf,
  cancel,
  checked,
  endOf,
  faulty,
  finalizing,
  isEnded,
  moves,
  newBatch,
  publicBatchId,
  stepOf,
  stopOf
} from "../../../src/gateway/batches/Batch.ts"

const id = "01890000-0000-7000-8000-000000000000"
const begun = Instant.make(1_780_000_000_000)

const fresh = (): Batch =>
  newBatch(
    {
      ...{ id: Ids.as(id), tenantId: Ids.as(id), keyId: null, inputFileId: Ids.as(id) },
      ...{ endpoint: "/v1/chat/completions", inputBytes: 1, labels: null }
    },
    3600,
    begun
  )

const noFiles = { outputFileId: null, errorFileId: null }

type Change = (batch: Batch, at: Instant.Instant) => Batch

const canceled: Change = (batch, at) => Result.getOrElse(cancel(batch, at), () => batch)

/** What a worker does next: what the step says. */
const worked: Change = (batch, at) => {
  if (isEnded(batch)) return batch
  const step = stepOf(batch, at)
  if (step === "check") return checked(batch, 3, at)
  return step === "run" ? finalizing(batch, at) : endOf(batch, noFiles, at)
}

const failed: Change = (batch, at) => (isEnded(batch) || stepOf(batch, at) !== "check" ? batch : faulty(batch, [], at))

describe("a batch", () => {
  // Verifies: H-731, H-742, H-745.
  it("moves along the table alone, never back, and has an instant for each status it has had", () => {
    const change = fc.record({
      does: fc.constantFrom<Change>(canceled, worked, worked, failed),
      ms: fc.constantFrom(0, 1000, 3_600_000)
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let batch = fresh()
        let at = begun
        for (const { does, ms } of changes) {
          at = Instant.plus(at, ms)
          const next = does(batch, at)
          if (next.status !== batch.status) expect(moves[batch.status]).toContain(next.status)
          if (isEnded(batch)) expect(next).toEqual(batch)
          expect(next.isOpen).toBe(!isEnded(next))
          batch = next
        }
        const named = batch.status.replace(/_(.)/g, (_, initial: string) => initial.toUpperCase())
        if (batch.status !== "validating") expect(batch[`${named}At` as "failedAt"]).not.toBeNull()
      })
    )
  })

  it("that is checked, run and finalized is completed", () => {
    const at = Instant.plus(begun, 1)
    const statuses = [fresh()]
    for (let n = 0; n < 3; n++) statuses.push(worked(statuses.at(-1)!, at))
    expect(statuses.map(({ status }) => status)).toEqual(["validating", "in_progress", "finalizing", "completed"])
  })

  // Verifies: H-743.
  it("is cancelled once, from any status in which it is open", () => {
    const at = Instant.plus(begun, 1)
    for (const open of [fresh(), checked(fresh(), 1, at), finalizing(checked(fresh(), 1, at), at)]) {
      const once = canceled(open, at)
      expect(once).toMatchObject({ status: "cancelling", cancellingAt: at })
      expect(canceled(once, Instant.plus(at, 5))).toEqual(once)
      const ended = worked(worked(once, at), at)
      expect(ended.status).toBe("cancelled")
      expect(canceled(ended, at)).toEqual(ended)
    }
    expect(Result.isFailure(cancel(faulty(fresh(), [], at), at))).toBe(true)
  })

  // Verifies: H-745.
  it("expires at the end of its window, and not before", () => {
    const running = checked(fresh(), 1, begun)
    expect(stopOf(running, Instant.plus(begun, 3_599_999))).toBeNull()
    expect(stopOf(running, Instant.plus(begun, 3_600_000))).toBe("batch_expired")
    expect(worked(running, Instant.plus(begun, 3_600_000)).status).toBe("expired")
  })

  it("has an id that is read from its public form alone", () => {
    const text = publicBatchId(Ids.as(id))
    expect(text).toBe(`batch_${id.replaceAll("-", "")}`)
    expect(batchIdOf(text)).toBe(id)
    for (const other of [id, "batch_", `${text}0`, text.toUpperCase(), "file-0"]) expect(batchIdOf(other)).toBeNull()
  })
})
