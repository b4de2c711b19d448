/** Lists, pages and counts; and that no account ever sees what is another's. */
import { assert } from "@effect/vitest"
import { type Ids, type Read, read, transact } from "@trunkline/core/effect"
import {
  AccessStore,
  AuditStore,
  BotStore,
  BudgetStore,
  type CallFilter,
  CallStore,
  CampaignContactStore,
  CampaignStore,
  CreditStore,
  KeyListStore,
  NumberStore,
  type Page,
  type StorageError,
  SuppressionStore
} from "@trunkline/core/storage"
import { allKeys, type CallStatus, everyCampaign, wholeAudit } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { listedContacts } from "../ListedContacts.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const everything: CallFilter = { campaignId: null, contactId: null, status: null }

interface Listed {
  readonly list: (page: Page) => Effect.Effect<ReadonlyArray<{ readonly id: string }>, StorageError, Read>
  readonly count: Effect.Effect<number, StorageError, Read> | null
}

/** Pages of one list together are the whole of it, newest first, and no page is longer than was asked. */
const newestFirst = (all: ReadonlyArray<{ readonly id: string }>, { count, list }: Listed) =>
  Effect.gen(function* () {
    const whole = [...all].reverse()
    assert.deepStrictEqual(yield* read(list({ limit: 100, offset: 0 })), whole)
    assert.deepStrictEqual(yield* read(list({ limit: 2, offset: 0 })), whole.slice(0, 2))
    assert.deepStrictEqual(yield* read(list({ limit: 2, offset: 2 })), whole.slice(2, 4))
    assert.deepStrictEqual(yield* read(list({ limit: 2, offset: 1000 })), [])
    if (count !== null) assert.strictEqual(yield* read(count), whole.length)
  })

const five = <A>(make: () => A): ReadonlyArray<A> => Array.from({ length: 5 }, make)

/** Five rows of every list of one account. */
const rowsOf = (tenantId: Ids.AccountId) => ({
  bots: five(() => Rows.bot(tenantId)),
  numbers: five(() => Rows.callerNumber(tenantId)),
  templates: five(() => Rows.template(tenantId)),
  campaigns: five(() => Rows.campaign(tenantId)),
  calls: five(() => Rows.call(tenantId)),
  entries: five(() => Rows.entry(tenantId)),
  audit: five(() => ({
    id: Rows.id(),
    tenantId,
    actor: "operator",
    actorName: null,
    action: "key.create",
    targetId: null,
    targetName: null,
    at: Rows.at(1)
  }))
})

const stores = Effect.gen(function* () {
  return {
    audit: yield* AuditStore,
    bots: yield* BotStore,
    numbers: yield* NumberStore,
    campaigns: yield* CampaignStore,
    calls: yield* CallStore,
    suppression: yield* SuppressionStore
  }
})

const addAll = Effect.fnUntraced(function* (rows: ReturnType<typeof rowsOf>) {
  const { audit, bots, calls, campaigns, numbers, suppression } = yield* stores
  yield* transact(
    Effect.all([
      Effect.forEach(rows.bots, bots.add),
      Effect.forEach(rows.numbers, numbers.putNumber),
      Effect.forEach(rows.templates, numbers.addTemplate),
      Effect.forEach(rows.campaigns, campaigns.add),
      Effect.forEach(rows.calls, calls.add),
      Effect.forEach(rows.entries, suppression.add),
      Effect.forEach(rows.audit, audit.add)
    ])
  )
})

