/** Trunkline in an Express 5 application. */
export { type Middleware, trunkline } from "./Middleware.ts"
