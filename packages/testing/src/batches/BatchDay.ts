/** Random days of batches: what may happen on one, as data. */
import * as fc from "fast-check"
import type { Fault } from "../FaultyProcess.ts"
import { type BatchEndpointName, bodies, type Plan, type Play } from "./BatchUpstream.ts"
import type { Edge } from "./BatchWorld.ts"

export type Command =
  | {
      readonly _tag: "Create"
      readonly lines: ReadonlyArray<Plan>
      readonly endpoint: BatchEndpointName
      /** One of its lines is no JSON. */
      readonly isFaulty: boolean
      readonly pick: number
    }
  | { readonly _tag: "Cancel"; readonly of: number; readonly pick: number }
  | { readonly _tag: "Direct" }
  | { readonly _tag: "Pass"; readonly ms: number }
  | ({ readonly _tag: "Die"; readonly pick: number } & Fault<Edge>)
  | ({ readonly _tag: "Stall"; readonly pick: number } & Fault<Edge>)
  | { readonly _tag: "GoOn"; readonly pick: number }
  /** A process stands still for longer than its claim, while the others work, and then goes on. */
  | ({ readonly _tag: "Overtake"; readonly pick: number } & Fault<Edge>)
  /** A process stands still between two of its steps, and meanwhile a batch is made or cancelled. */
  | ({
      readonly _tag: "Meanwhile"
      readonly pick: number
      readonly ms: number
      readonly cancels: boolean
    } & Fault<Edge>)
  /** A process stops in good order, and another takes its place. */
  | { readonly _tag: "Stop"; readonly pick: number }
  | { readonly _tag: "Down"; readonly isDown: boolean }
  | { readonly _tag: "Cut"; readonly pick: number; readonly isCut: boolean }
  /** The answers of the next commits are lost, although the commits are made. */
  | { readonly _tag: "Lose"; readonly pick: number; readonly commits: number }

const nat = fc.nat({ max: 1000 })
const tagged = <T extends string>(tag: T) => fc.constant(tag)

const plays: fc.Arbitrary<ReadonlyArray<Play>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<ReadonlyArray<Play>>(["answers"]) },
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom<Play>("answers", "fails", "is full", "refuses"), {
      minLength: 1,
      maxLength: 3
    })
  }
)

const line: fc.Arbitrary<Plan> = fc.record({ plays, lasts: fc.constantFrom(0, 50, 400, 400, 3000, 12_000) })

const fault = {
  steps: fc.integer({ min: 1, max: 25 }),
  when: fc.constantFrom("before" as const, "after" as const),
  at: fc.constantFrom("storage" as const, "upstream" as const, null)
}

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: tagged("Create"),
      lines: fc.array(line, { minLength: 1, maxLength: 7, size: "max" }),
      endpoint: fc.constantFrom(...(Object.keys(bodies) as ReadonlyArray<BatchEndpointName>)),
      isFaulty: fc.nat({ max: 9 }).map((n) => n === 0),
      pick: nat
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: tagged("Cancel"), of: nat, pick: nat }) },
  { weight: 3, arbitrary: fc.record({ _tag: tagged("Direct") }) },
  {
    weight: 10,
    arbitrary: fc.record({
      _tag: tagged("Pass"),
      ms: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 100, max: 3000 }) },
        { weight: 2, arbitrary: fc.integer({ min: 3000, max: 12_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 12_000, max: 45_000 }) }
      )
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: tagged("Die"), pick: nat, ...fault }) },
  { weight: 3, arbitrary: fc.record({ _tag: tagged("Stall"), pick: nat, ...fault }) },
  { weight: 3, arbitrary: fc.record({ _tag: tagged("GoOn"), pick: nat }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Overtake"), pick: nat, ...fault }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ _tag: tagged("Meanwhile"), pick: nat, ms: fc.integer({ min: 500, max: 6000 }), cancels: fc.boolean() },
      ...{ steps: fault.steps, when: fault.when, at: fc.constant("storage" as const) }
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("Stop"), pick: nat }) },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("Down"), isDown: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Cut"), pick: nat, isCut: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Lose"), pick: nat, commits: fc.integer({ min: 1, max: 3 }) }) }
)

export const day = fc.record({
  commands: fc.array(command, { minLength: 3, maxLength: 24, size: "max" }),
  processes: fc.integer({ min: 1, max: 3 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  windowSeconds: fc.constantFrom(5, 30, 86_400, 86_400),
  /** Nano-credits: enough for everything, or for some of it. */
  free: fc.constantFrom(...Array.from({ length: 5 }, () => 10n ** 12n), 300_000n, 3_000_000n)
})
export type Day = typeof day extends fc.Arbitrary<infer A> ? A : never

const answers: Plan = { plays: ["answers"], lasts: 0 }

/** Days on which a fault was found, which are lived in every run. */
export const knownDays: ReadonlyArray<Day> = [
  {
    // A process stands still past its claim, goes on, claims the account anew, and the lines of its old claim begin all the same.
    commands: [
      {
        ...{ _tag: "Create", endpoint: "/v1/chat/completions", isFaulty: false, pick: 0 },
        lines: [
          { ...answers, lasts: 3000 },
          { ...answers, lasts: 3000 },
          { ...answers, lasts: 50 }
        ]
      },
      { _tag: "Pass", ms: 3500 },
      { _tag: "Create", endpoint: "/v1/chat/completions", isFaulty: false, pick: 0, lines: [answers, answers] },
      { _tag: "Overtake", pick: 0, steps: 21, when: "before", at: "storage" },
      { _tag: "Die", pick: 0, steps: 1, when: "before", at: "storage" },
      { _tag: "Meanwhile", pick: 0, ms: 500, cancels: false, steps: 1, when: "before", at: "storage" },
      { _tag: "Stall", pick: 0, steps: 1, when: "before", at: "storage" }
    ],
    ...{ processes: 1, concurrency: 1, windowSeconds: 86_400, free: 10n ** 12n }
  },
  {
    // A process stands still over a claim, and goes on with one that has run out or is about to.
    commands: [
      {
        ...{ _tag: "Create", endpoint: "/v1/chat/completions", isFaulty: false, pick: 0 },
        lines: [{ plays: ["is full"], lasts: 0 }, answers]
      },
      { _tag: "Meanwhile", pick: 0, ms: 500, cancels: false, steps: 1, when: "before", at: "storage" },
      { _tag: "Stall", pick: 0, steps: 1, when: "before", at: "storage" },
      { _tag: "Pass", ms: 15_500 },
      { _tag: "Overtake", pick: 0, steps: 1, when: "before", at: "storage" },
      { _tag: "Pass", ms: 3000 },
      { _tag: "Cancel", of: 7, pick: 0 }
    ],
    ...{ processes: 1, concurrency: 1, windowSeconds: 86_400, free: 10n ** 12n }
  }
]
