/** Decides which URLs the product may be made to call: public ones, and those in networks that the operator exempts. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A block of addresses. An IPv4-mapped block is kept as the IPv4 block that it stands for. */
export interface Network {
  /** Canonical: `10.0.0.0/8`, `fd00::/8`. */
  readonly text: string
  readonly block: readonly [Address, number]
}

/** A URL that may be called once the addresses of its host are known, and `checkAddresses` has accepted them. */
export interface Target {
  readonly url: URL
  /** What to resolve, in ASCII and lower case. Without brackets. */
  readonly host: string
  /** The canonical address where the host is one; `readUrl` has checked it. */
  readonly literal: string | null
  /** Why the URL is refused unless every address of its host lies in an exempt network; null where that does not matter. */
  readonly refusedOutside: Reason | null
}

/** What a surface accepts, and what its operator exempts. */
export interface Reading {
  readonly schemes: "https" | "http-or-https"
  readonly exempt: ReadonlyArray<Network>
}

const advice = {
  unreadable: "The URL cannot be read: give a full one, https://example.com/hooks for example.",
  not_https:
    "Only https:// URLs are called: serve the endpoint over TLS, or ask the operator to exempt its network (webhooks.allow_networks).",
  not_http: "Only http:// and https:// URLs are called: give one that starts with either.",
  credentials: "The URL holds a user name or password: leave them out, and verify the signature of what arrives.",
  port: "Port 0 cannot be called: give the port that the endpoint listens on.",
  host: "The host is no name that can be looked up: check it for empty or overlong parts and odd characters.",
  trailing_dot: "The host ends in a dot: leave it out.",
  internal_name:
    "Hosts that end in .localhost, .local or .internal are called in exempt networks alone: give the endpoint's public name, or ask the operator to exempt its network (webhooks.allow_networks).",
  address:
    "The host must be at public addresses alone: give a URL that is reachable from the internet, or ask the operator to exempt its network (webhooks.allow_networks)."
} as const

export type Reason = keyof typeof advice

const reasons = Object.keys(advice) as ReadonlyArray<Reason> // `keys` forgets which strings they are

/**
 * Why a URL is not called. The message says what to do, and nothing of what the host resolved to: it would tell a
 * stranger what the network looks like from inside. Source: docs/reference/address-policy.md#refusals.
 */
export class UrlRefused extends Schema.TaggedError<UrlRefused>()("UrlRefused", { reason: Schema.Literals(reasons) }) {
  override get message() {
    return advice[this.reason]
  }
}

const refuse = (reason: Reason) => Result.fail(new UrlRefused({ reason }))

/**
 * Everything that is not globally reachable unicast, as data: name and block. The registries are IANA's "IPv4 Special-
 * Purpose Address Registry", "IPv6 Special-Purpose Address Registry" (below: v4, v6) and "Internet Protocol Version 6
 * Address Space" (space). Blocks that they call globally reachable are refused too where no customer's endpoint can
 * live: relays, anycast sinks, addresses that embed another. Source: docs/reference/address-policy.md#networks.
 */
export const closedNetworks: ReadonlyArray<readonly [name: string, block: string]> = [
  ["this network", "0.0.0.0/8"], // v4, RFC 791
  ["private", "10.0.0.0/8"], // v4, RFC 1918
  ["shared by carriers (CGNAT)", "100.64.0.0/10"], // v4, RFC 6598; Alibaba's metadata is in it
  ["loopback", "127.0.0.0/8"], // v4, RFC 1122
  ["link-local, metadata of clouds", "169.254.0.0/16"], // v4, RFC 3927
  ["private", "172.16.0.0/12"], // v4, RFC 1918
  ["protocol assignments", "192.0.0.0/24"], // v4, RFC 6890; Oracle's metadata is in it
  ["documentation", "192.0.2.0/24"], // v4, RFC 5737
  ["AS112", "192.31.196.0/24"], // v4, RFC 7535
  ["multicast relays (AMT)", "192.52.193.0/24"], // v4, RFC 7450
  ["6to4 relays", "192.88.99.0/24"], // v4, RFC 7526
  ["private", "192.168.0.0/16"], // v4, RFC 1918
  ["AS112", "192.175.48.0/24"], // v4, RFC 7534
  ["benchmarking", "198.18.0.0/15"], // v4, RFC 2544
  ["documentation", "198.51.100.0/24"], // v4, RFC 5737
  ["documentation", "203.0.113.0/24"], // v4, RFC 5737
  ["multicast", "224.0.0.0/4"], // IANA "IPv4 Multicast Address Space Registry", RFC 1112
  ["reserved, broadcast", "240.0.0.0/4"], // v4, RFC 1112 and RFC 919
  ["Azure's platform", "168.63.129.16/32"], // in no registry: a public address that every Azure machine sees inside
  // Only 2000::/3 is global unicast (space, RFC 4291): these three are the rest. They hold, among others, ::1, the
  // IPv4-compatible ::/96, NAT64 64:ff9b::/96, fc00::/7, fe80::/10 and ff00::/8.
  ["below global unicast: loopback, NAT64, IPv4-compatible", "::/3"],
  ["above global unicast: unassigned, 5f00::/16", "4000::/2"],
  ["above global unicast: unique local, link-local, multicast", "8000::/1"],
  ["protocol assignments: Teredo, ORCHID, AMT", "2001::/23"], // v6, RFC 2928
  ["documentation", "2001:db8::/32"], // v6, RFC 3849
  ["6to4", "2002::/16"], // v6, RFC 3056: embeds any IPv4 address
  ["AS112", "2620:4f:8000::/48"], // v6, RFC 7534
  ["documentation", "3fff::/20"] // v6, RFC 9637
]

/**
 * Reads an address as a resolver or a parsed URL writes it; null for all else, zone ids included. A mapped address is
 * the IPv4 address that it reaches.
 */
