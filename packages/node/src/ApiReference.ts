/** The description of the API, and the page that shows it. The page contains everything that it needs, so that it works without a network. */
import type { ReferenceProvider } from "@trunkline/core"
import {
  type Brand,
  type Contracts,
  escapedHtml,
  type ReferencePages,
  referenceProvider
} from "@trunkline/core/provider"
import * as Context from "effect/Context"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"

export interface ApiReferenceOptions {
  /** Where callers reach the mount point: `https://example.com/phone`, or `/phone`. Default `/`. */
  readonly url?: string
}

/** Settings of the page's script that the type does not know: everything that would ask its maker's servers is off. */
const scalar = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearer" }
}

/** The page shows no name but the vendor's. */
const noMaker = 'a[href="https://www.scalar.com"] { display: none }'

/** The brand's colour and font in the page's own variables; the logo stands above it. */
const styleOf = ({ theme: { accent, font } }: Brand): string =>
  [
    noMaker,
    ...(accent === undefined ? [] : [`.light-mode, .dark-mode { --scalar-color-accent: ${accent} }`]),
    ...(font === undefined ? [] : [`:root { --scalar-font: ${font} }`]),
    ".brand-logo { display: block; max-height: 3rem; margin: 1rem }"
  ].join("\n")

const configOf = (brand: Brand): HttpApiScalar.ScalarConfig => {
  const { colorScheme } = brand.theme
  return {
    ...scalar,
    customCss: styleOf(brand),
    ...(colorScheme === undefined || colorScheme === "system" ? {} : { forceDarkModeState: colorScheme })
  } as HttpApiScalar.ScalarConfig
}

/** The theme's image, or the one at the address of the brand's logo; empty where there is none. */
const logoOf = ({ logo, name, theme }: Brand): string => {
  const image = theme.logo ?? logo
  return image === null ? "" : `<img class="brand-logo" src="${escapedHtml(image)}" alt="${escapedHtml(name ?? "")}" />`
}

/** A browser loads nothing from elsewhere but the brand's logo. The page's script tests once whether it may compile code: browsers log that one violation. */
const policyOf = ({ logo }: Brand): string =>
  [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    `img-src 'self' data: blob:${logo === null ? "" : ` ${new URL(logo).origin}`}`,
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

type Contract = Contracts["open"]

const pageOf = async (contract: Contract, brand: Brand): Promise<string> => {
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiScalar.layer(contract, { path: "/docs", scalar: configOf(brand) }).pipe(
      Layer.provide(HttpServer.layerServices)
    ),
    { disableLogger: true }
  )
  const html = await (await handler(new Request("http://localhost/docs"))).text()
  await dispose()
  // An icon of nothing, or browsers ask for one that is not there.
  return html
    .replace("</head>", '<link rel="icon" href="data:," /></head>')
    .replace("<body>", () => `<body>${logoOf(brand)}`)
}

/** Each is made when it is first asked for: the page is 3 MB, and most processes are never asked. */
const pagesOf = (contract: Contract, brand: Brand): ReferencePages => {
  let page: Promise<string> | undefined
  let description: string | undefined
  return {
    policy: policyOf(brand),
    page: () => (page ??= pageOf(contract, brand)),
    description: () => (description ??= JSON.stringify(OpenApi.fromApi(contract)))
  }
}

/**
 * Serves the API's description at `/openapi.json`, and a page that shows it at `/docs`, below the mount point, to anybody. Source:
 * docs/reference/embedding.md#reference.
 *
 * @example
 * createTrunkline({ storage, encryptionKey, reference: apiReference({ url: "/phone" }) })
 */
export const apiReference = ({ url = "/" }: ApiReferenceOptions = {}): ReferenceProvider =>
  referenceProvider(url, (contract, brand, servers) => {
    const transform = Context.getUnsafe(contract.annotations, OpenApi.Transform)
    const described = contract.annotate(OpenApi.Transform, (document) => ({ ...transform(document), servers }))
    return pagesOf(described, brand)
  })
