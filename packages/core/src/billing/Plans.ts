/** The plans and what each includes. Data; pure. Source: docs/plans.md. */
import * as Schema from "effect/Schema"

export const Plan = Schema.Literals(["free", "starter", "pro", "enterprise"])
export type Plan = typeof Plan.Type

/** What is metered: the service of a model, or `search`. */
export const Service = Schema.Literals(["llm", "stt", "tts", "image", "embedding", "search"])
export type Service = typeof Service.Type
