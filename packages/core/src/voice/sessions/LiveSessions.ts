/**
 * Sessions that this product carries itself, for the process that has the line: it has a claim on its session and renews the
 * lease for as long as it lives. Source: docs/reference/voice.md#leases.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { TranscriptEntry } from "../../calling/calls/index.ts"
import { Admission, movingRefusal } from "../../gateway/admission/index.ts"
import { type InferenceRefused, refuse } from "../../gateway/errors/index.ts"
import {
  type Account,
  Accounts,
  Authentication,
  spendingRefusal,
  type Unauthenticated
} from "../../platform/accounts/index.ts"
import type { Payer } from "../../platform/billing/index.ts"
import { Instant, sha256Hex, traced, tracedFn } from "../../platform/kernel/index.ts"
import { AccountMoves } from "../../platform/moving/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import * as Ids from "../VoiceIds.ts"
import { LeaseKeeper, type LostLease } from "./LeaseKeeper.ts"
import { LiveSessionStore, type SessionLease } from "./LiveSessionStore.ts"
import { SessionAdmission } from "./SessionAdmission.ts"
import { type Changed, SessionChanges, unchanged } from "./SessionChanges.ts"
import { TranscriptStore } from "./TranscriptStore.ts"
import { LiveCalls } from "./VoicePorts.ts"
import {
  abandon,
  begin as beginSession,
  claimed,
  connect,
  described,
  endOf,
  handedBack,
  keepForCall,
  neverConnected,
  resumeLive,
  type SessionDescription,
  type SessionFields,
  startLive,
  usableToken,
  type VoiceSession
} from "./VoiceSession.ts"
import { VoiceStore } from "./VoiceStore.ts"

/** A session, the right to run it, and who pays for it. */
export interface LiveSession {
  readonly session: VoiceSession
  readonly lease: SessionLease
  readonly payer: Payer
  /** True where the session was under way before: its transcript has what was said. */
  readonly isResumed: boolean
}

/** Whether this process has room for one more session of an account, which it keeps then. */
export type KeepRoom = (tenantId: Ids.AccountId) => boolean

/** What a client shows that has a session's token. */
export interface TokenConnection extends Admission.Origin {
  readonly token: string
  /** Left out: there is room. */
  readonly keepRoom?: KeepRoom
}

export type Connected =
  | { readonly _tag: "Connected"; readonly live: LiveSession }
  /** The account has too many sessions: this one has ended. */
  | { readonly _tag: "ConcurrencyLimit"; readonly session: VoiceSession }

/** A session that begins without a token: by an API key, or on a telephone. */
export interface NewLiveSession extends Omit<SessionFields, "id" | "tenantId" | "keyId"> {
  readonly payer: Payer
}

/** Something that was said, or a function that was called. */
export interface NewTranscriptEntry extends Omit<TranscriptEntry, "id" | "index" | "offsetMs"> {
  /** Whether a turn of the caller begins with it. */
  readonly beginsTurn: boolean
}

const noToken = refuse("invalid_api_key", {
  message: "The session's token is unknown, or it was used, or it has expired. Create another session."
})
const noPlace = refuse("too_many_concurrent_requests", {
  message: "The account has as many voice sessions as its plan allows at a time. Wait for one to end.",
  retryAfterSeconds: 1
})
const callIsOver = refuse("session_not_found", { message: "The call is over: nothing can be said on it any more." })
const unauthenticated = ({ detail, reason }: Unauthenticated) =>
  refuse(reason === "key_expired" ? "api_key_expired" : "invalid_api_key", { message: detail })

/** Sessions that are ended in one transaction. */
const batchSize = 100

