/**
 * Imports leave what a person would leave who took the rows one by one, however they are written at once.
 * Verifies: CONT-1, CONT-2, CONT-4, CONT-5.
 */
import { assert } from "@effect/vitest"
import {
  Campaigns,
  Contacts,
  Errors,
  type Ids,
  Imports,
  Instant,
  lock,
  read,
  Storage,
  transact
} from "@trunkline/core/effect"
import {
  type CampaignState,
  CampaignStore,
  ContactStore,
  type ImportJob,
  ImportPlaces,
  ImportStore,
  type StagedPerson,
  StorageError,
  type TemplateCampaign,
  TemplateCampaignStore,
  TemplateListStore
} from "@trunkline/core/storage"
import {
  type CsvUpload,
  everyTemplateContact,
  type ImportedList,
  ListImporter,
  ListImports,
  newTemplateContact,
  totalOf
} from "@trunkline/core/testing"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { listedContacts } from "../ListedContacts.ts"
import { auditingAccounts } from "./AuditingAccounts.ts"
import { type File, few, fileOf, ImportModel, many, textOf } from "./ImportModel.ts"
import * as Rows from "./Rows.ts"
import { type Stores, suite } from "./Subject.ts"

/** As much of campaigns as an import asks for. */
const campaigns = Layer.effect(
  Campaigns,
  Effect.gen(function* () {
    const store = yield* CampaignStore
    const storage = yield* Storage
    const found = (tenantId: Ids.AccountId, id: Ids.CampaignId) =>
      Effect.filterOrFail(
        store.find(tenantId, id),
        (campaign) => campaign !== null,
        () => new Errors.CampaignNotFound({ id })
      )
    const none = () => Effect.die(new Error("an import asks for nothing else of a campaign"))
    return Campaigns.of({
      get: (tenantId, id) => storage.read(found(tenantId, id)),
      locked: (tenantId, id) => Effect.andThen(lock("campaign", id), found(tenantId, id)),
      create: none,
      list: none,
      change: none,
      move: none,
      remove: none
    })
  })
)

type Tested = Imports | Contacts

const services = Layer.mergeAll(
  Layer.provide(Imports.layer, Layer.merge(auditingAccounts, campaigns)),
  ListImporter.layer,
  Contacts.layer
)

const upload = (text: string, over: Partial<CsvUpload> = {}): CsvUpload => ({
  file: Stream.succeed(new TextEncoder().encode(text)),
  columnMap: null,
  dryRun: false,
  optedIn: false,
  actor: { id: "operator", name: null },
  ...over
})

const importInto = ({ id, tenantId }: Pick<CampaignState, "id" | "tenantId">, what: CsvUpload) =>
  Imports.use((imports) => imports.importCsv(tenantId, id, what))

const addCampaign = (campaign: CampaignState) =>
  Effect.as(transact(CampaignStore.use((store) => store.add(campaign))), campaign)

/** Puts people on a campaign that sends a template, as the room that has it does. */
const templateList = ({ id, tenantId }: TemplateCampaign) =>
  Effect.gen(function* () {
    const store = yield* TemplateCampaignStore
    const storage = yield* Storage
    const found = Effect.map(store.find(tenantId, id), (campaign) => campaign!)
    const list: ImportedList<never> = {
      kind: "templateCampaign",
      id,
      total: Effect.map(storage.read(found), ({ counts }) => totalOf(counts)),
      locked: Effect.map(Effect.andThen(lock("template-campaign", id), found), (campaign) => ({
        total: totalOf(campaign.counts),
        nextSeq: campaign.nextSeq,
        attached: (many, at) =>
          store.save({
            ...campaign,
            counts: { ...campaign.counts, queued: campaign.counts.queued + many },
            nextSeq: campaign.nextSeq + many,
            updatedAt: at
          })
      }))
    }
    return list
  })

const importOnto = Effect.fnUntraced(function* (campaign: TemplateCampaign, { actor: _, ...what }: CsvUpload) {
  const { importCsv } = yield* ListImports
  return yield* importCsv(campaign.tenantId, yield* templateList(campaign), what)
})

const everybody = { limit: 10_000, offset: 0 }

const peopleOf = (tenantId: Ids.AccountId) =>
  read(ContactStore.use((store) => store.list(tenantId, { text: null, tag: null }, everybody)))
