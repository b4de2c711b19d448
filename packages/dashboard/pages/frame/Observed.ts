/** A value that components and other modules look at, and hear of when it changes. */
import { useSyncExternalStore } from "react"

export interface Observed<A> {
  readonly get: () => A
  readonly set: (value: A) => void
  readonly listen: (heard: () => void) => () => void
}

export const observed = <A>(initial: A): Observed<A> => {
  let present = initial
  const listeners = new Set<() => void>()
  return {
    get: () => present,
    set: (value) => {
      if (Object.is(value, present)) return
      present = value
      for (const heard of [...listeners]) heard()
    },
    listen: (heard) => {
      listeners.add(heard)
      return () => listeners.delete(heard)
    }
  }
}

export const useObserved = <A>(value: Observed<A>): A => useSyncExternalStore(value.listen, value.get)
