/** Files on a database: their bytes, the plan's storage side by side, deletion, expiry, lists. Verifies: FILE-1, FILE-2, FILE-3, FILE-4, FILE-5. */
import { assert } from "@effect/vitest"
import { Files, type Ids, Instant, read, transact } from "@trunkline/core/effect"
import { FileStore } from "@trunkline/core/storage"
import {
  chunkBytes,
  type FileUpload,
  fileIdOf,
  Idempotency,
  type RouteResult,
  type Stores,
  storedBytesLayer
} from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const services = Layer.provideMerge(Files.layer, Layer.merge(Idempotency.layer, storedBytesLayer))

/** The free plan's storage. */
const allBytes = 100_000_000

const bytesOf = (size: number, seed = 7): Uint8Array => {
  const bytes = new Uint8Array(size)
  for (let i = 0; i < size; i++) bytes[i] = (i * seed + (i >> 8)) & 255
  return bytes
}

interface Given {
  readonly fields?: ReadonlyArray<readonly [string, string]>
  readonly key?: string | null
  readonly plan?: FileUpload["plan"]
}

/** An upload in pieces of an odd size. */
const upload = (tenantId: Ids.AccountId, bytes: Uint8Array, { fields = [], key = null, plan = "free" }: Given = {}) =>
  Effect.gen(function* () {
    const files = yield* Files
    const writer = yield* files.receive(tenantId, plan)
    for (let from = 0; from < bytes.byteLength; from += 100_003) {
      writer.add(bytes.subarray(from, from + 100_003))
      yield* writer.flush
    }
    const file = { filename: "lines.jsonl", size: bytes.byteLength, digest: yield* writer.end }
    const form = { fields: [["purpose", "batch"] as const, ...fields], file }
    return yield* files.upload({ tenantId, plan, form, writer, idempotencyKey: key })
  }).pipe(Effect.scoped)

const bodyOf = ({ response }: RouteResult) =>
  JSON.parse(response.body) as { readonly id: string; readonly bytes: number }

const idOf = (result: RouteResult): Ids.FileId => fileIdOf(bodyOf(result).id)!

const contentOf = (tenantId: Ids.AccountId, id: Ids.FileId) =>
  Effect.gen(function* () {
    const files = yield* Files
    const parts = yield* Stream.runCollect(files.content(yield* files.get(tenantId, id)))
    return Buffer.concat([...parts])
  })

const refusalOf = <A, R>(program: Effect.Effect<A, { readonly _tag: string; readonly message: string }, R>) =>
  Effect.map(Effect.flip(program), (error) =>
    "code" in error ? `${String(error.code)}: ${error.message}` : error._tag
  )

const used = (tenantId: Ids.AccountId) => Effect.flatMap(Files, (files) => read(files.used(tenantId)))

const rowOf = (tenantId: Ids.AccountId, id: Ids.FileId) => read(FileStore.use((store) => store.find(tenantId, id)))

const chunkOf = (id: Ids.FileId, n: number) => read(FileStore.use((store) => store.chunk(id, n)))

/** Uses up the storage of an account but for some bytes, without writing any. */
const fill = (tenantId: Ids.AccountId, left: number) =>
  transact(
    FileStore.use((store) =>
      store.add({
        ...{ id: Rows.id<"File">(), tenantId, status: "ready", purpose: "batch", filename: "large" },
        ...{ bytes: allBytes - left, readers: 0, createdAt: Rows.at(0), expiresAt: null, sweepAt: null }
      })
    )
  )

