/**
 * Serves the page on which an account looks after its endpoints in a browser.
 *
 * Needs     PortalPage.                          Emits  nothing.
 * Not here  the files of the page: packages/portal.
 * Read      PortalSettings.ts, then PortalHttp.ts. Source: docs/reference/webhooks-portal.md.
 */
export { PortalPage } from "./PortalPage.ts"
export type { PortalSettings } from "./PortalSettings.ts"
export { languageOf, portalWords } from "./PortalWords.ts"
