/** What a database shows of the secrets of an installation: nothing. Source: docs/reference/operations.md#keys. Verifies: HOOK-8, CHAT-7, VOIC-4, BOTS-8. */
import { createTrunkline, type LogEntry, type StorageProvider, type Trunkline } from "@trunkline/core"
import { read, type Services, servicesOf, transact } from "@trunkline/core/effect"
import { channelProvider, Ids, telephonyProvider } from "@trunkline/core/provider"
import { ConnectedNumberStore, SubscriptionStore } from "@trunkline/core/storage"
import { Vault } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { FakeNetwork, layerFakeCarrier } from "../FakeCarrier.ts"
import { FakeChatPlatform } from "../messaging/FakeChatPlatform.ts"

/** A database of its own, which several processes may open one after the other. */
export interface StoredRows {
  readonly storage: () => StorageProvider
  /** Every row of every table as text, read past the product. */
  readonly rows: () => Promise<string>
  readonly close: () => Promise<void>
}

const encryptionKey = "a key for the secrets of this test"
const jwtSecret = "a secret for the tokens of this test"
const accessToken = "EAAG-a-token-of-the-number"
const functionHeader = "Bearer a-token-of-the-function"
const phoneNumberId = "1066"
const url = "https://example.com/hooks"

export const storedSecretsSuite = (name: string, begin: () => Promise<StoredRows>) =>
  describe(`secrets and tokens in the rows of ${name}`, () => {
    let database: StoredRows
    let platform: FakeChatPlatform
    let log: Array<LogEntry>
    const processes: Array<Trunkline> = []

    const open = async (): Promise<Trunkline> => {
      const core = await createTrunkline({
        storage: database.storage(),
        telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
        messaging: { platform: channelProvider(platform.layer) },
        auth: { jwt: { secret: jwtSecret } },
        encryptionKey,
        log: (entry) => log.push(entry)
      })
      processes.push(core)
      return core
    }

    beforeEach(async () => {
      platform = new FakeChatPlatform().owns("7", phoneNumberId)
      log = []
      database = await begin()
    })
    afterEach(async () => {
      for (const core of processes.splice(0)) await core.stop()
      await database.close()
    })

    const ask = async (core: Trunkline, key: string, path: string, json: object): Promise<Record<string, string>> => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const body = JSON.stringify(json)
      const answer = await core.fetch(new Request(`http://localhost${path}`, { method: "POST", headers, body }))
      expect([200, 201]).toContain(answer.status)
      return (await answer.json()) as Record<string, string>
    }

    /** One of everything that has a secret or a token. */
    const settle = async (core: Trunkline) => {
      const { id } = await core.admin.createAccount({ name: "Account" })
      const { text: key } = await core.admin.createKey(id)
      const { token: dashboard } = await core.admin.createToken(id, { role: "owner" })
      const { token: portal } = await core.admin.createPortalToken(id)
      const { secret: before, webhook } = await core.webhooks.create(id, { url, events: ["campaign.completed"] })
      const { secret } = await core.webhooks.rotateSecret(id, webhook.id, 3600)
      const email = await ask(core, key, "/api/v1/email/webhooks", { url, events: ["email.bounced"] })
      await core.messaging.numbers.connect(id, { phoneNumberId, businessAccountId: "7", accessToken })
      const bot = await ask(core, key, "/api/v1/bots", {
        name: "Agent",
        config: { functions: [{ name: "book", endpoint: { url, headers: { Authorization: functionHeader } } }] }
      })
      const session = await core.voice.create(id, { botId: bot.id! })
      const texts = [key, dashboard, portal, before, secret, email.secret, accessToken, functionHeader, session.token]
      return { id, key, session, webhook, before, secret, texts: texts as ReadonlyArray<string> }
    }

    const send = (core: Trunkline, key: string) =>
      ask(core, key, "/api/v1/messaging/messages", {
        ...{ phone_number_id: phoneNumberId, to: "16505551234", type: "template" },
        template: { name: "welcome", language: { code: "en" } }
      })

    const run = <A, E>(core: Trunkline, program: Effect.Effect<A, E, Services>): Promise<A> =>
      Effect.runPromiseWith(servicesOf(core))(program)

    /** The text itself, without its prefix, and as base64 or hex would store it. */
    const formsOf = (text: string): ReadonlyArray<string> => {
      const bare = text.replace(/^[a-z]+_/, "")
      return [bare, Buffer.from(text).toString("base64").replace(/=+$/, ""), Buffer.from(text).toString("hex")]
    }

    // Verifies: D-239, E-8, M-9, N-9.
    // Verifies: V-139.
    it("are never stored in plain", async () => {
      const core = await open()
      const { id, key, session, texts } = await settle(core)
      const rows = await database.rows()
      expect(rows).toContain(url)
      expect(rows).toContain(phoneNumberId)
      for (const text of [...texts, encryptionKey, jwtSecret]) {
        expect(text.length).toBeGreaterThan(20)
        for (const form of formsOf(text))
          expect(rows.includes(form), `${text.slice(0, 5)}… as ${form.length}`).toBe(false)
      }
      // They are there all the same.
      expect((await core.voice.get(id, session.id)).token).toBe(session.token)
      await send(core, key)
      expect(Redacted.value(platform.accepted[0]!.number.credentials)).toBe(accessToken)
      expect(JSON.stringify(log)).not.toContain(accessToken)
    })

    // Verifies: D-239.
    it("of a version that could store them in plain are encrypted by the next start, once", async () => {
      const core = await open()
      const { before, id, key, secret, webhook } = await settle(core)
      const plain = [secret, before, accessToken]
      await run(
        core,
        transact(
          Effect.gen(function* () {
            const webhooks = yield* SubscriptionStore
            const stored = (yield* webhooks.find({
              tenantId: Ids.as(id),
              surface: "platform",
              id: Ids.as(webhook.id)
            }))!
            yield* webhooks.replaceSecret(stored.id, { from: stored.secret, to: `v0.${secret}` })
            yield* webhooks.replaceSecret(stored.id, { from: stored.previousSecret!, to: `v0.${before}` })
            const numbers = yield* ConnectedNumberStore
            const [number] = yield* numbers.tokens(null, 1, "")
            yield* numbers.replaceToken(number!.id, number!.token, `v0.${accessToken}`)
          })
        )
      )
      const earlier = await database.rows()
      for (const text of plain) expect(earlier).toContain(text)
      // The clock of the database may differ from that of the tests, of which a line warns too.
      const warnings = () => log.flatMap(({ message }) => (message.includes("stored in plain") ? [message] : []))
      expect(warnings()).toEqual([])

      const next = await open()
      const rows = await database.rows()
      for (const text of plain) expect(rows).not.toContain(text)
      const warning = expect.stringContaining("3 secrets that an earlier version stored in plain are encrypted now")
      expect(warnings()).toEqual([warning])
      const decrypted = await run(
        next,
        Effect.gen(function* () {
          const stored = (yield* read(
            SubscriptionStore.use((store) =>
              store.find({ tenantId: Ids.as(id), surface: "platform", id: Ids.as(webhook.id) })
            )
          ))!
          const vault = yield* Vault
          return [yield* vault.decrypt(stored.secret), yield* vault.decrypt(stored.previousSecret!)]
        })
      )
      expect(decrypted).toEqual([secret, before])
      await send(next, key)
      expect(Redacted.value(platform.accepted[0]!.number.credentials)).toBe(accessToken)

      await open()
      expect(warnings()).toHaveLength(1)
    })
  })
