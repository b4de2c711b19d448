/** What a promotion may have lost, where the clocks of server and process differ. */
import { assert, describe, it } from "@effect/vitest"
import { Instant } from "@trunkline/core/effect"
import { PostgresPromotions } from "../src/PostgresPromotions.ts"

const hour = 60 * 60_000
const here = Instant.make(Date.UTC(2027, 0, 1))

/** What a process learns of a promotion that was noticed a second ago, five seconds after the last commit that arrived. */
const lostWhere = async (serverAhead: number) => {
  const there = here + serverAhead
  const promotions = new PostgresPromotions("trunkline", hour, () => here)
  const row = { lost_since: String(there - 6000), promoted_at: String(there - 1000), server_now: String(there) }
  const on = { query: () => Promise.resolve({ rows: [row] } as never) }
  await promotions.record(on, { timeline: 2, replayedAt: there - 6000 })
  return promotions.lost
}

describe("the window of a promotion", () => {
  for (const [name, serverAhead] of [
    ["is behind by 40 hours", -40 * hour],
    ["is ahead by three minutes", 3 * 60_000],
    ["is right", 0]
  ] as const) {
    it(`is of this process's clock where the server's ${name}`, async () => {
      assert.deepStrictEqual(await lostWhere(serverAhead), {
        since: Instant.make(here - 6000),
        at: Instant.make(here - 1000),
        until: Instant.make(here - 1000 + hour)
      })
    })
  }
})
