/** What an installation decides about the portal page. Pure. Source: docs/reference/webhooks-portal.md. */
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
