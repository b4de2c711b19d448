/** Every check of a run, in the order of docs/reference/reliability.md#promises. Reads logs of the outside and the API alone. */
import { attempts, closing, noOverlap, oneOrder, outcomes, ownRecord, suppression } from "./CallChecks.ts"
import { answers, parts, stored, templates } from "./ChatChecks.ts"
import { delivered, oneBody, oneEnd } from "./EventChecks.ts"
import type { Evidence, Finding } from "./Evidence.ts"
import { chats, keys, ledger } from "./MoneyChecks.ts"
import { acknowledged, ends } from "./RunChecks.ts"

const checks = [
  ...[oneOrder, noOverlap, suppression, attempts, closing, ownRecord, outcomes],
  ...[oneEnd, oneBody, delivered],
  ...[stored, answers, parts, templates],
  ...[keys, chats, ledger],
  ...[acknowledged, ends]
]

export const check = (evidence: Evidence): ReadonlyArray<Finding> => checks.map((one) => one(evidence))
