/** Where the files of the pages are found. They are no part of the published contract: browsers alone ask for them. */

/** Source: docs/reference/dashboard.md#paths. */
export const pagePaths = {
  page: "/dashboard",
  theme: "/dashboard/theme.css",
  asset: "/dashboard/assets/:file"
} as const
