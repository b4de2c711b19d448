/** Events of numbers. Pure. */
import type { EventOf } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { type ConnectedNumber, platformRecord } from "../channels/index.ts"
import type { ChangedFacts, FactChange } from "./FactChanges.ts"
import type { numberStatus } from "./NumberEventEntries.ts"

const isoOrNull = (at: Instant.Instant | null): string | null => (at === null ? null : Instant.toIso(at))

type Of = Pick<ConnectedNumber, "id" | "tenantId" | "botId" | "phoneNumberId">

const eventOf = (number: Of, { facts }: ChangedFacts, change: FactChange): EventOf<typeof numberStatus> => {
  const { restriction, ...record } = platformRecord(facts)
  return {
    event: "number.status",
    tenantId: number.tenantId,
    botId: number.botId,
    data: {
      phone_id: number.id,
      phone_number_id: number.phoneNumberId,
      change,
      ...record,
      restriction: restriction === null ? null : { type: restriction.type, until: isoOrNull(restriction.until) },
      checked_at: isoOrNull(facts.checkedAt)
    }
  }
}

/** An event for each thing that has changed. */
export const numberEvents = (number: Of, changed: ChangedFacts): ReadonlyArray<EventOf<typeof numberStatus>> =>
  changed.changes.map((change) => eventOf(number, changed, change))
