/** One admission for every outbound call: docs/reference/telephony.md#admission. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { CallOrder, Carrier } from "../../../src/calling/calls/index.ts"
import { queued } from "./SampleCall.ts"

const packages = join(import.meta.dirname, "../../../..")

const sources = readdirSync(packages, { recursive: true, encoding: "utf8" })
  .filter((path) => /^[^/]+\/src\/.*\.ts$/.test(path) && !path.startsWith("testing/"))
  .map((path) => ({ path, text: readFileSync(join(packages, path), "utf8") }))

const holding = (text: string) => sources.filter((source) => source.text.includes(text)).map(({ path }) => path)

describe("a carrier", () => {
  // Verifies: C-16, D-130.
  it("accepts no order without an admission: it does not compile", () => {
    const order: CallOrder = {
      callId: queued.id,
      tenantId: queued.tenantId,
      botId: null,
      to: queued.to,
      from: null,
      answer: { _tag: "Say", text: "Hello.", language: null },
      mediaToken: null,
      detectMachine: false
    }
    // @ts-expect-error: an order is no permit.
    const ungated = (carrier: Carrier["Service"]) => carrier.place(order)
    expect(ungated).toBeTypeOf("function")
  })

  // Verifies: D-127.
  it("is given permits that are made in one place, and is asked in one place", () => {
    expect(holding(" as Permit")).toEqual(["core/src/calling/calls/Carrier.ts"])
    expect(holding("permitFor(")).toEqual(["core/src/calling/calls/CallPlacer.ts"])
    expect(holding("carrier.place(")).toEqual(["core/src/calling/calls/CallPlacer.ts"])
  })

  // Verifies: C-16, D-127, D-130.
  it("is asked for calls that are admitted in one place", () => {
    expect(holding("calls.add(")).toEqual(["core/src/calling/calls/CallAdmission.ts"])
    expect(holding("admission.admit(").sort()).toEqual([
      "core/src/calling/calls/Calls.ts",
      "core/src/calling/campaigns/Dialer.ts"
    ])
    expect(holding("placer.start(").sort()).toEqual([
      "core/src/calling/calls/Calls.ts",
      "core/src/calling/campaigns/Dialer.ts"
    ])
  })
})
