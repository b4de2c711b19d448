/** The carrier `simulator`: a telephone network in the process, whose calls are rows of its own in the storage. */
import type { TelephonyProvider } from "@trunkline/core"
import {
  CallbackRefused,
  CallMedia,
  type CallRef,
  type CallReport,
  Carrier,
  CarrierSilent,
  type Found,
  Instant,
  type Permit,
  type ProviderStateStore,
  Storage,
  type StorageError,
  telephonyProvider,
  tracedFn
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { audioRoute } from "./AudioSocket.ts"
import { type CallEventReplay, startReplay } from "./CallEventReplay.ts"
import { stateAt } from "./Network.ts"
import { makePhones } from "./Phones.ts"
import { type SimulatedCall, simulatedCalls, withoutMedia } from "./SimulatedCalls.ts"
import {
  type InvalidSimulatorOptions,
  type SimulatorOptions,
  type SimulatorSettings,
  settingsOf
} from "./SimulatorOptions.ts"

/** A call that reports nothing for longer than the longest ringing takes is looked up. */
const silenceMs = (speed: number): number => Math.max(Instant.minute / speed, 10 * Instant.second)

/** After a failed commit nobody knows which rows are stored. */
const unsure = (error: StorageError): CarrierSilent => new CarrierSilent({ detail: error.message })

const make = Effect.fnUntraced(function* ({ calleeAudio, speed }: SimulatorSettings) {
  const calls = yield* simulatedCalls
  const storage = yield* Storage
  const listeners = new Set<CallEventReplay>()

  const media = yield* CallMedia
  const run = yield* FiberSet.makeRuntime<never, void, never>()

  /** Passes a call on to the listeners, unless all of it has been reported. */
  const publish = (call: SimulatedCall) => {
    if (call.closedAt === null) for (const { follow } of listeners) follow(call)
  }
  const phones = yield* makePhones({ calls, storage, media, speed, calleeAudio, run, publish })

  const place = tracedFn("Simulator.place")(function* ({ answer, callId, detectMachine, from, to }: Permit) {
    const accepted: SimulatedCall = {
      ...withoutMedia,
      callId,
      providerCallId: `SIM-${callId}`,
      to,
      from,
      detectMachine,
      hasAgent: answer._tag === "Agent",
      acceptedAt: yield* Instant.now,
      stoppedAt: null,
      messageAt: null,
      closedAt: null
    }
    const call = yield* Effect.mapError(storage.transact(calls.accept(accepted)), unsure)
    publish(call)
    return { providerCallId: call.providerCallId }
  })

  const end = tracedFn("Simulator.end")(function* ({ callId }: CallRef) {
    const at = yield* Instant.now
    const call = yield* storage
      .transact(
        Effect.gen(function* () {
          const present = yield* calls.lock(callId)
          // An end may be asked for again: only the first time is there something to write.
          const isOver = present === null || stateAt(present, speed, at)?.news._tag === "Ended"
          return isOver ? present : yield* calls.save({ ...present, stoppedAt: present.stoppedAt ?? at })
        })
      )
      .pipe(Effect.mapError(unsure))
    if (call !== null) phones.changed(callId)
    return call === null ? null : yield* stateOf(call)
  })

  const leaveMessage = tracedFn("Simulator.leaveMessage")(function* ({ callId }: CallRef) {
    const at = yield* Instant.now
    const call = yield* storage
      .transact(
        Effect.gen(function* () {
          const present = yield* calls.lock(callId)
          return present !== null && isAnswered(present, at)
            ? yield* calls.save({ ...present, messageAt: present.messageAt ?? at })
            : null
        })
      )
      .pipe(Effect.mapError(unsure))
    if (call === null) return yield* new CarrierSilent({ detail: "nobody is on the line to hear a message" })
    publish(call)
  })

  const isAnswered = (call: SimulatedCall, at: Instant.Instant): boolean => {
    const state = stateAt(call, speed, at)?.news._tag
    return state === "Answered" || state === "Detected"
  }

  const find = tracedFn("Simulator.find")(function* ({ callId }: CallRef): Effect.fn.Return<Found, CarrierSilent> {
    const call = yield* Effect.mapError(storage.read(calls.find(callId)), unsure)
    return call === null ? { _tag: "Nothing" } : { _tag: "Record", report: yield* stateOf(call) }
  })

  /** The state of a call as one report, once all that led to it has been reported: who answered, that it rang. */
  const stateOf = Effect.fnUntraced(function* (call: SimulatedCall): Effect.fn.Return<CallReport> {
    if (call.closedAt === null) yield* Effect.forEach(listeners, ({ catchUp }) => catchUp(call), { discard: true })
    const { callId, providerCallId } = call
    // A call accepted by a clock ahead of ours has no state yet, but null would say that there is no call.
    const { at, news } = stateAt(call, speed, yield* Instant.now) ?? { at: call.acceptedAt, news: { _tag: "Queued" } }
    return { callId, providerCallId, at, news }
  })

  const onAnswered = ({ callId, hasAgent }: SimulatedCall) => {
    if (hasAgent) phones.answered(callId)
  }

  const listen = (report: (report: CallReport) => Effect.Effect<void>) =>
    startReplay(report, { calls, speed, onAnswered }).pipe(
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
      // The rows are complete: a call without one was never accepted.
      proof: { lookUps: 1, overMs: 0 },
      silenceMs: silenceMs(speed)
    },
    place,
    end,
    leaveMessage,
    find,
    findAll: noneLost,
    read: () => new CallbackRefused({ reason: "unsupported", detail: "the simulator sends no callbacks" }),
    listen,
    sockets: (door) => [audioRoute(door, media, phones)]
  })
})

/** Its calls are rows of the database: one that the database has lost was none. */
const noneLost = () => Effect.succeed([])

/** The carrier over its rows in the context's storage. Fails when the options cannot work. Source: docs/reference/telephony.md#simulator. */
export const layer = (
  options: SimulatorOptions = {}
): Layer.Layer<Carrier, InvalidSimulatorOptions, ProviderStateStore | Storage> =>
  Layer.effect(Carrier, Effect.flatMap(Effect.fromResult(settingsOf(options)), make))

/** A carrier whose calls are rows of the product's storage. */
export interface SimulatorProvider extends TelephonyProvider {
  readonly layer: Layer.Layer<Carrier, never, ProviderStateStore | Storage>
}

/**
 * The carrier for hosts that know nothing of Effect. Throws `InvalidSimulatorOptions`.
 *
 * @example
 * const telephony = simulator({ speed: 10 })
 */
export const simulator = (options: SimulatorOptions = {}): SimulatorProvider =>
  telephonyProvider(Layer.effect(Carrier, make(Result.getOrThrow(settingsOf(options)))))
