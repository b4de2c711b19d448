/** Every store on one SQL session. */
import * as Layer from "effect/Layer"
import type { Dialect } from "./Statement.ts"
import * as SuppressionStoreSql from "./stores/SuppressionStoreSql.ts"

export const stores = (_dialect: Dialect) => Layer.mergeAll(SuppressionStoreSql.layer)
