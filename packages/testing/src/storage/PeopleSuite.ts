/** Members, their links and sessions, and failures. Verifies: PEOP-2. */
import { assert } from "@effect/vitest"
import { Ids, read, transact } from "@trunkline/core/effect"
import { AccessStore, MemberStore, SignInFailureStore, SignInSessionStore } from "@trunkline/core/storage"
import type { Member, MemberLink, SignInSession } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const member = (tenantId: Ids.AccountId, over: Partial<Member> = {}): Member => {
  const id = Rows.id<"Member">()
  return {
    id,
    tenantId,
    email: `Ada.${id}@Example.com`,
    emailKey: `ada.${id}@example.com`,
    name: "Ada",
    role: "owner",
    status: "active",
    password: "scrypt.x",
    oidcIssuer: "https://login.example.com",
    oidcSubject: "1",
    lastSeenAt: null,
    createdAt: Rows.at(1),
    removedAt: null,
    ...over
  }
}

const link = (tenantId: Ids.AccountId, over: Partial<MemberLink> = {}): MemberLink => ({
  id: Rows.id(),
  tenantId,
  memberId: Rows.id(),
  purpose: "invitation",
  digest: Rows.id(),
  expiresAt: Rows.at(100),
  createdAt: Rows.at(1),
  ...over
})

const session = (of: Member, over: Partial<SignInSession> = {}): SignInSession => ({
  id: Rows.id(),
  tenantId: of.tenantId,
  memberId: of.id,
  digest: Rows.id(),
  createdAt: Rows.at(1),
  lastUsedAt: Rows.at(1),
  expiresAt: Rows.at(100),
  userAgent: "Browser",
  address: null,
  ...over
})

const account = () => Rows.id<"Account">()

