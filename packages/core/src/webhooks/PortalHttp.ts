/** Serves the files of the portal page, dressed as the installation says, with what a browser may do for them. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Api } from "../http/Api.ts"
import { type PortalSettings, themeStyle } from "./PortalTheme.ts"
import { page, script, style } from "./portal/PortalFiles.ts"

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The page for this installation: with the brand's name in its title, and its logo, which is base64, above it. */
const pageOf = ({ allowsHttp, brandName, theme: { logo } }: PortalSettings): string => {
  const name = escaped(brandName ?? "")
  const image = logo === undefined ? "" : `    <img class="logo" src="${logo}" alt="${name}" />\n`
  return page
    .replace('<html lang="en">', allowsHttp ? '<html lang="en" data-plain-http>' : "$&")
    .replace("<title>Webhooks</title>", (title) => (name === "" ? title : `<title>Webhooks · ${name}</title>`))
    .replace('    <main id="view">', (main) => `${image}${main}`)
}

/** Everything comes from where the page came from, and nobody but `ancestors` may frame it. Source: docs/webhooks-portal.md#policy. */
const policy = (ancestors: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.join(" ")}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")

const headers = {
  // The three files belong together: after an update none may be an old one.
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

export const layer = (api: Api, settings: PortalSettings) => {
  const answer = (body: string, type: string, more: Readonly<Record<string, string>> = {}) => {
    const response = HttpServerResponse.text(body, {
      contentType: `${type}; charset=utf-8`,
      headers: { ...headers, ...more }
    })
    return () => Effect.succeed(response)
  }
  return HttpApiBuilder.group(api, "portal", (handlers) =>
    handlers
      .handleRaw(
        "page",
        answer(pageOf(settings), "text/html", { "content-security-policy": policy(settings.frameAncestors) })
      )
      .handleRaw("script", answer(script, "text/javascript"))
      .handleRaw("style", answer(`${style}${themeStyle(settings.theme)}`, "text/css"))
  )
}
