/** Endpoints of flows, keys of numbers and tokens of flows that were sent, on a database. Verifies: FLOW-3. */
import { assert } from "@effect/vitest"
import { Ids, read, transact } from "@trunkline/core/effect"
import { FlowEndpointStore, FlowKeyStore, MessageStore, SentFlowStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { idsOf, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

export const flows = suite("flows", ({ it }) => {
  it.effect("an endpoint is read as it was written, by its id and by its flow", () =>
    Effect.gen(function* () {
      const store = yield* FlowEndpointStore
      const named = Rows.flowEndpoint(tenantId())
      const unnamed = Rows.flowEndpoint(named.tenantId, { flowId: null, url: "https://é.example.com/👍" })
      yield* transact(Effect.andThen(store.add(named), store.add(unnamed)))
      assert.deepStrictEqual(yield* read(store.byId(named.id)), named)
      assert.deepStrictEqual(yield* read(store.byId(unnamed.id)), unnamed)
      assert.isNull(yield* read(store.byId(Ids.last())))
      assert.deepStrictEqual(yield* read(store.ofFlow(named, named.flowId!)), named)
    })
  )

  it.effect("an endpoint is its account's, its channel's and its business account's alone", () =>
    Effect.gen(function* () {
      const store = yield* FlowEndpointStore
      const own = Rows.flowEndpoint(tenantId())
      yield* transact(store.add(own))
      for (const other of [
        { ...own, tenantId: tenantId() },
        { ...own, channel: "telegram" },
        { ...own, businessAccountId: "9" }
      ]) {
        assert.isNull(yield* read(store.ofFlow(other, own.flowId!)))
        yield* transact(store.removeOfFlow(other, own.flowId!))
      }
      yield* transact(store.remove(tenantId(), own.id))
      yield* transact(store.save({ ...own, tenantId: tenantId(), url: "https://example.org" }))
      assert.deepStrictEqual(yield* read(store.byId(own.id)), own)
    })
  )

  it.effect("an endpoint is saved, and removed by its id or with its flow", () =>
    Effect.gen(function* () {
      const store = yield* FlowEndpointStore
      const first = Rows.flowEndpoint(tenantId())
      const later = Rows.flowEndpoint(first.tenantId, { flowId: first.flowId })
      const other = Rows.flowEndpoint(first.tenantId, { flowId: null })
      yield* transact(Effect.forEach([first, later, other], store.add))
      assert.deepStrictEqual(yield* read(store.ofFlow(first, first.flowId!)), later)
      const saved = { ...other, flowId: "7", url: "https://example.org", secret: "v2.other", updatedAt: Rows.at(5) }
      yield* transact(store.save(saved))
      assert.deepStrictEqual(yield* read(store.byId(other.id)), saved)
      yield* transact(store.removeOfFlow(first, first.flowId!))
      assert.isNull(yield* read(store.byId(first.id)))
      assert.isNull(yield* read(store.byId(later.id)))
      yield* transact(store.remove(saved.tenantId, saved.id))
      assert.isNull(yield* read(store.byId(saved.id)))
    })
  )

  it.effect("secrets are replaced one by one, where they are still the same", () =>
    Effect.gen(function* () {
      const store = yield* FlowEndpointStore
      const own = Rows.flowEndpoint(tenantId(), { secret: "v0.plain" })
      yield* transact(store.add(own))
      const before = Ids.as<"FlowEndpoint">(`${own.id.slice(0, -12)}000000000000`)
      const found = yield* read(store.secrets(before, 500, "v0."))
      assert.deepInclude(found, { id: own.id, secret: "v0.plain" })
      assert.isFalse(yield* transact(store.replaceSecret(own.id, "v0.other", "v2.new")))
      assert.isTrue(yield* transact(store.replaceSecret(own.id, "v0.plain", "v2.new")))
      assert.strictEqual((yield* read(store.byId(own.id)))!.secret, "v2.new")
      assert.notInclude(idsOf(yield* read(store.secrets(before, 500, "v0."))), own.id)
    })
  )

  it.effect("a number has one key, which its own account alone reads", () =>
    Effect.gen(function* () {
      const store = yield* FlowKeyStore
      const first = Rows.flowKey(tenantId())
      const other = Rows.flowKey(first.tenantId)
      yield* transact(Effect.andThen(store.save(first), store.save(other)))
      const now = { ...first, privateKey: "v0.now", fingerprint: "11ee", createdAt: Rows.at(9) }
      yield* transact(store.save(now))
      assert.deepStrictEqual(yield* read(store.among(first.tenantId, [first.phoneId, Ids.last()])), [now])
      assert.deepStrictEqual(yield* read(store.among(first.tenantId, [])), [])
      assert.deepStrictEqual(yield* read(store.among(tenantId(), [first.phoneId])), [])
      const before = Ids.as<"Phone">(`${first.phoneId.slice(0, -12)}000000000000`)
      const found = yield* read(store.privateKeys(before, 500, "v0."))
      assert.deepInclude(found, { phoneId: first.phoneId, privateKey: "v0.now" })
      assert.isFalse(yield* transact(store.replaceKey(first.phoneId, "v0.other", "v2.new")))
      assert.isTrue(yield* transact(store.replaceKey(first.phoneId, "v0.now", "v2.new")))
    })
  )

  it.effect("a message is found by the token of its flow, in its own account", () =>
    Effect.gen(function* () {
      const [messages, store] = [yield* MessageStore, yield* SentFlowStore]
      const customer = Rows.customer(Rows.number(tenantId()))
      const sent = Rows.message(customer, { direction: "outbound", status: "sent", flowToken: `ft_${customer.id}` })
      const reply = Rows.message(customer, { flowId: "4711" })
      yield* transact(Effect.forEach([sent, reply], messages.add))
      assert.deepStrictEqual(yield* read(store.byToken(customer.tenantId, sent.flowToken!)), sent)
      assert.isNull(yield* read(store.byToken(tenantId(), sent.flowToken!)))
      assert.isNull(yield* read(store.byToken(customer.tenantId, "ft_other")))
      assert.deepStrictEqual(yield* read(messages.byId(reply.id)), reply)
    })
  )
})
