import { migrationsOf, postgresDialect } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import pg from "pg"
import { assert, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"
import {
  conversationsBefore,
  countedConversations,
  countingConversations,
  readCounted
} from "../../storage-kysely/test/AnsweredConversations.ts"
import {
  callsOfSimulator,
  movedCall,
  movedCalls,
  movingCalls,
  readStates
} from "../../storage-kysely/test/MovedCalls.ts"
import { customersWithJobs, movedJobs, movingJobs, readJobs } from "../../storage-kysely/test/MovedReplyJobs.ts"
import {
  countedOwned,
  countOwned,
  ownedRowsVersion,
  rowsAfter,
  rowsBefore
} from "../../storage-kysely/test/OwnedRows.ts"
import { ownRecords, recordsVersion, sharedRecords } from "../../storage-kysely/test/SharedRecords.ts"
import { countingSpent, readSpent, spentAfter, spentBefore } from "../../storage-kysely/test/SpentByKeys.ts"

const reason = missing()
const titled = (title: string) => (reason === null ? title : `${title} [skipped: ${reason}]`)

type Migration = ReturnType<typeof migrationsOf>[number]

/** Migrates an empty database, with rows that are there before one of the migrations and others after all of them, and reads them. */
const migrated = (rows: string, isBefore: (migration: Migration) => boolean, reading: string, after = "") =>
  Effect.gen(function* () {
    const url = yield* database
    return yield* Effect.promise(async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        for (const migration of migrationsOf(postgresDialect)) {
          if (isBefore(migration)) await client.query(rows)
          await client.query("begin")
          for (const text of migration.statements) await client.query(text)
          await client.query("commit")
        }
        await client.query(after)
        return (await client.query({ text: reading, rowMode: "array" })).rows
      } finally {
        await client.end()
      }
    })
  }).pipe(Effect.scoped, Effect.runPromise)

// Verifies: D-252.
it.skipIf(reason !== null)(
  titled("a carrier's record that several calls had stays with the one that began first"),
  async () => {
    const reading = "select provider, provider_call_id from calls order by id"
    const found = await migrated(sharedRecords("false"), ({ version }) => version === recordsVersion, reading)
    assert.deepStrictEqual(found, ownRecords)
  }
)

it.skipIf(reason !== null)(titled("the state of each reply job moves out of its customer's row"), async () => {
  const found = await migrated(customersWithJobs, ({ name }) => name === movingJobs, readJobs)
  // Postgres sends 64 bits as text.
  const numbered = found.map((row: ReadonlyArray<unknown>) =>
    row.map((value) => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value))
  )
  assert.deepStrictEqual(numbered, movedJobs)
})

it.skipIf(reason !== null)(titled("calls of the simulated carrier become rows of that provider"), async () => {
  const found = await migrated(callsOfSimulator("false", "true"), ({ name }) => name === movingCalls, readStates)
  assert.deepStrictEqual<unknown>(found.map(movedCall), movedCalls)
})

// Verifies: H-809.
it.skipIf(reason !== null)(
  titled("a conversation in which an agent has replied before does not count in a later month"),
  async () => {
    const isBefore = ({ name }: Migration) => name === countingConversations
    const found = await migrated(conversationsBefore("false"), isBefore, readCounted)
    assert.deepStrictEqual(found, countedConversations)
  }
)

// Verifies: B-604.
it.skipIf(reason !== null)(
  titled("what keys without a budget have spent is counted from the usage log, and what was counted stays"),
  async () => {
    const found = await migrated(spentBefore("false"), ({ name }) => name === countingSpent, readSpent)
    assert.deepStrictEqual<unknown>(
      // Postgres sends 64 bits as text.
      found.map(([owner, tenant, period, ...amounts]: ReadonlyArray<unknown>) => [
        owner,
        tenant,
        period,
        ...amounts.map(Number)
      ]),
      spentAfter
    )
  }
)

const literals = { no: "false", bytes: "'c'" }

it.skipIf(reason !== null)(
  titled("rows that belong to another row have its account, also those that an earlier release adds later"),
  async () => {
    const isBefore = ({ version }: Migration) => version === ownedRowsVersion
    const found = await migrated(rowsBefore(literals), isBefore, countOwned, rowsAfter(literals))
    assert.deepStrictEqual(
      found.map(([table, ...counts]: ReadonlyArray<string>) => [table, ...counts.map(Number)]),
      countedOwned
    )
  }
)
