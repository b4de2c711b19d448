/** Random days of the dialer: what may happen on one, as data. */

import { Instant } from "@trunkline/core/effect"
import type { CampaignStatus } from "@trunkline/core/testing"
import * as fc from "fast-check"
import type { OnPlace } from "../FakeCarrier.ts"
import type { When } from "../FaultyProcess.ts"

export const phones = [
  "+91 98765 43210",
  "098765 43211",
  "+1 (212) 555-0123",
  "0044 20 7946 0958",
  "+49 30 901820",
  "9876543215"
]

export const paceSeconds = 5

export type Command =
  /** Time passes and nobody works. */
  | { readonly _tag: "Pass"; readonly seconds: number }
  /** Time passes with the workers at work. */
  | { readonly _tag: "Work"; readonly seconds: number }
  | { readonly _tag: "Tick" }
  | {
      readonly _tag: "Network"
      readonly pick: number
      readonly does: "ring" | "answer" | "machine" | "busy" | "no_answer" | "failed" | "hangup"
    }
  /** Everybody whom the carrier calls answers at one instant, and all that is pending is heard. */
  | { readonly _tag: "Crowd" }
  /** Every phone rings, and those reports are lost; then one person answers and hangs up, and those reports arrive. */
  | { readonly _tag: "Race"; readonly pick: number }
  | { readonly _tag: "Deliver"; readonly pick: number; readonly again: boolean }
  /** A report is lost. */
  | { readonly _tag: "Lose"; readonly pick: number }
  /** The carrier answers no request; it does what it is asked for all the same, or does not hear of it. */
  | { readonly _tag: "CarrierOutage"; readonly seconds: number; readonly acts: boolean }
  | { readonly _tag: "StorageOutage"; readonly seconds: number }
  /** Another account calls one of the numbers. */
  | { readonly _tag: "Stranger"; readonly pick: number }
  | { readonly _tag: "List"; readonly pick: number }
  | { readonly _tag: "Move"; readonly to: CampaignStatus }
  | {
      readonly _tag: "Settings"
      readonly mode: "power" | "parallel" | "preview"
      readonly lines: number
      readonly attempts: number
      readonly amd: boolean
      readonly perDay: number | null
    }
  | { readonly _tag: "Approve"; readonly pick: number }
  | { readonly _tag: "Plan"; readonly to: "free" | "enterprise" }
  /** After this number of steps, the process dies or stands still. */
  | {
      readonly _tag: "Fault"
      readonly kind: "dies" | "stands still"
      readonly steps: number
      readonly when: When
    }
  /** A process that stands still goes on. */
  | { readonly _tag: "GoOn" }

const nat = fc.nat({ max: 1000 })

const callsPerDay = fc.constantFrom(null, null, 1, 3)

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Pass" as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 60, max: 40_000 }))
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({ _tag: fc.constant("Work" as const), seconds: fc.integer({ min: 5, max: 150 }) })
  },
  { weight: 8, arbitrary: fc.record({ _tag: fc.constant("Tick" as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Network" as const),
      pick: nat,
      does: fc.constantFrom(
        "ring" as const,
        "answer" as const,
        "machine" as const,
        "busy" as const,
        "no_answer" as const,
        "failed" as const,
        "hangup" as const
      )
    })
  },
  { weight: 9, arbitrary: fc.record({ _tag: fc.constant("Deliver" as const), pick: nat, again: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Lose" as const), pick: nat }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("CarrierOutage" as const),
      seconds: fc.integer({ min: 5, max: 240 }),
      acts: fc.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("StorageOutage" as const), seconds: fc.integer({ min: 5, max: 240 }) })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Stranger" as const), pick: nat }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Crowd" as const) }) },
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Race" as const), pick: nat }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("List" as const), pick: nat }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Move" as const),
      to: fc.constantFrom("paused" as const, "running" as const)
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Settings" as const),
      mode: fc.constantFrom("power" as const, "parallel" as const, "parallel" as const, "preview" as const),
      lines: fc.integer({ min: 1, max: 5 }),
      attempts: fc.integer({ min: 1, max: 5 }),
      amd: fc.boolean(),
      perDay: callsPerDay
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Approve" as const), pick: nat }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Plan" as const),
      to: fc.constantFrom("free" as const, "enterprise" as const)
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Fault" as const),
      kind: fc.constantFrom("dies" as const, "stands still" as const),
      steps: fc.integer({ min: 1, max: 8 }),
      when: fc.constantFrom("before" as const, "after" as const)
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("GoOn" as const) }) }
)

export const day = fc.record({
  commands: fc.array(command, { minLength: 10, maxLength: 90, size: "medium" }),
  orders: fc.array(
    fc.constantFrom<OnPlace>(
      "accept",
      "accept",
      "accept",
      "accept",
      "lose_answer",
      "lose_order",
      "throttled",
      "rejected",
      "invalid_number"
    ),
    { minLength: 1, maxLength: 20 }
  ),
  mode: fc.constantFrom("power" as const, "parallel" as const),
  lines: fc.integer({ min: 1, max: 5 }),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  perDay: callsPerDay,
  /** How the carrier finds a call whose id we do not know, whether it always answers, and what proves that there is none. */
  findsBy: fc.constantFrom("call id" as const, "number" as const),
  isReliable: fc.boolean(),
  proof: fc.constantFrom({ lookUps: 1, overMs: 0 }, { lookUps: 3, overMs: 2 * Instant.minute }),
  /** What the account has when the day begins. */
  credits: fc.constantFrom(0n, 4n, 1000n, 1000n, 1000n),
  plan: fc.constantFrom("free" as const, "free" as const, "enterprise" as const)
})

export type Day = typeof day extends fc.Arbitrary<infer A> ? A : never
