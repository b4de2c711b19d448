import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  checkAddresses,
  closedNetworks,
  type Network,
  parseNetworks,
  type Reading,
  readUrl,
  UrlRefused
} from "../../../src/platform/outbound/AddressPolicy.ts"

const page = readFileSync(new URL("../../../../../docs/reference/address-policy.md", import.meta.url), "utf8")

const networks = (...texts: ReadonlyArray<string>): ReadonlyArray<Network> => Result.getOrThrow(parseNetworks(texts))

const platform: Reading = { schemes: "https", exempt: [] }
const email: Reading = { schemes: "http-or-https", exempt: [] }

/** The reason of a refusal, or what would be dialed or resolved. */
const verdict = (text: string, reading: Reading = email): string => {
  const read = readUrl(text, reading)
  return Result.isSuccess(read) ? `-> ${read.success.literal ?? read.success.host}` : read.failure.reason
}

/** The same, for what the host of an ordinary URL resolved to. */
const checked = (addresses: ReadonlyArray<string>, reading: Reading = platform, url = "https://example.com/") => {
  const passed = checkAddresses(addresses, Result.getOrThrow(readUrl(url, reading)), reading.exempt)
  return Result.isSuccess(passed) ? passed.success : passed.failure.reason
}

// An arithmetic of addresses that shares nothing with the code under test.
const hextets = (value: bigint): ReadonlyArray<string> =>
  Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
const v6 = (value: bigint): string => hextets(value).join(":")
const octets = (value: bigint): ReadonlyArray<bigint> => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n)
const v4 = (value: bigint): string => octets(value).join(".")
const mapped = (value: bigint): bigint => (0xffffn << 32n) | value

interface Block {
  readonly isV6: boolean
  readonly first: bigint
  readonly last: bigint
}

const block = (text: string): Block => {
  const [base = "", prefix = ""] = text.split("/")
  const isV6 = base.includes(":")
  const [head = "", tail = ""] = base.split("::")
  const [left, right] = [head, tail].map((part) => part.split(":").filter((one) => one !== ""))
  const parts = isV6
    ? [...left!, ...Array(8 - left!.length - right!.length).fill("0"), ...right!].map((one) => BigInt(`0x${one}`))
    : base.split(".").map(BigInt)
  const first = parts.reduce((sum, part) => (sum << (isV6 ? 16n : 8n)) | part, 0n)
  const width = isV6 ? 128n : 32n
  return { isV6, first, last: first + (1n << (width - BigInt(prefix))) - 1n }
}

const within = ({ first, last }: Block) => fc.bigInt({ min: first, max: last })
const closed = closedNetworks.map(([, text]) => block(text))
const isClosed = (isV6: boolean, value: bigint) =>
  closed.some((one) => one.isV6 === isV6 && one.first <= value && value <= one.last)
const [anyV4, anyV6] = [block("0.0.0.0/0"), block("::/0")].map(within) as [fc.Arbitrary<bigint>, fc.Arbitrary<bigint>]

