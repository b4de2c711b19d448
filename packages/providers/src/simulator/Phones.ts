/**
 * The callees of this process: those that somebody speaks for on a socket, and those whose call's sound this process connects.
 *
 * Choice: the sound of a call is connected by the process in which its callee is spoken for, since it is there; where nobody
 * speaks for it, by the process that first claims it in the call's row. A socket that comes to another process afterwards moves
 * the sound there, as a carrier's new stream would. Source: docs/reference/telephony.md#simulator.
 */
import { type CallMedia, Ids, type SocketConnection, type SocketListener, type Storage } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import { CalleePhone, type PhoneNetwork } from "./CalleePhone.ts"
import type { SimulatedCall, SimulatedCalls } from "./SimulatedCalls.ts"

export interface PhonesParts {
  readonly calls: SimulatedCalls
  readonly storage: Storage["Service"]
  readonly media: CallMedia
  readonly speed: number
  /** What callees say that nobody speaks for; null for nothing. */
  readonly calleeAudio: Uint8Array | null
  readonly run: (effect: Effect.Effect<void>) => unknown
  /** A call has changed. */
  readonly publish: (call: SimulatedCall) => void
}

export interface Phones {
  /** A socket speaks for the callee of a call from now on. */
  readonly connect: (callId: Ids.CallId, connection: SocketConnection) => SocketListener
  /** A call with an agent has been answered. */
  readonly answered: (callId: Ids.CallId) => void
  /** A call has changed: what follows from that does not wait for the next look. */
  readonly changed: (callId: Ids.CallId) => void
}

export const makePhones = Effect.fnUntraced(function* (parts: PhonesParts) {
  const { calls, publish, storage } = parts
  const processId = yield* Ids.fresh<"Call">()
  const phones = new Map<Ids.CallId, CalleePhone>()
  const fibers = yield* FiberMap.make<Ids.CallId, void>()
  // Each look of a phone replaces the one that waits.
  const look = yield* FiberMap.runtime(fibers)()

  const update: PhoneNetwork["update"] = (callId, change) =>
    storage
      .transact(
        Effect.gen(function* () {
          const present = yield* calls.lock(callId)
          const changed = present === null ? null : change(present)
          return changed === null || changed === present ? changed : yield* calls.save(changed)
        })
      )
      .pipe(
        Effect.tap((call) => Effect.sync(() => call !== null && publish(call))),
        Effect.catch((error) =>
          Effect.as(Effect.logError("a simulated call could not be changed", callId, error), null)
        )
      )

  const network: PhoneNetwork = {
    ...parts,
    processId,
    update,
    read: (callId) =>
      Effect.catch(storage.read(calls.find(callId)), (error) =>
        Effect.as(Effect.logError("a simulated call could not be read", callId, error), null)
      ),
    wake: (phone) => look(phone.callId, phone.follow),
    forget: ({ callId }) => phones.delete(callId)
  }

  const phoneOf = (callId: Ids.CallId): CalleePhone => {
    const phone = phones.get(callId) ?? new CalleePhone(callId, network)
    phones.set(callId, phone)
    return phone
  }
  const wake = (phone: CalleePhone | undefined) => {
    if (phone !== undefined) network.wake(phone)
  }
  return {
    connect: (callId, connection) => phoneOf(callId).connect(connection),
    answered: (callId) => wake(phoneOf(callId)),
    changed: (callId) => wake(phones.get(callId))
  } satisfies Phones
})
