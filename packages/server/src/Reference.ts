/** The reference page: everything that it needs is in it, so that it works without any other network. */
import { type Brand, makeApi } from "@trunkline/core/effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as Layer from "effect/Layer"

/** The page of the contract in a brand's words. Made when it is first asked for: it is 3 MB. */
export const referencePage = (brand: Brand): (() => Promise<string>) => {
  let page: Promise<string> | undefined
  const make = async (): Promise<string> => {
    const { dispose, handler } = HttpRouter.toWebHandler(
      HttpApiScalar.layer(makeApi(brand), { path: "/docs" }).pipe(Layer.provide(HttpServer.layerServices)),
      { disableLogger: true }
    )
    const text = await (await handler(new Request("http://localhost/docs"))).text()
    await dispose()
    return text
  }
  return () => {
    page ??= make()
    return page
  }
}
