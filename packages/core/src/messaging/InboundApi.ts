/** The contract of the endpoint that the platform delivers to. It is told apart by its signature, and has no other authentication. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../http/Brand.ts"
import { BadRequest, Forbidden, RequestErrors, Unauthorized, Unavailable } from "../http/PlatformErrors.ts"

/** Source: docs/messaging.md#inbound. */
export const inboundGroup = ({ channel }: Pick<Brand, "channel">) =>
  HttpApiGroup.make("inbound")
    .add(
      HttpApiEndpoint.get("verify", `/api/v1/${channel}/inbound`, {
        query: Schema.Struct({
          "hub.mode": Schema.optionalKey(Schema.String),
          "hub.verify_token": Schema.optionalKey(Schema.String),
          "hub.challenge": Schema.optionalKey(Schema.String)
        }),
        success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain" })),
        error: [BadRequest, Forbidden]
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Challenge of the chat platform",
          description: "Answers the challenge with which the chat platform verifies this endpoint."
        })
      ),
      HttpApiEndpoint.post("take", `/api/v1/${channel}/inbound`, {
        success: HttpApiSchema.Empty(200),
        error: [BadRequest, Unauthorized, Unavailable]
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Delivery of the chat platform",
          description: "Receives a signed delivery of messages and statuses."
        })
      )
    )
    .middleware(RequestErrors)
    .annotate(OpenApi.Description, "Deliveries of the chat platform")