const listOf = (id: Ids.CampaignId) => read(listedContacts(id, everybody))
const campaignOf = (id: Ids.CampaignId) => read(CampaignStore.use((store) => store.findInAnyAccount(id)))

const templateContactsOf = (id: Ids.TemplateCampaignId) =>
  read(TemplateListStore.use((store) => store.list(id, everyTemplateContact, everybody)))

/** The same files, put on campaigns that send a template: what a person has there is what the first row says. */
const followTemplates = Effect.fnUntraced(function* (files: ReadonlyArray<File>) {
  const tenantId = Rows.id<"Account">()
  const store = yield* TemplateCampaignStore
  const two = [Rows.templateCampaign(tenantId), Rows.templateCampaign(tenantId)] as const
  yield* transact(Effect.forEach(two, store.add))
  const model = new ImportModel()
  for (const file of files) {
    yield* TestClock.adjust(1000)
    const campaign = two[file.campaign]
    const what = { optedIn: file.optedIn }
    const dry = yield* importOnto(campaign, upload(textOf(file), { ...what, dryRun: true }))
    const { columns, dryRun, errorCounts, errors, ...numbers } = yield* importOnto(campaign, upload(textOf(file), what))
    assert.deepStrictEqual(numbers, model.take(file, yield* Instant.now))
    assert.deepStrictEqual(
      { ...dry, totalNow: 0 },
      { ...numbers, columns, dryRun: true, errorCounts, errors, totalNow: 0 }
    )

    const people = (yield* peopleOf(tenantId)).map(({ id: _, tenantId: __, ...person }) => [person.matchKey, person])
    assert.deepStrictEqual(Object.fromEntries(people), Object.fromEntries(model.people))
    const list = yield* templateContactsOf(campaign.id)
    assert.deepStrictEqual(
      list.map(({ matchKey, name, optedIn, phone, variables }) => ({ phone, name, matchKey, variables, optedIn })),
      model.lists[file.campaign]
    )
    assert.deepStrictEqual(
      list.map(({ seq, status }) => [seq, status]),
      list.map((_, i) => [i, "queued"])
    )
    assert.include(yield* read(store.find(tenantId, campaign.id)), { nextSeq: list.length })
  }
})

/** Imports files one after the other, each dry and then for real, and compares everything with the model each time. */
const follow = Effect.fnUntraced(function* (files: ReadonlyArray<File>) {
  const tenantId = Rows.id<"Account">()
  const two = [
    yield* addCampaign(Rows.campaign(tenantId)),
    yield* addCampaign(Rows.campaign(tenantId, { status: "paused" }))
  ] as const
  const model = new ImportModel()
  for (const file of files) {
    yield* TestClock.adjust(1000)
    const campaign = two[file.campaign]
    const what = { optedIn: file.optedIn }
    const present = { people: yield* peopleOf(tenantId), list: yield* listOf(campaign.id) }

    const dry = yield* importInto(campaign, upload(textOf(file), { ...what, dryRun: true }))
    assert.deepStrictEqual({ people: yield* peopleOf(tenantId), list: yield* listOf(campaign.id) }, present)
    assert.strictEqual(dry.totalNow, present.list.length)

    const real = yield* importInto(campaign, upload(textOf(file), what))
    const { columns, dryRun, errorCounts, errors, ...numbers } = real
    assert.deepStrictEqual(numbers, model.take(file, yield* Instant.now))
    assert.deepStrictEqual({ ...dry, dryRun, totalNow: real.totalNow }, real)
    assert.isAtLeast(errors.length, Math.min(numbers.failed, 100))

    const people = (yield* peopleOf(tenantId)).map(({ id: _, tenantId: __, ...person }) => [person.matchKey, person])
    assert.deepStrictEqual(Object.fromEntries(people), Object.fromEntries(model.people))
    const list = yield* listOf(campaign.id)
    assert.deepStrictEqual(
      list.map(({ matchKey, name, phone }) => ({ phone, name, matchKey })),
      model.lists[file.campaign].map(({ matchKey, name, phone }) => ({ phone, name, matchKey }))
    )
    assert.deepStrictEqual(
      list.map(({ attempts, seq, status }) => [seq, status, attempts]),
      list.map((_, i) => [i, "pending", 0])
    )
    const { nextSeq, totalContacts } = (yield* campaignOf(campaign.id))!
    assert.deepStrictEqual([nextSeq, totalContacts], [list.length, list.length])
  }
})

/** On a busy machine too: one that is given up goes on, and moves the clock of the tests that follow. */
const propertyMillis = 120_000

