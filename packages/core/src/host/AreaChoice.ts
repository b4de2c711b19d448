/** What a host may choose of the product. Naming an area loads nothing yet. Source: docs/reference/embedding.md#areas. */

/** The areas in their order, each standing on those after it, with the areas that each is nothing without: they come along. */
const needs = {
  dashboard: [],
  voice: ["agents", "gateway"],
  messaging: ["agents", "gateway"],
  calling: ["agents"],
  webhooks: ["agents"],
  agents: [],
  gateway: []
} as const

export type AreaName = keyof typeof needs

export const areaNames = Object.keys(needs) as ReadonlyArray<AreaName>

/** An area as a host names it in the option `areas`. Naming one loads nothing yet. */
export interface AreaChoice<Name extends AreaName = AreaName> {
  readonly area: Name
}

/** Areas with those that come along. */
export type WithNeeded<Names extends AreaName> = Names | (typeof needs)[Names][number]

/** The areas of these names with those that come along, in their order. */
export const withNeeded = (names: ReadonlyArray<AreaName>): ReadonlyArray<AreaName> => {
  const all = new Set(names.flatMap((name): ReadonlyArray<AreaName> => [name, ...needs[name]]))
  return areaNames.filter((name) => all.has(name))
}

const choice = <Name extends AreaName>(area: Name): AreaChoice<Name> => ({ area })

/** The pages for people, where a host passes `dashboard()` of @trunkline/dashboard. Their routes belong to other areas. */
export const dashboard = choice("dashboard")
/** Agents that speak: on telephone calls, on sockets, in the host's own media. Agents and the gateway come along. */
export const voice = choice("voice")
/** The chat channels. Agents and the gateway come along. */
export const messaging = choice("messaging")
/** Campaigns, calls, contacts and the do-not-call list. Agents come along. */
export const calling = choice("calling")
/** Webhooks and their portal. Agents come along. */
export const webhooks = choice("webhooks")
/** Agents and what they know. */
export const agents = choice("agents")
/** Requests to models: language, speech, images, embeddings, searches, files and batches. */
export const gateway = choice("gateway")
