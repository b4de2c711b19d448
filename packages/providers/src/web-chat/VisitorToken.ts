/** What a visitor proves itself with: an id, signed for one chat. Nothing is stored. Pure. */
import { hmacSha256Hex, timingSafeEqual } from "@trunkline/core/provider"

/** For whom a token is good, and where. */
export interface Visit {
  readonly connectionId: string
  readonly visitorId: string
}

const visitorForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isVisitorId = (id: string): boolean => visitorForm.test(id)

const signatureOf = (secret: string, { connectionId, visitorId }: Visit): string =>
  hmacSha256Hex(secret, `${connectionId} ${visitorId}`)

export const tokenOf = (secret: string, visit: Visit): string => `${visit.visitorId}.${signatureOf(secret, visit)}`

/** The visitor that a token is of; null where it is none of this chat's. */
export const visitorOf = (secret: string, connectionId: string, token: unknown): string | null => {
  if (typeof token !== "string") return null
  const [visitorId = "", signature = ""] = token.split(".")
  if (!isVisitorId(visitorId)) return null
  const expected = signatureOf(secret, { connectionId, visitorId })
  return timingSafeEqual(signature, expected) ? visitorId : null
}
