/** What a customer has filled in and sent. Pure. Source: docs/reference/flows.md#completed. */
import * as Schema from "effect/Schema"
import { exactForeignJson, isObject, jsonFault } from "../../platform/kernel/index.ts"
import { JsonObject, maxContentKib } from "./JsonObject.ts"

/** What is looked at of a message. */
interface Completing {
  readonly type: string
  readonly body: JsonObject
  readonly flowId: string | null
}

/** A flow that a customer has completed. */
export interface CompletedFlow {
  /** What it was sent with; null where the channel does not say. */
  readonly token: string | null
  /** The channel's id of the flow; null where its token is not one of ours. */
  readonly flowId: string | null
  /** What the customer has filled in; null where that cannot be read. */
  readonly values: JsonObject | null
}

/** How it is shown. */
export const CompletedFlowFields = {
  token: Schema.NullOr(Schema.String),
  flow_id: Schema.NullOr(Schema.String),
  values: Schema.NullOr(JsonObject)
}

const parsed = (text: unknown): JsonObject | null => {
  const value = typeof text === "string" ? exactForeignJson(text) : undefined
  return isObject(value) && jsonFault(value, maxContentKib) === null ? value : null
}

/** Null where the message completes no flow. */
export const completedFlow = ({ body, flowId, type }: Completing): CompletedFlow | null => {
  const reply = type === "interactive" ? body.nfm_reply : undefined
  if (!isObject(reply)) return null
  const answered = parsed(reply.response_json)
  if (answered === null) return { token: null, flowId, values: null }
  const { flow_token: token, ...values } = answered
  return { token: typeof token === "string" && token !== "" ? token : null, flowId, values }
}

export const completedFlowRecord = (flow: CompletedFlow | null) =>
  flow === null ? null : { token: flow.token, flow_id: flow.flowId, values: flow.values }
