/** Paths of the product with a slash at their end: docs/reference/http-conventions.md#trailing-slash. */
import * as OpenApi from "effect/http-api/OpenApi"
import { describe, expect, it } from "vitest"
import { makeApi, rooms } from "../../../../src/host/Everything.ts"
import { edgeFamilies } from "../../../../src/host/Rooms.ts"
import { neutralBrand } from "../../../../src/platform/brand/index.ts"
import { contractPaths, routeTable } from "../../../../src/platform/http/index.ts"

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: { readonly type?: string } }>> }>
  >
}

const api = makeApi(neutralBrand)
const table = routeTable(api, contractPaths(edgeFamilies(rooms, neutralBrand)))
const methodsOf = (path: string) => table.find(path)?.routes
const paths = OpenApi.fromApi(api).paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Lists that are no plain array, and collections that can only be added to. */
const others = [
  "/v1/models",
  "/api/v1/messaging/templates",
  "/api/v1/messaging/catalogs/{catalog_id}/products",
  "/api/v1/messaging/messages",
  "/api/v1/messaging/{phone_number_id}/messages",
  "/api/v1/messaging/{version}/{phone_number_id}/messages"
]

const isCollection = (path: string): boolean =>
  others.includes(path) ||
  Object.keys(paths).some((below) => below.startsWith(`${path}/{`)) ||
  paths[path]!.get?.responses["200"]?.content?.["application/json"]?.schema.type === "array"

/** A target that the path fits. */
const targetOf = (path: string): string => path.replace("{version}", "v23.0").replace(/\{[^}]+\}/g, crypto.randomUUID())

describe("a slash at the end of a path", () => {
  // Verifies: D-190.
  it("changes nothing for every collection, whatever family it is of", () => {
    const collections = Object.keys(paths).filter(isCollection)
    expect(collections).toEqual(expect.arrayContaining(["/v1/models", "/v1/usage/logs", "/api/v1/models"]))
    for (const path of collections) {
      const target = targetOf(path)
      expect(methodsOf(target), path).toBeDefined()
      expect(methodsOf(`${target}/`), path).toEqual(methodsOf(target))
      expect(methodsOf(`${target}//`), path).toBeUndefined()
    }
  })

  it("makes every other path one that is not the product's", () => {
    const single = Object.keys(paths).filter((path) => !isCollection(path))
    expect(single.length).toBeGreaterThan(20)
    for (const path of single) {
      expect(methodsOf(targetOf(path)), path).toBeDefined()
      expect(methodsOf(`${targetOf(path)}/`), path).toBeUndefined()
    }
  })
})
