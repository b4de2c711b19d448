/** Serves the files of the portal page, dressed as the installation says, with what a browser may do for them. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Api } from "../http/Api.ts"
import { type PortalSettings, themeStyle } from "./PortalTheme.ts"
import { page, script, style } from "./portal/PortalFiles.ts"

/** The page for this installation. A logo is base64: nothing in it ends the attribute. */
const pageOf = ({ allowsHttp, theme: { logo } }: PortalSettings): string =>
  page
    .replace('<html lang="en">', allowsHttp ? '<html lang="en" data-plain-http>' : '<html lang="en">')
    .replace(
      '    <main id="view">',
      logo === undefined
        ? '    <main id="view">'
        : `    <img class="logo" src="${logo}" alt="" />\n    <main id="view">`
    )

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

/** The page with the brand's name in its title. */
const titled = (html: string, name: string | null): string =>
  name === null ? html : html.replace("<title>Webhooks</title>", () => `<title>Webhooks · ${escaped(name)}</title>`)

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

export const layer = (api: Api, settings: PortalSettings, name: string | null) => {
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
        answer(titled(pageOf(settings), name), "text/html", {
          "content-security-policy": policy(settings.frameAncestors)
        })
      )
      .handleRaw("script", answer(script, "text/javascript"))
      .handleRaw("style", answer(`${style}${themeStyle(settings.theme)}`, "text/css"))
  )
}
