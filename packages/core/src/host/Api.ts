/** The one contract: every route of the product, in the words of a brand. Handlers, OpenAPI and clients come from it. */
import * as OpenApi from "effect/http-api/OpenApi"
import type { Brand } from "../platform/brand/index.ts"
import { contract, openApiTransform } from "../platform/http/index.ts"
import { groupsOf, type Rooms, roomEvents } from "./Rooms.ts"

const compose = (rooms: Rooms, brand: Brand) => {
  const open = contract.add(...groupsOf(rooms, "api", brand))
  const whole = open.add(...groupsOf(rooms, "unpublishedApi", brand))
  return {
    /** All that is served. */
    whole: whole.annotate(OpenApi.Transform, openApiTransform(brand, whole, roomEvents(rooms))),
    /** The part of it that is published: `core.openapi()`, `/openapi.json` and `/docs` describe it. */
    open: open.annotate(OpenApi.Transform, openApiTransform(brand, open, roomEvents(rooms)))
  }
}

export type Contracts = ReturnType<typeof compose>

const composed = new WeakMap<Rooms, WeakMap<Brand, Contracts>>()

/** Always the same for rooms and a brand: its description is made once, however many products a process has. */
export const contractsOf = (rooms: Rooms, brand: Brand): Contracts => {
  const ofRooms = composed.get(rooms) ?? new WeakMap<Brand, Contracts>()
  composed.set(rooms, ofRooms)
  const known = ofRooms.get(brand) ?? compose(rooms, brand)
  ofRooms.set(brand, known)
  return known
}
