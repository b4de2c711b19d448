/**
 * The one list of areas: which there are, which of them come along with another, and how each is loaded. What is not chosen is
 * not loaded.
 */
import { platformArea } from "../platform/index.ts"
import type { AnyArea, AnyRoom, Areas, Chosen } from "./Rooms.ts"
import { TrunklineError } from "./TrunklineError.ts"

// Written out: the keys of `Areas` would lead the declarations that hosts see to the types of Effect.
export type AreaName = "gateway" | "agents" | "calling" | "messaging" | "webhooks" | "voice"

/** An area as a host names it in the option `areas`. Naming one loads nothing yet. */
export interface AreaChoice<Name extends AreaName = AreaName> {
  readonly area: Name
}

/** Areas that each one is nothing without: they come along. */
const needs = {
  voice: ["agents", "gateway"],
  messaging: ["agents", "gateway"],
  calling: ["agents"],
  webhooks: ["agents"],
  agents: [],
  gateway: []
} as const satisfies Readonly<Record<AreaName, ReadonlyArray<AreaName>>>

/** Areas with those that come along. */
export type WithNeeded<Names extends AreaName> = Names | (typeof needs)[Names][number]

/** Each area stands on those after it. */
const list: { readonly [Name in AreaName]: () => Promise<Areas[Name]> } = {
  voice: async () => (await import("../voice/index.ts")).voiceArea,
  messaging: async () => (await import("../messaging/index.ts")).messagingArea,
  calling: async () => (await import("../calling/index.ts")).callingArea,
  webhooks: async () => (await import("../webhooks/index.ts")).webhooksArea,
  agents: async () => (await import("../agents/index.ts")).agentsArea,
  gateway: async () => (await import("../gateway/index.ts")).gatewayArea
}

export const areaNames = Object.keys(list) as ReadonlyArray<AreaName>

/** The areas of these names with those that come along, in their order. */
export const withNeeded = (names: ReadonlyArray<AreaName>): ReadonlyArray<AreaName> => {
  const all = new Set(names.flatMap((name): ReadonlyArray<AreaName> => [name, ...needs[name]]))
  return areaNames.filter((name) => all.has(name))
}

const loaded = new Map<string, Promise<Chosen>>()

/** Loads these areas, once for all products of the process. */
export const loadAreas = (names: ReadonlyArray<AreaName>): Promise<Chosen> => {
  const key = names.join()
  const known = loaded.get(key) ?? load(names)
  loaded.set(key, known)
  return known
}

const load = async (names: ReadonlyArray<AreaName>): Promise<Chosen> => {
  const areas = await Promise.all(names.map((name) => list[name]()))
  return chosenOf([...areas, platformArea])
}

/** The areas and their rooms, without rooms that need an area that is not there. */
export const chosenOf = (areas: ReadonlyArray<AnyArea>): Chosen => {
  const there = new Set<string>(areas.map(({ name }) => name))
  const rooms = areas.flatMap((area): ReadonlyArray<AnyRoom> => area.rooms)
  return { areas, rooms: rooms.filter(({ beside }) => beside.every((name) => there.has(name))) }
}

const choice = <Name extends AreaName>(area: Name): AreaChoice<Name> => ({ area })

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

const isChoice = (given: unknown): given is AreaChoice =>
  typeof given === "object" && given !== null && "area" in given && areaNames.some((name) => name === given.area)

const refused = (message: string): TrunklineError =>
  new TrunklineError("options_refused", 500, `createTrunkline cannot use these options: areas: ${message}`, undefined, [
    { path: ["areas"], message }
  ])

/** The names of the areas that a host has chosen: all of them where it says nothing. */
export const areasOf = (given: unknown): ReadonlyArray<AreaName> => {
  if (given === undefined) return areaNames
  if (Array.isArray(given) && given.length > 0 && given.every(isChoice)) return given.map(({ area }) => area)
  throw refused(`Expected a list of areas that @trunkline/core exports: ${areaNames.join(", ")}`)
}
