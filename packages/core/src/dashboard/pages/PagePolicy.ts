/** What a browser enforces on the page. Pure. Source: docs/reference/dashboard.md#policy. */
import { foreignAncestors } from "../../platform/brand/index.ts"

const policy = (frameAncestors: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.join(" ")}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")

/** Headers of all files. */
export const fileHeaders = { "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" }

/** Headers of the page. */
export const pageHeaders = (frameAncestors: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  ...fileHeaders,
  "content-security-policy": policy(frameAncestors),
  // A page that another origin frames would be cut off from the window around it.
  ...(foreignAncestors(frameAncestors).length > 0 ? {} : { "cross-origin-opener-policy": "same-origin" })
})
