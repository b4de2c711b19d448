/** The texts of the portal page, and their language. Pure. Source: docs/reference/webhooks-portal.md#words. */
import { english } from "@trunkline/portal/words"
import type { Replaceable } from "../../platform/brand/index.ts"

export const portalWords: Replaceable = { english, list: "docs/reference/webhooks-portal.md#words" }

/** A language tag in its usual spelling; null for a text that is none. */
export const languageOf = (tag: string): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}
