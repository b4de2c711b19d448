/** Runs one step of a migration. Each may be ended at any point and run again. Source: docs/reference/storage.md#migrations. */
import {
  type Backfill,
  constraint,
  type OnlineCheck,
  type Rewrite,
  rewrittenRows,
  rewrittenTexts,
  type Step
} from "@trunkline/storage-kysely"
import { runIndex } from "./MigrationIndex.ts"
import { runPartition } from "./MigrationPartition.ts"
import { inStep, type Run, recordCursor, recordDone } from "./MigrationRun.ts"

const runTransaction = async (run: Run, texts: ReadonlyArray<string>): Promise<void> => {
  await inStep(run, async () => {
    for (const text of texts) await run.client.query(text)
    run.at(`${run.version}.${run.step} done`)
    await recordDone(run)
  })
}

const runTexts = async (run: Run, texts: ReadonlyArray<string>): Promise<void> => {
  for (const text of texts) await inStep(run, () => run.client.query(text))
  run.at(`${run.version}.${run.step} done`)
  await inStep(run, () => recordDone(run))
}

const runCheck = async (run: Run, step: OnlineCheck): Promise<void> => {
  const { client } = run
  await inStep(run, async () => {
    const found = await client.query("select from pg_constraint where conrelid = $1::regclass and conname = $2", [
      step.table,
      step.name
    ])
    if (found.rowCount === 0) await client.query(`${constraint(step)} not valid`)
  })
  run.at(`${run.version}.${run.step} done`)
  // Reads the whole table, beside readers and writers.
  await inStep(run, async () => {
    await client.query(`alter table ${step.table} validate constraint ${step.name}`)
    await recordDone(run)
  })
}

/** Rows of a batch stay locked until its end: batches are as large as fits this time. */
const batchMs = 30
const [minBatch, maxBatch] = [50, 10_000]

const nextSize = (size: number, tookMs: number): number => {
  if (tookMs > batchMs) return Math.max(minBatch, Math.floor(size / 2))
  return tookMs < batchMs / 3 ? Math.min(maxBatch, size * 2) : size
}

/** The end of the next batch after a key; null where there is none. */
const batchEnd = async ({ client }: Run, { key, table }: Backfill, after: string | null, size: number) => {
  const where = after === null ? "" : `where ${key} > $1`
  const values = after === null ? [] : [after]
  const { rows } = await client.query(
    `select ${key}::text as last from (select ${key} from ${table} ${where} order by ${key} limit ${size}) as batch
      order by ${key} desc limit 1`,
    values
  )
  return (rows[0]?.last ?? null) as string | null
}

const backfillBatch = (run: Run, step: Backfill, size: number) =>
  inStep(run, async ({ cursor }) => {
    const last = await batchEnd(run, step, cursor, size)
    if (last === null) {
      run.at(`${run.version}.${run.step} done`)
      await recordDone(run)
      return null
    }
    const from = performance.now()
    const range = cursor === null ? `${step.key} <= $1` : `${step.key} > $2 and ${step.key} <= $1`
    await run.client.query(step.change.replace("{range}", range), cursor === null ? [last] : [last, cursor])
    await recordCursor(run, last)
    return performance.now() - from
  })

/** Its rows stay locked until they are written. */
const rewriteBatch = (run: Run, step: Rewrite, size: number) =>
  inStep(run, async ({ cursor }) => {
    const from = performance.now()
    const values = cursor === null ? [] : [cursor]
    const { rows } = await run.client.query(
      `${rewrittenRows(step, cursor === null ? null : "$1::uuid", size)} for update`,
      values
    )
    const last: string | undefined = rows.at(-1)?.id
    if (last === undefined) {
      run.at(`${run.version}.${run.step} done`)
      await recordDone(run)
      return null
    }
    const texts = rewrittenTexts(step, rows)
    await run.client.query(
      `update ${step.table} set ${step.column} = anew.text
        from unnest($1::uuid[], $2::text[]) as anew (id, text) where ${step.table}.id = anew.id`,
      [texts.map(({ id }) => id), texts.map(({ text }) => text)]
    )
    await recordCursor(run, last)
    return performance.now() - from
  })

const inBatches = async (runBatch: (size: number) => Promise<number | null>): Promise<void> => {
  let size = minBatch
  for (;;) {
    const tookMs = await runBatch(size)
    if (tookMs === null) return
    size = nextSize(size, tookMs)
  }
}

export const runStep = async (run: Run, step: Step): Promise<void> => {
  switch (step.kind) {
    case "transaction":
      return runTransaction(run, step.texts)
    case "texts":
      return runTexts(run, step.texts)
    case "check":
      return runCheck(run, step)
    case "backfill":
      return inBatches((size) => backfillBatch(run, step, size))
    case "rewrite":
      return inBatches((size) => rewriteBatch(run, step, size))
    case "index":
      return runIndex(run, step)
    case "partition":
      return runPartition(run, step)
  }
}
