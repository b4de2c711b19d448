/** The contract of the list of people who have opted out. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { OptOutRecord, optOutScopes, optOutSources } from "./OptOut.ts"

const Entry = OptOutRecord.schema.annotate({ identifier: "OptOut" })

/** The channel's id of a number. */
const NumberId = Fields.text(1, 128)

/** One person of those who are added. */
export const newOptOut = {
  phone: Fields.optional(Fields.text(1, 64)),
  user_id: Fields.optional(Fields.text(1, 512)),
  scope: Fields.optional(Schema.Literals(optOutScopes)),
  phone_number_id: Fields.optional(NumberId),
  detail: Fields.optional(Fields.text(0, 500))
}

export const maxNewOptOuts = 1000

const NewEntry = Schema.Struct(newOptOut).check(
  Schema.makeFilter(
    ({ phone, user_id }) =>
      (phone ?? user_id ?? null) !== null || { path: ["phone"], issue: "Field required, or user_id instead" }
  )
)

export const NewOptOuts = Schema.Struct({
  entries: Schema.Array(NewEntry).check(Schema.isMaxLength(maxNewOptOuts))
}).annotate({ identifier: "NewOptOuts" })

export const optOutPages = { limit: 500, standard: 100, offset: 1_000_000 }

export const optOutsQuery = {
  ...Fields.page(optOutPages),
  phone: Schema.optionalKey(Fields.text(1, 64)),
  source: Schema.optionalKey(Schema.Literals(optOutSources)),
  phone_number_id: Schema.optionalKey(NumberId)
}

const routes = HttpApiGroup.make("optOuts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: optOutsQuery,
      success: Schema.Array(Entry)
    })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List opt-outs",
          description: "Returns the people who get no messages of campaigns, newest first."
        })
      ),
    HttpApiEndpoint.post("add", "/", {
      payload: NewOptOuts,
      success: Schema.Struct({ added: Schema.Int, skipped: Schema.Int, skipped_invalid: Schema.Int }),
      error: NotFound
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add opt-outs",
          description: "Adds people; once this is answered, no message of a campaign to them is begun."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:entry_id", {
      params: { entry_id: Ids.schema<"OptOut">() },
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Remove an opt-out",
          description: "Removes one entry; what somebody has said at the chat platform only they can take back."
        })
      )
  )
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "People who have opted out of messages of campaigns")
  .annotate(BodyExamples, { add: { entries: [{ phone: "+1 415 555 0123", detail: "Asked us by email" }] } })
  .annotate(FieldTexts, {
    "query.phone": "Returns only entries about this number, however it is written",
    "query.source": "Returns only entries of this source",
    "query.phone_number_id": "Returns only entries for this number of the account",
    phone: "The person's phone; null where it is not known",
    user_id: "The chat platform's id of the person; null where it is not known",
    phone_number_id: "The number that is meant, by the chat platform's id; null for every number of the account",
    scope: "Whether marketing messages alone are meant, or all messages of campaigns; default all",
    source: "How the person, or the account for the person, has said so",
    detail: "The word that was written, or why; null where nothing is said",
    entries: "At most 1000 people, each by phone or by user_id",
    added: "Number of people who were added",
    skipped: "Number of those who were on the list already, or have no usable number",
    skipped_invalid: "Number of those without a usable number"
  })

export const optOutsGroup = ({ channel }: Brand) => routes.prefix(`/api/v1/${channel}/opt-outs`)
