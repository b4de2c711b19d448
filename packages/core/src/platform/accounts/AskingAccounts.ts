/** Which account a request is of, for a host that writes its answer. */
import type * as Ids from "../PlatformIds.ts"

/** Accounts of identified requests, by the host's own object of the request. */
export const askingAccounts = new WeakMap<object, Ids.AccountId>()
