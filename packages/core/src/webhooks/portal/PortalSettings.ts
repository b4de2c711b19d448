/** What an installation decides about the portal page, and which pages may frame it. Pure. Source: docs/reference/webhooks-portal.md#policy. */
import type { PageTheme } from "../../platform/brand/index.ts"

/** What the page is served with. */
export interface PortalSettings {
  readonly frameAncestors: ReadonlyArray<string>
  readonly theme: PageTheme
  readonly brandName: string | null
  /** The language tag of the page's texts, dates and times. Source: docs/reference/webhooks-portal.md#words. */
  readonly language: string
  /** The installation's own texts by their keys, in place of the English ones. */
  readonly words: Readonly<Record<string, string>>
  /** True where plain http is accepted in some networks: the page says so beside the field for a URL. */
  readonly allowsHttp: boolean
}

/** A page's origin as a policy names it, or a keyword. Characters that could end the directive or the header are refused. */
const source = /^(?:'self'|'none'|https?:\/\/(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::(?:\d+|\*))?)$/

export const isFrameAncestor = (origin: string): boolean => source.test(origin)

/** The fault of a list of pages that may frame the portal, as a sentence; null for one that can be used. */
export const frameAncestorFault = (origins: ReadonlyArray<string>): string | null => {
  const wrong = origins.find((one) => !isFrameAncestor(one))
  if (wrong !== undefined) return `${wrong} is no origin such as https://app.example.com, 'self' or 'none'`
  return origins.length === 0 || (origins.length > 1 && origins.includes("'none'"))
    ? "must have one origin at least, and 'none' only by itself"
    : null
}
