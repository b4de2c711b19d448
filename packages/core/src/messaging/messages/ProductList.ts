/** What the network shows of a list of products. Pure. Source: docs/reference/catalog.md#product-messages. */
import { isObject } from "../../platform/kernel/index.ts"
import type { JsonObject } from "./JsonObject.ts"
import type { ContentFault } from "./PublicContent.ts"

const [maxProducts, maxSections] = [30, 10]

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Why a content of the type `interactive` has more products or sections than a list may have; null where it has not. */
export const productListFault = ({ action, type }: JsonObject): ContentFault | null => {
  if (type !== "product_list" || !isObject(action)) return null
  const sections = listOf(action.sections)
  const products = sections.flatMap((section) => (isObject(section) ? listOf(section.product_items) : []))
  if (sections.length <= maxSections && products.length <= maxProducts) return null
  return {
    field: "interactive",
    message: `Expected a list of at most ${maxProducts} products in at most ${maxSections} sections`
  }
}
