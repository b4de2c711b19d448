/**
 * The pages for people: their files, and what an installation decides about them. What the pages read and change are routes of
 * other areas.
 *
 * Needs     what the host passes.                Emits  nothing.
 * Not here  the pages themselves: packages/dashboard. Who may sign in: platform/accounts.
 * Rooms     pages.
 * Read      PageOptions.ts, then pages. Source: docs/reference/dashboard.md.
 */
export { dashboardArea } from "./DashboardArea.ts"
