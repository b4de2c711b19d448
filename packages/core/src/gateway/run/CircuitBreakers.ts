/** The circuit breakers of this process, one for each upstream and model. Source: docs/reference/upstreams.md#breaker. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../../platform/kernel/index.ts"
import {
  type Breaker,
  type BreakerSettings,
  begin,
  closed,
  type Ended,
  end,
  type HalfOpen,
  isOpen
} from "./CircuitBreaker.ts"

/** Whom a breaker is about. */
export interface Guarded {
  readonly upstream: { readonly name: string }
  /** The model's name there. */
  readonly model: string
}

/** States that are kept: more upstreams that fail at a time, with more models, than anybody configures. */
const maxStates = 10_000

export class CircuitBreakers extends Context.Service<
  CircuitBreakers,
  {
    /** Whether the entry is passed over at this instant, where another one can be asked. */
    readonly isOpen: (entry: Guarded, at: Instant.Instant) => boolean
    /** Whether its breaker is closed: then its attempt is no trial. */
    readonly isClosed: (entry: Guarded) => boolean
    /** An attempt begins; what it returns goes with the attempt to its `end`, which always follows. */
    readonly begin: (entry: Guarded, at: Instant.Instant) => HalfOpen | null
    /** An attempt has ended. What it returns logs that the breaker opens or closes; `Effect.void` where it does neither. */
    readonly end: (entry: Guarded, ended: Ended) => Effect.Effect<void>
  }
>()("@trunkline/core/gateway/run/CircuitBreakers") {
  /** Null: there are none. */
  static readonly layer = (settings: BreakerSettings | null): Layer.Layer<CircuitBreakers> =>
    Layer.sync(CircuitBreakers, () => (settings === null ? none : make(settings)))
}

const none: CircuitBreakers["Service"] = {
  isOpen: () => false,
  isClosed: () => true,
  begin: () => null,
  end: () => Effect.void
}

const make = (settings: BreakerSettings): CircuitBreakers["Service"] => {
  /** Those that are not as they were at first; the one that has changed last stands last. */
  const states = new Map<string, Breaker>()
  const keyOf = ({ model, upstream }: Guarded) => `${upstream.name}\n${model}`
  const stateOf = (key: string) => states.get(key) ?? closed
  const set = (key: string, breaker: Breaker) => {
    states.delete(key)
    if (breaker === closed) return
    states.set(key, breaker)
    const [oldest] = states.keys()
    if (states.size > maxStates && oldest !== undefined) states.delete(oldest)
  }
  return {
    isOpen: (entry, at) => isOpen(stateOf(keyOf(entry)), at),
    isClosed: (entry) => stateOf(keyOf(entry))._tag === "Closed",
    begin: (entry, at) => {
      const key = keyOf(entry)
      const { breaker, trial } = begin(stateOf(key), at)
      if (trial !== null) set(key, breaker)
      return trial
    },
    end: (entry, ended) => {
      const key = keyOf(entry)
      const before = stateOf(key)
      const after = end(before, ended, settings)
      if (after !== before) set(key, after)
      return logChange(entry, before, after)
    }
  }
}

const logChange = ({ model, upstream: { name } }: Guarded, before: Breaker, after: Breaker): Effect.Effect<void> => {
  const whom = `upstream ${name}, model ${model}`
  if (before._tag === "Closed" && after._tag === "Open") {
    return Effect.logWarning(
      `${whom}: failed too often in a row, and is passed over while another upstream can be asked`
    )
  }
  return before._tag !== "Closed" && after._tag === "Closed" ? Effect.logInfo(`${whom}: answers again`) : Effect.void
}
