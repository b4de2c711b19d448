/** The lock of an account's members: each change of one of them holds it. */
import type * as Ids from "../PlatformIds.ts"

export const teamLock = (tenantId: Ids.AccountId): string => `team:${tenantId}`
