/** The open streams of this process: how many there may be, how long they last, and how they end at a stop. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import { type Principal, SignedInSessions } from "../accounts/index.ts"
import { Changes, RemoteChanges } from "../changes/index.ts"
import { Instant } from "../kernel/index.ts"
import type { AccountId } from "../PlatformIds.ts"
import type { StorageError } from "../storage/index.ts"
import { StreamOfPeople, TooManyStreams } from "./ChangeStreamErrors.ts"
import { OpenStream } from "./OpenStream.ts"
import { readyFrame, retryFrame } from "./StreamFrames.ts"
import { kindsFor } from "./TopicReaders.ts"

/** Streams in this process at a time. */
export const maxStreams = { person: 10, account: 200 } as const

const retryAfterSeconds = 5

/** Between two looks at who is still signed in. */
const checkEveryMs = 4 * Instant.second

/** With every third look comes a sign of life: well within the 15 seconds after which clients may miss it. */
const checksPerLifeSign = 3

/** A host says only with a request who it is: its people come again after this time. */
const hostSignInMs = 15 * Instant.minute

/** Clients that do not read may keep their streams for this time after a stop has begun. */
const drainMs = 2 * Instant.second

/** How soon a client comes again, in milliseconds: not all at once. */
const retryMs = { from: 1000, to: 5000 } as const

interface Listed {
  readonly stream: OpenStream
  readonly principal: Principal
  readonly openedAt: Instant.Instant
}

export class ChangeStreams extends Context.Service<
  ChangeStreams,
  {
    /** Opens a stream for as long as the scope is open. It hears of everything that is committed from then on. */
    readonly open: (
      principal: Principal
    ) => Effect.Effect<Stream.Stream<Uint8Array>, StreamOfPeople | TooManyStreams | StorageError, Scope.Scope>
    /** Asks all clients to come again later, and ends their streams. It completes when all have ended, and after two seconds. */
    readonly drain: Effect.Effect<void>
    /** Streams stay open again. */
    readonly resume: Effect.Effect<void>
    readonly count: () => number
  }
>()("@trunkline/core/platform/stream/ChangeStreams") {
  static readonly layer = Layer.effect(
    ChangeStreams,
    Effect.gen(function* () {
      const changes = yield* Changes
      const remote = yield* RemoteChanges
      const sessions = yield* SignedInSessions
      const listed = new Set<Listed>()
      const ofPerson = new Map<string, number>()
      const ofAccount = new Map<AccountId, number>()
      const some = yield* Latch.make()
      const none = yield* Latch.make(true)
      let isStopping = false

      /** At another time for each. */
      const endLater = (streams: ReadonlyArray<OpenStream>) =>
        Effect.forEach(
          streams,
          (stream) =>
            Effect.map(Random.nextIntBetween(retryMs.from, retryMs.to + 1), (after) => stream.end(retryFrame(after))),
          { discard: true }
        )

      /** Counts a stream, or refuses it; the effect that it returns counts it no longer. */
      const place = (tenantId: AccountId, subject: string) =>
        Effect.suspend(() => {
          const person = `${tenantId} ${subject}`
          const [own, all] = [ofPerson.get(person) ?? 0, ofAccount.get(tenantId) ?? 0]
          if (own >= maxStreams.person) return refuse("person")
          if (all >= maxStreams.account) return refuse("account")
          ofPerson.set(person, own + 1)
          ofAccount.set(tenantId, all + 1)
          return Effect.succeed(
            Effect.sync(() => {
              countDown(ofPerson, person)
              countDown(ofAccount, tenantId)
            })
          )
        })

      const open: ChangeStreams["Service"]["open"] = Effect.fnUntraced(function* (principal) {
        const { caller, tenantId } = principal
        if (caller._tag === "Key") return yield* new StreamOfPeople()
        yield* Effect.acquireRelease(place(tenantId, caller.subject), (free) => free)
        yield* remote.watch(tenantId)
        const stream = new OpenStream(kindsFor(caller))
        stream.say(readyFrame(stream.kinds))
        const one: Listed = { stream, principal, openedAt: yield* Instant.now }
        yield* Effect.acquireRelease(
          Effect.gen(function* () {
            listed.add(one)
            yield* none.close
            yield* some.open
            return yield* changes.read(tenantId, stream)
          }),
          (leave) =>
            Effect.gen(function* () {
              yield* leave
              listed.delete(one)
              if (listed.size > 0) return
              yield* some.close
              yield* none.open
            })
        )
        if (isStopping) yield* endLater([stream])
        return stream.frames
      })

      /** While the storage does not answer everybody goes on. */
      const goesOn = (principal: Principal) => Effect.orElseSucceed(sessions.goesOn(principal), () => true)

      const check = Effect.gen(function* () {
        const at = yield* Instant.now
        const asked = new Map<string, boolean>()
        for (const { openedAt, principal, stream } of [...listed]) {
          const sessionId = sessionOf(principal)
          if (sessionId === null) {
            if (isOver(principal, openedAt, at)) stream.end()
            continue
          }
          const isPresent = asked.get(sessionId) ?? (yield* goesOn(principal))
          asked.set(sessionId, isPresent)
          if (!isPresent) stream.end()
        }
      })

      const checkNext = Effect.gen(function* () {
        for (let left = checksPerLifeSign; left > 0; left--) {
          yield* Effect.sleep(checkEveryMs)
          yield* check
        }
        for (const { stream } of listed) stream.live()
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(some.await, checkNext)))

      return ChangeStreams.of({
        open,
        drain: Effect.gen(function* () {
          isStopping = true
          yield* endLater([...listed].map(({ stream }) => stream))
          yield* Effect.timeoutOption(none.await, drainMs)
        }),
        resume: Effect.sync(() => {
          isStopping = false
        }),
        count: () => listed.size
      })
    })
  )
}

const refuse = (of: TooManyStreams["of"]) =>
  Effect.fail(new TooManyStreams({ of, max: maxStreams[of], retryAfterSeconds }))

const countDown = <Key>(counts: Map<Key, number>, key: Key): void => {
  const left = (counts.get(key) ?? 0) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}

/** The session by which a person has signed in; null where they have done so in another way. */
const sessionOf = ({ caller }: Principal): string | null =>
  caller._tag !== "Key" && caller.signIn._tag === "Session" ? caller.signIn.id : null

/** True of a person who is not signed in any more, as far as the sign-in itself says. */
const isOver = ({ caller }: Principal, openedAt: Instant.Instant, at: Instant.Instant): boolean => {
  if (caller._tag === "Key") return true
  const { signIn } = caller
  return signIn._tag === "Host" ? at - openedAt >= hostSignInMs : at >= signIn.expiresAt
}
