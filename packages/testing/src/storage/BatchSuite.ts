/**
 * Batches on a database: every line has one result and at most one bill, whatever processes do.
 * Verifies: BATC-1, BATC-2, BATC-3, BATC-4, BATC-5, BATC-6.
 */
import { assert } from "@effect/vitest"
import { type Batch, Batches, Files, read } from "@trunkline/core/effect"
import { BatchStore } from "@trunkline/core/storage"
import { BatchWorker, DirectRequests, fileIdOf, type Stores } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { uploadInput } from "../batches/UploadInput.ts"
import type { When } from "../FaultyProcess.ts"
import {
  batchOf,
  billed,
  cancel,
  create,
  type Edge,
  endpoint,
  Lines,
  line,
  type Owner,
  on,
  owner,
  type Play,
  type Process,
  pass,
  quiet,
  type ResultLine,
  resultsOf,
  start
} from "./BatchProcesses.ts"
import { credit } from "./Metered.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const input = (count: number, prefix = "line"): string =>
  Array.from({ length: count }, (_, n) => line(`${prefix} ${n + 1}`)).join("\n")

const ids = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, n) => `line ${n + 1}`)

const sorted = (lines: ReadonlyArray<ResultLine>): ReadonlyArray<string> =>
  lines.map(({ custom_id }) => custom_id).sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)))

const results = (process: Process, of: Owner, batch: Batch) =>
  on(process, Effect.all({ output: resultsOf(of, batch.outputFileId), errors: resultsOf(of, batch.errorFileId) }))

