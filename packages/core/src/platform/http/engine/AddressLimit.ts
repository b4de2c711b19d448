/** Rate limit of one client: a sliding minute, in this process alone. Source: docs/reference/http-conventions.md#ip-limit. */
import ipaddr from "ipaddr.js"
import { type Instant, MinuteLimit } from "../../kernel/index.ts"

export interface AddressLimit {
  /** Null when the request is admitted, else the seconds until the next one is. A refused request does not count. */
  readonly acquire: (address: string, at: Instant.Instant) => number | null
}

export const addressLimit = (perMinute: number): AddressLimit => {
  const limit = new MinuteLimit(perMinute, surroundings)
  return { acquire: (address, at) => limit.admit(clientOf(address), at) }
}

/** Longer than the text of any address: a host may hand over any header's text. */
const maxLength = 64

/** IPv4 in IPv6: mapped (RFC 4291), and translated on the way (RFC 6052). */
const translated: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96]

/**
 * What counts as one client: an IPv4 address, however it is written, and of an IPv6 address its /64, which every rented machine
 * has whole. A text that is no address stands for itself.
 */
export const clientOf = (address: string): string => {
  if (!address.includes(":")) return address.slice(0, maxLength)
  if (address.length > maxLength || !ipaddr.IPv6.isValid(address)) return address.slice(0, maxLength)
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  if (parsed.match(translated)) return parsed.toByteArray().slice(12).join(".")
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`
}

/** What an owner of many clients has: a /48 or an IPv4 address's /24. */
const surroundings = (client: string): string => {
  const parts = client.split(client.includes(":") ? ":" : ".", 3)
  return parts.join(".")
}
