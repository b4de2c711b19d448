/** What a host passes for a dashboard. Pure. */
import { type Provider, provider, type SettingFault, type Settings } from "../platform/settings/index.ts"
import { type DashboardOptions, dashboardFaults } from "./PageOptions.ts"

/** Made by `dashboard()` of @trunkline/dashboard. */
export interface DashboardProvider extends Provider<"dashboard"> {
  /** What the host has decided. */
  readonly options: DashboardOptions
  /** The texts of its pages, by their keys. */
  readonly english: Readonly<Record<string, string>>
  /** Has the files of its pages. */
  readonly files: unknown
}

export const settings = {
  /** Serves the pages for people at `/dashboard/`: `dashboard()` of @trunkline/dashboard. Without it there are none. Source: docs/reference/dashboard.md. */
  dashboard: provider<DashboardProvider>("dashboard", "dashboard() of @trunkline/dashboard")
}

export type DashboardChoice = Settings.ValuesOf<typeof settings>

/** What the provider's own options must be. */
export const rules = {
  dashboard: ({ dashboard }: DashboardChoice): ReadonlyArray<SettingFault> =>
    dashboard === undefined
      ? []
      : dashboardFaults(dashboard.options, dashboard.english).map(({ message, path }) => ({
          path: ["dashboard", ...path],
          message
        }))
}