export class LiveSessions extends Context.Service<
  LiveSessions,
  {
    /**
     * Uses a session's token up: the session is active. Fails with 401 where the token is unknown, used, expired or its session
     * over, and as the key that made the session would fail; the origin must be of that key's domains. Such a refusal does not use
     * the token up.
     */
    readonly connectByToken: (connection: TokenConnection) => Effect.Effect<Connected, InferenceRefused | StorageError>
    /**
     * Makes a session that is active at once. Fails where the plan has no conversation left, or the account has too many sessions.
     * A call has one session: where it has one already, that one changes hands; one that has a place for it is refused none. Fails
     * with `session_not_found` where the call is over.
     */
    readonly begin: (session: NewLiveSession) => Effect.Effect<LiveSession, InferenceRefused | StorageError>
    /**
     * Records the session of an answered call whose media never came, as failed, and stops the call in the same transaction. False,
     * and nothing is changed, where the call does not wait for its agent any more.
     */
    readonly giveUp: (
      callId: Ids.CallId,
      session: Omit<SessionFields, "id" | "callId">
    ) => Effect.Effect<boolean, StorageError>
    /** Takes over the session of a call whose line has come back. Null where the call has none, or it came back too often. */
    readonly resume: (callId: Ids.CallId) => Effect.Effect<LiveSession | null, StorageError>
    /** Writes what has become known. Null where the session is no more the caller's, or has ended. */
    readonly describe: (
      lease: SessionLease,
      description: Partial<SessionDescription>
    ) => Effect.Effect<VoiceSession | null, StorageError>
    /**
     * Adds to the transcript; it outlives the end of the process from then on. What others than the caller say is on the disk when it
     * returns, and with it all that was added before: so each turn is, before the next one begins. Null, and nothing is added, where
     * another process has the session.
     */
    readonly append: (
      lease: SessionLease,
      entries: ReadonlyArray<NewTranscriptEntry>
    ) => Effect.Effect<ReadonlyArray<TranscriptEntry> | null, StorageError>
    /**
     * Ends a session and returns it as it has ended; of several ends the first decides. Called after another end it completes the
     * sums with what was settled meanwhile. Null where another process has the session.
     */
    readonly end: (lease: SessionLease, reason: string) => Effect.Effect<VoiceSession | null, StorageError>
    /** Ends the session of a call, whichever process runs it. Null where it has none. */
    readonly endOfCall: (callId: Ids.CallId, reason: string) => Effect.Effect<VoiceSession | null, StorageError>
    /**
     * Renews the lease every 5 seconds until the scope closes. `onLost` is called once where the session has ended by another hand,
     * at once where that was before or this process ended it, or where another process has taken it over. The same lease may be
     * attached again: the new listener takes the place of the earlier one.
     */
    readonly attach: (lease: SessionLease, onLost: (lost: LostLease) => void) => Effect.Effect<void, never, Scope.Scope>
    /** The process stops, and the line of the session will ask for its agent again: who answers goes on with the session. */
    readonly handBack: (lease: SessionLease) => Effect.Effect<void, StorageError>
    /** Ends sessions whose process is gone; returns how many. Those on a telephone are kept while their call is up. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next lease is over. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
  }
>()("@trunkline/core/voice/sessions/LiveSessions") {
  static readonly layer = Layer.effect(
    LiveSessions,
    Effect.gen(function* () {
      const admission = yield* SessionAdmission
      const changes = yield* SessionChanges
      const committed = yield* makeCommitted
      const keeper = yield* LeaseKeeper
      const liveCalls = yield* LiveCalls
      const live = yield* LiveSessionStore
      const moves = yield* AccountMoves
      const own = yield* makeOwn
      const payers = yield* makePayers
      const telephone = yield* makeTelephoneSessions
      const storage = yield* Storage
      const store = yield* VoiceStore
      const transcripts = yield* TranscriptStore

      /** The session under its token, active or refused, as a part of a transaction. */
      const useToken = Effect.fnUntraced(function* (
        id: Ids.VoiceSessionId,
        digest: string,
        payer: Payer,
        hasRoom: boolean
      ) {
        const at = yield* Instant.now
        const hasPlace = hasRoom && (yield* admission.lockPlace(payer, at))
        const session = yield* live.lock(id)
        if (session === null || session.tokenDigest !== digest) return yield* noToken
        const active = connect(session, at)
        if (active === null) return yield* noToken
        const next = hasPlace ? claimed(active, yield* Ids.fresh(), at) : endOf(session, "concurrency_limit", at)!
        return { hasPlace, changed: yield* changes.save([next]) }
      })

      const connectByToken = tracedFn("LiveSessions.connectByToken")(function* ({
        keepRoom = () => true,
        token,
        ...from
      }: TokenConnection) {
        const digest = sha256Hex(token)
        const found = yield* storage.read(live.byToken(digest))
        if (found === null || usableToken(found, yield* Instant.now) === null) return yield* noToken
        yield* Effect.catchTags(moves.check(found.tenantId), {
          AccountMoved: (error) => Effect.fail(movingRefusal(error)),
          AccountMoving: (error) => Effect.fail(movingRefusal(error))
        })
        const payer = yield* payers.admitted(found, from)
        const hasRoom = keepRoom(found.tenantId)
        const { changed, hasPlace } = yield* committed(useToken(found.id, digest, payer, hasRoom))
        const session = changed.sessions[0]!
        return hasPlace
          ? ({ _tag: "Connected", live: liveSession(session, payer, false) } as const)
          : ({ _tag: "ConcurrencyLimit", session } as const)
      })

      const begin = tracedFn("LiveSessions.begin")(function* ({ payer, ...fields }: NewLiveSession) {
        const { callId } = fields
        const { key, plan, tenantId } = payer
        // The admission of calls has checked the account of a telephone's.
        if (callId === null) yield* admission.checkSpending(tenantId)
        const { changed, present } = yield* committed(
          Effect.gen(function* () {
            if (callId !== null) yield* lock("call", callId)
            const at = yield* Instant.now
            const present = callId === null ? null : yield* live.lockOfCall(callId)
            const claim = yield* Ids.fresh()
            if (present !== null) return yield* handOver(claimed(present, claim, at))
            const own = { id: yield* Ids.fresh<"VoiceSession">(), tenantId, keyId: key?.id ?? null }
            const session = startLive(beginSession({ ...fields, ...own }, null, at), claim, at)
            const hasPlace = callId !== null && (yield* isAdmitted(liveCalls, callId, session.id))
            if (!hasPlace) {
              if (!(yield* admission.lockPlace(payer, at))) return yield* noPlace
              yield* admission.count(session, plan)
            }
            return { changed: yield* changes.add(session), present: null }
          })
        )
        return liveSession(present ?? changed.sessions[0]!, payer, present !== null)
      })

      /** Another process has the session from now on: nothing about it is reported. */
      const handOver = (session: VoiceSession) =>
        Effect.as(store.save(session), { changed: unchanged, present: session })

      const describe = tracedFn("LiveSessions.describe")(function* (
        lease: SessionLease,
        description: Partial<SessionDescription>
      ) {
        const session = yield* own(lease)
        if (session === null || session.status !== "active") return null
        const next = described(session, description)
        yield* store.save(next)
        return next
      }, storage.transact)

      const append = makeAppend({ live, own, storage, transcripts })

      const ended = Effect.fnUntraced(function* (session: VoiceSession, reason: string) {
        const next = endOf(session, reason, yield* Instant.now)
        if (next !== null) {
          const changed = yield* changes.save([next])
          return { changed, session: changed.sessions[0]! }
        }
        const complete = { ...session, credits: yield* changes.spent(session) }
        if (complete.credits !== session.credits) yield* store.save(complete)
        return { changed: unchanged, session: complete }
      })

      /** Ends the session that is found locked, if there is one. */
      const endFound = (found: Effect.Effect<VoiceSession | null, StorageError, Tx>, reason: string) =>
        Effect.map(
          committed(
            Effect.gen(function* () {
              const session = yield* found
              return session === null ? { changed: unchanged, session } : yield* ended(session, reason)
            })
          ),
          ({ session }) => session
        )

      const end = (lease: SessionLease, reason: string) =>
        Effect.suspend(() => {
          keeper.release(lease)
          return endFound(own(lease), reason)
        })

      const endOfCall = (callId: Ids.CallId, reason: string) => endFound(live.lockOfCall(callId), reason)

      /** Ends one batch of sessions whose process is gone, or keeps them for their calls. */
      const settle = Effect.gen(function* () {
        const at = yield* Instant.now
        const lapsed = yield* live.lockLapsed(at, batchSize)
        const callIds = lapsed.flatMap(({ callId }) => callId ?? [])
        const up = callIds.length === 0 ? new Set() : yield* liveCalls.isUp(callIds)
        const isKept = ({ callId }: VoiceSession) => callId !== null && up.has(callId)
        yield* Effect.forEach(lapsed.filter(isKept), (session) => store.save(keepForCall(session, at)), {
          discard: true
        })
        const gone = lapsed.filter((session) => !isKept(session)).flatMap((session) => abandon(session, at) ?? [])
        return { changed: yield* changes.save(gone), found: lapsed.length }
      })

      const tick = Effect.gen(function* () {
        for (let settled = 0; ; ) {
          const { changed, found } = yield* committed(settle)
          settled += changed.sessions.length
          if (found < batchSize) return settled
        }
      })

      return LiveSessions.of({
        ...telephone,
        connectByToken,
        begin,
        describe,
        append,
        end,
        endOfCall,
        tick,
        attach: keeper.attach,
        nextDue: storage.read(live.nextLapse)
      })
    })
  )
}

