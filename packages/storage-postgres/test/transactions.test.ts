/** What one transaction sends to the server: docs/reference/storage.md#postgres. */
import { assert, describe, it } from "@effect/vitest"
import { lock } from "@trunkline/core/effect"
import type { StorageError } from "@trunkline/core/storage"
import { Sessions, statement } from "@trunkline/storage-kysely"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { sql } from "kysely"
import pg from "pg"
import { database, missing } from "../../../test/TestPostgres.ts"
import { type RunOptions, runOn } from "../src/PostgresTransaction.ts"

const reason = missing()

const plain: RunOptions = { durability: "full", opening: null, lockFirst: [] }

const one = Sessions.writeRows(
  statement<{ n: number }>("test.one")((db, { n }) => db.selectNoFrom(sql<number>`${n}::int`.as("n"))),
  { n: 1 }
)

const bad = Sessions.writeRows(
  statement<{ n: number }>("test.bad")((db, { n }) => db.selectNoFrom(sql<number>`1 / ${n}::int`.as("n"))),
  { n: 0 }
)

const storageError = (exit: Exit.Exit<unknown, unknown>): StorageError =>
  Cause.squash((exit as Exit.Failure<unknown, unknown>).cause) as StorageError

/** A connection with a log of what it sends, in which statements of locks are short. */
const recorded = Effect.gen(function* () {
  const url = yield* database
  const client = new pg.Client({ connectionString: url, pipeline: true })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect()),
    () => Effect.promise(() => client.end())
  )
  const sent: Array<string> = []
  const log: Array<readonly [what: "sent" | "answered", text: string]> = []
  const send = client.query.bind(client) as (query: string | { readonly text: string }) => Promise<unknown>
  const recording = {
    query: (query: string | { readonly text: string }) => {
      const text = typeof query === "string" ? query : query.text
      sent.push(
        text
          .replace(/select pg_advisory_xact_lock\(hashtextextended\(('(?:[^']|'')*'|\$1), 0\)\)/g, "lock $1")
          .replace(
            /select pg_advisory_xact_lock_shared\(hashtextextended\(('(?:[^']|'')*'|\$1), 0\)\)/g,
            "lock shared $1"
          )
      )
      log.push(["sent", text])
      return send(query).finally(() => log.push(["answered", text]))
    },
    on: client.on.bind(client),
    removeListener: client.removeListener.bind(client)
  }
  return { client: recording as unknown as pg.PoolClient, raw: client, sent, log, url }
})

describe.skipIf(reason !== null)(`a transaction of Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it.live("without a statement sends nothing, whatever becomes of it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, sent } = yield* recorded
        const done = yield* runOn(client, Effect.succeed(7), plain)
        assert.deepStrictEqual(done, { exit: Exit.succeed(7), retryWith: null, isReusable: true })
        const failed = yield* runOn(client, Effect.fail("no"), plain)
        assert.deepStrictEqual(failed, { exit: Exit.fail("no"), retryWith: null, isReusable: true })
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.live("begins with its first lock in one text, and acquires later ones by themselves", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, sent } = yield* recorded
        const program = Effect.andThen(lock("campaign", "it's"), Effect.andThen(lock("campaign", "b"), one))
        assert.isTrue(Exit.isSuccess((yield* runOn(client, program, plain)).exit))
        assert.deepStrictEqual(sent.slice(0, 2), ["begin; lock 'campaign:it''s'", "lock $1"])
        assert.deepStrictEqual([sent.length, sent.at(-1)], [4, "commit"])
      })
    )
  )

  it.live("runs statements that are begun side by side in their order, and ends after all of them", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, sent } = yield* recorded
        const warnings: Array<string> = []
        const warned = ({ message }: Error) => void warnings.push(message)
        process.on("warning", warned)
        yield* Effect.addFinalizer(() => Effect.sync(() => process.off("warning", warned)))
        const all = (programs: ReadonlyArray<typeof one>) => Effect.all(programs, { concurrency: "unbounded" })
        assert.isTrue(Exit.isSuccess((yield* runOn(client, all([one, one, one]), plain)).exit))
        assert.deepStrictEqual([sent.length, sent.at(-1)], [5, "commit"])
        // The first failure ends the program while the others wait: none of them runs after the transaction.
        sent.length = 0
        assert.isTrue(Exit.isFailure((yield* runOn(client, all([bad, one, one]), plain)).exit))
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
        assert.strictEqual(sent.at(-1), "rollback")
        assert.deepStrictEqual(warnings, [])
      })
    )
  )

  it.live("sends what it reads behind its locks, and what it writes last with the commit", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, log, raw } = yield* recorded
        yield* Effect.promise(() => raw.query("create temporary table kept (n int)"))
        const keep = statement<{ n: number }>("test.keep")((db, { n }) =>
          db.insertInto("kept" as never).values({ n: sql`${n}::int` } as never)
        )
        const program = Effect.andThen(
          Sessions.together([lock("campaign", "b", "a"), one]),
          Sessions.atEnd(Sessions.write(keep, { n: 1 }))
        )
        assert.isTrue(Exit.isSuccess((yield* runOn(client, program, plain)).exit))
        assert.deepStrictEqual(
          log.map(([what, text]) => `${what} ${text.split(";").length > 1 ? "begin and locks" : text.split(" ")[0]}`),
          [
            ...["sent begin and locks", "sent select", "answered begin and locks", "answered select"],
            ...["sent insert", "sent commit", "answered insert", "answered commit"]
          ]
        )
        // Where the last write fails, so does the commit, and nothing of the transaction stands.
        const failing = Effect.andThen(Sessions.write(keep, { n: 2 }), Sessions.atEnd(bad))
        const { exit } = yield* runOn(client, failing, plain)
        assert.strictEqual(storageError(exit).reason, "defect")
        const { rows } = yield* Effect.promise(() => raw.query("select n from kept"))
        assert.deepStrictEqual(rows, [{ n: 1 }])
      })
    )
  )

  it.live("acquires locks of any name, first or later", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client } = yield* recorded
        for (const name of ["a\0b", "a\\'b", "; rollback; --"]) {
          const program = Effect.all([lock("campaign", name), lock("campaign", "z"), lock("campaign", name)])
          assert.isTrue(Exit.isSuccess((yield* runOn(client, program, plain)).exit), JSON.stringify(name))
        }
      })
    )
  )

  it.live("begins once where its first statements run side by side", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, sent } = yield* recorded
        const program = Effect.all([one, lock("campaign", "a"), one], { concurrency: "unbounded" })
        assert.isTrue(Exit.isSuccess((yield* runOn(client, program, plain)).exit))
        assert.deepStrictEqual([sent[0], sent.at(-1)], ["begin", "commit"])
        assert.lengthOf(sent, 5)
      })
    )
  )

  it.live("acquires the locks of a run that ended in a deadlock at once, in one order", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, sent } = yield* recorded
        yield* runOn(client, one, { ...plain, lockFirst: ["b", "a"].map((name) => ({ name, isShared: name === "a" })) })
        assert.strictEqual(sent[0], "begin; lock shared 'a'; lock 'b'")
      })
    )
  )

  it.live("reads the state of the server before its first lock, and writes nothing where that is refused", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, raw, sent } = yield* recorded
        const states: Array<unknown> = []
        const admit = async (state: { readonly [column: string]: unknown }) => void states.push(state.n)
        const opening = { text: "set local statement_timeout to 5000; select 5 as n", admit }
        yield* runOn(client, Effect.andThen(lock("campaign", "a"), one), { ...plain, opening })
        yield* runOn(client, one, { ...plain, opening })
        assert.deepStrictEqual(states, [5, 5])
        const refusing = { ...opening, admit: () => Promise.reject(new Error("only reads")) }
        const refused = yield* runOn(client, Effect.andThen(lock("campaign", "a"), one), {
          ...plain,
          opening: refusing
        })
        assert.match(String(refused.exit), /only reads/)
        assert.strictEqual(sent.at(-1), "rollback")
        const { rows } = yield* Effect.promise(() =>
          raw.query("select count(*)::int as n from pg_locks where locktype = 'advisory'")
        )
        assert.strictEqual(rows[0].n, 0)
      })
    )
  )

  it.live("that waits for its first lock in vain leaves a connection that serves the next", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, raw, sent, url } = yield* recorded
        yield* Effect.promise(() => raw.query("set lock_timeout to 50"))
        const other = new pg.Client({ connectionString: url, pipeline: true })
        yield* Effect.promise(() => other.connect())
        yield* Effect.promise(() => other.query("select pg_advisory_lock(hashtextextended('campaign:a', 0))"))
        const failed = yield* runOn(client, lock("campaign", "a"), plain)
        assert.isTrue(Exit.isFailure(failed.exit))
        assert.isTrue(failed.isReusable)
        assert.deepStrictEqual(sent, ["begin; lock 'campaign:a'", "rollback"])
        yield* Effect.promise(() => other.end())
        assert.isTrue(Exit.isSuccess((yield* runOn(client, Effect.andThen(lock("campaign", "a"), one), plain)).exit))
        assert.isTrue(Exit.isFailure((yield* runOn(client, Effect.exit(bad), plain)).exit))
      })
    )
  )
})
