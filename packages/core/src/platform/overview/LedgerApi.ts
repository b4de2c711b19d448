/** The contract of what was added to an account's credits, and taken from them. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CsvText } from "../http/CsvFile.ts"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import * as Fields from "../http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { RequestErrors } from "../http/PlatformErrors.ts"
import { Instant } from "../kernel/index.ts"

const kinds = ["grant", "call", "inference"] as const

const Entry = Schema.Struct({
  id: Schema.String.annotate({ format: "uuid" }),
  created_at: Instant.Iso,
  kind: Schema.Literals(kinds),
  amount: Schema.Number,
  reference: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LedgerEntry" })

const filter = {
  kind: Schema.optionalKey(Schema.Literals(kinds)),
  from: Schema.optionalKey(Instant.AnyIso),
  to: Schema.optionalKey(Instant.AnyIso)
}

export const ledgerPages = { limit: 1000, standard: 100, offset: 1_000_000 }

export const ledgerGroup = HttpApiGroup.make("credits")
  .add(
    HttpApiEndpoint.get("listLedger", "/ledger", {
      query: { ...filter, ...Fields.page(ledgerPages) },
      success: Schema.Array(Entry)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the ledger",
        description:
          "Returns what was added to the account's credits and what was charged, newest first; the sum of all entries is the balance."
      })
    ),
    HttpApiEndpoint.get("exportLedger", "/ledger.csv", { query: filter, success: CsvText }).annotateMerge(
      OpenApi.annotations({
        summary: "Export the ledger",
        description: "Returns all entries of the ledger as a CSV file."
      })
    )
  )
  .prefix("/api/v1/credits")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsScope, "usage:read")
  .annotate(OpenApi.Description, "Where the account's credits came from, and went")
  .annotate(FieldTexts, {
    kind: "`grant` for what was added, `call` for a telephone call, `inference` for a request to a model",
    amount: "Credits; negative for what was charged",
    reference: "Id of the call or of the row of the usage log; of a bonus its month and plan; null where there is none",
    "query.kind": "Returns only entries of this kind",
    "query.from": "Start of the period",
    "query.to": "End of the period, exclusive"
  })
