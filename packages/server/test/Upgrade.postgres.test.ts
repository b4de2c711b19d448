/**
 * A process of the version before goes on working beside one that migrates: docs/reference/storage.md#migrations. Both get requests, dial
 * and deliver all the while. Verifies: STOR-8, HOOK-1.
 */

import { setTimeout as sleep } from "node:timers/promises"
import { type FakePlatform, inbound, inboundMessages, startFakePlatform } from "@trunkline/testing/messaging"
import { clockSpeed } from "@trunkline/testing/slow-machine"
import { openAiChat, startFakeOpenAi } from "@trunkline/testing/upstreams"
import { startReceiver } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import pg from "pg"
import { afterAll, describe, expect, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"
import { commitBefore, formerBundle } from "./FormerServer.ts"
import { appSecret, chatSettings, linkNumber } from "./LinkedNumber.ts"
import {
  type Client,
  campaign,
  cleanUp,
  client,
  completed,
  folder,
  keyOf,
  type Server,
  serve,
  stop,
  until
} from "./Spawned.ts"

afterAll(cleanUp)

interface Former {
  readonly version: string
  /** The commit before the one that added this file. */
  readonly file: string
  /** The tables with months then. */
  readonly months: ReadonlyArray<string>
  /** Whether it adds messages to a table with months. */
  readonly hasMessages: boolean
}

const formers: ReadonlyArray<Former> = [
  {
    version: "the one before migrations ran while others work",
    file: "packages/storage-kysely/src/MigrationSteps.ts",
    months: [],
    hasMessages: false
  },
  {
    version: "the one before calls and messages had months",
    file: "packages/storage-kysely/src/MonthlyKeys.ts",
    months: ["outbox", "usage_log", "webhook_deliveries"],
    hasMessages: true
  }
]
const months = ["calls", "chat_messages", "outbox", "usage_log", "webhook_deliveries"]

const commits = formers.map(({ file }) => commitBefore(file))
const reason = missing() ?? (commits.includes(null) ? "the repository's history is not there" : null)

const people = 2

/** Starts campaigns one after the other, until it is asked to end. */
const load = (apis: () => ReadonlyArray<Client>) => {
  let isOver = false
  const started: Array<string> = []
  const run = async () => {
    for (let n = 0; !isOver; n++) {
      const all = apis()
      started.push(await campaign(all[n % all.length]!, people))
      await sleep(150)
    }
  }
  const running = run()
  return {
    started,
    until: async (count: number) => {
      while (started.length < count) await Promise.race([running, sleep(20)])
    },
    end: async () => {
      isOver = true
      await running
    }
  }
}

const queried = async (url: string, text: string): Promise<ReadonlyArray<Record<string, string>>> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const partitioned = async (url: string): Promise<ReadonlyArray<string>> => {
  const rows = await queried(url, "select relname from pg_class where relkind = 'p' order by relname")
  return rows.map(({ relname }) => relname!)
}

/** Customers who write one after the other, each to one of the servers, until it is asked to end. */
const chat = (platform: FakePlatform, servers: () => ReadonlyArray<Server>) => {
  let isOver = false
  const customers: Array<string> = []
  const refused: Array<number> = []
  const run = async () => {
    for (let n = 0; !isOver; n++) {
      const all = servers()
      const from = `1650777${String(n).padStart(4, "0")}`
      platform.deliverTo({ url: `${all[n % all.length]!.url}/api/v1/messaging/inbound`, appSecret })
      const timestamp = String(Math.floor(Date.now() / 1000))
      const said = inboundMessages(inbound.text(`About ${n}?`, { from, from_user_id: undefined, timestamp }))
      const status = await platform.deliver(said)
      if (status === 200) customers.push(from)
      else refused.push(status)
      // The platform repeats what it has delivered.
      await platform.deliver(said)
      await sleep(100)
    }
  }
  const running = run()
  return {
    customers,
    refused,
    end: async () => {
      isOver = true
      await running
    }
  }
}

describe.skipIf(reason !== null)(`an upgrade${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  for (const [n, former] of formers.entries()) {
    it(`loses nothing while ${former.version} and this one run side by side`, () =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const url = yield* database
            yield* Effect.promise(() => upgraded(url, former, commits[n]!))
          })
        )
      ))
  }
})

const upgraded = async (url: string, former: Former, commit: string): Promise<void> => {
  const bundle = await formerBundle(commit)
  const [platform, model] = [await startFakePlatform(), await startFakeOpenAi()]
  model.behave(() => openAiChat({ text: "Yes." }))
  const cwd = folder(clockSpeed(200), {
    webhooks: { allow_networks: ["127.0.0.0/8"] },
    ...chatSettings(platform, model, 200)
  })
  const [before, receiver] = [await serve(cwd, { DATABASE_URL: url }, bundle), await startReceiver()]
  try {
    const key = keyOf(before)
    // The chat has more conversations than a smaller plan. The command of this version would migrate.
    await queried(url, "update trunkline.accounts set plan = 'enterprise'")
    const old = client(before, key)
    let apis = [old]
    const events = ["campaign.started", "campaign.completed", "call.completed"]
    expect((await old("POST", "/api/v1/webhooks", { url: receiver.origin, events })).status).toBe(201)
    expect(await partitioned(url)).toEqual(former.months)
    await linkNumber(old)

    const running = load(() => apis)
    let servers = [before]
    const chatting = former.hasMessages ? chat(platform, () => servers) : null
    await running.until(2)
    const now = await serve(cwd, { DATABASE_URL: url })
    expect(await partitioned(url)).toEqual(months)
    servers = [before, now]
    const atUpgrade = running.started.length
    apis = [old, client(now, key)]
    await running.until(atUpgrade + 4)
    await running.end()
    await chatting?.end()
    for (const id of running.started) await completed(old, id)

    const perCampaign = 2 + people
    await receiver.until(() => receiver.received.length >= perCampaign * running.started.length)
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()))
    for (const id of running.started) {
      const of = bodies.filter(({ data }) => data.campaign_id === id).map(({ event }) => event)
      const expected = [...events.slice(0, 2), ...Array.from({ length: people }, () => "call.completed")]
      expect(of.sort(), id).toEqual(expected.sort())
    }
    expect(receiver.received).toHaveLength(perCampaign * running.started.length)
    if (chatting !== null) {
      expect(chatting.refused).toEqual([])
      expect(chatting.customers.length).toBeGreaterThan(3)
      const answered = () => platform.messages.map(({ to }) => to)
      const isAnswered = async () => (answered().length >= chatting.customers.length ? true : null)
      await until(isAnswered, undefined, async () => [before, now].map(({ logged }) => logged()))
      expect(answered().sort()).toEqual(chatting.customers.toSorted())
    }
    await Promise.all([stop(before), stop(now)])
  } finally {
    await Promise.all([receiver.close(), platform.close(), model.close()])
  }
}
