/** The reference page. It contains everything that it needs, so that it works without a network. */
import { type Brand, publicApi } from "@trunkline/core/effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as Layer from "effect/Layer"

export interface Reference {
  readonly html: string
  /** The content security policy: a browser loads nothing from elsewhere. */
  readonly policy: string
}

/** Settings of the page's script that the type does not know: everything that would ask its maker's servers is off. */
const scalar = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearer" },
  // The page shows no name but the vendor's.
  customCss: 'a[href="https://www.scalar.com"] { display: none }'
} as HttpApiScalar.ScalarConfig

/** The page's script tests once whether it may compile code: browsers log that one violation. */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The page of the contract in a brand's words. Made when it is first asked for: it is 3 MB. */
export const referencePage = (brand: Brand): (() => Promise<Reference>) => {
  let page: Promise<Reference> | undefined
  const make = async (): Promise<Reference> => {
    const { dispose, handler } = HttpRouter.toWebHandler(
      HttpApiScalar.layer(publicApi(brand), { path: "/docs", scalar }).pipe(Layer.provide(HttpServer.layerServices)),
      { disableLogger: true }
    )
    const html = await (await handler(new Request("http://localhost/docs"))).text()
    await dispose()
    // An icon of nothing, or browsers ask for one that is not there.
    return { html: html.replace("</head>", '<link rel="icon" href="data:," /></head>'), policy }
  }
  return () => {
    page ??= make()
    return page
  }
}
