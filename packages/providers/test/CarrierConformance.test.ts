/** Every carrier against the suite of all carriers. Verifies: TWIL-4, TWIL-6, SIMU-5, SIMU-6. */

import { Carrier, Instant } from "@trunkline/core/provider"
import { type FakeCarrierOptions, FakeNetwork, fakeCarrier } from "@trunkline/testing/carrier"
import { carrierSuite } from "@trunkline/testing/carrier-suite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import * as Simulator from "../src/simulator/index.ts"
import * as Twilio from "../src/twilio/index.ts"
import { FakeProviderStates } from "./simulator/FakeProviderStates.ts"
import { FakeTwilio } from "./twilio/FakeTwilio.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 10, 0, 0))

/** The fake rings and answers when a test says so: here its time does. */
const fake = (options: FakeCarrierOptions) =>
  Effect.sync(() => {
    const [slow, answered] = ["+919876543265", "+919876543210"]
    const network = new FakeNetwork()
    const live = Effect.map(Instant.now, (at) => {
      for (const call of network.openCalls()) {
        const age = at - call.placedAt
        if (age >= 1000) network.ring(call, at)
        if (call.order.to === answered && age >= 4000) network.answer(call, "human", at)
        if (age >= 30_000) network.end(call, "no_answer", "remote", at)
      }
    })
    const step = 1000
    const pass = (ms: number) =>
      Effect.forEach(Array.from({ length: ms / step }), () => Effect.andThen(TestClock.adjust(step), live), {
        discard: true
      })
    const silence = Effect.map(Instant.now, (at) => {
      network.outage = { until: Instant.plus(at, 1), acts: false }
    })
    return { carrier: fakeCarrier(network, options), slow, answered, caller: null, pass, silence }
  })

carrierSuite("of the tests, which finds calls by our id", fake({ findsBy: "call id" }))
carrierSuite("of the tests, which finds calls by number", fake({ findsBy: "number" }))

carrierSuite(
  "simulator",
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const states = new FakeProviderStates()
    const whole = Context.get(yield* Layer.build(Layer.provide(Simulator.layer(), states.layer)), Carrier)
    yield* whole.listen(() => Effect.void)
    const whileBroken = <A, E>(request: Effect.Effect<A, E>) =>
      Effect.ensuring(
        request,
        Effect.sync(() => {
          states.broken = false
        })
      )
    const carrier: Carrier["Service"] = {
      ...whole,
      place: (permit) => whileBroken(whole.place(permit)),
      end: (ref, options) => whileBroken(whole.end(ref, options)),
      find: (ref) => whileBroken(whole.find(ref))
    }
    const silence = Effect.sync(() => {
      states.broken = true
    })
    const pass = (ms: number) => TestClock.adjust(ms)
    const [slow, answered] = ["+91 98765 43265", "+91 98765 43210"]
    return { carrier, slow, answered, caller: null, isInDatabase: true, pass, silence }
  })
)

for (const [knows, eventsAfterMs] of [
  ["gives our id back", 0],
  ["does not give our id back", 15 * Instant.minute]
] as const) {
  carrierSuite(
    `twilio, which ${knows}`,
    Effect.gen(function* () {
      const [slow, answered] = ["+919876543265", "+919876543210"]
      const account = { accountSid: "ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", authToken: "a-token" }
      yield* TestClock.setTime(start)
      const network = yield* Effect.acquireRelease(
        Effect.promise(() =>
          FakeTwilio.start({
            ...account,
            now: start,
            eventsAfterMs,
            phone: (to) => (to === slow ? { does: "ring-out" } : { does: "answer", ringsFor: 3000, talksFor: 20_000 })
          })
        ),
        (running) => Effect.promise(() => running.stop())
      )
      // All callbacks are lost: look-ups have to find out.
      network.proxy = { publicUrl: "https://voice.example.com", to: "http://127.0.0.1:1" }
      const options = { ...account, publicUrl: "https://voice.example.com", baseUrl: network.url }
      const carrier = Context.get(yield* Layer.build(Twilio.layer(options)), Carrier)
      const pass = (ms: number) =>
        Effect.andThen(
          Effect.promise(() => network.advance(ms)),
          TestClock.adjust(ms)
        )
      const silence = Effect.sync(() => void network.faults.push({ kind: "break" }))
      return { carrier, slow, answered, caller: "+14155550100", pass, silence }
    })
  )
}