const addressOf = (text: string): Address | null => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  // The URL standard's parser makes the text canonical: ipaddr.js itself takes `::8.8.8.8` for `::ffff:8.8.8.8`.
  const canonical = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1)
  return canonical === undefined ? null : ipaddr.process(canonical)
}

const isIn = (address: Address, networks: ReadonlyArray<Network>): boolean =>
  networks.some(({ block: [base, prefix] }) => address.kind() === base.kind() && address.match(base, prefix))

const networkOf = (text: string): Result.Result<Network, string> => {
  const [, written = "", digits = ""] = text.match(/^([0-9a-f.:]+)\/(\d{1,3})$/i) ?? []
  const address = addressOf(written)
  if (address === null) return Result.fail("must be a network such as 10.0.0.0/8 or fd00::/8")
  // A mapped block counts its prefix from the 128 bits that were written.
  const [width, prefix] =
    address.kind() === "ipv6" ? [128, Number(digits)] : [32, Number(digits) - (written.includes(":") ? 96 : 0)]
  if (prefix < 0 || prefix > width) return Result.fail(`must have a prefix of at most ${width} bits`)
  const kind = address.kind() === "ipv6" ? ipaddr.IPv6 : ipaddr.IPv4
  const first = kind.networkAddressFromCIDR(`${address}/${prefix}`)
  // One address with a short prefix would open far more than it shows.
  if (first.toString() !== address.toString()) return Result.fail(`must start at its first address: ${first}/${prefix}`)
  return Result.succeed({ text: `${address}/${prefix}`, block: [address, prefix] })
}

export interface NetworkFault {
  /** The place in the list. */
  readonly index: number
  readonly text: string
  /** Goes on after the name of the setting: `must be …`. */
  readonly message: string
}

/**
 * Reads a list of CIDR blocks, IPv4, IPv6 or IPv4-mapped, and lists every fault at once. `::/0` covers no IPv4
 * address, mapped ones included. Source: docs/reference/address-policy.md#exempt.
 *
 * @example parseNetworks(["10.0.0.0/8", "fd00::/8"])
 */
export const parseNetworks = (
  texts: ReadonlyArray<string>
): Result.Result<ReadonlyArray<Network>, ReadonlyArray<NetworkFault>> => {
  const read = texts.map((text, index) => Result.mapError(networkOf(text), (message) => ({ index, text, message })))
  const faults = read.flatMap((one) => (Result.isFailure(one) ? [one.failure] : []))
  return faults.length > 0
    ? Result.fail(faults)
    : Result.succeed(read.flatMap((one) => (Result.isSuccess(one) ? [one.success] : [])))
}

const closed = Result.getOrThrow(parseNetworks(closedNetworks.map(([, block]) => block)))

const internalName = /(^|\.)(localhost|local|internal)$/
/** Labels as DNS takes them, with the underscore that many resolve. */
const name = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/**
 * Checks all of a URL that can be checked without resolving its host; an address as the host is checked at once.
 *
 * Only the parsed result counts: the parser of the URL standard is the one that the request is made with, and turns
 * `0x7f.1`, `①②⑦.1` or `\\` into what they reach. Choice: a name without a dot is checked by its addresses, like any
 * other, because that is what hosts of a private network are called. Source: docs/reference/address-policy.md#urls.
 */
export const readUrl = (text: string, { schemes, exempt }: Reading): Result.Result<Target, UrlRefused> => {
  const url = URL.parse(text)
  if (url === null) return refuse("unreadable")
  const isHttp = url.protocol === "http:"
  if (!isHttp && url.protocol !== "https:") return refuse(schemes === "https" ? "not_https" : "not_http")
  if (url.username !== "" || url.password !== "") return refuse("credentials")
  if (url.port === "0") return refuse("port")

  const written = url.hostname.replace(/^\[|\]$/g, "")
  const address = addressOf(written)
  const fault = address === null ? hostFault(written) : null
  if (fault !== null) return refuse(fault)
  const literal = address?.toString() ?? null
  const refusedOutside = outsideFault(written, isHttp && schemes === "https")
  if (refusedOutside !== null && exempt.length === 0) return refuse(refusedOutside)
  const target = { url, host: literal ?? written, literal, refusedOutside }
  return literal === null ? Result.succeed(target) : Result.map(checkAddresses([literal], target, exempt), () => target)
}

const outsideFault = (host: string, isPlain: boolean): Reason | null =>
  internalName.test(host) ? "internal_name" : isPlain ? "not_https" : null

const hostFault = (host: string): Reason | null => {
  if (host.endsWith(".")) return "trailing_dot"
  return name.test(host) ? null : "host"
}

/**
 * Checks everything that a target's host resolved to. One address that is refused refuses all, because the owner of
 * the name chooses which comes first; none at all, or a text that is no address, is refused too.
 *
 * Answers the addresses in canonical form, in their order, each once: exactly these may be dialed. An exempt network
 * lifts the check of addresses that lie in it, and lets in what `refusedOutside` says. Source: docs/reference/address-policy.md#addresses.
 */
export const checkAddresses = (
  addresses: ReadonlyArray<string>,
  target: Target,
  exempt: ReadonlyArray<Network>
): Result.Result<ReadonlyArray<string>, UrlRefused> => {
  const read = addresses.flatMap((text) => addressOf(text) ?? [])
  if (target.refusedOutside !== null && !read.every((address) => isIn(address, exempt))) {
    return refuse(target.refusedOutside)
  }
  const passes = (address: Address) => isIn(address, exempt) || !isIn(address, closed)
  if (read.length === 0 || read.length < addresses.length || !read.every(passes)) return refuse("address")
  return Result.succeed([...new Set(read.map(String))])
}
