/** The dashboard: its files, its settings and its words. */
export type { BuiltFile } from "./BuiltPages.d.ts"
export type { PageSettings } from "./PageSettings.ts"
