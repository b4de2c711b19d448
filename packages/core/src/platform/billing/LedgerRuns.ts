/**
 * Which runs under an Idempotency-Key begin and end with a flush of the ledger. One claim of each key is written while its rows are
 * read, so that no other transaction can write one; here it is given to the first request that may run. Pure.
 * Source: docs/reference/gateway.md#idempotency.
 */
import {
  type AskedRun,
  begunRun,
  type ClaimDecided,
  type ClaimedRun,
  type KeptAnswer,
  type KeyedRun,
  mayReplace,
  replayedUntil,
  type StandingRun,
  standingRefusal,
  storable
} from "../idempotency/index.ts"
import type { Instant } from "../kernel/index.ts"
import type { AccountId } from "../PlatformIds.ts"
import { LimitReached } from "../storage/index.ts"

/** The key of a run. */
export type RunKey = Pick<KeyedRun, "tenantId" | "key">

/** What a flush has read of keys. */
export interface RunRows {
  /** The claims that were written. */
  readonly claimed: ReadonlyArray<string>
  /** Rows that they were written over. */
  readonly replaced: ReadonlyArray<StandingRun>
  /** Rows of the other keys that are asked for, and of runs that end and have their claim. */
  readonly standing: ReadonlyArray<StandingRun>
  /** Bytes of the answers that accounts keep; an account that keeps none has no entry. */
  readonly keptBytes: ReadonlyArray<{ readonly tenantId: AccountId; readonly bytes: number }>
}

/** Rows of keys as they are from now on. */
export interface RunChanges {
  readonly runs: ReadonlyArray<KeyedRun>
  /** Keys that are free. */
  readonly freed: ReadonlyArray<RunKey>
}

export const runName = ({ key, tenantId }: RunKey): string => `${tenantId} ${key}`

interface RunsStart {
  readonly at: Instant.Instant
  readonly rows: RunRows
  /** One claim of each key, of which some were written. */
  readonly offered: ReadonlyArray<KeyedRun>
  /** Bytes of kept answers that an account may have; null for no limit. */
  readonly maxKeptBytes: number | null
}

export class LedgerRuns {
  readonly #at: Instant.Instant
  readonly #maxKeptBytes: number | null
  readonly #keptBytes: ReadonlyMap<AccountId, number>
  /** What stands under each key by now. */
  readonly #standing = new Map<string, StandingRun>()
  /** Claims that were written, of which nobody knows yet. */
  readonly #written: ReadonlyMap<string, KeyedRun>
  readonly #changed = new Map<string, KeyedRun>()
  /** What stood under the key of the last claim. */
  #before: StandingRun | undefined

  constructor({ at, maxKeptBytes, offered, rows }: RunsStart) {
    this.#at = at
    this.#maxKeptBytes = maxKeptBytes
    this.#keptBytes = new Map(rows.keptBytes.map(({ bytes, tenantId }) => [tenantId, bytes]))
    const claimed = new Set(rows.claimed)
    for (const run of [...rows.standing, ...rows.replaced])
      if (run.claim === null || !claimed.has(run.claim)) this.#standing.set(runName(run), run)
    this.#written = new Map(
      offered.filter(({ claim }) => claim !== null && claimed.has(claim)).map((run) => [runName(run), run])
    )
  }

  /** Claims a key, unless a run stands under it. */
  claim(asked: AskedRun): ClaimDecided {
    const name = runName(asked)
    const standing = this.#standing.get(name)
    if (standing !== undefined && !mayReplace(standing, asked, this.#at)) {
      const error = standingRefusal(standing, asked, this.#at)
      return error === null ? { error, isAnswered: true } : { error }
    }
    const present = this.#keptBytes.get(asked.tenantId) ?? 0
    const max = this.#maxKeptBytes
    if (max !== null && present >= max) return { error: new LimitReached({ name: "keptAnswerBytes", max, fits: 0 }) }
    const run = begunRun(asked, this.#at)
    this.#before = standing
    this.#standing.set(name, run)
    this.#changed.set(name, run)
    return { error: null, isAnswered: false }
  }

  /** Takes the last claim back: what stood before it stands. */
  takeBack(asked: RunKey): void {
    const name = runName(asked)
    this.#changed.delete(name)
    if (this.#before === undefined) this.#standing.delete(name)
    else this.#standing.set(name, this.#before)
  }

  /** Whether a run has its claim. */
  has(run: ClaimedRun): boolean {
    return this.#standing.get(runName(run))?.claim === run.claim
  }

  /** Ends a run that has its claim with its answer. */
  answer({ response, run }: KeptAnswer<unknown>): void {
    const name = runName(run)
    const ended: KeyedRun = {
      ...this.#standing.get(name)!,
      ...{ claim: null, leaseUntil: null },
      answer: storable(response),
      expiresAt: replayedUntil(this.#at)
    }
    this.#standing.set(name, ended)
    this.#changed.set(name, ended)
  }

  get changes(): RunChanges {
    const changed = [...this.#changed].flatMap(([name, run]) =>
      run.claim !== null && this.#written.get(name)?.claim === run.claim ? [] : [run]
    )
    const undone = [...this.#written].filter(([name]) => !this.#changed.has(name))
    const runs: Array<KeyedRun> = []
    const freed: Array<RunKey> = []
    for (const [name, { key, tenantId }] of undone) {
      const before = this.#standing.get(name)
      // An answer that was written over had expired.
      if (before === undefined || before.claim === null) freed.push({ tenantId, key })
      else runs.push({ ...before, answer: null })
    }
    return { runs: [...changed, ...runs], freed }
  }
}
