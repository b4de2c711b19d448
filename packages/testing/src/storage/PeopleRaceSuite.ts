/** What many do at a time with members, links and sessions comes out as if they had done it one after the other. Verifies: PEOP-2, PEOP-5, PEOP-6. */
import { assert } from "@effect/vitest"
import { Accounts, Credits, type Ids, transact } from "@trunkline/core/effect"
import { Members } from "@trunkline/core/provider"
import { AccessStore, type StorageError } from "@trunkline/core/storage"
import {
  Bonuses,
  ConversationQuota,
  type LastOwner,
  type MemberNotFound,
  type OwnersAlone,
  PeopleSettings,
  SignIn,
  Spending,
  type Stores
} from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { quickPasswordCost } from "../QuickPasswords.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const payers = Layer.provideMerge(
  Accounts.layer,
  Layer.provideMerge(Layer.mergeAll(Bonuses.layer, ConversationQuota.layer, Spending.layer), Credits.layer)
)

const hour = 3_600_000

/** The use cases of one process. */
const services = Layer.provide(
  Layer.merge(Members.layer, SignIn.layer),
  Layer.merge(
    payers,
    Layer.succeed(PeopleSettings, {
      ...{ isOn: true, idleMs: hour, maxMs: hour, linkMs: hour, invitationMs: hour },
      cookieNames: ["svc_session"]
    })
  )
)

const visit = { client: Rows.id(), address: null, userAgent: undefined }
const password = "a long and private sentence"
const page = { limit: 100, offset: 0 }
const unbounded = { concurrency: "unbounded" } as const

const account = (plan: "free" | "enterprise") =>
  Effect.gen(function* () {
    const one = Rows.account({ plan })
    yield* transact(AccessStore.use((store) => store.addAccount(one)))
    return one.id
  })

type Refused = LastOwner | MemberNotFound | OwnersAlone | StorageError

const email = () => `${Rows.id()}@example.com`

/** How often each outcome has come: `done`, or the tag of an error. */
const outcomes = <A, E extends { readonly _tag: string }, R>(all: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.map(
    Effect.forEach(
      all,
      (one) => Effect.match(one, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag }),
      unbounded
    ),
    (found) => {
      const counts: Record<string, number> = {}
      for (const one of found) counts[one] = (counts[one] ?? 0) + 1
      return counts
    }
  )

const repeat = <A>(times: number, make: (n: number) => A): ReadonlyArray<A> =>
  Array.from({ length: times }, (_, n) => make(n))

export const peopleRaces = suite("races of members", ({ it }) => {
  const test = (name: string, body: () => Effect.Effect<void, unknown, Stores | Members | SignIn>) =>
    it.effect(name, () => Effect.provide(body(), Layer.merge(services, quickPasswordCost)))

  const invite = (tenantId: Ids.AccountId, given = email(), role: "owner" | "member" = "member") =>
    Members.use((members) => members.invite(tenantId, { email: given, role, name: null }, "operator"))
  const accept = (token: string, given: string | null = null) =>
    SignIn.use((signIn) => signIn.accept({ token, password, name: null, email: given }, visit))

  // Verifies: B-317.
  test("six invitations for two places: two come in, whatever the order", () =>
    Effect.gen(function* () {
      const tenantId = yield* account("free")
      assert.deepStrictEqual(yield* outcomes(repeat(6, () => invite(tenantId))), { done: 2, TeamFull: 4 })
    }))

  test("one email in several accounts at a time: one has it", () =>
    Effect.gen(function* () {
      const accounts = yield* Effect.all(repeat(4, () => account("enterprise")))
      const given = email()
      const all = accounts.map((tenantId) => invite(tenantId, given))
      assert.deepStrictEqual(yield* outcomes(all), { done: 1, EmailTaken: 3 })
    }))

  // Verifies: B-308.
  test("one link used by several at a time: one comes in", () =>
    Effect.gen(function* () {
      const { text } = yield* invite(yield* account("enterprise"))
      assert.deepStrictEqual(yield* outcomes(repeat(3, () => accept(text))), { done: 1, LinkNotFound: 2 })
    }))

  test("two links of a first owner at a time: one makes the owner, and the other is void", () =>
    Effect.gen(function* () {
      const tenantId = yield* account("enterprise")
      const links = yield* Effect.all(repeat(2, () => Members.use(({ ownerLink }) => ownerLink(tenantId))))
      const all = links.map(({ text }) => accept(text, email()))
      assert.deepStrictEqual(yield* outcomes(all), { done: 1, LinkNotFound: 1 })
      assert.strictEqual((yield* Members.use((members) => members.list(tenantId, null, page))).total, 1)
    }))

  test("a link used while another one takes its place: it works, or it is void", () =>
    Effect.gen(function* () {
      const tenantId = yield* account("enterprise")
      const { member, text } = yield* invite(tenantId)
      const replace = Members.use((members) => members.link({ tenantId, id: member.id }, "operator"))
      const [used, newer] = yield* Effect.all([Effect.exit(accept(text)), replace], unbounded)
      const [again, last] = yield* Effect.all([Effect.exit(accept(text)), Effect.exit(accept(newer.text))])
      assert.isTrue(Exit.isFailure(again))
      // The one that came second counts: a link of an active member sets another password.
      assert.isTrue(Exit.isSuccess(last) || Exit.isSuccess(used))
    }))

  test("two owners who remove or demote each other: one owner is left", () =>
    Effect.gen(function* () {
      for (const demotes of [false, true]) {
        const tenantId = yield* account("enterprise")
        const owners = yield* Effect.all(repeat(2, () => invite(tenantId, email(), "owner")))
        yield* Effect.forEach(owners, ({ text }) => accept(text))
        const all = owners.map(({ member: { id } }) =>
          Members.use(
            (members): Effect.Effect<unknown, Refused> =>
              demotes
                ? members.change({ tenantId, id }, { role: "admin" }, "operator")
                : members.remove({ tenantId, id }, "operator")
          )
        )
        assert.deepStrictEqual(yield* outcomes(all), { done: 1, LastOwner: 1 })
      }
    }))

  // Verifies: B-312.
  test("thirteen wrong passwords at a time: ten are answered, and the right one has to wait as well", () =>
    Effect.gen(function* () {
      const given = email()
      const { text } = yield* invite(yield* account("enterprise"), given)
      yield* accept(text)
      const tries = (secret: string) => SignIn.use(({ signIn }) => signIn({ email: given, password: secret }, visit))
      assert.deepStrictEqual(yield* outcomes(repeat(13, () => tries("wrong"))), {
        SignInRefused: 10,
        TooManyFailures: 3
      })
      assert.deepStrictEqual(yield* outcomes([tries(password)]), { TooManyFailures: 1 })
    }))
})
