/** The contract of flows, which the channel's network keeps, and of the keys of numbers. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { IsCollection, MaxBodyBytes } from "../../platform/http/index.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, RequestErrors, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { JsonObject } from "../messages/JsonObject.ts"
import { ofNumber, ofPlatform, PlatformDigits, passedPage } from "../routes/MessagingApi.ts"

/** KiB of the screens of a flow as JSON. */
export const maxFlowKib = 1024

/** As they came, with escapes and spaces. */
const maxBytes = 2 * maxFlowKib * 1024

const Categories = Schema.Array(Fields.text(1, 64)).check(Schema.isMinLength(1), Schema.isMaxLength(32))
const FlowName = Fields.text(1, 200)
const EndpointUrl = Fields.text(1, 2048)

/** The screens of a flow, in the platform's words. */
export const FlowJson = Fields.json(JsonObject, maxFlowKib)

/** What makes a flow, beside the number. */
export const newFlow = {
  name: FlowName,
  categories: Categories,
  flow_json: Fields.optional(FlowJson),
  clone_flow_id: Fields.optional(PlatformDigits.check(Schema.isMaxLength(64))),
  publish: Fields.optional(Schema.Boolean),
  endpoint_url: Fields.optional(EndpointUrl)
}

const NewFlowBody = Schema.Struct({ ...ofNumber, ...newFlow }).annotate({ identifier: "NewFlow" })

export const flowChange = {
  name: Schema.optionalKey(FlowName),
  categories: Schema.optionalKey(Categories),
  endpoint_url: Fields.optional(EndpointUrl),
  rotate_secret: Schema.optionalKey(Schema.Boolean)
}

const FlowChangeBody = Schema.Struct(flowChange).annotate({ identifier: "FlowChange" })

const Faults = Schema.Array(JsonObject)

