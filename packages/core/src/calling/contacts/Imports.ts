/** The import of a CSV file: into the address book and onto a campaign, all of it or nothing. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Accounts, type Actor } from "../../platform/accounts/index.ts"
import { PublishedTransactions } from "../../platform/changes/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import type { PhoneNumber } from "../../platform/numbers/index.ts"
import { AccountLimits, checkRoom, type LimitReached, lock, type StorageError } from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { acceptsContacts, type Campaign, type CampaignNotFound, Campaigns, ContactsClosed } from "../campaigns/index.ts"
import type { CsvRefused, MappingRefused } from "./ContactErrors.ts"
import {
  and,
  type FaultCount,
  type ImportReading,
  type ImportReport,
  maxErrors,
  personOf,
  type RowFault,
  reportOf,
  rowOf
} from "./ContactImport.ts"
import { ContactStore } from "./ContactStore.ts"
import * as CsvReader from "./CsvReader.ts"
import { type Mapping, mappingOf } from "./ImportMapping.ts"
import { type ImportJob, type ImportPlace, ImportStore, type StagedPerson } from "./ImportStore.ts"

/** Source: docs/reference/contacts.md#form. */
export interface CsvUpload {
  readonly file: Stream.Stream<Uint8Array>
  /** A JSON object, header to field, or null: headers then speak for themselves. */
  readonly columnMap: string | null
  readonly dryRun: boolean
  /** The sender states that contacts which the import makes have agreed to be messaged. */
  readonly optedIn: boolean
  /** Who imports. */
  readonly actor: Actor
}

export class Imports extends Context.Service<
  Imports,
  {
    /**
     * Creates or updates a contact for every row, and adds to the campaign each that is not on it. A dry run does all of
     * this but the writing, so that it answers with the same numbers. The campaign's status is judged when the import
     * begins and again, under its lock, when it is committed. Source: docs/reference/contacts.md#import.
     */
    readonly importCsv: (
      tenantId: Ids.AccountId,
      campaignId: Ids.CampaignId,
      upload: CsvUpload
    ) => Effect.Effect<
      ImportReport,
      CampaignNotFound | ContactsClosed | CsvRefused | LimitReached | MappingRefused | StorageError
    >
  }
>()("@trunkline/core/calling/contacts/Imports") {
  static readonly layer = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const campaigns = yield* Campaigns
      const contacts = yield* ContactStore
      const limits = yield* AccountLimits
      const store = yield* ImportStore
      const publishing = yield* PublishedTransactions

      /** Reads the file into the staging, and continues reading while a part of it is staged. */
      const stage = Effect.fnUntraced(function* (job: ImportJob, { gather }: ImportPlace, upload: CsvUpload) {
        const gathering = new Gathering(upload.columnMap, yield* Ids.source)
        yield* CsvReader.read(upload.file).pipe(
          Stream.mapEffect((records) => Effect.fromResult(gathering.add(records))),
          Stream.concat(Stream.sync(() => gathering.rest())),
          Stream.filter((people) => people.length > 0),
          Stream.buffer({ capacity: partsAhead }),
          Stream.runForEach((people) => gather(store.stage(job, people)))
        )
        return gathering
      })

      /** What the import would do, where both lists have room for it. */
      const compared = Effect.fnUntraced(function* (
        job: ImportJob,
        { failed, totalRows }: ImportReading,
        { totalContacts }: Pick<Campaign, "totalContacts">
      ) {
        const effect = yield* store.compare(job)
        if (effect.rows !== totalRows - failed) {
          return yield* Effect.die(new Error(`an import staged ${totalRows - failed} rows and found ${effect.rows}`))
        }
        const { attached, created } = effect
        yield* checkRoom("campaignContacts", limits.campaignContacts, { present: totalContacts, adding: attached })
        if (created > 0 && limits.contacts !== null) {
          const present = yield* contacts.count(job.tenantId)
          yield* checkRoom("contacts", limits.contacts, { present, adding: created })
        }
        return effect
      })

      const commit = Effect.fnUntraced(function* (job: ImportJob, reading: Gathering, { actor, optedIn }: CsvUpload) {
        // Imports of one account write the same address book: the second compares with what the first has written.
        yield* lock("contact-import", job.tenantId)
        const campaign = yield* campaigns.locked(job.tenantId, job.campaignId)
        if (!acceptsContacts(campaign.status)) return yield* new ContactsClosed({ status: campaign.status })
        const effect = yield* compared(job, reading, campaign)
        yield* store.apply(job, {
          consentOfNew: optedIn && !reading.hasConsent,
          nextSeq: campaign.nextSeq,
          attached: effect.attached
        })
        yield* accounts.record(job.tenantId, actor, "campaign.import", job.campaignId)
        return { effect, totalNow: campaign.totalContacts + effect.attached }
      })

      const importCsv = tracedFn("Imports.importCsv")(function* (
        tenantId: Ids.AccountId,
        campaignId: Ids.CampaignId,
        upload: CsvUpload
      ) {
        const campaign = yield* campaigns.get(tenantId, campaignId)
        if (!acceptsContacts(campaign.status)) return yield* new ContactsClosed({ status: campaign.status })
        const job: ImportJob = { id: yield* Ids.fresh<"Import">(), tenantId, campaignId, at: yield* Instant.now }
        const place = yield* store.open(job)
        const reading = yield* stage(job, place, upload)
        const { effect, totalNow } = upload.dryRun
          ? { effect: yield* place.gather(compared(job, reading, campaign)), totalNow: campaign.totalContacts }
          : yield* publishing(place.commit)(commit(job, reading, upload))
        return reportOf(upload.dryRun, reading, effect, totalNow)
      }, Effect.scoped)

      return Imports.of({ importCsv })
    })
  )
}

