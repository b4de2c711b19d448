/** Two processes on one Postgres: a voice session ends once. Verifies: VOIC-1, VOIC-2. */

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
  `voice sessions of two processes${reason === null ? "" : ` [skipped: ${reason}]`}`,
  () => {
    const scope = Effect.runSync(Scope.make())
    let processes: ReadonlyArray<Trunkline>

    beforeAll(async () => {
      const url = await Effect.runPromise(Effect.provideService(migratedDatabase, Scope.Scope, scope))
      const open = () =>
        createTrunkline({
          storage: storageProvider(layer({ url })),
          telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
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

    const make = async () => {
      const { id: account } = await of(0).admin.createAccount({ name: "Account" })
      const key = (await of(0).admin.createKey(account)).text
      const answer = await of(0).fetch(
        new Request("http://localhost/api/v1/bots", {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "Asha" })
        })
      )
      const bot = (await answer.json()) as { readonly id: string }
      return { account, session: await of(0).voice.create(account, { botId: bot.id }) }
    }

    // Verifies: G-247.
    it("end once by 20 requests at once, half of them in each, and publish one end", async () => {
      for (let round = 0; round < 5; round++) {
        const { account, session } = await make()
        await of(round).voice.connected(account, session.id)
        const ended = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            of(i).voice.end(account, session.id, i % 3 === 0 ? "agent_error" : `end_${i}`)
          )
        )
        expect(new Set(ended.map(({ endReason, status }) => `${endReason} ${status}`)).size).toBe(1)
        const events = (await of(round).events.read(null, 1000)).filter(
          ({ data }) => "session_id" in data && data.session_id === session.id
        )
        expect(events.map(({ event }) => event)).toEqual([
          "voice_session.started",
          ended[0]!.status === "failed" ? "voice_session.failed" : "voice_session.ended"
        ])
        expect(events[1]!.data).toMatchObject({ end_reason: ended[0]!.endReason })
      }
    })
  }
)
