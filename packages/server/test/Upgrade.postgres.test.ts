/**
 * A process of the version before goes on working beside one that migrates: docs/storage.md#migrations. Both get requests, dial
 * and deliver all the while. Verifies: STOR-8, HOOK-1.
 */
import { startReceiver } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import pg from "pg"
import { afterAll, describe, expect, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"
import { commitBefore, formerBundle } from "./FormerServer.ts"
import { type Client, campaign, cleanUp, client, completed, folder, keyOf, serve, stop } from "./Spawned.ts"

afterAll(cleanUp)

/** With it migrations run while others work, and the first tables got months. */
const former = commitBefore("packages/storage-kysely/src/MigrationSteps.ts")
const reason = missing() ?? (former === null ? "the repository's history is not there" : null)

const people = 2

/** Starts campaigns one after the other, until it is asked to end. */
const load = (apis: () => ReadonlyArray<Client>) => {
  let isOver = false
  const started: Array<string> = []
  const run = async () => {
    for (let n = 0; !isOver; n++) {
      const all = apis()
      started.push(await campaign(all[n % all.length]!, people))
    }
  }
  const running = run()
  return {
    started,
    until: async (count: number) => {
      while (started.length < count) await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 20))])
    },
    end: async () => {
      isOver = true
      await running
    }
  }
}

const partitioned = async (url: string): Promise<ReadonlyArray<string>> => {
  const reader = new pg.Client({ connectionString: url })
  await reader.connect()
  const { rows } = await reader.query("select relname from pg_class where relkind = 'p' order by relname")
  await reader.end()
  return rows.map(({ relname }) => relname)
}

describe.skipIf(reason !== null)(`an upgrade${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it("loses nothing while the version before and this one run side by side", { timeout: 180_000 }, () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* database
          yield* Effect.promise(() => upgraded(url))
        })
      )
    )
  )
})

const upgraded = async (url: string): Promise<void> => {
  const bundle = await formerBundle(former!)
  const cwd = folder(200, { webhooks: { allow_networks: ["127.0.0.0/8"] } })
  const [before, receiver] = [await serve(cwd, { DATABASE_URL: url }, bundle), await startReceiver()]
  try {
    const key = keyOf(before)
    const old = client(before, key)
    let apis = [old]
    const events = ["campaign.started", "campaign.completed", "call.completed"]
    expect((await old("POST", "/api/v1/webhooks", { url: receiver.origin, events })).status).toBe(201)
    expect(await partitioned(url)).toEqual([])

    const running = load(() => apis)
    await running.until(2)
    const now = await serve(cwd, { DATABASE_URL: url })
    expect(await partitioned(url)).toEqual(["outbox", "usage_log", "webhook_deliveries"])
    const atUpgrade = running.started.length
    apis = [old, client(now, key)]
    await running.until(atUpgrade + 4)
    await running.end()
    for (const id of running.started) await completed(old, id)

    const perCampaign = 2 + people
    await receiver.until(() => receiver.received.length >= perCampaign * running.started.length, 30_000)
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()))
    for (const id of running.started) {
      const of = bodies.filter(({ data }) => data.campaign_id === id).map(({ event }) => event)
      const expected = [...events.slice(0, 2), ...Array.from({ length: people }, () => "call.completed")]
      expect(of.sort(), id).toEqual(expected.sort())
    }
    expect(receiver.received).toHaveLength(perCampaign * running.started.length)
    await Promise.all([stop(before), stop(now)])
  } finally {
    await receiver.close()
  }
}