describe("hostile forms of a URL", () => {
  it.each([
    // loopback, in the forms that parsers know
    ["http://127.0.0.1/", "address"],
    ["http://2130706433/", "address"],
    ["http://0x7f000001/", "address"],
    ["http://0x7f.0.0.1/", "address"],
    ["http://0x7f.1/", "address"],
    ["http://0177.0.0.1/", "address"],
    ["http://017700000001/", "address"],
    ["http://127.1/", "address"],
    ["http://127.0.1/", "address"],
    ["http://127.0.0.1./", "address"],
    ["http://127。0。0。1/", "address"],
    ["http://①②⑦.0.0.1/", "address"],
    ["http://１２７.０.０.１/", "address"],
    ["http://%31%32%37.0.0.1/", "address"],
    ["http://0/", "address"],
    ["http://0.0.0.0/", "address"],
    ["http://[::1]/", "address"],
    ["http://[0:0:0:0:0:0:0:1]/", "address"],
    ["http://[::]/", "address"],
    ["http://[::127.0.0.1]/", "address"],
    ["http://[::7f00:1]/", "address"],
    ["http://[::ffff:127.0.0.1]/", "address"],
    ["http://[::FFFF:7F00:1]/", "address"],
    ["http://[0:0:0:0:0:ffff:127.0.0.1]/", "address"],
    ["http://[::ffff:0:127.0.0.1]/", "address"],
    ["http://[64:ff9b::127.0.0.1]/", "address"],
    ["http://[64:ff9b:1::10.0.0.1]/", "address"],
    ["http://[2002:7f00:1::]/", "address"],
    ["http://[2001:0:7f00:1::]/", "address"],
    // what clouds and networks keep inside
    ["http://169.254.169.254/latest/meta-data/", "address"],
    ["http://0xa9fea9fe/", "address"],
    ["http://[::ffff:169.254.169.254]/", "address"],
    ["http://[fd00:ec2::254]/", "address"],
    ["http://168.63.129.16/", "address"],
    ["http://100.100.100.200/", "address"],
    ["http://192.0.0.192/", "address"],
    ["http://10.0.0.1:8080/", "address"],
    ["http://255.255.255.255/", "address"],
    ["http://[fe80::1]/", "address"],
    ["http://[fec0::1]/", "address"],
    ["http://[ff02::1]/", "address"],
    ["http://[5f00::1]/", "address"],
    ["http://[100:0:0:1::1]/", "address"],
    ["http://[4000::1]/", "address"],
    // names that mean the inside
    ["https://localhost/", "internal_name"],
    ["https://LOCALHOST/", "internal_name"],
    ["https://ＬＯＣＡＬＨＯＳＴ/", "internal_name"],
    ["https://lo%63alhost/", "internal_name"],
    ["https://loc\u00adalhost/", "internal_name"],
    ["https://a.localhost/", "internal_name"],
    ["https://printer.local/", "internal_name"],
    ["https://metadata.google.internal/", "internal_name"],
    ["https://internal/", "internal_name"],
    ["https://local/", "internal_name"],
    ["https://localhost./", "trailing_dot"],
    ["https://example.com./", "trailing_dot"],
    ["https://example.com。/", "trailing_dot"],
    ["https://example.com../", "trailing_dot"],
    // who the URL really points at
    ["https://hooks.slack.com@127.0.0.1/", "credentials"],
    ["https://user@example.com/", "credentials"],
    ["https://user:secret@example.com/", "credentials"],
    ["https://:secret@example.com/", "credentials"],
    ["https://example.com%23@evil.example/", "credentials"],
    ["https://example.com:443@evil.example/", "credentials"],
    ["https://example.com\\@evil.example/", "-> example.com"],
    ["https://example.com#@evil.example/", "-> example.com"],
    ["https://example.com/@127.0.0.1", "-> example.com"],
    ["https://@example.com/", "-> example.com"],
    ["https:\\\\127.0.0.1\\", "address"],
    ["https:127.0.0.1", "address"],
    ["https:////127.0.0.1/", "address"],
    ["ht\ntps://127.0\t.0.1/", "address"],
    ["  https://127.0.0.1/  ", "address"],
    ["https://exam\r\nple.com/", "-> example.com"],
    // ports
    ["https://example.com:0/", "port"],
    ["https://example.com:00/", "port"],
    ["https://example.com:65536/", "unreadable"],
    ["https://example.com:-1/", "unreadable"],
    ["https://example.com:8443/", "-> example.com"],
    ["https://example.com:/", "-> example.com"],
    // other schemes
    ["ftp://example.com/", "not_http"],
    ["file:///etc/passwd", "not_http"],
    ["gopher://example.com/", "not_http"],
    ["blob:https://example.com/1", "not_http"],
    ["javascript:fetch('https://example.com')", "not_http"],
    ["data:text/plain,https://example.com", "not_http"],
    ["example.com:443/", "not_http"],
    // no URL, no host, no name
    ["", "unreadable"],
    ["example.com", "unreadable"],
    ["//example.com/", "unreadable"],
    ["https://", "unreadable"],
    ["https://[fe80::1%25eth0]/", "unreadable"],
    ["https://[fe80::1%eth0]/", "unreadable"],
    ["https://[::1/", "unreadable"],
    ["https://::1/", "unreadable"],
    ["https://256.1.1.1/", "unreadable"],
    ["https://4294967296/", "unreadable"],
    ["https://1.2.3.4.5/", "unreadable"],
    ["https://a.08/", "unreadable"],
    ["https://exam ple.com/", "unreadable"],
    ["https://example.com%00.evil.example/", "unreadable"],
    ["https://a..example.com/", "host"],
    ["https://.example.com/", "host"],
    ["https://*.example.com/", "host"],
    ["https://exa'mple;.com/", "host"],
    [`https://${"a".repeat(64)}.example.com/`, "host"],
    [`https://${"a.".repeat(127)}com/`, "host"],
    // public
    ["https://example.com/hooks?a=1", "-> example.com"],
    ["http://example.com/", "-> example.com"],
    ["https://EXAMPLE.com/", "-> example.com"],
    ["https://bücher.example/", "-> xn--bcher-kva.example"],
    ["https://my_host.example.com/", "-> my_host.example.com"],
    ["https://localhost.example.com/", "-> localhost.example.com"],
    ["https://notlocalhost/", "-> notlocalhost"],
    ["https://receiver/", "-> receiver"],
    [`https://${"a".repeat(63)}.example.com/`, `-> ${"a".repeat(63)}.example.com`],
    ["https://8.8.8.8/", "-> 8.8.8.8"],
    ["https://134744072/", "-> 8.8.8.8"],
    ["https://[::ffff:8.8.8.8]/", "-> 8.8.8.8"],
    ["https://[2606:4700:4700:0:0:0:0:1111]/", "-> 2606:4700:4700::1111"]
  ])("%j: %s", (text, expected) => {
    expect(verdict(text)).toBe(expected)
  })

  it("keep their host as it is called, beside the address that is dialed", () => {
    const target = Result.getOrThrow(readUrl("https://[::ffff:8.8.8.8]:8443/x", platform))
    expect(target.url.href).toBe("https://[::ffff:808:808]:8443/x")
    expect({ host: target.host, literal: target.literal }).toEqual({ host: "8.8.8.8", literal: "8.8.8.8" })
  })

  // Verifies: W-114.
  it("on the platform's surface must be https", () => {
    expect(verdict("http://example.com/", platform)).toBe("not_https")
    expect(verdict("http://8.8.8.8/", platform)).toBe("not_https")
    expect(verdict("ftp://example.com/", platform)).toBe("not_https")
    expect(verdict("https://example.com/", platform)).toBe("-> example.com")
  })
})

