/**
 * Serves the files of the pages for people, as an installation has named and dressed them.
 *
 * Promises  PAGE-1 the files are the same below every prefix and for everybody, and no browser loads anything from elsewhere.
 *           PAGE-2 an asset never changes under its name; the page and its theme are asked for again each time.
 *           PAGE-3 without a dashboard of the host none of the paths is known.
 * Needs     DashboardPage, ChosenAreas.          Emits  nothing.
 * Not here  the pages themselves, and how they are built: packages/dashboard.
 * Read      DataBlock.ts, then PagesHttp.ts. Source: docs/reference/dashboard.md.
 */
export { DashboardPage } from "./DashboardPage.ts"
export type { PageChoices, PageSettings } from "./DataBlock.ts"
export type { PageFile, PageFiles } from "./PageFile.ts"
export { Room } from "./PagesRoom.ts"
