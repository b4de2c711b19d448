/** The calls of the simulated network, as rows of the provider: they go on while no process runs. */
import {
  Ids,
  type Instant,
  type ProviderState,
  ProviderStateStore,
  type StorageError,
  type Tx
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Moment = Schema.Int.pipe(Schema.refine((value): value is Instant.Instant => Number.isSafeInteger(value)))

const Facts = Schema.Struct({
  providerCallId: Schema.String,
  to: Schema.String,
  from: Schema.NullOr(Schema.String),
  detectMachine: Schema.Boolean,
  acceptedAt: Moment,
  /** When our side ended it, in any state. */
  stoppedAt: Schema.NullOr(Moment),
  /** When our side began to leave a message. */
  messageAt: Schema.NullOr(Moment),
  /** Whether an agent answers. */
  hasAgent: Schema.Boolean,
  /** Somebody speaks for the callee on a socket: until when that is certain. It is renewed while the socket is open. */
  heldUntil: Schema.NullOr(Moment),
  /** When the callee hangs up, where that was said. */
  hungUpAt: Schema.NullOr(Moment),
  /** The process that connected the sound of the call last. */
  mediaBy: Schema.NullOr(Schema.String),
  /** When everything about it had been reported. Null before. */
  closedAt: Schema.NullOr(Moment)
})

/** One call. What state it is in follows from these facts and the present instant. */
export interface SimulatedCall extends Schema.Struct.Type<typeof Facts.fields> {
  readonly callId: Ids.CallId
}

const provider = "simulator"

const decode = Schema.decodeUnknownSync(Facts)

/** What rows of earlier releases do not say. */
export const withoutMedia = { hasAgent: false, heldUntil: null, hungUpAt: null, mediaBy: null }

const callOf = (row: ProviderState): SimulatedCall => ({
  callId: Ids.as(row.key),
  ...decode({ ...withoutMedia, ...row.state })
})

const rowOf = ({ callId, ...facts }: SimulatedCall): ProviderState => ({
  provider,
  key: callId,
  state: facts,
  isOpen: facts.closedAt === null
})

const callOrNull = (row: ProviderState | null): SimulatedCall | null => (row === null ? null : callOf(row))

/** The provider's rows, read and written as calls. */
export const simulatedCalls = Effect.map(ProviderStateStore, (store) => {
  const lock = (callId: Ids.CallId) => Effect.map(store.lock(provider, callId), callOrNull)
  return {
    /** Adds a call. One that is there already stays as it is. Succeeds with the one that is there. */
    accept: (call: SimulatedCall): Effect.Effect<SimulatedCall, StorageError, Tx> =>
      Effect.andThen(
        store.add(rowOf(call)),
        Effect.map(lock(call.callId), (present) => present ?? call)
      ),
    /** A call that no other transaction can change until this one ends. */
    lock,
    /** Replaces a locked call. */
    save: (call: SimulatedCall): Effect.Effect<SimulatedCall, StorageError, Tx> =>
      Effect.as(store.save(rowOf(call)), call),
    find: (callId: Ids.CallId) => Effect.map(store.find(provider, callId), callOrNull),
    /** All calls that are not closed. */
    open: Effect.map(store.listOpen(provider), (rows) => rows.map(callOf))
  }
})

export type SimulatedCalls = Effect.Success<typeof simulatedCalls>
