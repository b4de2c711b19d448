/** What an installation decides about its dashboard that the rooms below it need, too. Source: docs/reference/dashboard.md#settings. */
import * as Context from "effect/Context"

export interface DashboardFacts {
  /** Where browsers reach the mount point, with the prefix of a proxy; null where only the requests say so. */
  readonly publicUrl: string | null
  /** What a person may say that a call came to, in the order of their keys. */
  readonly outcomes: ReadonlyArray<string>
  /** For how long a contact is held for the person who looks at it before it is called. */
  readonly previewHoldSeconds: number
}

export const standardDashboardFacts: DashboardFacts = {
  publicUrl: null,
  outcomes: ["Interested", "Not interested", "Call back", "Wrong number", "Other"],
  previewHoldSeconds: 120
}

export const DashboardFacts = Context.Reference<DashboardFacts>("@trunkline/core/platform/brand/DashboardFacts", {
  defaultValue: () => standardDashboardFacts
})
