/** What every implementation of a telephone line must do, whatever network is behind it: docs/reference/telephony.md#media. */
import { assert, describe, it } from "@effect/vitest"
import type { MediaLine } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type HeardLine, mulawNoise, withoutSilence } from "./HeardLine.ts"

/** The telephone at the other end of a line. */
export interface MediaPhone {
  /** Says something, which the line brings in real time. */
  readonly say: (sound: Uint8Array) => Effect.Effect<void>
  /** Everything that was played to it so far. */
  readonly heard: () => Uint8Array
  readonly press: (key: string) => Effect.Effect<void>
  readonly hangUp: Effect.Effect<void>
  /** The connection of the line breaks, and the call goes on. */
  readonly lose: Effect.Effect<void>
  /** Whether our side has ended the call. */
  readonly isHungUp: Effect.Effect<boolean>
}

/** An implementation with a network behind it, both in the time of the test. */
export interface MediaSubject {
  /** Lines of the call, in the order in which they were connected. */
  readonly lines: ReadonlyArray<{ readonly line: MediaLine; readonly heard: HeardLine }>
  readonly phone: MediaPhone
  /** Connects another line of the same call. */
  readonly again: Effect.Effect<void>
  readonly pass: (ms: number) => Effect.Effect<void>
}

const twenty = 160

/** Declares the tests for one implementation. Its subject is a call that has been answered. */
export const mediaSuite = <E>(name: string, subject: Effect.Effect<MediaSubject, E, Scope.Scope>): void => {
  describe(`the media of ${name}`, () => {
    const test = (title: string, run: (given: MediaSubject) => Effect.Effect<void, unknown, Scope.Scope>) =>
      it.effect(title, () => Effect.flatMap(subject, run))

    const first = ({ lines }: MediaSubject) => {
      assert.strictEqual(lines.length, 1)
      return lines[0]!
    }

    // Verifies: V-159.
    test("brings what the caller says, byte for byte", (given) =>
      Effect.gen(function* () {
        const { heard } = first(given)
        const said = mulawNoise(50 * twenty, 1)
        yield* given.phone.say(said)
        yield* given.pass(1500)
        assert.deepStrictEqual(withoutSilence(heard.said()), said)
      }))

    test("plays what is sent, byte for byte, in real time", (given) =>
      Effect.gen(function* () {
        const { line } = first(given)
        const sent = mulawNoise(50 * twenty, 2)
        for (let at = 0; at < sent.length; at += 777) line.send(sent.subarray(at, at + 777))
        line.mark("end")
        yield* given.pass(500)
        assert.isBelow(given.phone.heard().length, sent.length)
        yield* given.pass(1000)
        assert.deepStrictEqual(withoutSilence(given.phone.heard()), sent)
      }))

    // Verifies: V-159.
    test("plays more than the other side can queue, and loses none of it", (given) =>
      Effect.gen(function* () {
        const { line } = first(given)
        const sent = mulawNoise(1200 * twenty, 3)
        for (let at = 0; at < sent.length; at += 800) line.send(sent.subarray(at, at + 800))
        line.mark("end")
        yield* given.pass(25_000)
        assert.deepStrictEqual(withoutSilence(given.phone.heard()), sent)
      }))

    // Verifies: V-150.
    test("returns a mark once the sound before it has been played", (given) =>
      Effect.gen(function* () {
        const { heard, line } = first(given)
        line.send(mulawNoise(25 * twenty, 4))
        line.mark("one")
        line.send(mulawNoise(25 * twenty, 5))
        line.mark("two")
        yield* given.pass(400)
        assert.deepStrictEqual(heard.marks, [])
        yield* given.pass(300)
        assert.deepStrictEqual(heard.marks, ["one"])
        yield* given.pass(700)
        assert.deepStrictEqual(heard.marks, ["one", "two"])
      }))

    // Verifies: V-150.
    test("drops at once what was not played, and returns its marks", (given) =>
      Effect.gen(function* () {
        const { heard, line } = first(given)
        line.send(mulawNoise(100 * twenty, 6))
        line.mark("long")
        yield* given.pass(500)
        line.clear()
        yield* given.pass(100)
        const played = withoutSilence(given.phone.heard()).length
        assert.isBelow(played, 35 * twenty)
        assert.deepStrictEqual(heard.marks, ["long"])
        yield* given.pass(3000)
        assert.strictEqual(withoutSilence(given.phone.heard()).length, played)
      }))

    test("brings keys in their order", (given) =>
      Effect.gen(function* () {
        for (const key of ["1", "*", "0", "#"]) yield* given.phone.press(key)
        yield* given.pass(200)
        assert.deepStrictEqual(first(given).heard.keys, ["1", "*", "0", "#"])
      }))

    test("reports that the caller hangs up, once", (given) =>
      Effect.gen(function* () {
        yield* given.phone.hangUp
        yield* given.pass(3000)
        assert.deepStrictEqual(first(given).heard.ends, ["hangup"])
      }))

    test("hangs up, once, and reports nothing afterwards", (given) =>
      Effect.gen(function* () {
        const { heard, line } = first(given)
        line.hangUp()
        line.hangUp()
        yield* given.phone.say(mulawNoise(twenty, 7))
        yield* given.pass(3000)
        assert.isTrue(yield* given.phone.isHungUp)
        assert.deepStrictEqual([heard.ends, withoutSilence(heard.said()).length], [[], 0])
      }))

    test("reports a connection that is lost, and not as a hang-up", (given) =>
      Effect.gen(function* () {
        yield* given.phone.lose
        yield* given.pass(100)
        assert.deepStrictEqual(first(given).heard.ends, ["lost"])
        assert.isFalse(yield* given.phone.isHungUp)
      }))

    // Verifies: V-146.
    test("gives a second line of a call the place of the first", (given) =>
      Effect.gen(function* () {
        const { heard } = first(given)
        yield* given.again
        yield* given.pass(2500)
        const [, second] = given.lines
        assert.isDefined(second)
        assert.deepStrictEqual(heard.ends, ["lost"])
        const [before, sent] = [given.phone.heard().length, mulawNoise(10 * twenty, 8)]
        second!.line.send(sent)
        second!.line.mark("end")
        yield* given.pass(1000)
        assert.deepStrictEqual(withoutSilence(given.phone.heard().slice(before)), sent)
        assert.deepStrictEqual(second!.heard.marks, ["end"])
        assert.deepStrictEqual(second!.heard.ends, [])
      }))
  })
}
