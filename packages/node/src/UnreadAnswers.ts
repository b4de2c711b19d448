/**
 * Answers that wait in this process until their clients read them. A client that reads nothing for half a minute loses its
 * connection, and so do the slowest ones when answers take too much memory. Source: docs/reference/http-conventions.md#unread-answers.
 */
import type { ServerResponse } from "node:http"

/** Milliseconds in which a client must read a piece. */
export const maxUnreadMs = 30_000

/** Bytes of one piece. An answer that is no longer is written as a whole. */
export const pieceBytes = 64 * 1024

/** Bytes of answers that wait in a process, and of those what one account may have. An answer alone may be longer. */
const maxWaitingBytes = 192 * 1024 * 1024
const maxBytesOfAccount = maxWaitingBytes / 3

/** An answer of which bytes wait. */
interface Waiting {
  readonly response: ServerResponse
  readonly account: string
  readonly timer: NodeJS.Timeout
  bytes: number
}

export class UnreadAnswers {
  /** The one whose client has read nothing for the longest time is the first. */
  readonly #waiting = new Set<Waiting>()
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes
  }

  /** Watches an answer of which `bytes` wait. The function that it returns is called with the bytes that are left when a piece was read. */
  add(response: ServerResponse, account: string, bytes: number): (left: number) => void {
    const timer = setTimeout(() => response.destroy(), maxUnreadMs)
    const one: Waiting = { response, account, timer, bytes: 0 }
    const end = () => {
      clearTimeout(timer)
      this.#take(one, 0)
      this.#waiting.delete(one)
      response.off("close", end)
    }
    response.on("close", end)
    this.#waiting.add(one)
    this.#take(one, bytes)
    this.#makeRoom(one)
    return (left) => {
      if (left === 0) return end()
      this.#take(one, left)
      timer.refresh()
      this.#waiting.delete(one)
      this.#waiting.add(one)
    }
  }

  #take(one: Waiting, bytes: number): void {
    const more = bytes - one.bytes
    const ofAccount = (this.#bytesOf.get(one.account) ?? 0) + more
    if (ofAccount === 0) this.#bytesOf.delete(one.account)
    else this.#bytesOf.set(one.account, ofAccount)
    this.#bytes += more
    one.bytes = bytes
  }

  /** Ends answers until both bounds hold: of the account itself, and then of the account that has most. */
  #makeRoom(added: Waiting): void {
    while ((this.#bytesOf.get(added.account) ?? 0) > maxBytesOfAccount && this.#endOne(added.account, added)) {}
    while (this.#bytes > maxWaitingBytes && this.#endOne(this.#largest(), added)) {}
  }

  #largest(): string {
    let largest = ""
    for (const [account, bytes] of this.#bytesOf) {
      if (bytes > (this.#bytesOf.get(largest) ?? 0)) largest = account
    }
    return largest
  }

  /** Ends the answer of an account whose client has read nothing for the longest time; false where there is none but `added`. */
  #endOne(account: string, added: Waiting): boolean {
    for (const one of this.#waiting) {
      if (one.account !== account || one === added) continue
      // The event comes later.
      this.#take(one, 0)
      this.#waiting.delete(one)
      one.response.destroy()
      return true
    }
    return false
  }
}
