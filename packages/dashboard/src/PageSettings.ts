/** What the server writes into the page. */
export type { PageSettings } from "@trunkline/core/provider"