export const lists = suite("lists", ({ it }) => {
  it.effect("every list of an account holds its own rows alone, newest first, page by page", () =>
    Effect.gen(function* () {
      const { audit, bots, calls, campaigns, numbers, suppression } = yield* stores
      const tenants = [Rows.id<"Account">(), Rows.id<"Account">()] as const
      const made = tenants.map(rowsOf)
      for (const rows of made) yield* addAll(rows)
      for (const [i, tenantId] of tenants.entries()) {
        const rows = made[i]!
        yield* newestFirst(rows.bots, { list: (page) => bots.list(tenantId, page), count: bots.count(tenantId) })
        yield* newestFirst(rows.numbers, {
          list: (page) => numbers.listNumbers(tenantId, page),
          count: numbers.countNumbers(tenantId)
        })
        yield* newestFirst(rows.templates, {
          list: (page) => numbers.listTemplates(tenantId, page),
          count: numbers.countTemplates(tenantId)
        })
        yield* newestFirst(rows.campaigns, {
          list: (page) => campaigns.list(tenantId, everyCampaign, page),
          count: campaigns.count(tenantId, everyCampaign)
        })
        yield* newestFirst(rows.calls, {
          list: (page) => calls.list(tenantId, everything, page),
          count: calls.count(tenantId, everything)
        })
        yield* newestFirst(rows.entries, {
          list: (page) => suppression.list(tenantId, null, page),
          count: suppression.count(tenantId, null)
        })
        yield* newestFirst(rows.audit, {
          list: (page) => audit.list(tenantId, wholeAudit, page),
          count: audit.count(tenantId, wholeAudit)
        })
        assert.deepStrictEqual(yield* read(numbers.firstNumber(tenantId)), rows.numbers[0])
      }
      assert.isNull(yield* read(numbers.firstNumber(Rows.id())))
    })
  )

  it.effect("a page ends where its rows have 8 MiB, and the next one goes on", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const { bots } = yield* stores
      const mebibyte = 1024 * 1024
      const large = [1, 2, 3, 4, 5].flatMap(() => [
        Rows.bot(tenantId, { systemPrompt: "\u0905".repeat(mebibyte / 2) }),
        Rows.bot(tenantId, { config: { note: "x".repeat(1.5 * mebibyte) } })
      ])
      const largest = Rows.bot(tenantId, { systemPrompt: "x".repeat(9 * mebibyte) })
      yield* transact(Effect.forEach([...large, largest], bots.add))
      const all = [largest, ...large.toReversed()].map(({ id }) => id)
      const page = (limit: number, offset: number) =>
        Effect.map(read(bots.list(tenantId, { limit, offset })), (found) => found.map(({ id }) => id))
      assert.deepStrictEqual(yield* page(500, 0), all.slice(0, 1))
      assert.deepStrictEqual(yield* page(500, 1), all.slice(1, 6))
      assert.deepStrictEqual(yield* page(2, 1), all.slice(1, 3))
      assert.deepStrictEqual(yield* page(500, 6), all.slice(6))
      assert.strictEqual(yield* read(bots.count(tenantId)), all.length)
    })
  )

  it.effect("keys of an account are listed newest first, and those of others are not", () =>
    Effect.gen(function* () {
      const store = yield* AccessStore
      const [mine, theirs] = [Rows.account(), Rows.account()]
      const keys = five(() => Rows.apiKey(mine.id))
      const others = five(() => Rows.apiKey(theirs.id))
      yield* transact(
        Effect.andThen(
          Effect.forEach([mine, theirs], store.addAccount),
          Effect.forEach([...others, ...keys], store.addKey)
        )
      )
      const lists = yield* KeyListStore
      const query = { ...allKeys, tenantId: mine.id, at: Rows.at(0) }
      yield* newestFirst(
        keys.map((key) => ({ ...key, lastUsedAt: null })),
        { list: (page) => lists.list(query, page), count: lists.count(query) }
      )
      const wanted = [keys[1]!, others[2]!]
      const found = yield* read(store.keys([...wanted.map(({ id }) => id), Rows.id<"Key">()]))
      assert.sameDeepMembers([...found], wanted)
    })
  )

  it.effect("balances and spends are found for many at once, each owner's own", () =>
    Effect.gen(function* () {
      const [credits, budgets] = [yield* CreditStore, yield* BudgetStore]
      const owners = five(() => Rows.id<"Account">())
      const [first, second, ...unopened] = owners
      yield* transact(
        Effect.gen(function* () {
          for (const [owner, amount] of [
            [first!, 5n],
            [second!, 7n]
          ] as const) {
            yield* credits.open(owner)
            yield* credits.add(owner, amount)
            for (const period of ["total", "2026-10", "2026-11"]) {
              yield* budgets.reserve({ ownerId: owner, period }, { amount, limit: null })
              yield* budgets.settle({ ownerId: owner, period }, { reserved: amount, spent: amount })
            }
          }
        })
      )
      assert.sameDeepMembers(
        [...(yield* read(credits.balances([first!, second!, ...unopened])))],
        [
          { tenantId: first!, balance: 5n, reserved: 0n },
          { tenantId: second!, balance: 7n, reserved: 0n }
        ]
      )
      assert.sameDeepMembers(
        [...(yield* read(budgets.spendingOf([second!, ...unopened], ["total", "2026-11"])))],
        [
          { ownerId: second!, period: "total", spent: 7n },
          { ownerId: second!, period: "2026-11", spent: 7n }
        ]
      )
    })
  )

  it.effect("accounts are listed newest first", () =>
    Effect.gen(function* () {
      const store = yield* AccessStore
      const accounts = five(() => Rows.account())
      yield* transact(Effect.forEach(accounts, store.addAccount))
      assert.deepStrictEqual(
        yield* read(store.listAccounts({ limit: 3, offset: 1 })),
        [...accounts].reverse().slice(1, 4)
      )
    })
  )

  // Verifies: C-11.
  it.effect("what is another account's is neither found nor removed", () =>
    Effect.gen(function* () {
      const [bots, numbers, campaigns, suppression] = [
        yield* BotStore,
        yield* NumberStore,
        yield* CampaignStore,
        yield* SuppressionStore
      ]
      const [owner, stranger] = [Rows.id<"Account">(), Rows.id<"Account">()]
      const [bot, number, template] = [Rows.bot(owner), Rows.callerNumber(owner), Rows.template(owner)]
      const [campaign, entry] = [Rows.campaign(owner, { botId: bot.id }), Rows.entry(owner)]
      yield* transact(
        Effect.all([
          bots.add(bot),
          numbers.putNumber(number),
          numbers.addTemplate(template),
          campaigns.add(campaign),
          suppression.add(entry)
        ])
      )
      const seenBy = (tenantId: Ids.AccountId) =>
        read(
          Effect.all([
            bots.find(tenantId, bot.id),
            numbers.findNumber(tenantId, number.id),
            numbers.findTemplate(tenantId, template.id),
            campaigns.find(tenantId, campaign.id)
          ])
        )
      const removedBy = (tenantId: Ids.AccountId) =>
        transact(
          Effect.all([
            numbers.removeNumber(tenantId, number.id),
            numbers.removeTemplate(tenantId, template.id),
            campaigns.remove(tenantId, campaign.id),
            suppression.remove(tenantId, entry.id)
          ])
        )
      const range = [entry.matchKey, `${entry.matchKey}:`] as const
      assert.deepStrictEqual(yield* seenBy(stranger), [null, null, null, null])
      assert.deepStrictEqual(yield* read(suppression.keysBetween(stranger, ...range)), [])
      assert.isFalse(yield* read(campaigns.uses(stranger, { _tag: "Bot", id: bot.id })))
      yield* transact(numbers.saveTemplate({ ...template, tenantId: stranger, name: "stolen" }))
      assert.deepStrictEqual(yield* removedBy(stranger), [false, false, false, false])

      assert.deepStrictEqual(yield* seenBy(owner), [bot, number, template, campaign])
      assert.deepStrictEqual(yield* read(suppression.keysBetween(owner, ...range)), [entry.matchKey])
      assert.isTrue(yield* read(campaigns.uses(owner, { _tag: "Bot", id: bot.id })))
      assert.deepStrictEqual(yield* removedBy(owner), [true, true, true, true])
      assert.deepStrictEqual(yield* seenBy(owner), [bot, null, null, null])
      assert.deepStrictEqual(yield* removedBy(owner), [false, false, false, false])
    })
  )

  it.effect("one number may be on the lists of two accounts", () =>
    Effect.gen(function* () {
      const matchKey = Rows.key()
      const store = yield* SuppressionStore
      const add = (tenantId: Ids.AccountId) => transact(store.add(Rows.entry(tenantId, { matchKey })))
      assert.isTrue(yield* add(Rows.id()))
      assert.isTrue(yield* add(Rows.id()))
    })
  )

  // Verifies: D-28.
  it.effect("keys of the list are found by a range of them, in byte order", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* SuppressionStore
      const keys = ["0123456", "01234567", "0123456789", "0123457", "0123455999"]
      yield* transact(
        Effect.forEach(keys, (matchKey) => store.add(Rows.entry(tenantId, { matchKey: matchKey as never })))
      )
      const found = yield* read(store.keysBetween(tenantId, "0123456", "0123456:"))
      assert.deepStrictEqual([...found].sort() as Array<string>, ["0123456", "01234567", "0123456789"])
    })
  )

  it.effect("calls are filtered by campaign, contact and status in every combination", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* CallStore
      const campaigns = [Rows.id<"Campaign">(), Rows.id<"Campaign">()]
      const statuses: ReadonlyArray<CallStatus> = ["completed", "busy"]
      const calls = campaigns.flatMap((campaignId) =>
        [Rows.id<"CampaignContact">(), Rows.id<"CampaignContact">()].flatMap((contactId) =>
          statuses.map((status) => Rows.call(tenantId, { campaignId, contactId, status, endedAt: Rows.at(1) }))
        )
      )
      const foreign = Rows.call(Rows.id(), { ...calls[0]!, id: Rows.id(), tenantId: Rows.id() })
      yield* transact(Effect.forEach([...calls, foreign, Rows.call(tenantId)], store.add))
      const one = calls[5]!
      for (let shape = 1; shape < 8; shape++) {
        const filter: CallFilter = {
          campaignId: (shape & 1) === 0 ? null : one.campaignId,
          contactId: (shape & 2) === 0 ? null : one.contactId,
          status: (shape & 4) === 0 ? null : one.status
        }
        const expected = calls
          .filter(
            (call) =>
              (filter.campaignId === null || call.campaignId === filter.campaignId) &&
              (filter.contactId === null || call.contactId === filter.contactId) &&
              (filter.status === null || call.status === filter.status)
          )
          .reverse()
        assert.deepStrictEqual(yield* read(store.list(tenantId, filter, { limit: 100, offset: 0 })), expected)
        assert.strictEqual(yield* read(store.count(tenantId, filter)), expected.length)
      }
    })
  )

  it.effect("contacts of a campaign are listed in the order in which they were added", () =>
    Effect.gen(function* () {
      const store = yield* CampaignContactStore
      const [campaign, other] = [Rows.campaign(Rows.id()), Rows.campaign(Rows.id())]
      const contacts = Array.from({ length: 7 }, (_, seq) => Rows.contact(campaign, seq))
      yield* transact(
        Effect.andThen(store.add([...contacts].reverse()), store.add([Rows.contact(other, 0), Rows.contact(other, 1)]))
      )
      assert.deepStrictEqual(yield* read(listedContacts(campaign.id, { limit: 3, offset: 2 })), contacts.slice(2, 5))
      assert.isNull(yield* read(store.find(other.id, contacts[0]!.id)))
    })
  )

  it.effect("six thousand contacts are added at once", () =>
    Effect.gen(function* () {
      const store = yield* CampaignContactStore
      const campaign = Rows.campaign(Rows.id())
      const contacts = Array.from({ length: 6000 }, (_, seq) => Rows.contact(campaign, seq))
      yield* transact(store.add(contacts))
      const last = yield* read(listedContacts(campaign.id, { limit: 2, offset: 5998 }))
      assert.deepStrictEqual(last, contacts.slice(5998))
      const ids = contacts.map(({ id }) => id)
      assert.strictEqual((yield* read(store.many(ids))).length, 6000)
    })
  )

  // Verifies: D-150.
  it.effect("a campaign uses its agent, number and template until it has ended", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* CampaignStore
      const references = [
        { _tag: "Bot", id: Rows.id<"Bot">() },
        { _tag: "Number", id: Rows.id<"Number">() },
        { _tag: "Template", id: Rows.id<"VoicemailTemplate">() }
      ] as const
      const campaign = Rows.campaign(tenantId, {
        botId: references[0].id,
        fromNumberId: references[1].id,
        voicemailTemplateId: references[2].id
      })
      yield* transact(store.add(campaign))
      const used = Effect.forEach(references, (reference) => read(store.uses(tenantId, reference)))
      for (const status of ["draft", "scheduled", "running", "paused", "insufficient_balance"] as const) {
        yield* transact(store.save({ ...campaign, status }))
        assert.deepStrictEqual(yield* used, [true, true, true], status)
      }
      for (const status of ["completed", "cancelled"] as const) {
        yield* transact(store.save({ ...campaign, status }))
        assert.deepStrictEqual(yield* used, [false, false, false], status)
      }
      assert.isFalse(yield* read(store.uses(tenantId, { _tag: "Bot", id: Rows.id() })))
    })
  )
})
