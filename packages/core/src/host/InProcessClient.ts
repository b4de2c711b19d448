/** Every route as a promise, in process: `@trunkline/client` over the product's own `fetch`. */
import {
  type AgentsClient,
  agents,
  type CallingClient,
  type ClientArea,
  calling,
  createClient,
  type GatewayClient,
  gateway,
  type MessagingClient,
  messaging,
  type PlatformClient,
  platform,
  type VoiceClient,
  voice,
  type WebhooksClient,
  webhooks
} from "@trunkline/client"
import * as Result from "effect/Result"
import { decodeHostPrincipal, type HostPrincipal } from "../platform/accounts/index.ts"
import type { Brand } from "../platform/brand/index.ts"
import type { HandOver } from "../platform/http/index.ts"
import { isObject } from "../platform/kernel/index.ts"
import type { AreaName } from "./AreaChoice.ts"
import type { Together } from "./Together.ts"
import { schemaRefused } from "./TrunklineError.ts"

/** The routes of each area. */
interface ClientsOfAreas {
  readonly voice: VoiceClient
  readonly messaging: MessagingClient
  readonly calling: CallingClient
  readonly webhooks: WebhooksClient
  readonly agents: AgentsClient
  readonly gateway: GatewayClient
  readonly dashboard: Record<never, never>
}

const areas: { readonly [Name in AreaName]: ClientArea<ClientsOfAreas[Name]> } = {
  voice,
  messaging,
  calling,
  webhooks,
  agents,
  gateway,
  // What its pages read are routes of the other areas.
  dashboard: { operations: {} }
}

/** The routes of a product with these areas, and those of the platform, which are always there. */
export type InProcessClient<Names extends AreaName = AreaName> = Together<ClientsOfAreas[Names]> & PlatformClient

/**
 * As whom routes are called: an account, which may do all that its owner may; a person of an account, as the host's sign-in
 * names one; or an API key, which the routes of models need.
 */
export type ApiCaller =
  | { readonly accountId: string; readonly subject?: never }
  | HostPrincipal
  | { readonly key: string }

type Fetch = (request: Request, handOver?: HandOver) => Promise<Response>

/** In the audit log the host itself is the one who has acted. */
const hostItself = { subject: "host", role: "owner" } as const

const refused = (message: string) => schemaRefused([{ path: ["caller"], message }])

/** Checked at once: no route has been asked yet that could name the fault. */
const principalOf = (caller: Exclude<ApiCaller, { readonly key: string }>, channel: string): HostPrincipal => {
  const principal: HostPrincipal = caller.subject === undefined ? { ...hostItself, ...caller } : caller
  const decoded = decodeHostPrincipal(principal, channel)
  if (Result.isFailure(decoded)) throw refused(decoded.failure.join("; "))
  return principal
}

const isKeyed = (caller: ApiCaller): caller is { readonly key: string } => "key" in caller

/** Nothing is sent anywhere: the address only completes the URL of a request. */
const url = "http://in-process"

export const inProcessClient =
  (fetch: Fetch, names: ReadonlyArray<AreaName>, { channel, headerPrefix }: Pick<Brand, "channel" | "headerPrefix">) =>
  (caller: ApiCaller): InProcessClient => {
    if (!isObject(caller)) throw refused("Expected an account, a person or a key: { accountId }, for example")
    const handOver = isKeyed(caller) ? {} : { principal: principalOf(caller, channel) }
    const client: unknown = createClient({
      url,
      headerPrefix,
      key: isKeyed(caller) ? caller.key : undefined,
      areas: [platform, ...names.map((name): ClientArea<unknown> => areas[name])],
      fetch: (target, request) => fetch(new Request(target, request), handOver)
    })
    return client as InProcessClient
  }
