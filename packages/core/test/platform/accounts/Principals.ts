/** A key and people to begin a test with. */
import type { ApiKey } from "../../../src/platform/accounts/ApiKey.ts"
import type { Caller } from "../../../src/platform/accounts/Principal.ts"
import type { Grant } from "../../../src/platform/accounts/Scope.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"
import { start } from "../../calling/calls/SampleCall.ts"

export const key: ApiKey = {
  id: Ids.as("01936f00-0000-7000-8000-00000000000e"),
  tenantId: Ids.as("01936f00-0000-7000-8000-000000000002"),
  hash: "",
  prefix: "svc_abcdefgh",
  name: null,
  scopes: [],
  permissions: [],
  budget: null,
  budgetPeriod: "total",
  allowedModels: null,
  allowedDomains: null,
  searchProviders: null,
  requestsPerMinute: null,
  concurrency: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: start,
  createdBy: "operator",
  previousHash: null,
  previousPrefix: null,
  previousUntil: null
}

export const keyWith = (...scopes: ReadonlyArray<Grant>): Caller => ({ _tag: "Key", key: { ...key, scopes } })

export const person = (role: string): Caller => ({
  _tag: "User",
  subject: "ada",
  name: "Ada",
  role,
  signIn: { _tag: "Host" }
})
