/** The carrier `simulator`: a telephone network in the process, whose calls are in the carrier's book and nowhere else. */
import type { TelephonyProvider } from "@trunkline/core"
import {
  type BookedCall,
  CallbackRefused,
  type CallRef,
  type CallReport,
  Carrier,
  CarrierBook,
  CarrierSilent,
  type Found,
  Instant,
  type Permit,
  Storage,
  type StorageError,
  telephonyProvider
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type CallEventReplay, startReplay } from "./CallEventReplay.ts"
import { stateAt } from "./Network.ts"
import { type InvalidSimulatorOptions, type SimulatorOptions, speedOf } from "./SimulatorOptions.ts"

/** A call that tells nothing for longer than the longest ringing takes is looked up. */
const silenceMs = (speed: number): number => Math.max(Instant.minute / speed, 10 * Instant.second)

/** After a failed commit it is not known what the book says. */
const unsure = (error: StorageError): CarrierSilent => new CarrierSilent({ detail: error.message })

const make = Effect.fnUntraced(function* (speed: number) {
  const book = yield* CarrierBook
  const storage = yield* Storage
  const listeners = new Set<CallEventReplay>()

  /** Lets the listeners know what the book says of a call, unless all of it has been told. */
  const spread = (call: BookedCall) => {
    if (call.closedAt === null) for (const { learn } of listeners) learn(call)
  }

  const place = Effect.fn("Simulator.place")(function* ({ callId, detectMachine, from, to }: Permit) {
    const call: BookedCall = {
      callId,
      providerCallId: `SIM-${callId}`,
      to,
      from,
      detectMachine,
      acceptedAt: yield* Instant.now,
      stoppedAt: null,
      messageAt: null,
      closedAt: null
    }
    const booked = yield* Effect.mapError(
      storage.transact(Effect.andThen(book.accept(call), book.find(callId))),
      unsure
    )
    spread(booked ?? call)
    return { providerCallId: call.providerCallId }
  })

  const end = Effect.fn("Simulator.end")(function* ({ callId }: CallRef) {
    const at = yield* Instant.now
    const call = yield* storage
      .transact(
        Effect.gen(function* () {
          const present = yield* book.find(callId)
          // An end may be asked for again: only the first time is there something to write.
          const isOver = present === null || stateAt(present, speed, at)?.news._tag === "Ended"
          return isOver ? present : yield* book.stop(callId, at)
        })
      )
      .pipe(Effect.mapError(unsure))
    return call === null ? null : yield* stateOf(call)
  })

  const leaveMessage = Effect.fn("Simulator.leaveMessage")(function* ({ callId }: CallRef) {
    const at = yield* Instant.now
    const call = yield* storage
      .transact(
        Effect.gen(function* () {
          const present = yield* book.find(callId)
          return present !== null && isAnswered(present, at) ? yield* book.message(callId, at) : null
        })
      )
      .pipe(Effect.mapError(unsure))
    if (call === null) return yield* new CarrierSilent({ detail: "nobody is on the line to hear a message" })
    spread(call)
  })

  const isAnswered = (call: BookedCall, at: Instant.Instant): boolean => {
    const state = stateAt(call, speed, at)?.news._tag
    return state === "Answered" || state === "Detected"
  }

  const find = Effect.fn("Simulator.find")(function* ({ callId }: CallRef): Effect.fn.Return<Found, CarrierSilent> {
    const call = yield* Effect.mapError(storage.read(book.find(callId)), unsure)
    return call === null ? { _tag: "Nothing" } : { _tag: "Record", report: yield* stateOf(call) }
  })

  /** The state of a call as one report, once all that led to it has been reported: who answered, that it rang. */
  const stateOf = Effect.fnUntraced(function* (call: BookedCall): Effect.fn.Return<CallReport> {
    if (call.closedAt === null) yield* Effect.forEach(listeners, ({ catchUp }) => catchUp(call), { discard: true })
    const { callId, providerCallId } = call
    // A call accepted by a clock ahead of ours has no state yet, but null would say that there is no call.
    const { at, news } = stateAt(call, speed, yield* Instant.now) ?? { at: call.acceptedAt, news: { _tag: "Queued" } }
    return { callId, providerCallId, at, news }
  })

  const listen = (tell: (report: CallReport) => Effect.Effect<void>) =>
    startReplay(tell, speed).pipe(
      Effect.provideService(CarrierBook, book),
      Effect.provideService(Storage, storage),
      Effect.flatMap((replay) =>
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(replay)),
          () => Effect.sync(() => listeners.delete(replay))
        )
      ),
      Effect.asVoid
    )

  return Carrier.of({
    traits: {
      name: "simulator",
      startsPerSecond: null,
      needsCaller: false,
      defaultFrom: null,
      // The book is complete: what is not in it was never accepted.
      proof: { lookUps: 1, overMs: 0 },
      silenceMs: silenceMs(speed)
    },
    place,
    end,
    leaveMessage,
    find,
    read: () => new CallbackRefused({ reason: "unsupported", detail: "the simulator sends no callbacks" }),
    listen
  })
})

/** The carrier over the book in the context's storage. Fails when the options cannot work. Source: docs/telephony.md#simulator. */
export const layer = (
  options: SimulatorOptions = {}
): Layer.Layer<Carrier, InvalidSimulatorOptions, CarrierBook | Storage> =>
  Layer.effect(Carrier, Effect.flatMap(Effect.fromResult(speedOf(options)), make))

/** A carrier whose calls are rows of the product's storage. */
export interface SimulatorProvider extends TelephonyProvider {
  readonly layer: Layer.Layer<Carrier, never, CarrierBook | Storage>
}

/**
 * The carrier for hosts that know nothing of Effect. Throws `InvalidSimulatorOptions`.
 *
 * @example
 * const telephony = simulator({ speed: 10 })
 */
export const simulator = (options: SimulatorOptions = {}): SimulatorProvider =>
  telephonyProvider(Layer.effect(Carrier, make(Result.getOrThrow(speedOf(options)))))
