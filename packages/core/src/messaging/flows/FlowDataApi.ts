/** The contract of the endpoint at which a channel's network asks about flows. It is for the network alone, so that no description has it. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { IsCallback, MaxBodyBytes } from "../../platform/http/index.ts"
import { NotFound, RequestErrors, Unavailable } from "../../platform/http/PlatformErrors.ts"

/** Where a channel's network asks, below the public address; the id of an endpoint follows. */
export const flowDataPathOf = <const Word extends string>(channelWord: Word) =>
  `/api/v1/${channelWord}/flow-data` as const

/** Without a body: the network goes by the status alone. */
const refusals = [421, 432].map((status) => HttpApiSchema.Empty(status))

/** More than a form has: files go to the network's own storage. */
const maxBytes = 1024 * 1024

const text = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain" }))

/** Source: docs/reference/flows.md#data. */
export const flowDataGroup = ({ channel }: Pick<Brand, "channel">) =>
  HttpApiGroup.make("flowData")
    .add(
      HttpApiEndpoint.post("ask", `${flowDataPathOf(channel)}/:endpoint_id`, {
        params: { endpoint_id: Schema.String },
        success: [text, text.pipe(HttpApiSchema.status(427))],
        error: [NotFound, Unavailable, ...refusals]
      })
        .annotate(IsCallback, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "Question about a flow",
            description: "Answers what the network of a channel asks while a customer fills in a flow."
          })
        )
    )
    .middleware(RequestErrors)
    .annotateEndpoints(MaxBodyBytes, maxBytes)
    .annotate(OpenApi.Description, "Questions of the chat channels about flows")
