/** Who is asking, where the short way has found it out and left the request to the long one. */
import type * as Exit from "effect/Exit"
import type { Principal, Unauthenticated } from "../access/index.ts"
import type { StorageError } from "../storage/index.ts"

/** By the request object that the host handed over: its own check of a request runs once for each. */
export const identified = new WeakMap<object, Exit.Exit<Principal, Unauthenticated | StorageError>>()
