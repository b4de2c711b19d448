/** What a host gives for the options of DashboardOptions.ts, from which OptionShapes.test.ts makes it. */
import type { DashboardProvider } from "./DashboardOptions.ts"

export interface DashboardOptionShapes {
  /** Serves the pages for people at `/dashboard/`: `dashboard()` of @trunkline/dashboard. Without it there are none. Source: docs/reference/dashboard.md. */
  readonly dashboard?: DashboardProvider
}