const Created = Schema.Struct({
  id: Schema.String,
  validation_errors: Faults,
  endpoint_secret: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CreatedFlow" })

const Changed = Schema.Struct({ success: Schema.Boolean, endpoint_secret: Schema.NullOr(Schema.String) }).annotate({
  identifier: "ChangedFlow"
})

const SavedJson = Schema.Struct({ success: Schema.Boolean, validation_errors: Faults }).annotate({
  identifier: "SavedFlowJson"
})

const PlatformFlow = JsonObject.annotate({ identifier: "PlatformFlow" })

const oneFlow = { flow_id: PlatformDigits }

const failures = [...ofPlatform, Conflict, Unprocessable] as const

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const flowTexts = {
  "query.phone_number_id": "The chat platform's id of the connected number",
  "query.fields": "Fields to return, in the chat platform's words",
  "query.after": "Returns what follows this cursor of the chat platform",
  "query.before": "Returns what precedes this cursor of the chat platform",
  phone_number_id: "The chat platform's id of the number",
  name: "Name of the flow, which customers do not see",
  categories: "What the flow is for, in the chat platform's words",
  flow_json: "Screens of the flow, in the chat platform's words; null for none yet",
  clone_flow_id: "The chat platform's id of the flow whose screens it begins with",
  publish: "Whether the flow is published at once; default false",
  endpoint_url: "Your endpoint that is asked for data while customers fill in the flow; null for none",
  rotate_secret: "Whether the endpoint gets a new secret; the old one is gone at once",
  id: "The chat platform's id of the flow",
  validation_errors: "What the chat platform has found wrong in the screens",
  endpoint_secret:
    "Secret that signs requests to your endpoint, which is not shown again; null where there is no new one",
  success: "Whether the chat platform has accepted it"
}

const flowExample = {
  phone_number_id: "106540352242922",
  name: "Book a table",
  categories: ["APPOINTMENT_BOOKING"],
  endpoint_url: "https://example.com/flows"
}

const makeFlowsGroup = ({ channel }: Brand) =>
  HttpApiGroup.make("chatFlows")
    .add(
      HttpApiEndpoint.get("list", "/", {
        query: { ...ofNumber, ...passedPage },
        success: JsonObject.annotate({ identifier: "PlatformFlows" }),
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotate(IsCollection, true)
        .annotateMerge(
          described("List flows", "Returns the flows of a number's business account, as the chat platform has them.")
        ),
      HttpApiEndpoint.post("create", "/", {
        payload: NewFlowBody,
        success: Created.pipe(HttpApiSchema.status(201)),
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotate(MaxBodyBytes, maxBytes)
        .annotateMerge(
          described("Create a flow", "Creates a flow at the chat platform and returns the secret of its endpoint once.")
        ),
      HttpApiEndpoint.get("get", "/:flow_id", {
        params: oneFlow,
        query: { ...ofNumber, ...passedPage },
        success: PlatformFlow,
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described("Get a flow", "Returns one flow, as the chat platform has it, and the address of its endpoint.")
        ),
      HttpApiEndpoint.patch("change", "/:flow_id", {
        params: oneFlow,
        query: ofNumber,
        payload: FlowChangeBody,
        success: Changed,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described("Change a flow", "Changes name, categories or endpoint of a flow, or the secret of its endpoint.")
        ),
      HttpApiEndpoint.put("saveJson", "/:flow_id/json", {
        params: oneFlow,
        query: ofNumber,
        payload: FlowJson.annotate({ identifier: "FlowJson" }),
        success: SavedJson,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotate(MaxBodyBytes, maxBytes)
        .annotateMerge(
          described(
            "Replace the screens of a flow",
            "Replaces the screens of a flow and returns what is wrong in them."
          )
        ),
      HttpApiEndpoint.get("json", "/:flow_id/json", {
        params: oneFlow,
        query: ofNumber,
        success: JsonObject.annotate({ identifier: "PlatformFlowJson" }),
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described("Get the screens of a flow", "Returns the screens of a flow in the chat platform's words.")
        ),
      HttpApiEndpoint.post("publish", "/:flow_id/publish", {
        params: oneFlow,
        query: ofNumber,
        success: PlatformFlow,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(described("Publish a flow", "Publishes a flow, whose screens stay as they are from then on.")),
      HttpApiEndpoint.post("deprecate", "/:flow_id/deprecate", {
        params: oneFlow,
        query: ofNumber,
        success: PlatformFlow,
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(described("Deprecate a flow", "Has the chat platform send a published flow no more.")),
      HttpApiEndpoint.delete("remove", "/:flow_id", { params: oneFlow, query: ofNumber, error: failures })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(described("Delete a flow", "Deletes a flow that was never published, and its endpoint."))
    )
    .prefix(`/api/v1/${channel}/flows`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Flows: forms that customers fill in within the chat")
    .annotate(BodyExamples, {
      create: flowExample,
      change: { name: "Book a table or a room", rotate_secret: true },
      saveJson: { version: "7.2", screens: [] }
    })
    .annotate(FieldTexts, flowTexts)

const onePhone = { phone_id: Ids.schema<"Phone">() }

const keyFields = { fingerprint: Schema.String, created_at: Instant.Iso }

const makeFlowKeysGroup = ({ channel }: Brand) =>
  HttpApiGroup.make("flowKeys")
    .add(
      HttpApiEndpoint.get("get", "/:phone_id/flow-key", {
        params: onePhone,
        success: Schema.Struct({ ...keyFields, signature_status: Schema.NullOr(Schema.String) }).annotate({
          identifier: "FlowKeyStatus"
        }),
        error: failures
      })
        .annotate(NeedsScope, "channel:read")
        .annotateMerge(
          described(
            "Get the key of a number",
            "Returns the fingerprint of a number's key and what the platform says of it."
          )
        ),
      HttpApiEndpoint.put("make", "/:phone_id/flow-key", {
        params: onePhone,
        success: Schema.Struct(keyFields).annotate({ identifier: "FlowKey" }),
        error: failures
      })
        .annotate(NeedsScope, "channel:write")
        .annotate(ActsOutside, true)
        .annotateMerge(
          described(
            "Make a key for a number",
            "Makes a new key with which the chat platform encrypts what flows exchange; the old one is gone at once."
          )
        )
    )
    .prefix(`/api/v1/${channel}/phone_numbers`)
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotate(OpenApi.Description, "Keys with which the chat platform encrypts what flows exchange")
    .annotate(FieldTexts, {
      fingerprint: "SHA-256 of the public key, in hex",
      created_at: "When the key was made",
      signature_status: "What the chat platform says of the key; null where it says nothing"
    })

/** By its name: the compiler writes the types of all groups into one type, which has a bound. */
export interface FlowsGroup extends ReturnType<typeof makeFlowsGroup> {}
export const flowsGroup: (brand: Brand) => FlowsGroup = makeFlowsGroup

/** By its name, as the group of flows. */
export interface FlowKeysGroup extends ReturnType<typeof makeFlowKeysGroup> {}
export const flowKeysGroup: (brand: Brand) => FlowKeysGroup = makeFlowKeysGroup
