/** The import of a CSV file into the address book and onto a list, whosever it is: all of it or nothing. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PublishedTransactions } from "../../platform/changes/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import {
  type CsvRefused,
  type ImportedList,
  type ImportReport,
  ListImports,
  type ListKind,
  type ListUpload,
  type MappingRefused
} from "../../platform/overview/index.ts"
import { AccountLimits, checkRoom, type LimitReached, lock, type StorageError } from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { type FileReading, type ImportPlace, ImportPlaces, RowGathering, stageFile } from "../csv/index.ts"
import { and, type Field, fieldsOfList, type ImportRow, personOf, reportOf, rowOf } from "./ContactImport.ts"
import { ContactStore, everybody } from "./ContactStore.ts"
import { type ImportJob, ImportStore, type StagedPerson } from "./ImportStore.ts"

export const makeListImporter = Effect.gen(function* () {
  const contacts = yield* ContactStore
  const limits = yield* AccountLimits
  const places = yield* ImportPlaces
  const store = yield* ImportStore
  const publishing = yield* PublishedTransactions

  const stage = Effect.fnUntraced(function* (job: ImportJob, { gather }: ImportPlace, upload: ListUpload) {
    const gathering = newGathering(job.list, upload.columnMap, yield* Ids.source)
    yield* stageFile(upload.file, gathering, (people) => gather(store.stage(job, people)))
    return gathering
  })

  /** What the import would do, where both lists have room for it. */
  const compared = Effect.fnUntraced(function* (job: ImportJob, { failed, totalRows }: FileReading, total: number) {
    const effect = yield* store.compare(job)
    if (effect.rows !== totalRows - failed) {
      return yield* Effect.die(new Error(`an import staged ${totalRows - failed} rows and found ${effect.rows}`))
    }
    const { attached, created } = effect
    yield* checkRoom("campaignContacts", limits.campaignContacts, { present: total, adding: attached })
    if (created > 0 && limits.contacts !== null) {
      const present = yield* contacts.count(job.tenantId, everybody)
      yield* checkRoom("contacts", limits.contacts, { present, adding: created })
    }
    return effect
  })

  const commit = <E>(job: ImportJob, reading: Gathering, list: ImportedList<E>, { optedIn }: ListUpload) =>
    Effect.gen(function* () {
      // Imports of one account write the same address book: the second compares with what the first has written.
      yield* lock("contact-import", job.tenantId)
      const { attached, nextSeq, total } = yield* list.locked
      const effect = yield* compared(job, reading, total)
      yield* store.apply(job, { consentOfNew: optedIn && !reading.has("opted_in"), nextSeq })
      yield* attached(effect.attached, job.at)
      return { effect, totalNow: total + effect.attached }
    })

  const importCsv = <E>(
    tenantId: Ids.AccountId,
    list: ImportedList<E>,
    upload: ListUpload
  ): Effect.Effect<ImportReport, E | CsvRefused | LimitReached | MappingRefused | StorageError> =>
    Effect.scoped(
      Effect.gen(function* () {
        const total = yield* list.total
        const job: ImportJob = {
          id: yield* Ids.fresh<"Import">(),
          tenantId,
          list: list.kind,
          campaignId: Ids.as(list.id),
          at: yield* Instant.now
        }
        const place = yield* places.open(job)
        const reading = yield* stage(job, place, upload)
        const { effect, totalNow } = upload.dryRun
          ? { effect: yield* place.gather(compared(job, reading, total)), totalNow: total }
          : yield* publishing(place.commit)(commit(job, reading, list, upload))
        return reportOf(upload.dryRun, reading, effect, totalNow)
      })
    )

  return { importCsv }
})

export const layer = Layer.effect(ListImports, makeListImporter)

/** People that are staged in one transaction, at most: on SQLite in memory that is some 10 ms on the event loop. */
const peopleInPart = 500

const newGathering = (list: ListKind, columnMap: string | null, nextId: () => string) =>
  new RowGathering<Field, ImportRow, StagedPerson>({
    fields: fieldsOfList[list],
    columnMap,
    read: rowOf,
    first: (row) => ({ ...personOf(row), crmId: Ids.as(nextId()), contactId: Ids.as(nextId()) }),
    and: (person, row) => ({ ...person, ...and(person, row) }),
    partSize: peopleInPart
  })

type Gathering = ReturnType<typeof newGathering>
