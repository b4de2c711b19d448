/** The memory of a process that files have on their way between callers and channels. Source: docs/reference/messaging.md#media. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { FileRoomTaken } from "../channels/MessagingErrors.ts"
import type * as Ids from "../MessagingIds.ts"

const megabyte = 1024 * 1024

/** Bytes of all files that a process has in its memory at a time. */
const maxTogether = 320 * megabyte

/** Bytes of those of one account: the largest file fits, and no account stops the others. */
export const maxOfAccount = Math.floor(maxTogether / 3)

/** Takes room for bytes that have come; returns an error where there is none. */
export type TakeRoom = (bytes: number) => FileRoomTaken | undefined

interface Waiting {
  readonly account: Ids.AccountId
  readonly bytes: number
  readonly admit: () => void
}

class Room {
  readonly #ofAccount = new Map<Ids.AccountId, number>()
  readonly #waiting = new Set<Waiting>()
  #taken = 0

  #lacks(account: Ids.AccountId, bytes: number): "account" | "process" | null {
    if (this.ofAccount(account) + bytes > maxOfAccount) return "account"
    return this.#taken + bytes > maxTogether ? "process" : null
  }

  ofAccount(account: Ids.AccountId): number {
    return this.#ofAccount.get(account) ?? 0
  }

  take(account: Ids.AccountId, bytes: number): FileRoomTaken | undefined {
    const lacking = this.#lacks(account, bytes)
    if (lacking !== null) return new FileRoomTaken({ of: lacking, retryAfterSeconds: 5 })
    this.#add(account, bytes)
    return undefined
  }

  /** Takes room as soon as there is some, in the order of asking; who waits for an account's share does not delay others. */
  wait(account: Ids.AccountId, bytes: number): Effect.Effect<void> {
    return Effect.callback((resume) => {
      let isAdmitted = false
      const one: Waiting = {
        account,
        bytes,
        admit: () => {
          isAdmitted = true
          resume(Effect.void)
        }
      }
      this.#waiting.add(one)
      this.#admit()
      return Effect.sync(() => {
        if (isAdmitted) this.give(account, bytes)
        else this.#waiting.delete(one)
      })
    })
  }

  give(account: Ids.AccountId, bytes: number): void {
    this.#add(account, -bytes)
    this.#admit()
  }

  #add(account: Ids.AccountId, bytes: number): void {
    const after = this.ofAccount(account) + bytes
    if (after === 0) this.#ofAccount.delete(account)
    else this.#ofAccount.set(account, after)
    this.#taken += bytes
  }

  #admit(): void {
    const passedOver = new Set<Ids.AccountId>()
    for (const one of this.#waiting) {
      if (passedOver.has(one.account)) continue
      const lacking = this.#lacks(one.account, one.bytes)
      if (lacking === "process") return
      if (lacking === "account") {
        passedOver.add(one.account)
        continue
      }
      this.#waiting.delete(one)
      this.#add(one.account, one.bytes)
      one.admit()
    }
  }
}

export class FileRoom extends Context.Service<
  FileRoom,
  {
    /** For a file that comes: the room that it takes is free again when the scope closes. */
    readonly taking: (account: Ids.AccountId) => Effect.Effect<TakeRoom, never, Scope.Scope>
    /** Runs work that keeps up to `bytes` of files in memory, once there is room for them. */
    readonly within: <A, E, R>(
      account: Ids.AccountId,
      bytes: number,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("@trunkline/core/messaging/sending/FileRoom") {
  static readonly layer = Layer.sync(FileRoom, () => {
    const room = new Room()
    return FileRoom.of({
      taking: (account) => {
        let taken = 0
        const take: TakeRoom = (bytes) => {
          const refused = room.take(account, bytes)
          if (refused === undefined) taken += bytes
          return refused
        }
        return Effect.acquireRelease(Effect.succeed(take), () => Effect.sync(() => room.give(account, taken)))
      },
      within: (account, wanted, work) => {
        const bytes = Math.min(wanted, maxOfAccount)
        return Effect.uninterruptibleMask((restore) =>
          Effect.andThen(
            restore(room.wait(account, bytes)),
            Effect.ensuring(
              restore(work),
              Effect.sync(() => room.give(account, bytes))
            )
          )
        )
      }
    })
  })
}
