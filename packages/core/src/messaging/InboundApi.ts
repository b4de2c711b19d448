/** The contract of the endpoints that channels deliver to. Each channel checks by itself who sends. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BadRequest, Forbidden, RequestErrors, Unauthorized, Unavailable } from "../http/PlatformErrors.ts"
import { IsCallback } from "../http/RouteTable.ts"
import type { Brand } from "../kernel/index.ts"

const text = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain" }))
const refusals = [BadRequest, Unauthorized, Forbidden, Unavailable] as const

/** Source: docs/messaging.md#inbound. */
export const inboundGroup = ({ channel }: Pick<Brand, "channel">) =>
  HttpApiGroup.make("inbound")
    .add(
      HttpApiEndpoint.get("verify", `/api/v1/${channel}/inbound`, {
        success: text,
        error: refusals
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Challenge of the standard channel",
          description: "Answers the challenge with which the network of the standard channel verifies this endpoint."
        })
      ),
      HttpApiEndpoint.post("take", `/api/v1/${channel}/inbound`, {
        success: HttpApiSchema.Empty(200),
        error: refusals
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Delivery of the standard channel",
          description: "Receives a signed delivery of messages and statuses."
        })
      )
    )
    .middleware(RequestErrors)
    .annotateEndpoints(IsCallback, true)
    .annotate(OpenApi.Description, "Deliveries of the chat channels")
