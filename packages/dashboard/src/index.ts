/** The pages for people, as a provider of the core. */
import type { DashboardOptions, DashboardProvider } from "@trunkline/core"
import { dashboardProvider } from "@trunkline/core/provider"
import { dashboardFiles } from "./DashboardFiles.ts"
import { english } from "./DashboardWords.ts"

/**
 * Serves the pages for people at `/dashboard/`, below the mount point. Source: docs/reference/dashboard.md.
 *
 * @example
 * createTrunkline({ storage, encryptionKey, dashboard: dashboard({ name: "Acme Calls", accent: "#0a7d4f" }) })
 */
export const dashboard = (options: DashboardOptions = {}): DashboardProvider =>
  dashboardProvider({ options, english, files: dashboardFiles })

export type { DashboardOptions, DashboardProvider }
