/** Flows of a channel and the keys of numbers, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { flowDataPathOf } from "../../messaging/flows/FlowDataApi.ts"
import * as FlowsApi from "../../messaging/flows/FlowsApi.ts"
import { type CreatedFlow, Flows, type ShownFlowKey } from "../../messaging/flows/index.ts"
import type { JsonObject } from "../../messaging/messages/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Wire } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount } from "../Facade.ts"
import * as Ids from "../HostIds.ts"
import { phoneNumberId } from "./ChannelArguments.ts"

/** Fields and page of a list of flows, in the platform's names. Source: docs/reference/flows.md. */
export interface FlowsQuery {
  /** Names of the platform's fields, separated by commas. */
  readonly fields?: string
  /** The largest number of flows in the answer. */
  readonly limit?: number
  /** The platform's mark of the page after which the answer begins. */
  readonly after?: string
  /** The platform's mark of the page before which the answer ends. */
  readonly before?: string
}

/** What makes a flow. Source: docs/reference/flows.md#routes. */
export interface NewFlow {
  /** At most 200 characters, which customers do not see. */
  readonly name: string
  /** What the flow is for, in the platform's words, such as `APPOINTMENT_BOOKING`. */
  readonly categories: ReadonlyArray<string>
  /** Its screens, in the platform's words, of at most 1 MiB. Left out or null: none yet. */
  readonly flowJson?: JsonObject | null
  /** The platform's id of a flow whose screens it begins with. */
  readonly cloneFlowId?: string | null
  /** Whether it is published at once. Default false. */
  readonly publish?: boolean | null
  /** Your endpoint, which is asked for data while customers fill in the flow. Left out or null: none. */
  readonly endpointUrl?: string | null
}

/** What of a flow is set anew; what is left out stays. */
export interface FlowChange {
  /** At most 200 characters. */
  readonly name?: string
  /** At least one of the platform's. */
  readonly categories?: ReadonlyArray<string>
  /** Null removes the endpoint. */
  readonly endpointUrl?: string | null
  /** True: the endpoint gets a new secret, and the old one is gone at once. */
  readonly rotateSecret?: boolean
}

/** What became of screens that were replaced. */
export interface SavedFlowJson {
  /** Whether the platform finds nothing wrong in them. */
  readonly success: boolean
  /** What it finds wrong, in its own words. */
  readonly validationErrors: ReadonlyArray<JsonObject>
}

