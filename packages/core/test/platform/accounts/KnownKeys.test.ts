/** How many keys a process remembers: docs/reference/access.md#memory. */
import { type Account, Ids } from "@trunkline/core/effect"
import { expect, it } from "vitest"
import { KnownKeys } from "../../../src/platform/accounts/KnownKeys.ts"
import { key } from "./Principals.ts"

it("ten thousand keys are remembered at most: with one more they are all forgotten but for that one", () => {
  const known = new KnownKeys()
  const remember = (n: number) =>
    known.add(`${n}`, { key: { ...key, id: Ids.as<"Key">(`${n}`), hash: `${n}` }, account: {} as Account, version: n })
  for (let n = 0; n < 10_000; n++) remember(n)
  expect(known.find("0")?.version).toBe(0)
  remember(10_000)
  expect([known.find("0"), known.find("9999"), known.find("10000")?.version]).toEqual([null, null, 10_000])
})
