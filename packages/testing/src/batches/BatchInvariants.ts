/** What must hold on every random day of batches: after every step, at every request to the upstream, and in the end. */
import { type Batch, Files, Ids, Instant, read } from "@trunkline/core/effect"
import { BatchQueueStore, CreditStore, UsageLogStore } from "@trunkline/core/storage"
import type { UsageRow } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { Made, Memory } from "./BatchMemory.ts"
import type { Ask } from "./BatchUpstream.ts"
import { type ResultLine, stepMs } from "./BatchWorld.ts"

type Status = Batch["status"]

/** Which statuses may follow each other, with any number between them. */
const later: Readonly<Record<Status, ReadonlyArray<Status>>> = {
  validating: ["failed", "in_progress", "finalizing", "completed", "expired", "cancelling", "cancelled"],
  in_progress: ["finalizing", "completed", "expired", "cancelling", "cancelled"],
  finalizing: ["completed", "cancelling", "cancelled"],
  cancelling: ["cancelled"],
  ...{ failed: [], completed: [], expired: [], cancelled: [] }
}

const isEnded = ({ status }: Batch): boolean => later[status].length === 0

/** What must hold after every step. */
export const check = (memory: Memory): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { made, violations, world } = memory
    expect(violations).toEqual([])
    const batches = yield* world.batches
    for (const one of made) {
      const ofOne = batches.filter(({ inputFileId }) => `file-${inputFileId.replaceAll("-", "")}` === one.inputFileId)
      expect(ofOne.length, `batches of ${one.key}`).toBeLessThanOrEqual(1)
      const batch = ofOne[0]
      if (batch !== undefined) checkStep(one, batch)
      else expect(one.id, `${one.key} was made`).toBeNull()
    }
  })

const checkStep = (one: Made, batch: Batch): void => {
  const { last } = one
  one.last = batch
  if (last === null) return
  if (isEnded(last)) expect({ ...batch, sweepAt: null }, "the end of a batch").toEqual({ ...last, sweepAt: null })
  else if (last.status !== batch.status)
    expect(later[last.status], `${last.status} of ${one.key}`).toContain(batch.status)
  for (const count of ["total", "completed", "failed"] as const) {
    expect(batch[count], `${count} of ${one.key}`).toBeGreaterThanOrEqual(last[count])
  }
  if (one.cancelledAt !== null) expect(batch.status, `${one.key}, which is cancelled`).toMatch(/^cancel/)
}

const maxAttempts = 3

/** A claim lasts half a minute, and what a process began before it lost its own may end after that. */
const claimMs = 45_000

/** What must hold of a request to the upstream. Whatever was out of order explains that a line is asked for again. */
export const checkAsk = ({ made, seen, violations, world }: Memory, { at, text }: Ask): void => {
  const { faultAt, options, upstream } = world
  const asks = upstream.asksOf(text)
  const [previous] = asks.slice(-2, -1)
  seen.asks += 1
  if (previous !== undefined) {
    seen.asksAgain += 1
    const isFinal = previous.play === "answers" || previous.play === "refuses"
    if (isFinal && faultAt < previous.at) violations.push(`${text} was asked for again after an answer`)
    const inOrder = asks.filter((ask) => ask.at > faultAt)
    if (inOrder.length > maxAttempts) violations.push(`${text} was asked for ${inOrder.length} times`)
  }
  if (upstream.running > options.concurrency && at - faultAt > claimMs) violations.push(`${upstream.running} lines run`)
  const one = made.find(({ customIds }) => customIds.includes(text))!
  if (one.isFaulty) violations.push(`${text} ran although its input is faulty`)
  if (previous !== undefined) return
  if (one.cancelledAt !== null && at > one.cancelledAt && faultAt < one.cancelledAt) {
    violations.push(`${text} began after its batch was cancelled`)
  }
  const due = one.last === null ? Number.POSITIVE_INFINITY : one.last.dueAt
  // What was looked at in a step of the clock is asked for at its end.
  if (at > due + stepMs && faultAt < due) violations.push(`${text} began after the window of its batch`)
}

const errorCodes: Partial<Readonly<Record<Status, string>>> = { cancelled: "batch_cancelled", expired: "batch_expired" }

