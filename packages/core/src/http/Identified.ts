/** Who is asking, where the short way has found it out and left the request to the long one. */
import type { Authentication } from "../access/index.ts"

/** What `identify` came to, by the request object that the host handed over: its own check runs once for each. */
export const identified = new WeakMap<object, ReturnType<Authentication["Service"]["identify"]>>()