export const files = suite("files", ({ it }) => {
  const test = (name: string, body: () => Effect.Effect<void, unknown, Stores | Files | Idempotency>) =>
    it.effect(name, () => Effect.andThen(TestClock.setTime(Rows.at(0)), Effect.provide(body(), services)))

  // Verifies: H-700, H-701.
  test("come back byte for byte, whatever their size is", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      for (const size of [1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 700_001]) {
        const bytes = bytesOf(size)
        const result = yield* upload(tenantId, bytes, { plan: "enterprise" })
        assert.strictEqual(bodyOf(result).bytes, size)
        assert.isTrue((yield* contentOf(tenantId, idOf(result))).equals(bytes), String(size))
      }
    }))

  // Verifies: H-702.
  test("are read by another process at once, and by no other account", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const id = idOf(yield* upload(tenantId, bytesOf(400_000)))
      const another = Layer.fresh(services)
      assert.strictEqual((yield* Effect.provide(contentOf(tenantId, id), another)).length, 400_000)
      assert.match(yield* refusalOf(contentOf(Rows.id(), id)), /^not_found/)
      const stranger = yield* Files.use((all) => refusalOf(all.remove(Rows.id(), id)))
      assert.match(stranger, /^not_found/)
    }))

  // Verifies: H-703.
  test("that are uploaded side by side fit into the plan's storage exactly", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      yield* fill(tenantId, 2_500)
      const processes = [services, Layer.fresh(services), Layer.fresh(services)]
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 9 }, (_, n) => processes[n % 3]!),
        (process) =>
          Effect.match(Effect.provide(upload(tenantId, bytesOf(1_000)), process), {
            onSuccess: () => "stored",
            onFailure: ({ message }) => message
          }),
        { concurrency: 4 }
      )
      const [refused] = outcomes.filter((outcome) => outcome !== "stored")
      assert.strictEqual(outcomes.filter((outcome) => outcome === "stored").length, 2)
      assert.match(refused!, /500 bytes .* left/)
      assert.strictEqual(yield* used(tenantId), allBytes - 500)
      yield* upload(tenantId, bytesOf(500))
      assert.match(yield* refusalOf(upload(tenantId, bytesOf(1))), /^file_too_large: .* 0 bytes/)
      yield* upload(tenantId, bytesOf(1), { plan: "enterprise" })
    }))

  // Verifies: H-704.
  test("free their bytes at once when they are deleted, and their rows later", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      yield* fill(tenantId, 300_000)
      const id = idOf(yield* upload(tenantId, bytesOf(300_000)))
      const all = yield* Files
      assert.match(yield* refusalOf(upload(tenantId, bytesOf(1))), /^file_too_large/)
      yield* all.remove(tenantId, id)
      assert.match(yield* refusalOf(all.get(tenantId, id)), /^not_found/)
      assert.match(yield* refusalOf(all.remove(tenantId, id)), /^not_found/)
      const next = idOf(yield* upload(tenantId, bytesOf(300_000)))
      yield* all.sweep
      assert.isNull(yield* rowOf(tenantId, id))
      assert.isNull(yield* chunkOf(id, 0))
      assert.strictEqual((yield* contentOf(tenantId, next)).length, 300_000)
    }))

  // Verifies: H-705.
  test("are gone from the instant of their expiry on, and their bytes are free then", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const all = yield* Files
      const expiring = [["expires_after[seconds]", "3600"] as const]
      const id = idOf(yield* upload(tenantId, bytesOf(1_000), { fields: expiring }))
      yield* TestClock.adjust(Instant.hour - 1)
      assert.strictEqual(yield* used(tenantId), 1_000)
      assert.strictEqual((yield* contentOf(tenantId, id)).length, 1_000)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* used(tenantId), 0)
      assert.match(yield* refusalOf(all.get(tenantId, id)), /^not_found/)
      assert.isNotNull(yield* chunkOf(id, 0))
      yield* all.sweep
      assert.isNull(yield* chunkOf(id, 0))
    }))

  // Verifies: H-706.
  test("that somebody reads are not deleted, and keep their bytes beyond their expiry", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const all = yield* Files
      const id = idOf(yield* upload(tenantId, bytesOf(1_000), { fields: [["expires_after[seconds]", "3600"]] }))
      yield* transact(Effect.andThen(all.retain(tenantId, id), all.retain(tenantId, id)))
      assert.match(yield* refusalOf(all.remove(tenantId, id)), /^invalid_request: A batch/)
      yield* TestClock.adjust(Instant.hour)
      yield* all.sweep
      assert.isNotNull(yield* chunkOf(id, 0))
      assert.isNull(yield* transact(all.retain(tenantId, id)))
      yield* transact(all.release(tenantId, id))
      yield* all.sweep
      assert.isNotNull(yield* chunkOf(id, 0))
      yield* transact(all.release(tenantId, id))
      yield* all.sweep
      assert.isNull(yield* chunkOf(id, 0))
    }))

  // Verifies: H-707.
  test("whose upload is refused or breaks off leave nothing behind; of a process that died for half an hour", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const all = yield* Files
      yield* fill(tenantId, 10)
      const left: Array<Ids.FileId> = []
      const begun = Effect.gen(function* () {
        const writer = yield* all.receive(tenantId, "free")
        left.push(writer.id)
        writer.add(bytesOf(2 * chunkBytes + 1))
        yield* writer.flush
        assert.strictEqual((yield* rowOf(tenantId, writer.id))?.status, "staged")
        return yield* Effect.fail("the client has gone")
      })
      assert.strictEqual(yield* Effect.flip(Effect.scoped(begun)), "the client has gone")
      assert.isNull(yield* rowOf(tenantId, left[0]!))
      assert.match(yield* refusalOf(upload(tenantId, bytesOf(chunkBytes))), /^file_too_large/)
      const died = Rows.id<"File">()
      yield* transact(
        FileStore.use((store) =>
          store.add({
            ...{ id: died, tenantId, status: "staged", purpose: "batch", filename: "", bytes: 0, readers: 0 },
            ...{ createdAt: Rows.at(0), expiresAt: null, sweepAt: Rows.at(30 * Instant.minute) }
          })
        )
      )
      assert.strictEqual(yield* all.sweep, 0)
      assert.isNull(yield* chunkOf(left[0]!, 0))
      assert.strictEqual(yield* used(tenantId), allBytes - 10)
      yield* TestClock.adjust(30 * Instant.minute)
      assert.strictEqual(yield* all.sweep, 1)
      assert.isNull(yield* rowOf(tenantId, died))
    }))

  test("count toward the plan while they are uploaded side by side, four of one account at a time", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const all = yield* Files
      const reserved = 32 * chunkBytes
      yield* fill(tenantId, 2 * reserved + 1)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const writers = yield* Effect.all(Array.from({ length: 4 }, () => all.receive(tenantId, "free")))
          assert.match(
            yield* refusalOf(Effect.scoped(all.receive(tenantId, "free"))),
            /^rate_limit_exceeded: .* 4 uploads/
          )
          yield* Effect.scoped(all.receive(Rows.id(), "free"))
          const bytes = bytesOf(reserved + chunkBytes)
          yield* Effect.forEach(
            writers,
            (writer) => {
              writer.add(bytes)
              return writer.flush
            },
            { concurrency: "unbounded" }
          )
          const refused = writers.filter((writer) => writer.refused !== null)
          assert.strictEqual(refused.length, 2)
          for (const { id } of refused) assert.isNull(yield* chunkOf(id, 0))
          assert.strictEqual(yield* used(tenantId), allBytes - 2 * reserved - 1)
          assert.match(yield* refusalOf(upload(Rows.id(), new Uint8Array(0))), /^invalid_request/)
        })
      )
      yield* upload(tenantId, bytesOf(2 * reserved + 1))
    }))

  // Verifies: H-708.
  test("are listed in the order of their creation, page by page", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const all = yield* Files
      const ids: Array<Ids.FileId> = []
      for (let n = 1; n <= 5; n++) ids.push(idOf(yield* upload(tenantId, bytesOf(n))))
      const newest = [...ids].reverse()
      const page = (order: "asc" | "desc", after: Ids.FileId | null, limit = 2) =>
        Effect.map(all.list({ tenantId, purposes: ["batch"], order, after, limit }), (found) =>
          found.map(({ id }) => id)
        )
      assert.deepStrictEqual(yield* page("desc", null), newest.slice(0, 3))
      assert.deepStrictEqual(yield* page("desc", newest[2]!), newest.slice(3))
      assert.deepStrictEqual(yield* page("asc", ids[0]!), ids.slice(1, 4))
      yield* all.remove(tenantId, ids[2]!)
      assert.deepStrictEqual(yield* page("asc", ids[2]!), ids.slice(3))
      assert.deepStrictEqual(yield* page("asc", null, 10), [ids[0], ids[1], ids[3], ids[4]])
      assert.deepStrictEqual(
        yield* all.list({ tenantId, purposes: ["batch_output"], order: "asc", after: null, limit: 5 }),
        []
      )
      // A query may ask for what no database can store: it is the purpose of no file.
      for (const odd of ["\0", "\ud83d", "\ude00\ud83d"]) {
        assert.deepStrictEqual(yield* all.list({ tenantId, purposes: [odd], order: "asc", after: null, limit: 5 }), [])
      }
    }))

  // Verifies: H-709.
  test("are stored once under an Idempotency-Key, by however many requests at once", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const key = "one upload"
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 8 }),
        () => Effect.result(upload(tenantId, bytesOf(300_000), { key })),
        { concurrency: 4 }
      )
      const stored = outcomes.flatMap((outcome) => (outcome._tag === "Success" ? [outcome.success] : []))
      assert.strictEqual(new Set(stored.map((one) => bodyOf(one).id)).size, 1)
      const again = yield* upload(tenantId, bytesOf(300_000), { key })
      assert.isTrue(again.isReplayed)
      assert.strictEqual(again.response.body, stored[0]!.response.body)
      assert.match(yield* refusalOf(upload(tenantId, bytesOf(300_000, 3), { key })), /^idempotency_key_reused/)
      const fields = [["expires_after[seconds]", "3600"] as const]
      assert.match(yield* refusalOf(upload(tenantId, bytesOf(300_000), { key, fields })), /^idempotency_key_reused/)
      assert.strictEqual(yield* used(tenantId), 300_000)
    }))
})