export const people = suite("members and sessions", ({ it }) => {
  it.effect("members are added, found by account and email, and changed", () =>
    Effect.gen(function* () {
      const store = yield* MemberStore
      const tenantId = account()
      const [one, other] = [member(tenantId), member(tenantId, { name: null, status: "invited", password: null })]
      assert.deepStrictEqual(yield* transact(Effect.forEach([one, other], store.add)), [true, true])
      assert.deepStrictEqual(yield* read(store.ofAccount(tenantId)), [other, one])
      assert.deepStrictEqual(yield* read(store.ofAccount(account())), [])
      assert.deepStrictEqual(yield* read(store.find(tenantId, one.id)), one)
      assert.isNull(yield* read(store.find(account(), one.id)))
      assert.deepStrictEqual(yield* read(store.byEmail(other.emailKey)), other)
      assert.isNull(yield* read(store.byEmail(`${Rows.id()}@example.com`)))
      const changed: Member = { ...other, name: "Grace", role: "viewer", status: "active", lastSeenAt: Rows.at(5) }
      yield* transact(store.save(changed))
      yield* transact(store.save({ ...one, tenantId: account(), name: "Eve" }))
      assert.deepStrictEqual(yield* read(store.ofAccount(tenantId)), [changed, one])
      assert.isTrue(yield* read(store.anyActive))
    })
  )

  it.effect("an email is one member's in the whole installation, until that one is removed", () =>
    Effect.gen(function* () {
      const store = yield* MemberStore
      const [one, tenantId] = [member(account()), account()]
      const again = member(tenantId, { emailKey: one.emailKey })
      assert.isTrue(yield* transact(store.add(one)))
      assert.isFalse(yield* transact(store.add(again)))
      yield* transact(store.save({ ...one, removedAt: Rows.at(9) }))
      assert.isNull(yield* read(store.byEmail(one.emailKey)))
      assert.isNull(yield* read(store.find(one.tenantId, one.id)))
      assert.deepStrictEqual(yield* read(store.ofAccount(one.tenantId)), [])
      assert.isTrue(yield* transact(store.add(again)))
    })
  )

  it.effect("of ten who add one email at a time one succeeds", () =>
    Effect.gen(function* () {
      const store = yield* MemberStore
      const emailKey = `${Rows.id()}@example.com`
      const added = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () => transact(store.add(member(account(), { emailKey }))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(added.filter((one) => one).length, 1)
    })
  )

  it.effect("a link is found by its digest and taken once, also by ten at a time", () =>
    Effect.gen(function* () {
      const store = yield* MemberStore
      const one = link(account())
      yield* transact(store.addLink(one))
      assert.deepStrictEqual(yield* read(store.linkByDigest(one.digest)), one)
      assert.isNull(yield* read(store.linkByDigest(Rows.id())))
      const taken = yield* Effect.forEach(Array.from({ length: 10 }), () => transact(store.takeLink(one.id)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(taken.filter((mine) => mine).length, 1)
      assert.isNull(yield* read(store.linkByDigest(one.digest)))
    })
  )

  it.effect("links are removed by member, those that make an owner by account, and all once they have expired", () =>
    Effect.gen(function* () {
      const store = yield* MemberStore
      const tenantId = account()
      const setup = () => link(tenantId, { memberId: null, purpose: "setup" })
      const [mine, others, first, second] = [link(tenantId), link(tenantId), setup(), setup()]
      const elsewhere = link(account(), { memberId: null, purpose: "setup", expiresAt: Rows.at(50) })
      yield* transact(Effect.forEach([mine, others, first, second, elsewhere], store.addLink))
      const left = Effect.map(
        Effect.forEach([mine, others, first, second, elsewhere], (one) => read(store.linkByDigest(one.digest))),
        (found) => found.map((one) => one !== null)
      )
      yield* transact(store.removeLinks(tenantId, mine.memberId))
      assert.deepStrictEqual(yield* left, [false, true, true, true, true])
      yield* transact(store.removeLinks(tenantId, null))
      assert.deepStrictEqual(yield* left, [false, true, false, false, true])
      yield* transact(store.sweepLinks(Rows.at(49)))
      assert.deepStrictEqual(yield* left, [false, true, false, false, true])
      yield* transact(store.sweepLinks(Rows.at(50)))
      assert.deepStrictEqual(yield* left, [false, true, false, false, false])
    })
  )

  it.effect("a session is found with its member as they are now, and not once they are removed", () =>
    Effect.gen(function* () {
      const [members, sessions] = [yield* MemberStore, yield* SignInSessionStore]
      const one = member(account())
      const own = session(one)
      yield* transact(Effect.andThen(members.add(one), sessions.add(own)))
      yield* transact(members.save({ ...one, role: "viewer" }))
      const { createdAt, expiresAt, id, lastUsedAt, memberId, tenantId } = own
      assert.deepStrictEqual(yield* read(sessions.byDigest(own.digest)), {
        ...{ id, tenantId, memberId, createdAt, lastUsedAt, expiresAt },
        ...{ email: one.email, name: one.name, role: "viewer" }
      })
      const use = { id, memberId, lastUsedAt: Rows.at(70), expiresAt: Rows.at(170) }
      yield* transact(sessions.used(use))
      assert.deepStrictEqual(yield* read(sessions.ofMember(one.id)), [
        { ...own, lastUsedAt: Rows.at(70), expiresAt: Rows.at(170) }
      ])
      assert.strictEqual((yield* read(members.find(tenantId, one.id)))?.lastSeenAt, Rows.at(70))
      yield* transact(members.save({ ...one, removedAt: Rows.at(9) }))
      assert.isNull(yield* read(sessions.byDigest(own.digest)))
    })
  )

  it.effect("sessions are listed newest first, and removed one by one, all but one, or once they are over", () =>
    Effect.gen(function* () {
      const [members, sessions] = [yield* MemberStore, yield* SignInSessionStore]
      const [one, other] = [member(account()), member(account())]
      const own = [session(one), session(one), session(one, { expiresAt: Rows.at(60) })]
      const foreign = session(other)
      yield* transact(Effect.forEach([one, other], members.add))
      yield* transact(Effect.forEach([...own, foreign], sessions.add))
      const left = Effect.map(read(sessions.ofMember(one.id)), (found) => found.map(({ id }) => id))
      assert.deepStrictEqual(yield* left, own.map(({ id }) => id).toReversed())
      assert.isFalse(yield* transact(sessions.remove(one.id, foreign.id)))
      assert.isTrue(yield* transact(sessions.remove(one.id, own[0]!.id)))
      assert.isFalse(yield* transact(sessions.remove(one.id, own[0]!.id)))
      yield* transact(sessions.sweep(Rows.at(60)))
      assert.deepStrictEqual(yield* left, [own[1]!.id])
      yield* transact(sessions.add(own[0]!))
      yield* transact(sessions.removeAll(one.id, own[1]!.id))
      assert.deepStrictEqual(yield* left, [own[1]!.id])
      yield* transact(sessions.removeAll(one.id, null))
      assert.deepStrictEqual(yield* left, [])
      assert.lengthOf(yield* read(sessions.ofMember(other.id)), 1)
    })
  )

  it.effect("failures are counted by key within a time, forgotten, and removed once they are old", () =>
    Effect.gen(function* () {
      const store = yield* SignInFailureStore
      const [email, address] = [Rows.id(), Rows.id()]
      yield* transact(Effect.forEach([10, 30, 20], (at) => store.add([email, address], Rows.at(at))))
      const recent = (key: string, since: number, limit: number) => read(store.recent(key, Rows.at(since), limit))
      assert.deepStrictEqual(yield* recent(email, 0, 2), [Rows.at(30), Rows.at(20)])
      assert.deepStrictEqual(yield* recent(email, 20, 9), [Rows.at(30)])
      yield* transact(store.forget(email))
      assert.deepStrictEqual(yield* recent(email, 0, 9), [])
      yield* transact(store.sweep(Rows.at(20)))
      assert.deepStrictEqual(yield* recent(address, 0, 9), [Rows.at(30)])
    })
  )

  it.effect("the first account is the oldest one", () =>
    Effect.gen(function* () {
      const store = yield* MemberStore
      const oldest = Rows.account({ id: Ids.as("00000000-0000-7000-8000-000000000001") })
      yield* transact(AccessStore.use((access) => Effect.forEach([Rows.account(), oldest], access.addAccount)))
      assert.strictEqual(yield* read(store.firstAccount), oldest.id)
    })
  )
})
