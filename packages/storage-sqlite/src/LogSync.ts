/**
 * Brings the write-ahead log of a database to the disk, beside the event loop: the loop would stand still for as long as the disk
 * needs. Calls that come while the disk works share its next turn.
 */
import * as fs from "node:fs"

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

type Disk = Pick<typeof fs, "fdatasync" | "fdatasyncSync">

export class LogSync {
  readonly #path: string
  readonly #disk: Disk
  #file: number | null = null
  #waiting: Array<Waiting> = []
  #isWorking = false
  #isClosed = false

  /** `path`: of the log, which must be there with the first call. */
  constructor(path: string, disk: Disk = fs) {
    this.#path = path
    this.#disk = disk
  }

  /** Completes once everything that was written before the call is on the disk. Rejects where the disk fails. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      if (!this.#isWorking) this.#work()
    })
  }

  /** Waits for the disk at once, for all who wait. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#waiting.length > 0)
      this.#settle(
        this.#waiting,
        failureOf(() => this.#disk.fdatasyncSync(this.#opened()))
      )
    this.#waiting = []
    if (!this.#isWorking) this.#free()
  }

  #work(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#isWorking = true
    const done = (error: Error | null) => {
      this.#isWorking = false
      this.#settle(waiting, error)
      if (this.#isClosed) this.#free()
      else if (this.#waiting.length > 0 && !this.#isWorking) this.#work()
    }
    const failure = failureOf(() => this.#disk.fdatasync(this.#opened(), done))
    if (failure !== null) queueMicrotask(() => done(failure))
  }

  #settle(waiting: ReadonlyArray<Waiting>, error: Error | null): void {
    for (const { reject, resolve } of waiting) error === null ? resolve() : reject(error)
  }

  /** No connection of SQLite's locks this file, so that it may be closed at any time. */
  #opened(): number {
    this.#file ??= fs.openSync(this.#path, "r+")
    return this.#file
  }

  #free(): void {
    if (this.#file !== null) fs.closeSync(this.#file)
    this.#file = null
  }
}

const failureOf = (run: () => void): Error | null => {
  try {
    run()
    return null
  } catch (error) {
    return error as Error
  }
}
