/**
 * The pages for people: their files, and what an installation decides about them. What the pages read and change are routes of
 * other areas.
 *
 * Rooms     pages.
 * Read      PageOptions.ts, then pages. Source: docs/reference/dashboard.md.
 */
export { dashboardArea } from "./DashboardArea.ts"
