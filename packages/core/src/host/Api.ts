/** The one contract: every route of the product, in the words of a brand. Handlers, OpenAPI and clients come from it. */
import * as OpenApi from "effect/http-api/OpenApi"
import { contract, openApiTransform } from "../platform/http/index.ts"
import type { Brand } from "../platform/kernel/index.ts"
import { groupsOf } from "./Rooms.ts"

const compose = (brand: Brand) => {
  const open = contract.add(...groupsOf("api", brand))
  const whole = open.add(...groupsOf("unpublishedApi", brand))
  return {
    whole: whole.annotate(OpenApi.Transform, openApiTransform(brand, whole)),
    open: open.annotate(OpenApi.Transform, openApiTransform(brand, open))
  }
}

export type Api = ReturnType<typeof compose>["whole"]

const composed = new WeakMap<Brand, ReturnType<typeof compose>>()

/** Always the same for a brand: its description is made once, however many products a process has. */
const contractOf = (brand: Brand) => {
  const known = composed.get(brand) ?? compose(brand)
  composed.set(brand, known)
  return known
}

/** The contract for a brand: all that is served. */
export const makeApi = (brand: Brand): Api => contractOf(brand).whole

/** The part of it that is published: `core.openapi()`, `/openapi.json` and `/docs` describe it. */
export const publicApi = (brand: Brand) => contractOf(brand).open