/** Runs a property on the storage of the test. */
const property = <A>(
  of: fc.Arbitrary<A>,
  numRuns: number,
  holds: (a: A) => Effect.Effect<void, unknown, Stores | Tested>
): Effect.Effect<void, never, Stores> =>
  Effect.contextWith((context: Context.Context<Stores | Tested>) =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(of, (a) => Effect.runPromiseWith(context)(holds(a))),
        { numRuns }
      )
    )
  ).pipe(Effect.provide(services))

const lines = (count: number, from = 0): string =>
  ["phone", ...Array.from({ length: count }, (_, i) => String(9_000_000_000 + from + i))].join("\n")

const job = (at: Instant.Instant): ImportJob => ({
  id: Rows.id(),
  tenantId: Rows.id(),
  list: "campaign",
  campaignId: Rows.id<"Campaign">(),
  at
})

const staged = (): StagedPerson => ({
  row: 2,
  rows: 1,
  matchKey: Rows.key(),
  fields: { phone: "+1" },
  custom: {},
  variables: {},
  optedIn: false,
  listed: { phone: "+1", name: null, variables: {}, optedIn: false },
  crmId: Rows.id(),
  contactId: Rows.id<"CampaignContact">()
})

export const imports = suite("imports", ({ it }) => {
  // Verifies: C-122, C-136, C-137, C-138, D-91, D-103.
  it.effect(
    "have the effect of their rows one after the other, and a dry run shows it beforehand",
    // Few and long files: an adapter may begin a thread for each import, which costs more than all rows of a file.
    () => property(fc.array(fileOf(few, { minLength: 1, maxLength: 24 }), { minLength: 2, maxLength: 3 }), 5, follow),
    propertyMillis
  )

  it.effect(
    "onto a campaign that sends a template have the effect of their rows, too, with the variables of each person's first row",
    () =>
      property(
        fc.array(fileOf(few, { minLength: 1, maxLength: 24 }), { minLength: 2, maxLength: 3 }),
        5,
        followTemplates
      ),
    propertyMillis
  )

  it.effect(
    "onto such a campaign of files that are written in several parts leave the same",
    () =>
      property(
        fc.array(fileOf(many, { minLength: 1500, maxLength: 1500 }), { minLength: 2, maxLength: 2 }),
        1,
        followTemplates
      ),
    propertyMillis
  )

  it.effect("make contacts like those that are added one by one", () =>
    Effect.gen(function* () {
      const campaign = Rows.templateCampaign(Rows.id())
      yield* transact(TemplateCampaignStore.use((store) => store.add(campaign)))
      yield* importOnto(campaign, upload("phone,variables.1,opted_in\n+1 212 555 0123,A,yes"))
      const [contact] = yield* templateContactsOf(campaign.id)
      const { id, matchKey, phone } = contact!
      const given = { id, seq: 0, phone, matchKey, userId: null, name: null, variables: { 1: "A" }, optedIn: true }
      const { tenantId } = campaign
      const at = yield* Instant.now
      assert.deepStrictEqual(contact, newTemplateContact({ tenantId, campaignId: campaign.id }, given, at))
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "of files that are written in several parts leave the same",
    () =>
      property(fc.array(fileOf(many, { minLength: 1500, maxLength: 1500 }), { minLength: 2, maxLength: 2 }), 1, follow),
    propertyMillis
  )

  // Verifies: C-139.
  it.effect("that are sent again put nobody on the campaign, and meet everybody in the address book", () =>
    Effect.gen(function* () {
      const campaign = yield* addCampaign(Rows.campaign(Rows.id()))
      const file = upload(lines(1200))
      assert.include(yield* importInto(campaign, file), { created: 1200, attached: 1200, totalNow: 1200 })
      assert.include(yield* importInto(campaign, file), { updated: 1200, attached: 0, skippedDuplicate: 1200 })
      assert.strictEqual((yield* listOf(campaign.id)).length, 1200)
    }).pipe(Effect.provide(services))
  )

  // Verifies: D-92.
  it.effect("are there as a whole or not at all: one that fails at its very end leaves nothing", () =>
    Effect.gen(function* () {
      const store = yield* ImportStore
      const full = new StorageError({ reason: "full", detail: "the disk is full" })
      const breaking = Layer.succeed(ImportStore, {
        ...store,
        apply: (given, terms) => Effect.andThen(store.apply(given, terms), Effect.fail(full))
      })
      const campaign = yield* addCampaign(Rows.campaign(Rows.id()))
      const broken = Effect.provide(importInto(campaign, upload(lines(700))), Layer.provide(services, breaking))
      assert.strictEqual(yield* Effect.flip(broken), full)
      assert.deepStrictEqual(yield* peopleOf(campaign.tenantId), [])
      assert.deepStrictEqual(yield* listOf(campaign.id), [])
      assert.deepStrictEqual(yield* campaignOf(campaign.id), campaign)
      const again = yield* Effect.provide(importInto(campaign, upload(lines(700))), services)
      assert.include(again, { created: 700, attached: 700 })
    })
  )

  it.effect("are refused at the commit when the campaign has begun to run meanwhile, and leave nothing", () =>
    Effect.gen(function* () {
      const campaign = yield* addCampaign(Rows.campaign(Rows.id()))
      const running: CampaignState = { ...campaign, status: "running" }
      const start = transact(CampaignStore.use((store) => store.save(running)))
      const context = yield* Effect.context<Stores>()
      const file = Stream.concat(
        upload(lines(700)).file,
        Stream.drain(Stream.fromEffect(Effect.provideContext(Effect.orDie(start), context)))
      )
      const error = yield* Effect.flip(importInto(campaign, upload("", { file })))
      assert.include(error, { _tag: "ContactsClosed", status: "running" })
      assert.deepStrictEqual(yield* peopleOf(campaign.tenantId), [])
      assert.deepStrictEqual(yield* campaignOf(campaign.id), running)
    }).pipe(Effect.provide(services))
  )

  it.effect("of one account may run at the same time: each person is made once", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const two = [yield* addCampaign(Rows.campaign(tenantId)), yield* addCampaign(Rows.campaign(tenantId))]
      // Both files have 600 people; 300 are in both, and each file is sent to both campaigns.
      const sent = two.flatMap((campaign) => [0, 300].map((from) => importInto(campaign, upload(lines(600, from)))))
      const reports = yield* Effect.all(sent, { concurrency: "unbounded" })
      const sum = (count: (report: (typeof reports)[number]) => number) =>
        reports.reduce((total, report) => total + count(report), 0)
      assert.strictEqual(
        sum(({ created }) => created),
        900
      )
      assert.strictEqual(
        sum(({ updated }) => updated),
        4 * 600 - 900
      )
      assert.strictEqual(
        sum(({ attached }) => attached),
        2 * 900
      )
      assert.strictEqual((yield* peopleOf(tenantId)).length, 900)
      for (const { id } of two) {
        const list = yield* listOf(id)
        assert.deepStrictEqual(
          list.map(({ seq }) => seq),
          list.map((_, i) => i)
        )
        assert.strictEqual(list.length, 900)
        assert.strictEqual((yield* campaignOf(id))!.totalContacts, 900)
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("show what they have gathered to nobody else, and are removed with it", () =>
    Effect.gen(function* () {
      const places = yield* ImportPlaces
      const store = yield* ImportStore
      const mine = job(Rows.at(0))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { gather } = yield* places.open(mine)
          yield* gather(store.stage(mine, [staged(), staged()]))
          assert.include(yield* gather(store.compare(mine)), { rows: 2, created: 2, attached: 2 })
          const theirs = job(Rows.at(0))
          const other = yield* places.open(theirs)
          assert.include(yield* other.gather(store.compare(theirs)), { rows: 0, created: 0, attached: 0 })
        })
      )
      assert.include(yield* transact(store.compare(mine)), { rows: 0 })
    })
  )

  it.effect("that were never ended leave rows behind for an hour at most", () =>
    Effect.gen(function* () {
      const places = yield* ImportPlaces
      const store = yield* ImportStore
      const crashed = job(Rows.at(0))
      const lost = yield* Scope.make()
      yield* Effect.addFinalizer((exit) => Scope.close(lost, exit))
      const { gather } = yield* Scope.provide(places.open(crashed), lost)
      yield* gather(store.stage(crashed, Array.from({ length: 30 }, staged)))
      const left = Effect.map(transact(store.compare(crashed)), ({ rows }) => rows)
      // None where an import has a place that nobody else sees.
      const before = yield* left
      assert.include([0, 30], before)
      const hour = 60 * 60 * 1000
      yield* Effect.scoped(places.open(job(Rows.at(hour))))
      assert.strictEqual(yield* left, before)
      yield* Effect.scoped(places.open(job(Rows.at(hour + 1))))
      assert.strictEqual(yield* left, 0)
    })
  )

  it.effect("make contacts of one account, which no other sees", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const [mine, theirs] = [Rows.id<"Account">(), Rows.id<"Account">()]
      for (const tenantId of [mine, theirs]) {
        const campaign = yield* addCampaign(Rows.campaign(tenantId))
        yield* importInto(campaign, upload(lines(3)))
      }
      const everyone = { phone: null }
      const { items, total } = yield* contacts.list(mine, everyone, { limit: 2, offset: 1 })
      assert.strictEqual(total, 3)
      assert.deepStrictEqual(
        items.map(({ phone }) => phone),
        ["9000000001", "9000000000"]
      )
      assert.deepStrictEqual(yield* contacts.get(mine, items[0]!.id), items[0]!)
      const missing = yield* Effect.flip(contacts.get(theirs, items[0]!.id))
      assert.include(missing, { _tag: "CrmContactNotFound", message: "Contact not found" })
      const other = yield* contacts.list(theirs, everyone, { limit: 9, offset: 0 })
      assert.isTrue(other.items.every(({ tenantId }) => tenantId === theirs))
    }).pipe(Effect.provide(services))
  )

  it.effect("make contacts that are changed and deleted by their own account, while files are imported as well", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const campaign = yield* addCampaign(Rows.campaign(Rows.id()))
      const { tenantId } = campaign
      yield* importInto(campaign, upload("phone,name,plan\n9000000000,Ada,gold\n9000000001,Grace,"))
      const { items } = yield* contacts.list(tenantId, { phone: null }, { limit: 9, offset: 0 })
      const [grace, ada] = [items[0]!, items[1]!]
      const change = { name: "Ada L.", tags: ["vip", "new"], optedIn: true, custom: { "a b": "ü😀" } }
      const at = yield* Instant.now
      const [changed] = yield* Effect.all(
        [
          contacts.change(tenantId, ada.id, change),
          importInto(campaign, upload("phone,company\n9000000000,Analytical Engines"))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(changed, { ...ada, ...change, company: changed.company, updatedAt: at })
      const both = { ...changed, company: "Analytical Engines" }
      assert.deepStrictEqual(yield* contacts.get(tenantId, ada.id), both)
      const withdrawn = yield* contacts.change(tenantId, ada.id, { optedIn: false, name: null })
      assert.deepStrictEqual(withdrawn, { ...both, optedIn: false, name: null })
      assert.deepStrictEqual(yield* contacts.get(tenantId, ada.id), withdrawn)
      for (const refused of [contacts.change(Rows.id(), ada.id, change), contacts.remove(Rows.id(), ada.id)]) {
        assert.include(yield* Effect.flip(Effect.asVoid(refused)), { _tag: "CrmContactNotFound" })
      }
      yield* contacts.remove(tenantId, ada.id)
      assert.include(yield* Effect.flip(contacts.remove(tenantId, ada.id)), { _tag: "CrmContactNotFound" })
      assert.deepStrictEqual(yield* peopleOf(tenantId), [grace])
      assert.strictEqual((yield* listOf(campaign.id)).length, 2)
    }).pipe(Effect.provide(services))
  )

  // Verifies: D-206.
  it.effect("make contacts that are found by their number, however it is written", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const campaign = yield* addCampaign(Rows.campaign(Rows.id()))
      yield* importInto(campaign, upload("phone\n+1 212 555 0123\n+1 646 555 0123\n555 0123\n+1 212 555 0124"))
      const found = (phone: string, page = { limit: 9, offset: 0 }) =>
        Effect.map(contacts.list(campaign.tenantId, { phone }, page), ({ items, total }) => [
          total,
          ...items.map((contact) => contact.phone)
        ])
      assert.deepStrictEqual(yield* found("(212) 555-0123"), [2, "555 0123", "+1 212 555 0123"])
      assert.deepStrictEqual(yield* found("5550123"), [3, "555 0123", "+1 646 555 0123", "+1 212 555 0123"])
      assert.deepStrictEqual(yield* found("5550123", { limit: 1, offset: 1 }), [3, "+1 646 555 0123"])
      assert.deepStrictEqual(yield* found("+1 212 555 0199"), [0])
      assert.deepStrictEqual(yield* found("0123"), [0])
    }).pipe(Effect.provide(services))
  )
})