/** Runs a change of sessions as a transaction, and announces it. */
const makeCommitted = Effect.gen(function* () {
  const changes = yield* SessionChanges
  const storage = yield* Storage
  return <A extends { readonly changed: Changed }, E>(program: Effect.Effect<A, E, Tx | Read>) =>
    Effect.tap(storage.transact(program), ({ changed }) => changes.announce(changed))
})

/** The session of a lease, locked; null where another process has it. */
const makeOwn = Effect.map(
  LiveSessionStore,
  (live) =>
    ({ claim, id }: SessionLease) =>
      Effect.map(live.lock(id), (session) => (session?.claim === claim ? session : null))
)

/** Sessions whose line comes back, is handed back, or never came. */
const makeTelephoneSessions = Effect.gen(function* () {
  const changes = yield* SessionChanges
  const committed = yield* makeCommitted
  const live = yield* LiveSessionStore
  const liveCalls = yield* LiveCalls
  const own = yield* makeOwn
  const payers = yield* makePayers
  const storage = yield* Storage
  const store = yield* VoiceStore

  const giveUp = tracedFn("LiveSessions.giveUp")(function* (
    callId: Ids.CallId,
    fields: Omit<SessionFields, "id" | "callId">
  ) {
    const { isRecorded } = yield* committed(
      Effect.gen(function* () {
        yield* lock("call", callId)
        const id = yield* Ids.fresh<"VoiceSession">()
        if (!(yield* liveCalls.giveUp(callId, id))) return { changed: unchanged, isRecorded: false }
        const session = neverConnected({ ...fields, id, callId }, yield* Instant.now)
        return { changed: yield* changes.add(session), isRecorded: true }
      })
    )
    return isRecorded
  })

  const resume = tracedFn("LiveSessions.resume")(function* (callId: Ids.CallId) {
    const session = yield* storage.transact(
      Effect.gen(function* () {
        const present = yield* live.lockOfCall(callId)
        const next = present === null ? null : resumeLive(present, yield* Ids.fresh(), yield* Instant.now)
        if (next !== null) yield* store.save(next)
        return next
      })
    )
    return session === null ? null : liveSession(session, yield* payers.ofAccount(session.tenantId), true)
  })

  const handBack = tracedFn("LiveSessions.handBack")(function* (lease: SessionLease) {
    const session = yield* own(lease)
    if (session?.status === "active") yield* store.save(handedBack(session, yield* Instant.now))
  }, storage.transact)

  return { giveUp, handBack, resume }
})