export const batches = suite("batches", ({ it }) => {
  const test = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.andThen(TestClock.setTime(Rows.at(0)), body()))

  // Verifies: H-762.
  test("give way to requests of callers: a line begins a tenth of a second later while one is answered", () =>
    Effect.gen(function* () {
      const untilBegun = Effect.fnUntraced(function* (isBusy: boolean) {
        const [of, lines] = [yield* owner(100n), new Lines()]
        const process = yield* start(of, lines)
        const { answering } = yield* on(process, DirectRequests.use(Effect.succeed))
        if (isBusy) yield* Effect.forkChild(answering(Effect.never))
        yield* on(process, create(of, input(1)))
        let waitedMs = 0
        for (; lines.running === 0 && waitedMs < 5000; waitedMs += 10) yield* pass([process], 10, 10)
        return waitedMs
      })
      assert.isBelow(yield* untilBegun(false), 100)
      assert.isAtLeast(yield* untilBegun(true), 100)
    }))

  // Verifies: H-730, H-731, H-738, H-739, H-740, H-744.
  test("run every line once, and give each one result and one bill", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(100n), new Lines()]
      const process = yield* start(of, lines)
      const id = yield* on(process, create(of, `${input(10)}\n\n`))
      assert.strictEqual((yield* on(process, batchOf(of, id))).status, "validating")
      yield* pass([process], 3000)
      const batch = yield* on(process, batchOf(of, id))
      assert.deepInclude(batch, { status: "completed", total: 10, completed: 10, failed: 0, errorFileId: null })
      assert.deepInclude(batch, { inputTokens: 30, cachedTokens: 10, outputTokens: 20, reasoningTokens: 10 })
      const { output } = yield* results(process, of, batch)
      assert.deepStrictEqual(sorted(output), ids(10))
      const rows = yield* billed(of)
      assert.strictEqual(rows.length, 10)
      assert.deepStrictEqual(
        rows.map(({ requestId }) => requestId).sort(),
        output.map(({ response }) => response!.request_id).sort()
      )
      assert.deepStrictEqual([...new Set(rows.map(({ traceId }) => traceId))], [id])
      for (const one of output) {
        assert.match(one.id, /^batch_req_[0-9a-f]{32}$/)
        assert.strictEqual(one.response!.status_code, 200)
        assert.strictEqual(one.response!.body.model, one.custom_id)
      }
    }))

  // Verifies: H-736.
  test("run as many lines of an account at a time as allowed, over all batches and processes", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(100n), new Lines()]
      const processes = [yield* start(of, lines), yield* start(of, lines), yield* start(of, lines)]
      const made = yield* Effect.forEach([0, 1, 2], (n) => on(processes[n]!, create(of, input(8))))
      yield* pass(processes, 6000)
      for (const id of made) assert.strictEqual((yield* on(processes[0]!, batchOf(of, id))).status, "completed")
      assert.strictEqual(lines.maxRunning, 4)
      assert.strictEqual((yield* billed(of)).length, 24)
    }))

  // Verifies: H-733, H-734.
  test("with any fault in the input fail before anything runs, and name the faults", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(100n), new Lines()]
      const process = yield* start(of, lines, quiet(), { maxRequests: 5 })
      const faulty: ReadonlyArray<readonly [text: string, code: string, line: number | null]> = [
        [`${line("a")}\n{`, "invalid_json", 2],
        [`${line("a")}\n\n${line("a")}`, "duplicate_custom_id", 3],
        [input(6), "too_many_requests", 6],
        [" \n", "empty_file", null]
      ]
      for (const [text, code, at] of faulty) {
        const id = yield* on(process, create(of, text))
        yield* pass([process], 2000)
        const batch = yield* on(process, batchOf(of, id))
        assert.deepInclude(batch, { status: "failed", outputFileId: null, errorFileId: null, total: 0 })
        assert.deepInclude(batch.faults![0], { code, line: at })
        // The input is free again.
        yield* on(
          process,
          Files.use((files) => files.remove(of.tenantId, batch.inputFileId))
        )
      }
      assert.deepStrictEqual(lines.tries, [])
    }))

  // Verifies: H-737, H-741.
  test("try a line again where that can help, and keep what is refused in the file of errors", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(100n), new Lines()]
      const plays: ReadonlyArray<readonly [string, ReadonlyArray<Play>]> = [
        ["line 1", ["fails", "answers"]],
        ["line 2", ["fails"]],
        ["line 3", ["refuses"]],
        ["line 4", ["is full", "fails", "answers"]]
      ]
      for (const [model, play] of plays) lines.plays.set(model, play)
      const process = yield* start(of, lines)
      const id = yield* on(process, create(of, input(4)))
      yield* pass([process], 14_000)
      const batch = yield* on(process, batchOf(of, id))
      assert.deepInclude(batch, { status: "completed", completed: 2, failed: 2 })
      const { errors, output } = yield* results(process, of, batch)
      assert.deepStrictEqual(sorted(output), ["line 1", "line 4"])
      assert.deepStrictEqual(sorted(errors), ["line 2", "line 3"])
      const tries = (model: string) => lines.tries.filter((one) => one === model).length
      assert.deepStrictEqual(ids(4).map(tries), [2, 3, 1, 3])
      const failed = errors.find(({ custom_id }) => custom_id === "line 2")!.response!
      assert.strictEqual(failed.status_code, 502)
      assert.deepInclude(failed.body.error as object, { code: "upstream_error", request_id: failed.request_id })
      assert.strictEqual((yield* billed(of)).length, 2)
    }))

  // Verifies: H-735.
  test("are admitted line by line when they run: by credit, key and account", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(3n), new Lines()]
      const process = yield* start(of, lines, quiet(), { concurrency: 1 })
      const poor = yield* on(process, create(of, input(5)))
      yield* pass([process], 4000)
      assert.deepInclude(yield* on(process, batchOf(of, poor)), { status: "completed", completed: 3, failed: 2 })
      of.principal = { ...of.principal, account: { ...of.principal.account, status: "inactive" } }
      const inactive = yield* on(process, create(of, input(1)))
      yield* pass([process], 3000)
      const batch = yield* on(process, batchOf(of, inactive))
      const { errors } = yield* results(process, of, batch)
      assert.deepInclude(errors[0]!.response!.body.error as object, { code: "account_inactive" })
    }))

  // Verifies: H-742, H-743.
  test("that are cancelled begin no further line, bill those that run, and name the rest", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(100n), new Lines()]
      lines.lasts = 2000
      const process = yield* start(of, lines)
      const id = yield* on(process, create(of, input(10)))
      yield* pass([process], 1000)
      assert.strictEqual(lines.running, 4)
      const cancelled = on(process, cancel(of, id))
      assert.strictEqual((yield* cancelled).status, "cancelling")
      assert.strictEqual((yield* cancelled).status, "cancelling")
      yield* pass([process], 4000)
      const batch = yield* cancelled
      assert.deepInclude(batch, { status: "cancelled", total: 10, completed: 4, failed: 0 })
      const { errors, output } = yield* results(process, of, batch)
      assert.deepStrictEqual(sorted([...output, ...errors]), ids(10))
      for (const one of errors) assert.deepInclude(one, { response: null })
      assert.deepStrictEqual([...new Set(errors.map(({ error }) => error!.code))], ["batch_cancelled"])
      assert.strictEqual((yield* billed(of)).length, 4)
    }))

  // Verifies: H-745.
  test("whose window is over begin no further line, and name the rest as expired", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(100n), new Lines()]
      lines.lasts = 1500
      const process = yield* start(of, lines, quiet(), { windowSeconds: 2, concurrency: 2 })
      const id = yield* on(process, create(of, input(10)))
      yield* pass([process], 6000)
      const batch = yield* on(process, batchOf(of, id))
      assert.strictEqual(batch.status, "expired")
      const { errors, output } = yield* results(process, of, batch)
      assert.deepStrictEqual(sorted([...output, ...errors]), ids(10))
      assert.deepStrictEqual([...new Set(errors.map(({ error }) => error!.code))], ["batch_expired"])
      assert.strictEqual((yield* billed(of)).length, output.length)
      const refused = yield* Effect.flip(on(process, cancel(of, id)))
      assert.match(refused.message, /expired/)
    }))

  // Verifies: H-732, H-746.
  test("keep their input while they are open, and end with files that are there for 30 days", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(100n), new Lines()]
      const process = yield* start(of, lines)
      const inputFileId = yield* on(process, uploadInput(of, input(2)))
      const { keyId, tenantId } = of
      const idempotency = { key: "once", fingerprint: "a batch" }
      const given = { tenantId, keyId, endpoint, inputFileId, labels: { a: "b" }, idempotency }
      const made = on(
        process,
        Batches.use((all) => all.create(given))
      )
      const { response } = yield* made
      assert.strictEqual((yield* made).response.body, response.body)
      const id = (JSON.parse(response.body) as { readonly id: string }).id
      const remove = on(
        process,
        Files.use((files) => files.remove(tenantId, fileIdOf(inputFileId)))
      )
      assert.match((yield* Effect.flip(remove)).message, /batch/)
      yield* pass([process], 3000)
      yield* remove
      const batch = yield* on(process, batchOf(of, id))
      const file = yield* on(
        process,
        Files.use((files) => files.get(tenantId, batch.outputFileId))
      )
      assert.strictEqual(file.purpose, "batch_output")
      assert.strictEqual(file.expiresAt! - file.createdAt, 30 * 86_400_000)
      const left = read(BatchStore.use((store) => store.lines({ batchId: batch.id, after: 0, limit: 5 })))
      assert.isAbove((yield* left).length, 0)
      yield* on(
        process,
        Batches.use(({ sweep }) => sweep)
      )
      assert.deepStrictEqual(yield* left, [])
    }))

  // Verifies: H-756.
  test("of a process that stops are continued by another at once, also lines that wait for a retry", () =>
    Effect.gen(function* () {
      const [of, lines] = [yield* owner(100n), new Lines()]
      lines.plays.set("line 2", ["is full", "answers"])
      const [first, second] = [yield* start(of, lines), yield* start(of, lines)]
      const id = yield* on(first, create(of, input(20)))
      yield* pass([first], 500)
      const stopping = yield* Effect.forkDetach(
        on(
          first,
          BatchWorker.use(({ idle }) => idle)
        )
      )
      yield* pass([first], 2500)
      yield* Fiber.join(stopping)
      const half = yield* on(second, batchOf(of, id))
      assert.deepInclude(half, { status: "in_progress", failed: 0 })
      assert.isBelow(half.completed, 20)
      yield* pass([second], 4000)
      assert.deepInclude(yield* on(second, batchOf(of, id)), { status: "completed", completed: 20, failed: 0 })
      assert.strictEqual((yield* billed(of)).length, 20)
    }))

  const deaths: ReadonlyArray<readonly [steps: number, when: When, at: Edge | null]> = [
    ...[1, 2, 3, 5, 6, 9, 12, 15].map((n) => [n, n % 2 === 0 ? "before" : "after", null] as const),
    [3, "after", "upstream"],
    [6, "before", "upstream"],
    [20, "after", "storage"],
    [40, "before", "storage"]
  ]

  // Verifies: H-747, H-748.
  test("of a process that dies at any step go on in another within a minute: one result and one bill for each line", () =>
    Effect.gen(function* () {
      for (const [steps, when, at] of deaths) {
        const [of, lines] = [yield* owner(100n), new Lines()]
        const faulty = quiet()
        const [first, second] = [yield* start(of, lines, faulty), yield* start(of, lines)]
        const id = yield* on(second, create(of, input(9)))
        faulty.death = { steps, when, at }
        yield* pass([first], 1500)
        lines.running = 0
        // Its claim runs out after half a minute.
        yield* TestClock.adjust(31_000)
        yield* pass([second], 4000, 500)
        const batch = yield* on(second, batchOf(of, id))
        const why = JSON.stringify({ steps, when, at, alive: faulty.alive })
        assert.deepInclude(batch, { status: "completed", completed: 9, failed: 0 }, why)
        const { errors, output } = yield* results(second, of, batch)
        assert.deepStrictEqual(errors, [], why)
        assert.deepStrictEqual(sorted(output), ids(9), why)
        const rows = yield* billed(of)
        assert.deepStrictEqual(
          rows.map(({ requestId }) => requestId).sort(),
          output.map(({ response }) => response!.request_id).sort(),
          why
        )
        assert.isTrue(rows.every(({ credits }) => credits === credit))
      }
    }))

  // Verifies: H-749.
  test("of a process that stands still past its claim are finished by another, and it commits nothing", () =>
    Effect.gen(function* () {
      for (const [steps, at] of [
        [2, "upstream"],
        [4, "upstream"],
        ...[3, 9, 15, 21].map((n) => [n, "storage"] as const)
      ] as const) {
        const [of, lines] = [yield* owner(100n), new Lines()]
        lines.lasts = 600
        const faulty = quiet()
        const [first, second] = [yield* start(of, lines, faulty), yield* start(of, lines)]
        const id = yield* on(second, create(of, input(9)))
        faulty.stall({ steps, when: "after", at })
        yield* pass([first], 1000)
        // Its claim runs out after half a minute.
        yield* TestClock.adjust(31_000)
        yield* pass([second], 5000, 500)
        yield* faulty.resume
        yield* pass([first, second], 2000, 500)
        const batch = yield* on(second, batchOf(of, id))
        const why = JSON.stringify({ steps, at, stalls: faulty.isStill })
        assert.deepInclude(batch, { status: "completed", completed: 9, failed: 0 }, why)
        const { output } = yield* results(second, of, batch)
        assert.deepStrictEqual(sorted(output), ids(9), why)
        assert.strictEqual((yield* billed(of)).length, 9, why)
      }
    }))
})
