import { describe, expect, it } from "vitest"
import { addressLimit, clientOf } from "../../../../src/platform/http/engine/AddressLimit.ts"
import { Instant } from "../../../../src/platform/kernel/index.ts"

describe("the client of an address", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:cb00:7107", "203.0.113.7"],
    ["64:ff9b::cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["unknown", "unknown"],
    ["not:an:address", "not:an:address"]
  ])("%s is %s", (address, client) => {
    expect(clientOf(address)).toBe(client)
  })

  it("is never longer than an address, whatever a host hands over", () => {
    for (const sign of ["1", ":", "x", "."]) expect(clientOf(sign.repeat(10_000)).length).toBeLessThanOrEqual(64)
  })
})

describe("the limit of a client", () => {
  const at = Instant.make(0)

  it("counts all addresses of one /64 together, and others apart", () => {
    const limit = addressLimit(2)
    expect(limit.acquire("2001:db8:1:2::1", at)).toBeNull()
    expect(limit.acquire("2001:db8:1:2:ffff::1", at)).toBeNull()
    expect(limit.acquire("2001:db8:1:2::3", at)).toBe(60)
    expect(limit.acquire("2001:db8:1:3::1", at)).toBeNull()
  })

  it("of a new address holds while a whole /48 asks", () => {
    const limit = addressLimit(2)
    for (let n = 0; n < 100_000; n++) limit.acquire(`2001:db8:1:${(n % 65_536).toString(16)}::1`, at)
    // Another network has the same shared count in one case of 256.
    const refused = Array.from({ length: 20 }, (_, n) => limit.acquire(`198.51.${n}.1`, at)).filter(
      (wait) => wait !== null
    )
    expect(refused.length).toBeLessThan(5)
  })
})
