/** Events of credit. Pure. Source: docs/reference/credits.md#events. */
import type { EventOf } from "../events/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { creditsLow } from "./BillingEventEntries.ts"
import { formatCredits, type Nano, nanoPerCredit } from "./Money.ts"

/** Below it the account gets a notice to add credit. */
const lowBelow: Nano = 100n * nanoPerCredit

/** `credits.low`, when a charge takes a balance from the threshold or above it to below; nothing otherwise. */
export const lowEvents = (
  tenantId: Ids.AccountId,
  before: Nano,
  after: Nano
): ReadonlyArray<EventOf<typeof creditsLow>> =>
  before >= lowBelow && after < lowBelow
    ? [
        {
          event: "credits.low",
          tenantId,
          botId: null,
          data: { balance: Number(formatCredits(after)), threshold: Number(formatCredits(lowBelow)) }
        }
      ]
    : []