/** Every line of the input is once in the results, and the counts of the batch are theirs. */
const checkResults = (
  { seen }: Memory,
  one: Made,
  batch: Batch,
  output: ReadonlyArray<ResultLine>,
  errors: ReadonlyArray<ResultLine>
) => {
  const ids = [...output, ...errors].map(({ custom_id }) => custom_id)
  expect(ids.toSorted(), `lines of ${one.key}, ${batch.status}`).toEqual(
    hasLines(batch) ? one.customIds.toSorted() : []
  )
  const refused = errors.filter(({ response }) => response !== null)
  const unrun = errors.filter(({ response }) => response === null)
  expect([batch.completed, batch.failed], `counts of ${one.key}`).toEqual([output.length, refused.length])
  if (hasLines(batch)) expect(batch.total).toBe(one.customIds.length)
  for (const { response } of output) expect(response!.status_code).toBe(200)
  for (const { error } of unrun) expect(error!.code, `${one.key}, ${batch.status}`).toBe(errorCodes[batch.status])
  seen.answered += output.length
  seen.refused += refused.length
  seen.unrun += unrun.length
  seen.poor += refused.filter(({ response }) => response!.status_code === 402).length
}

const hasLines = ({ faults, status }: Batch): boolean => status !== "failed" && faults === null

/** How a batch may end. */
const checkStatus = (one: Made, batch: Batch): void => {
  const { status } = batch
  expect(isEnded(batch), `${one.key} has ended: it is ${status}`).toBe(true)
  const mayBeCancelled = one.cancelledAt !== null || one.mayBeCancelled
  if (one.cancelledAt !== null) expect(status).toBe("cancelled")
  if (status === "cancelled") expect(mayBeCancelled, `${one.key} is cancelled, as somebody has asked`).toBe(true)
  else expect(status === "failed", `${one.key} fails by its input alone`).toBe(one.isFaulty)
  if (status === "expired") expect(batch.expiredAt).toBeGreaterThanOrEqual(batch.dueAt)
  if (status === "completed") {
    expect(batch.completed + batch.failed, `lines of ${one.key}, which is completed`).toBe(batch.total)
    expect(batch.finalizingAt, `${one.key} was finalized before the end of its window`).not.toBeNull()
  }
}

const allRows = ({ world }: Memory) =>
  world.look(
    read(
      UsageLogStore.use((log) =>
        log.list(
          {
            ...{ tenantId: world.tenant, service: null, model: null, keyId: null, sessionId: null, traceId: null },
            ...{ since: 0 as Instant.Instant, before: { createdAt: Instant.never, id: Ids.as(lastId) } }
          },
          { limit: 10_000, offset: 0 }
        )
      )
    )
  )

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** Each line that was answered was billed once, under the id that its result names, and no other was. */
const checkBills = (
  one: Made,
  batch: Batch,
  output: ReadonlyArray<ResultLine>,
  rows: ReadonlyArray<UsageRow>
): void => {
  const trace = `batch_${batch.id.replaceAll("-", "")}`
  const paid = rows.filter(({ credits, traceId }) => traceId === trace && credits > 0n)
  expect(paid.map(({ requestId }) => requestId).toSorted(), `bills of ${one.key}`).toEqual(
    output.map(({ response }) => response!.request_id).toSorted()
  )
  const tokens = paid.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0)
  expect(batch.inputTokens + batch.outputTokens, `tokens of ${one.key}`).toBe(tokens)
}

/** What must hold when every fault is over and all batches have ended. */
export const checkEnd = (memory: Memory): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { made, seen, world } = memory
    yield* check(memory)
    const rows = yield* allRows(memory)
    for (const one of made) {
      const batch = one.last
      expect(batch, `${one.key} was made in the end`).not.toBeNull()
      if (batch === null) continue
      checkStatus(one, batch)
      const output = yield* world.resultsOf(batch.outputFileId)
      checkResults(memory, one, batch, output, yield* world.resultsOf(batch.errorFileId))
      checkBills(one, batch, output, rows)
      // No batch reads the input any more.
      yield* world.observe(Files.use((files) => files.remove(world.tenant, batch.inputFileId)))
      if (batch.status in seen) seen[batch.status as "cancelled"] += 1
    }
    yield* checkLedger(memory, rows)
  })

/** The balance has lost what the rows say, nothing is held, and no account waits for a process. */
const checkLedger = ({ free, world }: Memory, rows: ReadonlyArray<UsageRow>): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const balance = yield* world.look(read(CreditStore.use((store) => store.balance(world.tenant))))
    const charged = rows.reduce((sum, { credits }) => sum + credits, 0n)
    expect(balance).toMatchObject({ balance: free - charged, reserved: 0n })
    expect(yield* world.look(read(BatchQueueStore.use((queue) => queue.nextDue))), "the queue of batches").toBeNull()
  })