/** Whether the admission of calls has admitted the session that begins on a call. */
const isAdmitted = Effect.fnUntraced(function* (calls: LiveCalls, callId: Ids.CallId, id: Ids.VoiceSessionId) {
  const begun = yield* calls.begin(callId, id)
  return begun === null ? yield* callIsOver : begun.hadPlace
})

const liveSession = (session: VoiceSession, payer: Payer, isResumed: boolean): LiveSession => ({
  session,
  payer,
  isResumed,
  lease: { id: session.id, claim: session.claim! }
})

/** Who pays for a session: the key that made it, else its account. */
const makePayers = Effect.gen(function* () {
  const accounts = yield* Accounts
  const authentication = yield* Authentication
  const storage = yield* Storage

  const accountOf = (tenantId: Ids.AccountId) =>
    Effect.flatMap(storage.read(accounts.find(tenantId)), (account) =>
      // A session's account is never removed.
      account === null ? Effect.die(new Error(`there is no account ${tenantId}`)) : Effect.succeed(account)
    )

  const payerOf = ({ id: tenantId, monthlyBudget, plan }: Account, key: Payer["key"]): Payer => ({
    tenantId,
    plan,
    monthlyBudget,
    key
  })

  /** Refuses a session as the key that made it, or its account, would be refused. */
  const admitted = Effect.fnUntraced(function* ({ keyId, tenantId }: VoiceSession, from: Admission.Origin) {
    const at = yield* Instant.now
    if (keyId === null) {
      const account = yield* accountOf(tenantId)
      const refusal = spendingRefusal(account, at)
      return refusal === null ? payerOf(account, null) : yield* refuse(refusal)
    }
    const principal = yield* Effect.catchTag(authentication.identifyKey(keyId), "Unauthenticated", unauthenticated)
    const refused = Admission.refusalOf(principal, needs, from, at)
    if (refused !== null) return yield* refused
    return payerOf(principal.account, principal.caller._tag === "Key" ? principal.caller.key : null)
  })

  return {
    admitted,
    ofAccount: (tenantId: Ids.AccountId) => Effect.map(accountOf(tenantId), (account) => payerOf(account, null))
  }
})

