/** Random days of the chat channel: what may happen on one, as data. */
import * as fc from "fast-check"
import type { Fault } from "../FaultyProcess.ts"
import type { Edge } from "./ReplyWorld.ts"

/** How long a message group is waited for. */
export const quietMs = 1500
export const maxWaitMs = 12_000

/**
 * Those from the third on are met under either name or both: only later does it turn out that who has both is one. The last one has two
 * forms of a phone, of which the platform names the second.
 */
export const people = [
  { phone: "491700000000", other: null },
  { phone: "491700000001", other: "US.1" },
  { phone: "491700000002", other: "US.2" },
  { phone: "491700000003", other: "US.3" },
  { phone: "5531988880101", other: "553188880101" }
] as const
/** The person with two forms of a phone. */
export const twoForms = 4
export const isOneName = (who: number): boolean => who < 2

export type Mood = "answers" | "answers at length" | "is slow" | "is very slow" | "fails" | "says nothing" | "hangs"
export type SendOutcome =
  | "accepts"
  | "throttles"
  | "refuses"
  | "is unreachable"
  | "is silent"
  | "accepts and is silent"
  | "is slow"
const reports = ["sent", "delivered", "read", "failed"] as const
export type Report = (typeof reports)[number]

export type Command =
  | {
      readonly _tag: "Write"
      readonly messages: ReadonlyArray<CustomerMessage>
      readonly pick: number
      readonly times: number
    }
  | { readonly _tag: "Redeliver"; readonly pick: number; readonly of: number }
  | { readonly _tag: "Pass"; readonly ms: number }
  | { readonly _tag: "Tick"; readonly pick: number }
  | { readonly _tag: "ModelMood"; readonly mood: Mood }
  | { readonly _tag: "SendOutcomes"; readonly outcome: SendOutcome; readonly times: number }
  | { readonly _tag: "SwitchNumber"; readonly isOn: boolean }
  | { readonly _tag: "TakeOver"; readonly who: number; readonly isOver: boolean }
  /** What the number's own app sends. */
  | { readonly _tag: "OperatorMessage"; readonly who: number; readonly pick: number; readonly kind: OperatorKind }
  /** A message is edited by who wrote it, or deleted: one of those whose delivery was tried. */
  | { readonly _tag: "Change"; readonly of: number; readonly isDeletion: boolean; readonly pick: number }
  | {
      readonly _tag: "Report"
      readonly of: number
      readonly report: Report
      readonly isNamed: boolean
      readonly pick: number
    }
  | { readonly _tag: "CutStorage"; readonly pick: number; readonly isCut: boolean }
  | { readonly _tag: "StopStorage"; readonly isDown: boolean }
  /** The answers of the next commits are lost, although the commits are made. */
  | { readonly _tag: "LoseCommits"; readonly pick: number; readonly commits: number }
  | ({ readonly _tag: "Stall"; readonly pick: number } & Fault<Edge>)
  | { readonly _tag: "Resume"; readonly pick: number }
  | { readonly _tag: "LoseClaim"; readonly message: CustomerMessage }
  /** A process stands still over an answer for longer than its claim, while others work. */
  | ({ readonly _tag: "StallPastClaim"; readonly message: CustomerMessage; readonly atLength: boolean } & Fault<Edge>)
  | {
      readonly _tag: "ReportEarly"
      readonly message: CustomerMessage
      readonly report: Report
      readonly isNamed: boolean
    }
  | { readonly _tag: "TakeOverDuringRun"; readonly message: CustomerMessage; readonly ms: number }
  | {
      readonly _tag: "MergeCustomer"
      readonly who: number
      readonly waits: ReadonlyArray<number>
      readonly isRefFirst: boolean
    }
  | ({ readonly _tag: "Crash"; readonly pick: number } & Fault<Edge>)

/** A message of one person, under one of the names. */
export interface CustomerMessage {
  readonly who: number
  readonly name: "phone" | "other" | "both"
}

