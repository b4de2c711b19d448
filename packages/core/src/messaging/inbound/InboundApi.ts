/** The contract of the endpoints that channels deliver to. Each channel checks by itself who sends. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { IsCallback, MaxBodyBytes } from "../../platform/http/index.ts"
import {
  BadRequest,
  Forbidden,
  NotFound,
  RequestErrors,
  Unauthorized,
  Unavailable
} from "../../platform/http/PlatformErrors.ts"

const text = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain" }))
const refusals = [BadRequest, Unauthorized, Forbidden, NotFound, Unavailable] as const

/** The signature is over the exact bytes, so the contract reads no body. */
const withBody = (operation: Record<string, unknown>) => ({
  ...operation,
  requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } }
})

/** As much as the network of the standard channel delivers at once. Channels of short requests accept less. */
const maxBytes = 3 * 1024 * 1024

const segment = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][\w.-]{0,127}$/))
const one = { kind: segment, connection: segment }

/** Where a channel delivers for its connections, each of which has a segment of its own below it; without a kind the standard one. */
export const inboundPathOf = (channelWord: string, kind?: string): string =>
  `/api/v1/${channelWord}/inbound${kind === undefined ? "" : `/${kind}`}`

/** What a channel serves for one connection: deliveries of its network, and resources for browsers. */
const connectionEndpoints = <const Path extends `/${string}`>(connection: Path) => {
  const resource = `${connection}/:resource` as const
  const named = { params: { ...one, resource: segment }, success: text, error: refusals }
  return [
    HttpApiEndpoint.post("receive", connection, { params: one, success: text, error: refusals })
      .annotate(IsCallback, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delivery for one connection",
          description: "Receives what a channel delivers for one connected number."
        })
      ),
    HttpApiEndpoint.get("read", resource, named).annotateMerge(
      OpenApi.annotations({
        summary: "Resource of a connection",
        description: "Returns what a channel serves for one connected number, such as the script of a chat."
      })
    ),
    HttpApiEndpoint.post("write", resource, named).annotateMerge(
      OpenApi.annotations({
        summary: "Request to a connection",
        description: "Receives what a customer's browser sends to one connected number."
      })
    )
  ] as const
}

/** Source: docs/reference/messaging.md#inbound. */
export const inboundGroup = ({ channel }: Pick<Brand, "channel">) => {
  const standard = `/api/v1/${channel}/inbound` as const
  return HttpApiGroup.make("inbound")
    .add(
      HttpApiEndpoint.get("verify", standard, { success: text, error: refusals })
        .annotate(IsCallback, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "Challenge of the standard channel",
            description: "Answers the challenge with which the network of the standard channel verifies this endpoint."
          })
        ),
      HttpApiEndpoint.post("take", standard, { success: HttpApiSchema.Empty(200), error: refusals })
        .annotate(IsCallback, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "Delivery of the standard channel",
            description: "Receives a signed delivery of messages and statuses.",
            transform: withBody
          })
        ),
      ...connectionEndpoints(`${standard}/:kind/:connection`)
    )
    .middleware(RequestErrors)
    .annotateEndpoints(MaxBodyBytes, maxBytes)
    .annotate(OpenApi.Description, "Deliveries of the chat channels")
}
