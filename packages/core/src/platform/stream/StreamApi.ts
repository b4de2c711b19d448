/** The contract of the stream of changes. Source: docs/reference/stream.md. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PlatformAuth } from "../http/PlatformAuth.ts"
import { RequestErrors, TooManyRequests } from "../http/PlatformErrors.ts"

const events = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

export const streamGroup = HttpApiGroup.make("stream")
  .add(
    HttpApiEndpoint.get("open", "/", { success: events, error: TooManyRequests }).annotateMerge(
      OpenApi.annotations({
        summary: "Open the stream of changes",
        description:
          "Streams to people which records and lists of the account have changed, as server-sent events without data: no API key may open it."
      })
    )
  )
  .prefix("/api/v1/stream")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "What changes, as it changes")
