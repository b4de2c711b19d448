/** Handlers of the ledger. */
import * as Effect from "effect/Effect"
import { CurrentPrincipal } from "../accounts/index.ts"
import { type LedgerEntry, type LedgerFilter, Money, makeCreditEntries } from "../billing/index.ts"
import { csvFile } from "../http/CsvFile.ts"
import { contract, RouteHandlers } from "../http/index.ts"
import { list, pageOf } from "../http/Lists.ts"
import { answering } from "../http/PlatformErrors.ts"
import { Instant } from "../kernel/index.ts"
import { storageErrors } from "../storage/index.ts"
import { ledgerGroup, ledgerPages } from "./LedgerApi.ts"

/** Entries that are in memory at a time while a file is written. */
const batchSize = 1000

const answer = answering(storageErrors)

const api = contract.add(ledgerGroup)

const recordOf = ({ amount, createdAt, id, kind, ref }: LedgerEntry) => ({
  id,
  created_at: createdAt,
  kind,
  amount: Money.toNumber(amount),
  reference: ref
})

const filterOf = ({ from = null, kind = null, to = null }: Partial<LedgerFilter>): LedgerFilter => ({ kind, from, to })

export const layer = () =>
  RouteHandlers.group(
    api,
    "credits",
    Effect.fnUntraced(function* (handlers) {
      const entries = yield* makeCreditEntries
      return handlers.handleAll({
        listLedger: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const page = pageOf(query, ledgerPages.standard)
          return yield* list(yield* answer(entries.list(tenantId, filterOf(query), page)), recordOf)
        }),
        exportLedger: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(
            csvFile({
              name: "credit-ledger",
              header: ["id", "created_at", "kind", "amount", "reference"],
              page: (after: string | null) =>
                Effect.map(entries.after(tenantId, filterOf(query), after, batchSize), (found) => ({
                  rows: found.map((entry) => {
                    const { amount, created_at, id, kind, reference } = recordOf(entry)
                    return [id, Instant.toIso(created_at), kind, amount, reference]
                  }),
                  next: found.length < batchSize ? null : found.at(-1)!.id
                }))
            })
          )
        })
      })
    })
  )