/** People that are staged in one transaction, at most: on SQLite in memory that is some 10 ms on the event loop. */
const peopleInPart = 500
/** The same for large rows: pieces of the file of some kilobytes each. */
const piecesInPart = 64
/** Parts that wait to be staged while the file is read on. */
const partsAhead = 2

/** What has been read so far, and the people of the part that is being gathered. */
class Gathering implements ImportReading {
  readonly #columnMap: string | null
  readonly #nextId: () => string
  #mapping: Mapping | undefined
  #people = new Map<PhoneNumber.MatchKey, StagedPerson>()
  #pieces = 0
  totalRows = 0
  failed = 0
  readonly errors: Array<RowFault> = []
  readonly #counts = new Map<string, { -readonly [K in keyof FaultCount]: FaultCount[K] }>()

  constructor(columnMap: string | null, nextId: () => string) {
    this.#columnMap = columnMap
    this.#nextId = nextId
  }

  get errorCounts(): ReadonlyArray<FaultCount> {
    return [...this.#counts.values()]
  }

  get columns(): Mapping["read"] {
    return this.#mapping?.read ?? {}
  }

  get hasConsent(): boolean {
    return this.#mapping?.hasConsent ?? false
  }

  /** Reads the next records, the header first; returns the people of a full part, or none. */
  add(records: ReadonlyArray<CsvReader.CsvRecord>): Result.Result<ReadonlyArray<StagedPerson>, MappingRefused> {
    let rows = records
    if (this.#mapping === undefined) {
      const mapping = mappingOf(records[0]!.cells, this.#columnMap)
      if (Result.isFailure(mapping)) return Result.fail(mapping.failure)
      this.#mapping = mapping.success
      rows = records.slice(1)
    }
    for (const row of rows) this.#addRow(this.#mapping, row)
    this.#pieces += 1
    return Result.succeed(this.#people.size >= peopleInPart || this.#pieces >= piecesInPart ? this.rest() : [])
  }

  /** The people gathered since the last part. */
  rest(): ReadonlyArray<StagedPerson> {
    const people = [...this.#people.values()]
    this.#people.clear()
    this.#pieces = 0
    return people
  }

  #addRow(mapping: Mapping, record: CsvReader.CsvRecord): void {
    this.totalRows += 1
    const row = rowOf(mapping, record)
    if (Result.isFailure(row)) {
      this.failed += 1
      if (this.errors.length < maxErrors) this.errors.push(...row.failure.slice(0, maxErrors - this.errors.length))
      for (const fault of row.failure) this.#count(fault)
      return
    }
    const { matchKey } = row.success
    const earlier = this.#people.get(matchKey)
    this.#people.set(
      matchKey,
      earlier === undefined
        ? { ...personOf(row.success), crmId: Ids.as(this.#nextId()), contactId: Ids.as(this.#nextId()) }
        : { ...earlier, ...and(earlier, row.success) }
    )
  }

  #count({ field, message, row }: RowFault): void {
    const kind = `${field}\n${message}`
    const count = this.#counts.get(kind)
    if (count !== undefined) count.rows += 1
    else if (this.#counts.size < maxErrors) this.#counts.set(kind, { field, message, row, rows: 1 })
  }
}
