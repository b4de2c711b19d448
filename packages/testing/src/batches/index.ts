/** Batches on random days. */
export { batchModelSuite } from "./BatchModel.ts"
