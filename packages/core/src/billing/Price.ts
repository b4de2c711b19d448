/** What one unit of a model costs, exactly: decimal text and integers, divided last. Pure. Source: docs/metering.md#price. */

export type Unit = "seconds" | "tokens" | "characters" | "images" | "queries"