describe("networks that are closed", () => {
  it.each(closedNetworks)("%s %s: every address of it, as a host and as an answer", (_, text) => {
    const { isV6, first, last } = block(text)
    const print = isV6 ? v6 : v4
    const url = (value: bigint) => `https://${isV6 ? `[${v6(value)}]` : v4(value)}/`
    fc.assert(
      fc.property(within({ isV6, first, last }), (value) => {
        // In ::/3 there are the mapped forms of public addresses, which are checked as those.
        fc.pre(!(isV6 && value >> 32n === 0xffffn))
        expect([verdict(url(value)), checked([print(value)])]).toEqual(["address", "address"])
      }),
      { examples: [[first], [last]] }
    )
  })

  it.each(closedNetworks.filter(([, text]) => !text.includes(":")))("%s %s: in mapped form too", (_, text) => {
    fc.assert(
      fc.property(within(block(text)), (value) => {
        expect([verdict(`https://[${v6(mapped(value))}]/`), checked([v6(mapped(value))])]).toEqual([
          "address",
          "address"
        ])
        expect(checked([`::ffff:${v4(value)}`])).toBe("address")
      })
    )
  })

  it("end where they say: the neighbours are public unless they are in another", () => {
    const neighbours = closed.flatMap(({ isV6, first, last }) =>
      [first - 1n, last + 1n]
        .filter((value) => value >= 0n && value < 1n << (isV6 ? 128n : 32n) && !isClosed(isV6, value))
        .map((value) => (isV6 ? v6(value) : v4(value)))
    )
    expect(neighbours.length).toBeGreaterThan(30)
    expect(neighbours.filter((text) => checked([text]) === "address")).toEqual([])
  })

  // Verifies: E-16, W-113.
  it("are all that is closed", () => {
    fc.assert(
      fc.property(anyV4, (value) => {
        expect(checked([v4(value)])).toEqual(isClosed(false, value) ? "address" : [v4(value)])
      })
    )
    fc.assert(
      fc.property(within(block("2000::/3")), (value) => {
        expect(checked([v6(value)]) === "address").toBe(isClosed(true, value))
      })
    )
  })

  // Verifies: E-16, W-113.
  it("contain every address that the registries name", () => {
    const registered = [
      ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
      ...["192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"],
      ...["192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
      ...["168.63.129.16/32", "::/128", "::1/128", "::/96", "::ffff:0:0:0/96", "::/32", "64:ff9b::/96"],
      ...["64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001::/32", "2001:2::/48", "2001:10::/28"],
      ...["2001:20::/28", "2001:30::/28", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16"],
      ...["fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"]
    ].map(block)
    expect(registered.filter(({ isV6, first, last }) => !isClosed(isV6, first) || !isClosed(isV6, last))).toEqual([])
  })

  // Verifies: E-16.
  it("are all in the documentation", () => {
    expect(closedNetworks.filter(([, text]) => !page.includes(`\`${text}\``))).toEqual([])
  })
})

describe("the verdict on an address", () => {
  const dotted = (value: bigint) => `${hextets(value).slice(0, 6).join(":")}:${v4(value & 0xffffffffn)}`
  const compressed = (value: bigint) => new URL(`http://[${v6(value)}]`).hostname.slice(1, -1)

  it("is the same in every text form", () => {
    const nearV4 = fc.oneof(anyV4, fc.constantFrom(...closed.filter(({ isV6 }) => !isV6)).chain(within))
    fc.assert(
      fc.property(nearV4, (value) => {
        const [a, b, c, d] = octets(value) as [bigint, bigint, bigint, bigint]
        const hosts = [
          v4(value),
          `${value}`,
          `0x${value.toString(16)}`,
          `0${value.toString(8)}`,
          `${a}.${b}.${(c << 8n) | d}`,
          `${a}.${(b << 16n) | (c << 8n) | d}`,
          `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
          `[${v6(mapped(value))}]`,
          `[::ffff:${v4(value)}]`
        ]
        expect(new Set(hosts.map((host) => verdict(`https://${host}/`))).size).toBe(1)
      })
    )
    const nearV6 = fc.oneof(anyV6, fc.constantFrom(...closed.filter(({ isV6 }) => isV6)).chain(within))
    const small = fc.bigInt({ min: 0n, max: (1n << 50n) - 1n })
    fc.assert(
      fc.property(fc.oneof(nearV6, small), (value) => {
        const forms = [v6(value), v6(value).toUpperCase(), dotted(value), compressed(value)]
        expect(new Set(forms.map((text) => verdict(`https://[${text}]/`))).size).toBe(1)
        expect(new Set(forms.map((text) => JSON.stringify(checked([text])))).size).toBe(1)
      }),
      { examples: [[0x7f000001n], [0x08080808n], [0xffff_0808_0808n]] }
    )
  })

  // Verifies: E-18.
  it("on several is that on the worst, wherever it stands", () => {
    const open = fc.constantFrom("8.8.8.8", "1.1.1.1", "2606:4700:4700::1111")
    const shut = fc.constantFrom("127.0.0.1", "::1", "::ffff:10.0.0.1", "fe80::1%eth0", "no address", "")
    fc.assert(
      fc.property(fc.array(open), shut, fc.array(open), (before, one, after) => {
        expect(checked([...before, one, ...after])).toBe("address")
      })
    )
  })

  it("passes each public address on once, in order, canonical, unwrapped", () => {
    expect(checked(["2606:4700::0:1", "8.8.8.8", "::ffff:8.8.8.8", "2606:4700:0:0::1"])).toEqual([
      "2606:4700::1",
      "8.8.8.8"
    ])
  })

  it("is a refusal of an IPv4 address that only looks mapped", () => {
    expect(checked(["::8.8.8.8"])).toBe("address")
    expect(verdict("https://[::8.8.8.8]/")).toBe("address")
  })

  it("is a refusal where there is none", () => {
    expect(checked([])).toBe("address")
  })

  it.each(["0x7f.1", "127.1", "2130706433", "010.0.0.1", "8.8.8.8.", "8.8.8.8:80", "8.8.8.8/", "a", "[::1]"])(
    "is a refusal of %j, which no resolver writes",
    (text) => {
      expect(checked([text])).toBe("address")
    }
  )
})

describe("a network that is exempt", () => {
  const exempt = networks("10.0.0.0/8", "fd00::/8", "127.0.0.0/8", "::1/128")
  const onPlatform: Reading = { schemes: "https", exempt }

  it("lifts the check of the addresses in it, mapped forms included", () => {
    expect(verdict("https://10.1.2.3/", onPlatform)).toBe("-> 10.1.2.3")
    expect(verdict("https://[::ffff:10.1.2.3]/", onPlatform)).toBe("-> 10.1.2.3")
    expect(verdict("https://[fd00:ec2::254]/", onPlatform)).toBe("-> fd00:ec2::254")
    expect(checked(["10.0.0.1", "fd12::1", "8.8.8.8"], onPlatform)).toEqual(["10.0.0.1", "fd12::1", "8.8.8.8"])
  })

  it("lifts no check of its neighbours", () => {
    expect(verdict("https://11.0.0.0/", onPlatform)).toBe("-> 11.0.0.0")
    expect(verdict("https://192.168.0.1/", onPlatform)).toBe("address")
    expect(verdict("https://[fc00::1]/", onPlatform)).toBe("address")
    expect(verdict("https://[::2]/", onPlatform)).toBe("address")
    expect(checked(["10.0.0.1", "192.168.0.1"], onPlatform)).toBe("address")
  })

  it.each(["localhost", "a.localhost", "receiver.local", "hooks.default.svc.cluster.local", "a.internal"])(
    "makes the internal name %s callable where every address of it is in the network, and nowhere else",
    (host) => {
      for (const reading of [onPlatform, { ...email, exempt }]) {
        for (const url of [`https://${host}/`, `http://${host}:9999/`]) {
          expect(verdict(url, reading)).toBe(`-> ${host}`)
          expect(checked(["127.0.0.1", "::1"], reading, url)).toEqual(["127.0.0.1", "::1"])
          expect(checked(["10.0.0.1", "8.8.8.8"], reading, url), "a public address beside it").toBe("internal_name")
          expect(checked(["8.8.8.8"], reading, url), "a public address").toBe("internal_name")
          expect(checked(["192.168.0.1"], reading, url), "a private address of another network").toBe("internal_name")
          expect(checked([], reading, url), "no address").toBe("address")
          expect(checked(["10.0.0.1", "nonsense"], reading, url)).toBe("address")
        }
      }
      expect(verdict(`https://${host}./`, onPlatform)).toBe("trailing_dot")
    }
  )

  // Verifies: E-20.
  it("lifts nothing but the check of addresses", () => {
    expect(verdict("https://user@10.0.0.1/", onPlatform)).toBe("credentials")
    expect(verdict("https://10.0.0.1:0/", onPlatform)).toBe("port")
    expect(verdict("https://example.com./", onPlatform)).toBe("trailing_dot")
    expect(verdict("ftp://10.0.0.1/", onPlatform)).toBe("not_https")
  })

  // Verifies: E-21.
  it("is where plain http is accepted on the platform's surface, and only if every address is in it", () => {
    expect(verdict("http://10.0.0.1:8080/", onPlatform)).toBe("-> 10.0.0.1")
    expect(verdict("http://8.8.8.8/", onPlatform)).toBe("not_https")
    expect(verdict("http://192.168.0.1/", onPlatform)).toBe("not_https")
    expect(verdict("http://receiver/", onPlatform)).toBe("-> receiver")
    expect(checked(["10.0.0.1", "fd00::1"], onPlatform, "http://receiver/")).toEqual(["10.0.0.1", "fd00::1"])
    expect(checked(["10.0.0.1", "8.8.8.8"], onPlatform, "http://receiver/")).toBe("not_https")
    expect(checked(["192.168.0.1"], onPlatform, "http://receiver/")).toBe("not_https")
    expect(checked([], onPlatform, "http://receiver/")).toBe("address")
    expect(checked(["10.0.0.1", "nonsense"], onPlatform, "http://receiver/")).toBe("address")
  })

  it("requires nothing more of the surface that accepts http anyway", () => {
    expect(checked(["10.0.0.1", "8.8.8.8"], { schemes: "http-or-https", exempt }, "http://receiver/")).toEqual([
      "10.0.0.1",
      "8.8.8.8"
    ])
  })

  it("contains exactly its own addresses, whatever block it is", () => {
    const ofV4 = fc.tuple(anyV4, fc.integer({ min: 0, max: 32 })).map(([value, prefix]) => {
      const host = (1n << BigInt(32 - prefix)) - 1n
      return { text: `${v4(value & ~host)}/${prefix}`, first: value & ~host, last: value | host }
    })
    fc.assert(
      fc.property(ofV4, anyV4, ({ text, first, last }, other) => {
        const reading: Reading = { schemes: "https", exempt: networks(text) }
        const accepts = (value: bigint) => checked([v4(value)], reading, "http://receiver/") !== "not_https"
        expect([first, last].map(accepts)).toEqual([true, true])
        expect(accepts(other)).toBe(first <= other && other <= last)
      })
    )
  })
})

describe("the list of exempt networks", () => {
  it("is kept in canonical form, a mapped block as the IPv4 block that it means", () => {
    const texts = ["10.0.0.0/8", "FD00:0::/8", "::ffff:10.0.0.0/104", "::ffff:a00:1/128", "0.0.0.0/0", "::/0"]
    expect(networks(...texts).map(({ text }) => text)).toEqual([
      ...["10.0.0.0/8", "fd00::/8", "10.0.0.0/8", "10.0.0.1/32", "0.0.0.0/0", "::/0"]
    ])
  })

  it("of all IPv6 addresses contains no IPv4 address", () => {
    expect(checked(["::ffff:10.0.0.1"], { schemes: "https", exempt: networks("::/0") })).toBe("address")
  })

  it.each([
    ["10.0.0.1", /must be a network/],
    ["10.0.0.0/", /must be a network/],
    ["10.0.0.0/8/8", /must be a network/],
    ["10/8", /must be a network/],
    ["0x0a.0.0.0/8", /must be a network/],
    ["example.com/8", /must be a network/],
    ["fe80::%eth0/10", /must be a network/],
    ["[fd00::]/8", /must be a network/],
    [" 10.0.0.0/8", /must be a network/],
    ["", /must be a network/],
    ["10.0.0.0/33", /at most 32/],
    ["fd00::/129", /at most 128/],
    ["::ffff:10.0.0.0/95", /at most 32/],
    ["10.1.2.3/8", /first address: 10\.0\.0\.0\/8/],
    ["fd00::1/8", /first address: fd00::\/8/]
  ])("refuses %j", (text, message) => {
    const read = parseNetworks(["10.0.0.0/8", text])
    expect(Result.isFailure(read) ? read.failure : []).toEqual([
      { index: 1, text, message: expect.stringMatching(message) }
    ])
  })

  it("reports every fault at once", () => {
    const read = parseNetworks(["a", "10.0.0.0/8", "b"])
    expect(Result.isFailure(read) ? read.failure.map(({ index }) => index) : []).toEqual([0, 2])
  })
})

describe("a refusal", () => {
  const refusal = (text: string): UrlRefused => Result.getOrThrow(Result.flip(readUrl(text, platform)))

  it("says what to do", () => {
    for (const text of [
      "",
      "http://a/",
      "https://u@a/",
      "https://a:0/",
      "https://a./",
      "https://a..b/",
      "https://10.0.0.1/"
    ])
      expect(refusal(text).message).toMatch(/: (give|serve|leave|check) /)
    expect(new UrlRefused({ reason: "internal_name" }).message).toContain(".internal")
  })

  it("is in the documentation, word for word", () => {
    const reasons = UrlRefused.fields.reason.literals
    const rows = reasons.map((reason) => `| \`${reason}\` | ${new UrlRefused({ reason }).message} |`)
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
  })

  it("is the same for whatever a name resolved to, so that nobody can map the network by asking", () => {
    const target = Result.getOrThrow(readUrl("https://example.com/", platform))
    const reasons = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "fd00::1"].map((address) => {
      const refused = Result.getOrThrow(Result.flip(checkAddresses([address], target, [])))
      return JSON.stringify([refused.message, refused])
    })
    expect(new Set(reasons).size).toBe(1)
    expect(reasons[0]).not.toMatch(/\d{1,3}\.\d|::/)
  })
})