/** In the platform's words, where nothing else is said. Source: docs/reference/flows.md. */
export interface FlowsFacade {
  /** The flows of the number's business account, as the platform reports them. */
  readonly list: (
    accountId: string,
    phoneNumberId: string,
    query?: FlowsQuery,
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Creates a flow. `endpointSecret` is shown this once. */
  readonly create: (
    accountId: string,
    phoneNumberId: string,
    flow: NewFlow,
    options?: CallOptions
  ) => Promise<CreatedFlow>
  /** One flow, and the address of its endpoint as `endpoint_url`. */
  readonly get: (
    accountId: string,
    phoneNumberId: string,
    flowId: string,
    query?: { readonly fields?: string },
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Changes a flow; answers the secret where it is a new one. */
  readonly change: (
    accountId: string,
    phoneNumberId: string,
    flowId: string,
    change: FlowChange,
    options?: CallOptions
  ) => Promise<{ readonly endpointSecret: string | null }>
  /** Replaces the screens of a flow, also by some that have faults. */
  readonly saveJson: (
    accountId: string,
    phoneNumberId: string,
    flowId: string,
    json: JsonObject,
    options?: CallOptions
  ) => Promise<SavedFlowJson>
  /** The screens of a flow. */
  readonly json: (
    accountId: string,
    phoneNumberId: string,
    flowId: string,
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Publishes a flow, whose screens stay as they are from then on. */
  readonly publish: (
    accountId: string,
    phoneNumberId: string,
    flowId: string,
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Has the platform send a published flow no more. */
  readonly deprecate: (
    accountId: string,
    phoneNumberId: string,
    flowId: string,
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Deletes a flow that was never published, and its endpoint. */
  readonly delete: (accountId: string, phoneNumberId: string, flowId: string, options?: CallOptions) => Promise<void>
  /** Makes a new key for a connected number, by our id of it. The one before is gone at once. */
  readonly makeKey: (accountId: string, phoneId: string, options?: CallOptions) => Promise<ShownFlowKey>
  /** The number's key, and what the platform says of it. Rejects with `flow_key_not_found` (404) where there is none. */
  readonly key: (
    accountId: string,
    phoneId: string,
    options?: CallOptions
  ) => Promise<ShownFlowKey & { readonly signatureStatus: string | null }>
}

const { accountId, argument, callOptions, jsonObject, options, record } = Arguments

const flowsQuery = Arguments.given<FlowsQuery>()(Schema.Struct(Wire.fromWire(MessagingApi.passedPage)))
const fieldsQuery = Schema.Struct({ fields: MessagingApi.passedPage.fields })
const flowId = argument("flowId", MessagingApi.PlatformDigits)
const phoneId = argument("phoneId", Ids.schema<"Phone">())
const screens = Fields.json(jsonObject, FlowsApi.maxFlowKib)

const newFlow = Schema.Struct({ ...Wire.fromWire(FlowsApi.newFlow), flowJson: Fields.optional(screens) })
const flowChange = Schema.Struct(Wire.fromWire(FlowsApi.flowChange))

export const flowsFacade = (method: Method, channelWord: string): FlowsFacade => {
  const one = [accountId, phoneNumberId, flowId] as const
  const dataPath = flowDataPathOf(channelWord)
  return {
    list: method([accountId, phoneNumberId, options(flowsQuery, "query"), callOptions], (tenantId, number, query) =>
      Flows.use((f) => f.list(tenantId, number, MessagingApi.asTexts(query)))
    ),
    create: method([accountId, phoneNumberId, record("flow", newFlow), callOptions], (tenantId, number, given) =>
      ofAccount(
        tenantId,
        Flows.use((f) =>
          f.create(
            tenantId,
            number,
            {
              name: given.name,
              categories: given.categories,
              json: given.flowJson ?? null,
              cloneOf: given.cloneFlowId ?? null,
              publish: given.publish ?? false,
              endpointUrl: given.endpointUrl ?? null
            },
            dataPath
          )
        )
      )
    ),
    get: method([...one, options(fieldsQuery, "query"), callOptions], (tenantId, number, id, query) =>
      Flows.use((f) => f.get(tenantId, number, id, MessagingApi.asTexts(query)))
    ),
    change: method([...one, record("change", flowChange), callOptions], (tenantId, number, id, change) =>
      ofAccount(
        tenantId,
        Effect.map(
          Flows.use((f) => f.change(tenantId, number, id, change, dataPath)),
          (endpointSecret) => ({ endpointSecret })
        )
      )
    ),
    saveJson: method([...one, argument("json", screens), callOptions], (tenantId, number, id, json) =>
      Flows.use((f) => f.saveJson(tenantId, number, id, json))
    ),
    json: method([...one, callOptions], (tenantId, number, id) => Flows.use((f) => f.json(tenantId, number, id))),
    publish: method([...one, callOptions], (tenantId, number, id) => Flows.use((f) => f.publish(tenantId, number, id))),
    deprecate: method([...one, callOptions], (tenantId, number, id) =>
      Flows.use((f) => f.deprecate(tenantId, number, id))
    ),
    delete: method([...one, callOptions], (tenantId, number, id) => Flows.use((f) => f.remove(tenantId, number, id))),
    makeKey: method([accountId, phoneId, callOptions], (tenantId, id) => Flows.use((f) => f.makeKey(tenantId, id))),
    key: method([accountId, phoneId, callOptions], (tenantId, id) => Flows.use((f) => f.key(tenantId, id)))
  }
}
