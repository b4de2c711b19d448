/** Two processes on one Postgres place calls that an agent is to answer: docs/reference/telephony.md#agents. Verifies: TELE-11. */
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { storageProvider } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-postgres"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { migratedDatabase, missing } from "../../../test/TestPostgres.ts"

const reason = missing()

describe.skipIf(reason !== null)(
  `calls with agents of two processes${reason === null ? "" : ` [skipped: ${reason}]`}`,
  () => {
    const scope = Effect.runSync(Scope.make())
    let processes: ReadonlyArray<Trunkline>

    beforeAll(async () => {
      const url = await Effect.runPromise(Effect.provideService(migratedDatabase, Scope.Scope, scope))
      const network = new FakeNetwork()
      const open = () =>
        createTrunkline({
          storage: storageProvider(layer({ url })),
          telephony: telephonyProvider(layerFakeCarrier(network, { hasMedia: true })),
          answer: { kind: "agent" },
          encryptionKey: "a key for the secrets of this test",
          log: () => undefined
        })
      processes = [await open(), await open()]
    })
    afterAll(async () => {
      for (const process of processes) await process.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    const of = (i: number): Trunkline => processes[i % processes.length]!

    const ask = (core: Trunkline, key: string, path: string, body?: object) =>
      core.fetch(
        new Request(`http://localhost${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )

    it("are exactly as many as the plan's sessions, however many are asked for at once", async () => {
      const { id: account } = await of(0).admin.createAccount({ name: "A", plan: "starter", voiceCampaigns: true })
      await of(0).admin.addCredits(account, "1000")
      const { text: key } = await of(0).admin.createKey(account, { scopes: ["*"] })
      const agent = { name: "Asha", type: "voice", system_prompt: "You sell tea.", is_active: true }
      const { id: bot_id } = (await (await ask(of(0), key, "/api/v1/bots", agent)).json()) as { readonly id: string }
      const dial = async (nth: number) => {
        const to = `+141555501${String(nth).padStart(2, "0")}`
        const answer = await ask(of(nth), key, "/api/v1/telephony/calls", { to, bot_id })
        return { status: answer.status, call: (await answer.json()) as { readonly id: string } }
      }
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => dial(nth)))
        const placed = answers.filter(({ status }) => status === 201)
        expect(placed).toHaveLength(5)
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
        for (const { call } of placed) await ask(of(round), key, `/api/v1/telephony/calls/${call.id}/hangup`)
        const open = async () => {
          const answer = await of(0).fetch(
            new Request("http://localhost/api/v1/telephony/calls?limit=100", {
              headers: { authorization: `Bearer ${key}` }
            })
          )
          return ((await answer.json()) as ReadonlyArray<{ readonly ended_at: unknown }>).some(
            ({ ended_at }) => ended_at === null
          )
        }
        while (await open()) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
  }
)