/** Of these the first alone answers who waits. */
export type OperatorKind = "text" | "older text" | "reaction" | "deletion"

const nat = fc.nat({ max: 1000 })
const tagged = <T extends string>(tag: T) => fc.constant(tag)
const weighed = <A>(...given: ReadonlyArray<readonly [number, A]>): fc.Arbitrary<A> =>
  fc.oneof(...given.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))

const who = fc.nat({ max: people.length - 1 })
const message: fc.Arbitrary<CustomerMessage> = fc.record({
  who,
  name: weighed([4, "phone"], [4, "other"], [1, "both"])
})

const fault = {
  steps: fc.integer({ min: 1, max: 7 }),
  when: fc.constantFrom("before" as const, "after" as const),
  at: fc.constantFrom("storage" as const, "platform" as const, "model" as const, null)
}

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      _tag: tagged("Write"),
      messages: fc.array(message, { minLength: 1, maxLength: 3 }),
      pick: nat,
      times: weighed([4, 1], [1, 3])
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: tagged("Redeliver"), pick: nat, of: nat }) },
  {
    weight: 10,
    arbitrary: fc.record({
      _tag: tagged("Pass"),
      ms: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 1, max: 2500 }) },
        { weight: 3, arbitrary: fc.integer({ min: 2500, max: 15_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 15_000, max: 200_000 }) }
      )
    })
  },
  { weight: 4, arbitrary: fc.record({ _tag: tagged("Tick"), pick: nat }) },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: tagged("ModelMood"),
      mood: weighed<Mood>(
        [3, "answers"],
        [6, "answers at length"],
        [4, "is slow"],
        [2, "is very slow"],
        [2, "fails"],
        [1, "says nothing"],
        [1, "hangs"]
      )
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: tagged("SendOutcomes"),
      outcome: weighed<SendOutcome>(
        [1, "accepts"],
        [3, "throttles"],
        [4, "refuses"],
        [2, "is unreachable"],
        [1, "is silent"],
        [2, "accepts and is silent"],
        [5, "is slow"]
      ),
      times: fc.integer({ min: 1, max: 3 })
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("SwitchNumber"), isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("TakeOver"), who, isOver: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: tagged("OperatorMessage"),
      who,
      pick: nat,
      kind: weighed<OperatorKind>([2, "text"], [1, "older text"], [1, "reaction"], [1, "deletion"])
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({ _tag: tagged("Change"), of: nat, isDeletion: weighed([2, false], [1, true]), pick: nat })
  },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: tagged("Report"),
      of: nat,
      report: fc.constantFrom(...reports),
      isNamed: fc.boolean(),
      pick: nat
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("CutStorage"), pick: nat, isCut: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("StopStorage"), isDown: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: tagged("LoseCommits"), pick: nat, commits: fc.integer({ min: 1, max: 3 }) })
  },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Stall"), pick: nat, ...fault }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Resume"), pick: nat }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("LoseClaim"), message }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: tagged("StallPastClaim"),
      message,
      atLength: fc.boolean(),
      ...fault,
      steps: fc.integer({ min: 1, max: 14 })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: tagged("ReportEarly"),
      message,
      report: fc.constantFrom(...reports),
      isNamed: fc.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: tagged("TakeOverDuringRun"), message, ms: fc.integer({ min: 1500, max: 6000 }) })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: tagged("MergeCustomer"),
      who: fc.constantFrom(2, 3, twoForms),
      waits: fc.tuple(fc.nat({ max: 2500 }), fc.nat({ max: 5000 })),
      isRefFirst: fc.boolean()
    })
  },
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: tagged("Crash"),
      pick: nat,
      ...fault
    })
  }
)

export const day = fc.record({
  commands: fc.array(command, { minLength: 15, maxLength: 45, size: "max" }),
  processes: fc.integer({ min: 1, max: 2 })
})
export type Day = typeof day extends fc.Arbitrary<infer A> ? A : never
