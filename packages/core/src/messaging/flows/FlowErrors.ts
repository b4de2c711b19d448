/** What the use cases of flows refuse. Source: docs/reference/errors.md. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const flowErrors = {
  FlowEndpointMissing: { status: 409, code: "flow_endpoint_missing" },
  FlowKeyNotFound: { status: 404, code: "flow_key_not_found" },
  FlowUrlRefused: { status: 422, code: "flow_url_refused" },
  PublicUrlMissing: { status: 409, code: "public_url_missing" }
} as const satisfies ErrorTable

/** There is no secret to rotate. */
export class FlowEndpointMissing extends Schema.TaggedError<FlowEndpointMissing>()("FlowEndpointMissing", {
  id: Schema.String
}) {
  override get message() {
    return "This flow has no endpoint here, and so no secret: give it an endpoint_url first."
  }
}

export class FlowKeyNotFound extends Schema.TaggedError<FlowKeyNotFound>()("FlowKeyNotFound", { id: Schema.String }) {
  override get message() {
    return "This phone number has no key for flows. Make one with PUT."
  }
}

/** `detail` is the sentence of the address policy. */
export class FlowUrlRefused extends Schema.TaggedError<FlowUrlRefused>()("FlowUrlRefused", { detail: Schema.String }) {
  get faults() {
    return [{ field: "endpointUrl", message: this.detail }]
  }
  override get message() {
    return this.detail
  }
}

/** The platform must be given an address to ask at, which only the operator can name. */
export class PublicUrlMissing extends Schema.TaggedError<PublicUrlMissing>()("PublicUrlMissing", {}) {
  override get message() {
    return "No flow can have an endpoint here: the operator of this service must set `messaging.public_url` to the address at which the platform reaches it, and start it again."
  }
}

/** The status with which an endpoint says that a flow's token is not valid any more, and why: it is passed on as it is. */
export const tokenEnded = 427
