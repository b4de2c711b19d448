/** Requests about flows of the Cloud API, in the platform's own words: one verb is one request, but for the screens, which stand where an answer says. */
import {
  type ChannelConnection,
  type ChannelFlowChange,
  type FlowFaults,
  Instant,
  isObject,
  type JsonObject,
  type NewChannelFlow
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type { ChannelWire } from "../chat/ChannelWire.ts"
import { mediaAddress } from "../chat/MediaAddress.ts"
import { formBody, jsonBody, multipart, textIn } from "../http/index.ts"
import { type CloudApiFailed, type CloudApiRequests, missing, tokenOf, unclear } from "./CloudApiRequests.ts"
import { idOf, isSuccess, objectIn, refusalOf, textOf, withoutToken } from "./PlatformAnswers.ts"
import { listOf, objectOf } from "./PlatformValues.ts"

type Query = Readonly<Record<string, string>>
type Done<A> = Effect.Effect<A, CloudApiFailed>

export interface FlowRequests {
  readonly flows: (number: ChannelConnection, query: Query) => Done<JsonObject>
  readonly createFlow: (
    number: ChannelConnection,
    flow: NewChannelFlow
  ) => Done<{ readonly id: string; readonly faults: FlowFaults }>
  readonly flow: (number: ChannelConnection, id: string, query: Query) => Done<JsonObject>
  readonly changeFlow: (number: ChannelConnection, id: string, change: ChannelFlowChange) => Done<void>
  readonly saveFlowJson: (
    number: ChannelConnection,
    id: string,
    json: JsonObject
  ) => Done<{ readonly isValid: boolean; readonly faults: FlowFaults }>
  readonly flowJson: (number: ChannelConnection, id: string) => Done<JsonObject>
  readonly publishFlow: (number: ChannelConnection, id: string) => Done<JsonObject>
  readonly deprecateFlow: (number: ChannelConnection, id: string) => Done<JsonObject>
  readonly removeFlow: (number: ChannelConnection, id: string) => Done<void>
  readonly setFlowKey: (number: ChannelConnection, publicKey: string) => Done<void>
  /** What the platform says of the signature of the number's key; null where it says nothing. */
  readonly flowKeyStatus: (number: ChannelConnection) => Done<string | null>
}

/** What is read of a flow where the caller names no fields. */
const flowFields =
  "id,name,categories,preview,status,validation_errors,json_version,data_api_version,endpoint_uri,health_status"

/** Bytes of the screens of a flow, as they stand at the platform. */
const maxJsonBytes = 4 * 1024 * 1024

/** The platform has no other word for nobody than an empty address. */
const endpointOf = (endpoint: string | null | undefined) =>
  endpoint === undefined ? {} : { endpoint_uri: endpoint ?? "" }

const newBody = ({ categories, cloneOf, endpoint, json, name, publish }: NewChannelFlow): JsonObject => ({
  name,
  categories,
  ...(json === null ? {} : { flow_json: JSON.stringify(json) }),
  ...(cloneOf === null ? {} : { clone_flow_id: cloneOf }),
  ...(publish ? { publish } : {}),
  ...(endpoint === null ? {} : endpointOf(endpoint))
})

const faultsIn = ({ validation_errors }: JsonObject) => listOf(validation_errors).filter(isObject)

const screens = (product: string, json: JsonObject) => {
  const bytes = new TextEncoder().encode(JSON.stringify(json))
  const fields = [
    ["messaging_product", product],
    ["name", "flow.json"],
    ["asset_type", "FLOW_JSON"]
  ] as const
  return multipart(fields, {
    fileName: "flow.json",
    contentType: "application/json",
    size: bytes.length,
    chunks: [bytes]
  })
}

export const makeFlowRequests = (
  { baseUrl, product }: { readonly baseUrl: string; readonly product: string },
  { exchange, maxRequestMs }: ChannelWire,
  requests: CloudApiRequests
): FlowRequests => {
  const { ask, askFor, passOn } = requests
  const of = ({ accountId }: ChannelConnection) => [accountId, "flows"] as const
  const keyPath = ({ id }: ChannelConnection) => [id, "whatsapp_business_encryption"] as const
  const base = new URL(baseUrl)

  /** Asks where the screens stand, and for them. An address that is the platform's own gets the token, as of files; another one does not. */
  const flowJson = Effect.fnUntraced(function* (number: ChannelConnection, id: string) {
    const deadline = performance.now() + maxRequestMs
    const assets = listOf((yield* askFor(number, { method: "GET", path: [id, "assets"], deadline })).data).map(objectOf)
    const asset = assets.find(({ asset_type }) => asset_type === "FLOW_JSON") ?? assets.at(0)
    const to = mediaAddress(textOf(asset?.download_url) ?? "", base)
    if (to === undefined) return yield* unclear("the address of a flow's screens is not one that may be called")
    const token = yield* tokenOf(number)
    const authorization = to.way === "platform" ? `Bearer ${token}` : null
    const answer = yield* exchange({ method: "GET", to, authorization, body: null, maxBytes: maxJsonBytes, deadline })
    if (!isSuccess(answer)) return yield* refusalOf(answer, token, yield* Instant.now)
    if (typeof answer.body === "string") return yield* unclear(missing[answer.body])
    return (
      objectIn(withoutToken(textIn(answer.body), token)) ?? (yield* unclear("kept screens that are no JSON object"))
    )
  })

  return {
    flows: (number, { access_token: _, ...query }) => passOn(number, { method: "GET", path: of(number), query }),
    createFlow: Effect.fnUntraced(function* (number, flow) {
      const answer = yield* askFor(number, { method: "POST", path: of(number), body: jsonBody(newBody(flow)) })
      const id = idOf(answer.id)
      return id === null ? yield* unclear("made a flow without an id") : { id, faults: faultsIn(answer) }
    }),
    flow: (number, id, { access_token: _, ...query }) =>
      passOn(number, { method: "GET", path: [id], query: { fields: flowFields, ...query } }),
    changeFlow: (number, id, { categories, endpoint, name }) =>
      Effect.asVoid(
        ask(number, {
          method: "POST",
          path: [id],
          body: jsonBody({
            ...(name === undefined ? {} : { name }),
            ...(categories === undefined ? {} : { categories }),
            ...endpointOf(endpoint)
          })
        })
      ),
    saveFlowJson: (number, id, json) =>
      Effect.map(askFor(number, { method: "POST", path: [id, "assets"], body: screens(product, json) }), (answer) => ({
        isValid: answer.success === true,
        faults: faultsIn(answer)
      })),
    flowJson,
    publishFlow: (number, id) => passOn(number, { method: "POST", path: [id, "publish"] }),
    deprecateFlow: (number, id) => passOn(number, { method: "POST", path: [id, "deprecate"] }),
    removeFlow: (number, id) => Effect.asVoid(ask(number, { method: "DELETE", path: [id] })),
    setFlowKey: (number, publicKey) =>
      Effect.asVoid(
        ask(number, {
          method: "POST",
          path: keyPath(number),
          body: formBody(String(new URLSearchParams({ business_public_key: publicKey })))
        })
      ),
    flowKeyStatus: (number) =>
      Effect.map(askFor(number, { method: "GET", path: keyPath(number) }), (answer) =>
        // Some answers stand in a list of one.
        textOf(
          answer.business_public_key_signature_status ??
            objectOf(listOf(answer.data).at(0)).business_public_key_signature_status
        )
      )
  }
}
