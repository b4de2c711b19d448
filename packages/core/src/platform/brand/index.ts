/**
 * Knows which names and looks a vendor may choose: the words of paths, headers and fields, and how pages are dressed.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  names that the contract has already (host/BrandCheck.ts); the look of a chat on a page (packages/providers).
 * Read      Brand.ts, then PageTheme.ts; DashboardFacts.ts is what an installation says about its dashboard. Source: docs/reference/configuration.md#brand, docs/reference/webhooks-portal.md#theme.
 */
export { type Brand, brandOf, faultsOf as namingFaults, neutral as neutralBrand, type ReservedNames } from "./Brand.ts"
export { DashboardFacts, standardDashboardFacts } from "./DashboardFacts.ts"
export { foreignAncestors, frameAncestorFault, isFrameAncestor } from "./FrameAncestors.ts"
export { dashboardSurfaces, imageFault, type PageTheme, themeFaults, themeStyle } from "./PageTheme.ts"
export { type Replaceable, type WordFault, wordFaults } from "./PageWords.ts"
