/** What follows an attempt that failed: the same entry again, the next entry, or the end. Pure. Source: docs/reference/upstreams.md#fallbacks. */
import type { UpstreamFailed, UpstreamWhy } from "../upstreams/Upstream.ts"

export type Step =
  | { readonly _tag: "Again"; readonly afterMs: number }
  | { readonly _tag: "Next" }
  | { readonly _tag: "End" }

/**
 * `again`: the same entry may answer in a moment. `next`: another entry may answer. `end`: the request itself is wrong, for every
 * entry.
 */
const courses: Readonly<Record<UpstreamWhy, "again" | "next" | "end">> = {
  refused_input: "end",
  content_policy: "end",
  context_too_long: "end",
  too_large: "end",
  throttled: "again",
  timeout: "next",
  unreachable: "again",
  failed: "again",
  not_found: "next",
  wrong_route: "next",
  unreadable: "next",
  operator: "next",
  unsupported: "next"
}

const firstWaitMs = 250
const maxWaitMs = 2000

export interface Retries {
  /** How often the entry has been asked again. */
  readonly retried: number
  /** How often it may be. */
  readonly retries: number
}

export const stepAfter = (
  { hasBegun, retryAfterSeconds, why }: Pick<UpstreamFailed, "hasBegun" | "retryAfterSeconds" | "why">,
  { retried, retries }: Retries
): Step => {
  const course = courses[why]
  if (hasBegun || course === "end") return { _tag: "End" }
  const afterMs = retryAfterSeconds === null ? firstWaitMs * 2 ** retried : retryAfterSeconds * 1000
  return course === "again" && retried < retries && afterMs <= maxWaitMs ? { _tag: "Again", afterMs } : { _tag: "Next" }
}
