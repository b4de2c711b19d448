/** The import of a CSV file: into the address book and onto a campaign, all of it or nothing. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { Accounts, type Actor } from "../../platform/accounts/index.ts"
import { PublishedTransactions } from "../../platform/changes/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { AccountLimits, checkRoom, type LimitReached, lock, type StorageError } from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { acceptsContacts, type Campaign, type CampaignNotFound, Campaigns, ContactsClosed } from "../campaigns/index.ts"
import {
  type CsvRefused,
  type FileReading,
  type ImportPlace,
  ImportPlaces,
  type MappingRefused,
  RowGathering,
  stageFile
} from "../csv/index.ts"
import {
  and,
  contactFields,
  type Field,
  type ImportReport,
  type ImportRow,
  personOf,
  reportOf,
  rowOf
} from "./ContactImport.ts"
import { ContactStore, everybody } from "./ContactStore.ts"
import { type ImportJob, ImportStore, type StagedPerson } from "./ImportStore.ts"

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
      const places = yield* ImportPlaces
      const store = yield* ImportStore
      const publishing = yield* PublishedTransactions

      const stage = Effect.fnUntraced(function* (job: ImportJob, { gather }: ImportPlace, upload: CsvUpload) {
        const gathering = newGathering(upload.columnMap, yield* Ids.source)
        yield* stageFile(upload.file, gathering, (people) => gather(store.stage(job, people)))
        return gathering
      })

      /** What the import would do, where both lists have room for it. */
      const compared = Effect.fnUntraced(function* (
        job: ImportJob,
        { failed, totalRows }: FileReading,
        { totalContacts }: Pick<Campaign, "totalContacts">
      ) {
        const effect = yield* store.compare(job)
        if (effect.rows !== totalRows - failed) {
          return yield* Effect.die(new Error(`an import staged ${totalRows - failed} rows and found ${effect.rows}`))
        }
        const { attached, created } = effect
        yield* checkRoom("campaignContacts", limits.campaignContacts, { present: totalContacts, adding: attached })
        if (created > 0 && limits.contacts !== null) {
          const present = yield* contacts.count(job.tenantId, everybody)
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
          consentOfNew: optedIn && !reading.has("opted_in"),
          nextSeq: campaign.nextSeq,
          attached: effect.attached
        })
        yield* accounts.record(job.tenantId, actor, "campaign.import", job.campaignId, campaign.name)
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
        const place = yield* places.open(job)
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

const newGathering = (columnMap: string | null, nextId: () => string) =>
  new RowGathering<Field, ImportRow, StagedPerson>({
    fields: contactFields,
    columnMap,
    read: rowOf,
    first: (row) => ({ ...personOf(row), crmId: Ids.as(nextId()), contactId: Ids.as(nextId()) }),
    and: (person, row) => ({ ...person, ...and(person, row) }),
    partSize: peopleInPart
  })

type Gathering = ReturnType<typeof newGathering>
