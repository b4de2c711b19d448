/** The bodies that receivers get, as the text that is signed. Pure. Source: docs/reference/webhooks.md#format. */
import { Instant } from "../../platform/kernel/index.ts"

/** UTC with an offset, as receivers were promised. */
const withOffset = (at: Instant.Instant): string => Instant.toIso(at).replace(/Z$/, "+00:00")

export const ofEvent = (event: string, data: Readonly<Record<string, unknown>>, at: Instant.Instant): string =>
  JSON.stringify({ event, data, timestamp: withOffset(at) })

export const ofEmail = (type: string, data: Readonly<Record<string, unknown>>, at: Instant.Instant): string =>
  JSON.stringify({ type, created_at: Instant.toIso(at), data })
