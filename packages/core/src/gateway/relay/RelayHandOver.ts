/** Hands a request that was admitted over to its route. */
import type { RelayedExchange } from "../../platform/http/index.ts"
import { type HandedOver, handedOver } from "../admission/index.ts"
import type { RelayedRequest } from "./RelayAdmission.ts"

interface Admitted extends Pick<HandedOver, "allowance" | "attempt"> {
  readonly caller: RelayedRequest["caller"]
}

/** What has been done for the request is not done again. The client must still be there: without it no route runs. */
export const handOver = (
  { connection, request }: RelayedExchange,
  { allowance, attempt, caller: { principal, slot, startedAt, usageId } }: Admitted
): void => {
  handedOver.set(request.source, { principal, usageId, startedAt, slot, allowance, attempt })
  connection.handOver()
}
