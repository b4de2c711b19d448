/** Two servers under load while the primary of their Postgres is killed and its standby promoted: docs/reference/storage.md#fail-over. */

import { setTimeout as sleep } from "node:timers/promises"
import { atMost } from "@trunkline/testing/slow-machine"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { clockLibrary } from "../../../test/Clock.ts"
import { missingPair } from "../../../test/PostgresPair.ts"
import { type FailOverWorld, startFailOverWorld } from "./FailOverWorld.ts"
import { campaign, cleanUp, reached, until } from "./Spawned.ts"

const reason = await missingPair()

/** How soon each process works again. */
const soon = 15_000

/** A call whose callback was lost is closed within this time: docs/reference/reliability.md#promises. */
const closesWithin = 180_000

/** More than the hour in which calls are looked up. */
const clocks = [
  { name: "the processes' clock", clocksAheadMs: 0 },
  { name: "a clock two hours behind the processes'", clocksAheadMs: -2 * 60 * 60_000 }
]

afterAll(cleanUp)

interface Acknowledged {
  readonly bots: Array<string>
  readonly calls: Array<string>
  readonly customers: Array<string>
  /** When each server has last acknowledged something, and first after an instant. */
  readonly instants: readonly [Array<number>, Array<number>]
}

/** Writes through both servers until it is stopped, and keeps what was acknowledged. */
const load = ({ apis, says, servers }: FailOverWorld) => {
  const done: Acknowledged = { bots: [], calls: [], customers: [], instants: [[], []] }
  let isRunning = true
  let n = 0
  const write = async (at: 0 | 1) => {
    while (isRunning) {
      const nth = n++
      try {
        if (nth % 3 === 0) {
          const { body, status } = await apis[at]("POST", "/api/v1/bots", { name: `B${nth}` })
          if (status === 201) done.bots.push(body.id)
        } else if (nth % 3 === 1) {
          const to = `+1415666${String(nth).padStart(4, "0")}`
          const { body, status } = await apis[at]("POST", "/api/v1/telephony/calls", { to })
          if (status === 201) done.calls.push(body.id)
        } else {
          const from = `1650777${String(nth).padStart(4, "0")}`
          if ((await says(servers[at], from, `About ${nth}?`)) === 200) done.customers.push(from)
        }
      } catch {
        // Not acknowledged.
      }
      await sleep(40)
    }
  }
  /** One request after the other, so that a server is known to work as soon as it does. */
  const look = async (at: 0 | 1) => {
    while (isRunning) {
      const { body, status } = await apis[at]("POST", "/api/v1/bots", { name: "L" }).catch(() => ({
        status: 0,
        body: null
      }))
      if (status === 201) {
        done.bots.push(body.id)
        done.instants[at].push(performance.now())
      }
      await sleep(100)
    }
  }
  const loops = [...[0, 1, 0, 1, 0, 1].map((at) => write(at as 0 | 1)), look(0), look(1)]
  return {
    done,
    stop: async () => {
      isRunning = false
      await Promise.all(loops)
    }
  }
}

/** How often each value occurs, of those that occur more than once. */
const repeated = (values: ReadonlyArray<string>) =>
  [...Map.groupBy(values, (value) => value)]
    .filter(([, all]) => all.length > 1)
    .map(([value, all]) => [value, all.length])

/** What the database knows of customers. */
const conversations = ({ pair }: FailOverWorld, phones: ReadonlyArray<string>) =>
  pair.standby.query(
    `select to_json(j) as job, (select json_agg(m) from trunkline.chat_messages m where m.customer_id = c.id) as messages
      from trunkline.chat_customers c left join trunkline.reply_jobs j on j.customer_id = c.id
      where c.phone in (${phones.map((phone) => `'${phone}'`).join()})`
  )

