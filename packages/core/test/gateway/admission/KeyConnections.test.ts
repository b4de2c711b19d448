/** Connections of keys, on a storage of their own. Verifies: INFE-1, INFE-5. */
import { accelerated, createTrunkline, type KeyOptions, type Trunkline, type TrunklineOptions } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { keyConnections } from "../../../src/gateway/admission/index.ts"
import { internalsOf } from "../../../src/host/index.ts"

const open: Array<Trunkline> = []
afterEach(async () => {
  for (const core of open.splice(0)) await core.stop()
})

const permissions = ["llm", "stt", "tts"] as const

const aKey = async (key: KeyOptions = {}, options: Partial<TrunklineOptions> = {}) => {
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    encryptionKey: "a key for the secrets of this test",
    log: () => undefined,
    ...options
  })
  open.push(core)
  const { id } = await core.admin.createAccount({ name: "A" })
  const { text } = await core.admin.createKey(id, { permissions, ...key })
  const run = Effect.runPromiseWith(internalsOf(core).context as Context.Context<never>)
  const connection = await run(keyConnections as Effect.Effect<Effect.Success<typeof keyConnections>>)
  const connect = (headers: Readonly<Record<string, string>> = {}, credential = text) =>
    run(
      Effect.match(connection(credential, { path: "/v1/test", headers }, permissions), {
        onSuccess: (connected) => ({ code: null, allowance: null, release: () => run(connected.release), connected }),
        onFailure: ({ allowance, refused: { code } }) => ({ code, allowance, release: async () => {}, connected: null })
      })
    )
  return { core, account: id, connect }
}

describe("a connection of a key", () => {
  it("has one of the key's places until it is released, once", async () => {
    const { connect } = await aKey({ concurrency: 1 })
    const first = await connect()
    expect(first.connected?.key.concurrency).toBe(1)
    expect((await connect()).code).toBe("too_many_concurrent_requests")
    await first.release()
    const second = await connect()
    expect(second.code).toBeNull()
    await first.release()
    expect((await connect()).code).toBe("too_many_concurrent_requests")
    await second.release()
  })

  it("keeps its place for longer than a lease", async () => {
    const clock = accelerated(Date.UTC(2026, 10, 21), 1000)
    const { connect } = await aKey({ concurrency: 1 }, { clock })
    const first = await connect()
    const began = clock.now()
    await expect.poll(() => clock.now() - began).toBeGreaterThan(5 * 60_000)
    expect((await connect()).code).toBe("too_many_concurrent_requests")
    await first.release()
    expect((await connect()).code).toBeNull()
  })

  it("is one request of the key's minute", async () => {
    const { connect } = await aKey({ requestsPerMinute: 1 })
    const first = await connect()
    const second = await connect()
    expect(second).toMatchObject({ code: "rate_limit_exceeded", allowance: { limit: 1, remaining: 0 } })
    await first.release()
    expect((await connect()).code).toBe("rate_limit_exceeded")
  })

  it("is refused in the order of the routes, and uses no place then", async () => {
    const { account, connect, core } = await aKey({ domains: ["a.test"], permissions: ["llm", "tts"] })
    expect((await connect({}, "svc_unknown")).code).toBe("invalid_api_key")
    expect((await connect({}, "a.b.c")).code).toBe("invalid_api_key")
    expect(await connect({ origin: "https://b.test" })).toMatchObject({
      code: "permission_denied",
      allowance: { limit: 120, remaining: 120 }
    })
    const { text } = await core.admin.createKey(account, { permissions, domains: ["a.test"] })
    expect((await connect({ origin: "https://b.test" }, text)).code).toBe("domain_not_allowed")
    expect((await connect({}, text)).code).toBe("domain_not_allowed")
    const connected = await connect({ origin: "https://a.test" }, text)
    expect(connected.code).toBeNull()
    await connected.release()
    await core.admin.changeAccount(account, { status: "inactive" })
    expect((await connect()).code).toBe("account_inactive")
  })
})
