/** Serves the files of the portal page under the installation's theme, with the policy that a browser enforces on them. */
import { english } from "@trunkline/portal/words"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { themeStyle } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { escapedHtml } from "../../platform/kernel/index.ts"
import { portalGroup } from "./PortalApi.ts"
import { PortalPage } from "./PortalPage.ts"
import type { PortalSettings } from "./PortalSettings.ts"

const api = contract.add(portalGroup)

/** The attributes of `<html>`: what the page's script is to know from the start. */
const attributesOf = ({ allowsHttp, language, words }: PortalSettings): string => {
  const own = Object.keys(words).length === 0 ? "" : ` data-words="${escapedHtml(JSON.stringify(words))}"`
  return `lang="${language}"${allowsHttp ? " data-plain-http" : ""}${own}`
}

/** The page in its language, with the brand's name in its title, and the brand's logo, which is base64, above it. */
const pageOf = (html: string, settings: PortalSettings): string => {
  const name = escapedHtml(settings.brandName ?? "")
  const { logo } = settings.theme
  const image = logo === undefined ? "" : `    <img class="logo" src="${logo}" alt="${name}" />\n`
  const texts: Readonly<Record<string, string>> = { ...english, ...settings.words }
  return html
    .replace(/\{([\w.]+)\}/g, (_, key: string) => escapedHtml(texts[key] ?? ""))
    .replace("</title>", (end) => (name === "" ? end : ` · ${name}${end}`))
    .replace('lang="en"', () => attributesOf(settings))
    .replace('    <main id="view">', (main) => `${image}${main}`)
}

/** Everything comes from where the page came from, and nobody but `ancestors` may frame it. Source: docs/reference/webhooks-portal.md#policy. */
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

/** The files are loaded when the first browser asks: most installations serve no portal. */
const loaded = Effect.promise(() => import("@trunkline/portal"))

export const layer = () =>
  RouteHandlers.group(
    api,
    "portal",
    Effect.fnUntraced(function* (handlers) {
      const settings = yield* PortalPage
      const files = yield* Effect.cached(
        Effect.map(loaded, ({ css, html, js }) => ({
          html: pageOf(html, settings),
          css: `${css}${themeStyle(settings.theme)}`,
          js
        }))
      )
      const serve = (name: "html" | "css" | "js", type: string, more: Readonly<Record<string, string>> = {}) => {
        const options = { contentType: `${type}; charset=utf-8`, headers: { ...headers, ...more } }
        return () => Effect.map(files, (file) => HttpServerResponse.text(file[name], options))
      }
      return handlers
        .handleRaw("page", serve("html", "text/html", { "content-security-policy": policy(settings.frameAncestors) }))
        .handleRaw("script", serve("js", "text/javascript"))
        .handleRaw("style", serve("css", "text/css"))
    })
  )
