/** Numbers of a campaign's contacts and calls. Pure. Source: docs/reference/campaigns.md#counts. */
import type { Instant } from "../../platform/kernel/index.ts"
import { ContactStatus, LastError } from "./ContactLifecycle.ts"
import type { ContactTally } from "./ContactListStore.ts"

export interface CampaignCounts {
  readonly total: number
  readonly byStatus: Readonly<Record<ContactStatus, number>>
  readonly byLastError: Readonly<Record<LastError, number>>
  /** Contacts that somebody is looking at at the preview desk. */
  readonly held: number
  /** Contacts that wait for nothing but their turn and, in preview mode, an approval. */
  readonly due: number
  /** The earliest instant for which a contact waits or has waited. */
  readonly nextAttemptAt: Instant.Instant | null
  /** Calls that somebody or something has answered. */
  readonly answered: number
  readonly calls: number
}

export interface Counted {
  readonly tally: ContactTally
  readonly held: number
  readonly nextAttemptAt: Instant.Instant | null
  readonly calls: number
  readonly answers: { readonly answeredByAnybody: number }
}

const every = <Name extends string>(names: ReadonlyArray<Name>, numbers: ReadonlyMap<Name, number>) =>
  Object.fromEntries(names.map((name) => [name, numbers.get(name) ?? 0])) as Record<Name, number>

/** The total is that of the statuses: all of them are of one instant. */
export const campaignCounts = ({ answers, calls, held, nextAttemptAt, tally }: Counted): CampaignCounts => {
  const byStatus = every(ContactStatus.literals, tally.byStatus)
  return {
    total: Object.values(byStatus).reduce((sum, n) => sum + n, 0),
    byStatus,
    byLastError: every(LastError.literals, tally.byLastError),
    held,
    due: byStatus.pending + byStatus.approved - tally.later,
    nextAttemptAt,
    answered: answers.answeredByAnybody,
    calls
  }
}
