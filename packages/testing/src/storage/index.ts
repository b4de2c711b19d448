/** The storage suites: one call for each storage runs them all. */
export * from "./StorageSuite.ts"