describe.skipIf(reason !== null)(`a fail-over under load${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it("loses nothing that was acknowledged, repeats nothing, and is over within 15 s", async () => {
    const world = await startFailOverWorld({ isSynchronous: true })
    onTestFinished(world.close)
    const { carrier, pair, platform, receiver } = world
    const hooks = () => receiver.received.map(({ headers }) => String(headers["webhook-id"]))
    const { done, stop } = load(world)
    await until(async () => (done.calls.length >= 10 && done.customers.length >= 10 ? true : null))
    await pair.primary.signal("SIGKILL")
    const killed = performance.now()
    await pair.promote()
    const worked = await until(async () => {
      const firsts = done.instants.map((own) => own.find((at) => at > killed + 1000))
      return firsts.every((at) => at !== undefined) ? firsts.map((at) => Math.round(at! - killed)) : null
    })
    await sleep(3000)
    await stop()
    for (const milliseconds of worked) expect(milliseconds).toBeLessThan(atMost(soon))

    // Nothing that was acknowledged is missing, and each call has its end.
    const rows = async (table: string, ids: ReadonlyArray<string>) => {
      const list = ids.map((id) => `'${id}'`).join()
      const [row] = await pair.standby.query(`select count(*)::int as n from trunkline.${table} where id in (${list})`)
      return row!.n
    }
    expect(await rows("bots", done.bots)).toBe(done.bots.length)
    expect(await rows("calls", done.calls)).toBe(done.calls.length)
    await until(async () => {
      const [open] = await pair.standby.query("select count(*)::int as n from trunkline.calls where ended_at is null")
      return open!.n === 0 ? true : null
    }, closesWithin)
    expect(repeated(carrier.calls.map(({ form }) => form.get("To")!))).toEqual([])

    // An answer whose order may or may not have been committed is not given, and the conversation says so.
    const answered = () => new Set(platform.messages.map(({ to }) => to))
    const doubtful =
      "select count(*)::int as n from trunkline.chat_messages where direction = 'outbound' and status = 'failed'"
    await sleep(3000)
    // Claims whose process could not release them run out, as they must, and soon.
    await pair.standby.query(
      "update trunkline.reply_jobs set claimed_until = (extract(epoch from now()) * 1000)::bigint + 1000 where claim is not null"
    )
    // Replies wait half a minute for what the channel reports: docs/reference/messaging.md#fail-over.
    const unanswered = () => done.customers.filter((one) => !answered().has(one))
    await until(
      async () => {
        const [{ n } = { n: 0 }] = await pair.standby.query(doubtful)
        return unanswered().length <= Number(n) ? true : null
      },
      180_000,
      async () => ({
        conversations: await conversations(world, unanswered()),
        logs: world.servers.map(({ logged }) => logged())
      })
    )
    expect(repeated(platform.messages.map(({ to }) => to))).toEqual([])

    await until(async () => (hooks().length >= carrier.calls.length ? true : null))
    expect(repeated(hooks())).toEqual([])
  })

  for (const { name, clocksAheadMs } of clocks) {
    const missing =
      clocksAheadMs !== 0 && clockLibrary === null ? " [skipped: needs libfaketime (Debian's package faketime)]" : ""
    it.skipIf(missing !== "")(
      `of an asynchronous standby calls nobody again whom the lost transactions had called, with ${name}${missing}`,
      async () => {
        const world = await startFailOverWorld({ isSynchronous: false, clocksAheadMs })
        onTestFinished(world.close)
        const { apis, carrier, pair } = world
        const [api] = apis
        const people = 5
        const id = await campaign(api, people)
        const called = () => carrier.calls.map(({ form }) => form.get("To")!)
        // The standby knows of the first call, and of nothing that comes after it.
        await until(async () => {
          const rows = await pair.standby
            .query("select 1 from trunkline.calls where provider_call_id is not null")
            .catch(() => [])
          return rows.length > 0 ? true : null
        })
        await pair.disconnect()
        const known = called().length
        await until(async () => (called().length > Math.min(known, people - 1) ? true : null))
        await pair.primary.signal("SIGKILL")
        await pair.promote()
        await reached(api, id, people)
        expect(called()).toHaveLength(people)
        expect(repeated(called())).toEqual([])
      }
    )
  }
})
