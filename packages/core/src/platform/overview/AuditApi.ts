/** The contract of the audit log. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { auditActions } from "../accounts/index.ts"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import * as Fields from "../http/Fields.ts"
import { ForPeople, NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { RequestErrors } from "../http/PlatformErrors.ts"
import { Instant } from "../kernel/index.ts"

const Entry = Schema.Struct({
  id: Schema.String.annotate({ format: "uuid" }),
  at: Instant.Iso,
  actor: Schema.String,
  actor_name: Schema.NullOr(Schema.String),
  action: Schema.String,
  target_id: Schema.NullOr(Schema.String),
  target_name: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AuditEntry" })

const given = Schema.optionalKey(Fields.text(1, 300))

export const auditPages = { limit: 500, standard: 100, offset: 1_000_000 }

export const auditGroup = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...Fields.page(auditPages),
        actor: given,
        action: Schema.optionalKey(Schema.Literals(auditActions)),
        target_id: given,
        from: Schema.optionalKey(Instant.AnyIso),
        to: Schema.optionalKey(Instant.AnyIso)
      },
      success: Schema.Array(Entry)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the audit log",
        description: "Returns who did what in the account, newest first."
      })
    )
  )
  .prefix("/api/v1/audit")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsScope, "audit:read")
  .annotateEndpoints(ForPeople, "alone")
  .annotate(OpenApi.Description, "Who did what in the account")
  .annotate(FieldTexts, {
    at: "Instant at which it was done",
    actor: "Who did it: `key:<id>`, `user:<subject>`, `operator`, or `platform` for what a chat network has said",
    actor_name: "Name of the person or key at the time; null where it is not known",
    action: "What was done, such as `key.create`",
    target_id: "Id of what it was done to; null where there is none",
    target_name: "Name of it at the time; null where it is not known",
    "query.actor": "Returns only what this actor did",
    "query.action": "Returns only entries of this action",
    "query.target_id": "Returns only what was done to this",
    "query.from": "Start of the period",
    "query.to": "End of the period, exclusive"
  })
