/** Trunkline in an Express application. */
export { type ExpressOptions, type Middleware, trunkline } from "./Middleware.ts"
