/** Routes beside the contract that describe it, where the host wants them. Source: docs/reference/embedding.md#reference. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Brand } from "../platform/brand/index.ts"
import type { CompiledRoutes } from "../platform/http/index.ts"
import type { ReferenceProvider } from "../platform/PlatformOptions.ts"
import type { Contracts } from "./Api.ts"
import type { MakeReference } from "./Providers.ts"
import { serverUrl } from "./ServerUrl.ts"

/** Adds the routes. */
export const serveReference = (
  routes: CompiledRoutes,
  { make, url }: ReferenceProvider,
  contract: Contracts["open"],
  brand: Brand
): void => {
  const { description, page, policy } = (make as MakeReference)(contract, brand, [{ url: serverUrl(url) }])
  const headers = {
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff"
  }
  routes.serve(
    "/openapi.json",
    Effect.sync(() => HttpServerResponse.text(description(), { contentType: "application/json" }))
  )
  routes.serve(
    "/docs",
    Effect.map(Effect.promise(page), (html) =>
      HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8", headers })
    )
  )
}
