/** Requests about catalogs, exactly as the platform gets them: docs/reference/catalog.md#routes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { clientOf, fakePlatform, number } from "./Numbers.ts"

describe("requests about catalogs", () => {
  it.live("read the settings of a number, and set those that are given as a query", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { changeCommerce, commerce } = yield* clientOf(fake)
      yield* changeCommerce(number, { isCartEnabled: true })
      yield* changeCommerce(number, { isCartEnabled: true, isCatalogVisible: false })
      assert.deepStrictEqual(yield* commerce(number), {
        catalogId: "2400",
        isCartEnabled: true,
        isCatalogVisible: false
      })
      const path = `/${number.id}/whatsapp_commerce_settings`
      assert.deepStrictEqual(
        fake.requests.map(({ body, method, path, query }) => [method, path, query, body]),
        [
          ["POST", path, { is_cart_enabled: "true" }, null],
          ["POST", path, { is_cart_enabled: "true", is_catalog_visible: "false" }, null],
          ["GET", path, {}, null]
        ]
      )
    })
  )

  it.live("pass on lists, never with a token of the caller's", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { catalogs, products } = yield* clientOf(fake)
      yield* catalogs(number, { limit: "5", access_token: "another" })
      yield* products(number, "2400", { filter: "{}", access_token: "another" })
      yield* products(number, "2400", { fields: "id" })
      const fields = "id,retailer_id,name,description,price,currency,availability,image_url,url"
      assert.deepStrictEqual(
        fake.requests.map(({ method, path, query }) => [method, path, query]),
        [
          ["GET", `/${number.accountId}/product_catalogs`, { limit: "5" }],
          ["GET", "/2400/products", { fields, filter: "{}" }],
          ["GET", "/2400/products", { fields: "id" }]
        ]
      )
    })
  )
})
