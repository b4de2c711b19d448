/**
 * Decides which models there are, at what price, who may use them, and which upstreams run them in which order.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  the state of an upstream: gateway/run. Promise INFE-6 stands in the area.
 * Read      Model.ts, then ModelCatalogue.ts and Routing.ts. Source: docs/reference/models.md.
 */
export type { PriceSettings } from "./CatalogueFile.ts"
export * as Models from "./Model.ts"
export { modelAccess, type PlanAccess } from "./ModelAccess.ts"
export {
  CatalogueRefused,
  type CatalogueSettings,
  catalogueFaults,
  ModelCatalogue,
  modelsIn
} from "./ModelCatalogue.ts"
export * as Routing from "./Routing.ts"
export { type RouteEntry, type RouteFault, routeFaults } from "./Routing.ts"
