/** Two processes on one Postgres: whose a number is, who answers on it, and when a person has taken over. Verifies: CHAT-3. */
import { createTrunkline, type Trunkline, TrunklineError } from "@trunkline/core"
import { lock, Storage, servicesOf } from "@trunkline/core/effect"
import { channelProvider, telephonyProvider } from "@trunkline/core/provider"
import { ConversationStore, Ids, storageProvider } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-postgres"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { FakeChatPlatform } from "@trunkline/testing/messaging"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"

const reason = missing()

describe.skipIf(reason !== null)(
  `the chat channel of two processes${reason === null ? "" : ` [skipped: ${reason}]`}`,
  () => {
    const scope = Effect.runSync(Scope.make())
    const platform = new FakeChatPlatform().owns(
      "1",
      "round-0",
      "round-1",
      "round-2",
      "round-3",
      "round-4",
      "link",
      "take-over"
    )
    let processes: ReadonlyArray<Trunkline>

    beforeAll(async () => {
      const url = await Effect.runPromise(Effect.provideService(database, Scope.Scope, scope))
      const open = () =>
        createTrunkline({
          storage: storageProvider(layer({ url })),
          telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
          encryptionKey: "a key for the secrets of this test",
          messaging: { platform: channelProvider(platform.layer) },
          log: () => undefined
        })
      processes = [await open(), await open()]
    })
    afterAll(async () => {
      for (const process of processes) await process.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    const of = (i: number): Trunkline => processes[i % processes.length]!
    const account = async () => (await of(0).admin.createAccount({ name: "Account" })).id
    const connection = (phoneNumberId: string) => ({ phoneNumberId, businessAccountId: "1", accessToken: "EAAG" })

    const codeOf = (result: PromiseSettledResult<unknown>): string | null =>
      result.status === "fulfilled" ? null : result.reason instanceof TrunklineError ? result.reason.code : "defect"

    it("gives a number that many connect at once to one account, once", async () => {
      for (let round = 0; round < 5; round++) {
        const accounts = [await account(), await account()]
        const asked = Array.from({ length: 12 }, (_, i) => accounts[(i >> 1) % 2]!)
        const answers = await Promise.allSettled(
          asked.map((id, i) => of(i).messaging.numbers.connect(id, connection(`round-${round}`)))
        )
        const numbers = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []))
        expect(new Set(numbers.map(({ id }) => id)).size).toBe(1)
        const owner = asked[answers.findIndex((answer) => answer.status === "fulfilled")]
        expect(answers.map(codeOf)).toEqual(asked.map((id) => (id === owner ? null : "number_taken")))
      }
    })

    it("links no agent that is removed at the same moment", async () => {
      const id = await account()
      const { text: key } = await of(0).admin.createKey(id)
      const number = await of(0).messaging.numbers.connect(id, connection("link"))
      const bots = (method: string, path: string, body?: string) =>
        of(1).fetch(
          new Request(`http://localhost/api/v1/bots${path}`, {
            method,
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            ...(body === undefined ? {} : { body })
          })
        )
      for (let round = 0; round < 10; round++) {
        const made = (await (await bots("POST", "", '{"name":"Asha"}')).json()) as { readonly id: string }
        const [linked, removed] = await Promise.allSettled([
          of(0).messaging.numbers.linkBot(id, number.id, made.id),
          bots("DELETE", `/${made.id}`)
        ])
        expect([null, "bot_not_found"]).toContain(codeOf(linked))
        expect(removed).toMatchObject({ status: "fulfilled", value: { status: 204 } })
        expect((await of(1).messaging.numbers.get(id, number.id)).botId).toBeNull()
      }
    })

    it("lets a person take over before an answer is committed, or after it, and never in between", async () => {
      const id = await account()
      await of(0).messaging.numbers.connect(id, connection("take-over"))
      const template = { type: "template", content: { name: "welcome", language: { code: "en" } } } as const
      await of(0).messaging.send(id, { phoneNumberId: "take-over", to: "16505551234", ...template })
      const { items } = await of(0).messaging.conversations.list(id)
      const conversationId = items[0]!.id
      const switchNow = ConversationStore.use((store) =>
        Effect.map(store.byId(Ids.as(conversationId)), (found) => found!.aiAutoreplyEnabled)
      )
      const [begun, done] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
      // As the reply worker commits: under the customer's lock, after a look at the switch.
      const commit = Storage.use(({ transact }) =>
        transact(
          Effect.gen(function* () {
            const { customerId } = (yield* ConversationStore.use((store) => store.byId(conversationId)))!
            yield* lock("customer", customerId)
            const before = yield* switchNow
            yield* Deferred.succeed(begun, undefined)
            yield* Deferred.await(done)
            return [before, yield* switchNow]
          })
        )
      )
      const committing = Effect.runPromiseWith(servicesOf(of(0)))(commit)
      await Effect.runPromise(Deferred.await(begun))
      let isTaken = false
      const taking = of(1)
        .messaging.conversations.setAutoReply(id, conversationId, false)
        .then(() => {
          isTaken = true
        })
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(isTaken).toBe(false)
      await Effect.runPromise(Deferred.succeed(done, undefined))
      expect(await committing).toEqual([true, true])
      await taking
      expect((await of(0).messaging.conversations.get(id, conversationId)).aiAutoreplyEnabled).toBe(false)
    })
  }
)