/** What the key that made a session needs: it may have lost it since. */
const needs: Admission.Needs = { signedIn: "nobody", permissions: ["llm"], scope: null }

/** Adds to the transcripts of sessions. */
const makeAppend = ({
  live,
  own,
  storage,
  transcripts
}: {
  readonly live: LiveSessionStore["Service"]
  readonly own: (lease: SessionLease) => Effect.Effect<VoiceSession | null, StorageError, Tx>
  readonly storage: Storage["Service"]
  readonly transcripts: TranscriptStore["Service"]
}): LiveSessions["Service"]["append"] => {
  const add = Effect.fnUntraced(function* (lease: SessionLease, entries: ReadonlyArray<NewTranscriptEntry>) {
    const session = yield* own(lease)
    if (session === null) return null
    const first = yield* transcripts.nextIndex(session.id)
    const next = yield* Ids.source
    const began = session.startedAt ?? session.createdAt
    const added = entries.map(({ beginsTurn: _, ...entry }, i) => ({
      ...entry,
      id: Ids.as<"TranscriptEntry">(next()),
      index: first + i,
      offsetMs: Math.max(0, entry.startedAt - began)
    }))
    yield* transcripts.add(session, added)
    const turns = entries.filter(({ beginsTurn }) => beginsTurn).length
    if (turns > 0) yield* live.addTurns(session.id, turns)
    return added
  })
  /** A caller waits for the reply to these words: the disk must not be in its way. */
  const relaxed = storage.transactWith({ durability: "relaxed" })
  return flow(
    (lease, entries) =>
      entries.every(({ role }) => role === "user")
        ? relaxed(add(lease, entries))
        : storage.transact(add(lease, entries)),
    traced("LiveSessions.append")
  )
}
