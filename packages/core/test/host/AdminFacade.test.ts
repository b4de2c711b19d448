/** What an operator sees and makes, as promises: docs/reference/access.md#admin. Verifies: ACCS-4. */
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { servicesOf, transact } from "@trunkline/core/effect"
import { telephonyProvider } from "@trunkline/core/provider"
import { BudgetStore } from "@trunkline/core/storage"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const nobody = "00000000-0000-7000-8000-000000000000"
const began = Date.UTC(2026, 10, 21, 6)
const credit = 1_000_000_000n

describe("an operator", () => {
  let core: Trunkline
  let now = began

  beforeAll(async () => {
    core = await createTrunkline({
      storage: sqlite(":memory:"),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      encryptionKey: "a key for the secrets of this test",
      auth: { jwt: { secret: "a secret for the tokens of this test" } },
      clock: { now: () => now, speed: 1 }
    })
  })
  afterAll(() => core.stop())

  const anAccount = async (name = "Acme") => (await core.admin.createAccount({ name })).id

  /** Somebody spends so much of a budget. */
  const spend = (ownerId: string, period: string, amount: bigint) => {
    const program = Effect.gen(function* () {
      const budgets = yield* BudgetStore
      yield* budgets.reserve({ ownerId, period }, { amount, limit: null })
      yield* budgets.settle({ ownerId, period }, { reserved: amount, spent: amount })
    })
    return Effect.runPromiseWith(servicesOf(core))(transact(program))
  }

  // Verifies: D-243.
  it("sees what an account has, and what it has spent in this month", async () => {
    const id = await anAccount()
    await core.admin.addCredits(id, "0.5")
    await core.admin.changeAccount(id, { monthlyBudget: 7n * credit, plan: "pro" })
    await spend(id, "2026-11", 2n * credit)
    await spend(id, "2026-10", 3n * credit)
    expect(await core.admin.getAccount(id)).toMatchObject({
      id,
      name: "Acme",
      plan: "pro",
      monthlyBudget: 7n * credit,
      balance: 6_000_500_000_000n,
      reserved: 0n,
      spentThisMonth: 2n * credit
    })
    const other = await anAccount("Other")
    expect(await core.admin.listAccounts({ limit: 2 })).toMatchObject([
      { id: other, balance: 1000n * credit, spentThisMonth: 0n },
      { id, balance: 6_000_500_000_000n, spentThisMonth: 2n * credit }
    ])
    await expect(core.admin.getAccount(nobody)).rejects.toMatchObject({ code: "account_not_found" })
    await expect(core.admin.credits(nobody)).rejects.toMatchObject({ code: "account_not_found" })
  })

  // Verifies: D-243.
  it("sees an account's keys, newest first, with what each has spent of its budget or in its lifetime, and no digest", async () => {
    const id = await anAccount()
    const made = []
    for (const options of [
      { name: "site", budget: "5" },
      { budget: "5", budgetPeriod: "month" as const, expiresAt: new Date(began + 60_000) },
      {}
    ]) {
      made.push(await core.admin.createKey(id, options))
    }
    const [total, monthly, free] = made
    for (const period of ["total", "2026-11", "2026-10"]) {
      for (const key of made) await spend(key.id, period, period === "total" ? 2n * credit : credit)
    }
    await core.admin.revokeKey(total!.id)
    const listed = await core.admin.listKeys(id)
    expect(listed).toMatchObject([
      { id: free!.id, name: null, budget: null, spent: 2n * credit, revokedAt: null },
      { id: monthly!.id, budgetPeriod: "month", spent: credit, expiresAt: began + 60_000 },
      { id: total!.id, name: "site", prefix: total!.prefix, spent: 2n * credit, revokedAt: began }
    ])
    for (const key of [...listed, ...made]) expect(Object.keys(key).join()).not.toMatch(/hash/i)
    expect((await core.admin.listKeys(id, { limit: 1, offset: 1 })).map((key) => key.id)).toEqual([monthly!.id])
    expect(await core.admin.listKeys(await anAccount())).toEqual([])
    await expect(core.admin.listKeys(nobody)).rejects.toMatchObject({ code: "account_not_found" })
  })

  // Verifies: D-244.
  it("makes no key that could never be used, and says why", async () => {
    const id = await anAccount()
    const refusal = (options: object) => expect(core.admin.createKey(id, options)).rejects
    for (const expiresAt of [new Date(began), new Date(began - 1), new Date(Number.NaN)]) {
      await refusal({ expiresAt }).toMatchObject({
        code: "schema_refused",
        status: 422,
        fields: [{ path: ["expiresAt"] }]
      })
    }
    await refusal({ models: ["whisper-large-v3-turbo", "whisper"] }).toMatchObject({
      code: "schema_refused",
      status: 422,
      fields: [{ path: ["models", 1] }],
      message: expect.stringMatching(/no model whisper\. .*whisper-large-v3-turbo/)
    })
    await refusal({ models: ["xyz"] }).toMatchObject({ message: expect.not.stringContaining("Did you mean") })
    await refusal({ name: " " }).toMatchObject({ code: "schema_refused", status: 422, fields: [{ path: ["name"] }] })
    expect(await core.admin.listKeys(id)).toEqual([])
    const made = await core.admin.createKey(id, { models: ["saaras:v3"], expiresAt: new Date(began + 1) })
    expect(made).toMatchObject({ allowedModels: ["saaras:v3"], expiresAt: began + 1 })
  })

  // Verifies: D-245.
  it("finds in the audit log who made a token, and the names of keys and of the account", async () => {
    const id = await anAccount()
    const key = await core.admin.createKey(id, { name: "site" })
    const nameless = await core.admin.createKey(id)
    now = began + 1000
    await core.admin.createToken(id, { role: "owner", subject: "ada" })
    await expect(core.admin.createToken(nobody, { role: "owner" })).rejects.toMatchObject({ code: "account_not_found" })
    await core.admin.createPortalToken(id)
    expect(await core.admin.audit(id)).toMatchObject([
      { action: "token.create", actor: "operator", actorName: null, targetId: "user:ada", targetName: null, at: now },
      { action: "key.create", targetId: nameless.id, targetName: nameless.prefix },
      { action: "key.create", targetId: key.id, targetName: "site" },
      { action: "account.create", targetId: id, targetName: "Acme" }
    ])
    const url = "https://example.com/hooks"
    const asked = new Request("http://host/api/v1/webhooks", {
      method: "POST",
      headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json" },
      body: JSON.stringify({ url, events: ["credits.low"] })
    })
    const { id: webhook } = (await (await core.fetch(asked)).json()) as { readonly id: string }
    const removed = new Request(`http://host/api/v1/webhooks/${webhook}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${key.text}` }
    })
    expect((await core.fetch(removed)).status).toBe(204)
    expect((await core.admin.audit(id, { limit: 1 }))[0]).toMatchObject({
      action: "webhook.delete",
      actor: `key:${key.id}`,
      actorName: "site",
      targetName: null
    })
  })
})
