/** Whose a number is, and what becomes of one that was connected without proof: docs/reference/messaging.md#proof. Verifies: CHAT-10. */
import { Accounts, ConnectedNumbers, type Ids, read, transact } from "@trunkline/core/effect"
import { AuditStore, ConnectedNumberStore } from "@trunkline/core/storage"
import { type ReplyWorld, sampleBusinessAccount, sampleNumber } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { claimOn } from "../../src/messaging/channels/ConnectedNumber.ts"
import { wholeAudit } from "../../src/platform/accounts/index.ts"
import { Instant, Ids as NewIds } from "../../src/platform/kernel/index.ts"
import { scenario } from "./ReplyScenarios.ts"

const { phoneNumberId } = sampleNumber

const anotherAccount = (world: ReplyWorld) =>
  Effect.map(
    world.run(Accounts.use((accounts) => accounts.create({ name: "B", plan: "enterprise", voiceCampaigns: false }))),
    (account) => account!.id
  )

const connect = (world: ReplyWorld, tenantId: Ids.AccountId, businessAccountId = sampleBusinessAccount) =>
  world.run(
    ConnectedNumbers.use((numbers) =>
      numbers.connect(tenantId, {
        phoneNumberId,
        businessAccountId,
        displayPhoneNumber: null,
        token: Redacted.make("EAAG-of-b"),
        inboundPath: "/api/v1/messaging/inbound"
      })
    )
  )

/** As an earlier version has stored it. */
const withoutProof = (world: ReplyWorld) =>
  world.run(
    Effect.flatMap(Instant.now, (at) =>
      transact(ConnectedNumberStore.use((store) => store.change(world.phoneId, { isProven: false }, at)))
    )
  )

describe("a number that was connected without proof", () => {
  // Verifies: N-57.
  scenario("is taken over by the account that proves it, and leaves everything else where it is", function* (world) {
    yield* world.writes("Hi")
    yield* world.pass(Instant.minute)
    expect(world.texts()).toEqual(["hello"])
    yield* withoutProof(world)
    const other = yield* anotherAccount(world)
    const taken = yield* connect(world, other)
    expect(taken).toMatchObject({ isNew: true, number: { tenantId: other, isProven: true, botId: null } })
    const former = yield* world.run(read(ConnectedNumberStore.use((store) => store.known(world.tenant, phoneNumberId))))
    expect(former).toMatchObject({
      id: world.phoneId,
      botId: world.bot.id,
      token: "",
      disconnectedAt: expect.anything()
    })
    expect(yield* world.conversations).toHaveLength(1)
    expect((yield* world.messages()).map(({ tenantId }) => tenantId)).toEqual([world.tenant, world.tenant])
    const audit = yield* world.run(
      read(AuditStore.use((store) => store.list(world.tenant, wholeAudit, { limit: 1, offset: 0 })))
    )
    expect(audit).toMatchObject([{ actor: "platform", action: "number.taken_over", targetId: world.phoneId }])
    yield* world.writes("To whom?")
    yield* world.pass(Instant.minute)
    expect(yield* world.messages()).toHaveLength(2)
    expect(world.texts()).toEqual(["hello"])
  })

  // Verifies: N-56, N-57.
  scenario("stays with its account where the other one proves nothing", function* (world) {
    yield* withoutProof(world)
    world.platform.owns("9", "another")
    const other = yield* anotherAccount(world)
    expect(yield* Effect.flip(connect(world, other, "9"))).toMatchObject({ _tag: "NumberNotProven" })
    const number = yield* world.run(read(ConnectedNumberStore.use((store) => store.connected(phoneNumberId))))
    expect(number).toMatchObject({ tenantId: world.tenant, disconnectedAt: null })
  })

  scenario("is proven once its account connects it again, and is nobody else's then", function* (world) {
    yield* withoutProof(world)
    expect(yield* connect(world, world.tenant)).toMatchObject({ isNew: false, number: { isProven: true } })
    const other = yield* anotherAccount(world)
    expect(yield* Effect.flip(connect(world, other))).toMatchObject({ _tag: "NumberTaken", isKept: false })
  })
})

describe("an id that another account has or had", () => {
  const [own, other] = ["own", "other"].map((id) => NewIds.as<"Account">(id)) as [Ids.AccountId, Ids.AccountId]
  const holder = (isProven: boolean, isConnected: boolean, tenantId = other) => ({
    tenantId,
    isProven,
    disconnectedAt: isConnected ? null : Instant.make(1)
  })

  it.each([
    ["nobody", null, true, "free"],
    ["nobody", null, false, "free"],
    ["the account itself", holder(true, true, own), true, "free"],
    ["the account itself", holder(false, false, own), false, "free"],
    ["another account, with proof", holder(true, true), true, "taken"],
    ["another account, without proof", holder(false, true), true, "taken_over"],
    ["another account until lately", holder(true, false), true, "free"],
    ["another account, where nobody proves", holder(false, true), false, "kept"],
    ["another account until lately, where nobody proves", holder(false, false), false, "kept"]
  ] as const)("of %s is by its state what an account may do: %#", (_, held, provesNumbers, claim) => {
    expect(claimOn(held, own, provesNumbers)).toBe(claim)
  })
})
