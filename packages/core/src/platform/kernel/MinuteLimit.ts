/**
 * Counts what happens under a key within a sliding minute. A process counts for itself. Its memory and the time of one count are
 * bounded, however many keys there are: who may name any number of keys cannot make it slow.
 */
import { minute, second } from "./Instant.ts"

/** Keys that are counted one by one within a minute. */
const maxKeys = 50_000

/** What counts keys beyond them: a few for all, each with the room of one key. */
const sharedCounts = 256

/** Instants that have passed are cut off once they are this many, and half of all. */
const minPassed = 16

/** The instants of the last minute under one key, the earliest first. */
class Log {
  readonly #instants: Array<number> = []
  #passed = 0

  /** Null where one more has room, which is counted then; else the milliseconds until it has. */
  admit(most: number, at: number): number | null {
    const instants = this.#instants
    while (this.#passed < instants.length && instants[this.#passed]! <= at - minute) this.#passed += 1
    if (instants.length - this.#passed >= most) return instants[this.#passed]! + minute - at
    if (this.#passed >= minPassed && this.#passed * 2 >= instants.length) {
      instants.splice(0, this.#passed)
      this.#passed = 0
    }
    instants.push(at)
    return null
  }
}

export class MinuteLimit {
  readonly #most: number
  readonly #shareOf: (key: string) => string
  readonly #shared: ReadonlyArray<Log> = Array.from({ length: sharedCounts }, () => new Log())
  /**
   * A key that was counted within the last minute is in one of them: the later one begins anew after a minute, and the earlier one,
   * whose keys have not been counted since, is dropped as a whole.
   */
  #later = new Map<string, Log>()
  #earlier = new Map<string, Log>()
  #begunAt = Number.NEGATIVE_INFINITY

  /** `shareOf` names what keys beyond the bound have in common; such keys are counted together. Default: nothing but chance. */
  constructor(perMinute: number, shareOf = (key: string): string => key) {
    this.#most = perMinute
    this.#shareOf = shareOf
  }

  /** Keys in memory. */
  get size(): number {
    return this.#later.size + this.#earlier.size
  }

  /** Null where it may happen, and is counted; else the seconds until it may. A refusal is not counted. */
  admit(key: string, at: number): number | null {
    this.#turn(at)
    const wait = this.#logOf(key).admit(this.#most, at)
    return wait === null ? null : Math.max(1, Math.ceil(wait / second))
  }

  #turn(at: number): void {
    // A clock that is set back begins anew, too.
    const passed = Math.abs(at - this.#begunAt)
    if (passed < minute) return
    this.#earlier = passed < 2 * minute ? this.#later : new Map()
    this.#later = new Map()
    this.#begunAt = at
  }

  #logOf(key: string): Log {
    const known = this.#later.get(key)
    if (known !== undefined) return known
    const before = this.#earlier.get(key)
    // What was counted before keeps its count, also where there is no more room.
    if (before !== undefined && this.#later.size >= maxKeys) return before
    if (this.#later.size >= maxKeys) return this.#shared[hashOf(this.#shareOf(key)) % sharedCounts]!
    const log = before ?? new Log()
    this.#later.set(key, log)
    this.#earlier.delete(key)
    return log
  }
}

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
