/** The one list of areas, and how each is loaded. An area that is not chosen is not loaded. */
import { platformArea } from "../platform/index.ts"
import type { Room } from "../platform/room/index.ts"
import type { AreaName } from "./AreaChoice.ts"
import type { AnyArea, AnyRoom, Areas, Chosen, Rooms } from "./Rooms.ts"

const list: { readonly [Name in AreaName]: () => Promise<Areas[Name]> } = {
  dashboard: async () => (await import("../dashboard/index.ts")).dashboardArea,
  voice: async () => (await import("../voice/index.ts")).voiceArea,
  messaging: async () => (await import("../messaging/index.ts")).messagingArea,
  calling: async () => (await import("../calling/index.ts")).callingArea,
  webhooks: async () => (await import("../webhooks/index.ts")).webhooksArea,
  agents: async () => (await import("../agents/index.ts")).agentsArea,
  gateway: async () => (await import("../gateway/index.ts")).gatewayArea
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

const served = new WeakMap<Rooms, Map<string, Rooms>>()

/** The rooms without the groups that the options turn off. The same for the same choice: the contract of rooms is made once. */
export const servedBy = (chosen: Chosen, options: object): Chosen => {
  const off = new Set(chosen.rooms.flatMap(({ groupsOff }) => groupsOff(options as never)))
  if (off.size === 0) return chosen
  const ofRooms = served.get(chosen.rooms) ?? new Map<string, Rooms>()
  served.set(chosen.rooms, ofRooms)
  const key = [...off].join()
  const rooms = ofRooms.get(key) ?? chosen.rooms.map((room) => withoutGroups(room, off))
  ofRooms.set(key, rooms)
  return { ...chosen, rooms }
}

/** Its handlers stay, and nothing finds them. */
const withoutGroups = (room: AnyRoom, off: ReadonlySet<string>): AnyRoom => {
  const api: Room["api"] = (brand, events) => room.api(brand, events).filter(({ identifier }) => !off.has(identifier))
  return { ...room, api } as AnyRoom // the types of the groups are those of the whole contract
}
