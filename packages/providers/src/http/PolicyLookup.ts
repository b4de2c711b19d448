/** Lets a client connect to those addresses alone that the address policy has passed. */
import { lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { AddressPolicy } from "@trunkline/core/provider"
import * as Result from "effect/Result"
import { AddressRefused } from "./ConnectionFault.ts"

/** Looks a name up, and fails with `AddressRefused` unless all of its addresses may be called. */
export const policyLookup =
  (
    targetOf: (hostname: string) => Result.Result<AddressPolicy.Target, AddressPolicy.UrlRefused>,
    exempt: ReadonlyArray<AddressPolicy.Network>,
    look: typeof lookup = lookup
  ): LookupFunction =>
  (hostname, options, done) =>
    look(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, [])
      const [first] = found
      const passed = Result.flatMap(targetOf(hostname), (target) =>
        AddressPolicy.checkAddresses(
          found.map(({ address }) => address),
          target,
          exempt
        )
      )
      if (first === undefined || Result.isFailure(passed)) return done(new AddressRefused(), [])
      if (options.all) done(null, found)
      else done(null, first.address, first.family)
    })
