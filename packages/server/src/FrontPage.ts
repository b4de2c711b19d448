/** What stands at the root of the server: what this is, whether it works, and where to go on. Pure. Source: docs/reference/http-conventions.md#root. */
import { createHash } from "node:crypto"
import { type Brand, escapedHtml } from "@trunkline/core/provider"

export type Status = "ready" | "not ready"

const neutralName = "Calling, messaging and inference"

/** Of an installation whose vendor has no site: where the documentation stands in the repository. */
const ownDocumentation = "docs/guides/README.md"

interface Front {
  readonly name: string
  readonly status: Status
  readonly links: {
    readonly reference: string
    readonly openapi: string
    readonly health: string
    readonly documentation: string
  }
}

/** For programs. */
export const frontOf = ({ name, url }: Brand, status: Status): Front => ({
  name: name ?? neutralName,
  status,
  links: {
    reference: "/docs",
    openapi: "/openapi.json",
    health: "/readyz",
    documentation: url ?? ownDocumentation
  }
})

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem }
dt { font-weight: 600; margin-top: 1rem } dd { margin: 0 }`

/** Nothing is loaded, run or sent, and nobody frames it. Paths are relative, so that a proxy may add a prefix. */
export const frontPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** For browsers. */
export const frontPage = (brand: Brand, status: Status): string => {
  const { name, links } = frontOf(brand, status)
  const title = escapedHtml(name)
  const documentation =
    brand.url === null
      ? `<code>${links.documentation}</code> in the repository`
      : `<a href="${escapedHtml(brand.url)}">${escapedHtml(brand.url)}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>${title}</title>
<link rel="icon" href="data:," />
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p>This server is <a href="readyz">${status}</a>.</p>
<dl>
<dt>API reference</dt><dd><a href="docs">docs</a>, and its description for programs, <a href="openapi.json">openapi.json</a></dd>
<dt>Documentation</dt><dd>${documentation}</dd>
</dl>
</body>
</html>
`
}
