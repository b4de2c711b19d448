/**
 * Records promotions of standbys: what was committed before one may be lost. Instants are stored as the server's clock has them,
 * and are given as this process's clock has them: calls and messages are compared with those. Source: docs/reference/storage.md#fail-over.
 */
import { Instant, type LostWindow } from "@trunkline/core/storage"
import pg from "pg"
import { serverNow } from "./ServerClock.ts"

/** What runs a statement: a connection or a pool. */
export interface Queryable {
  readonly query: (text: string) => Promise<pg.QueryResult>
}

/** What a primary shows of itself. */
export interface PrimaryState {
  readonly timeline: number
  /** When the last transaction committed that it received as a standby, in milliseconds; null where it has been none. */
  readonly replayedAt: number | null
}

/** An ordinary role may call these functions. On a standby the timeline is null. */
export const stateColumns = `pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as readonly,
  case when pg_is_in_recovery() then null
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer end as timeline,
  (extract(epoch from pg_last_xact_replay_timestamp()) * 1000)::bigint as replayed_at`

/**
 * Stores the timeline of the database in the database itself. Another one than stored is that of a promoted standby, or of a
 * restored backup. One statement, so that processes which see a promotion together agree on its instant.
 */
const recordOn = (schema: string, { replayedAt, timeline }: PrimaryState): string =>
  `insert into ${pg.escapeIdentifier(schema)}.server_timeline as known (id, timeline) values (1, ${timeline})
    on conflict (id) do update set timeline = excluded.timeline,
      lost_since = case when known.timeline = excluded.timeline then known.lost_since else ${replayedAt ?? serverNow} end,
      promoted_at = case when known.timeline = excluded.timeline then known.promoted_at else ${serverNow} end
    returning lost_since, promoted_at, ${serverNow} as server_now`

export class PostgresPromotions {
  readonly #schema: string
  readonly #lookUpMs: number
  readonly #now: () => Instant.Instant
  #timeline: number | null = null
  #lost: LostWindow | null = null

  /** `now`: this process's clock. */
  constructor(schema: string, lookUpMs: number, now: () => Instant.Instant) {
    this.#schema = schema
    this.#lookUpMs = lookUpMs
    this.#now = now
  }

  /** The window of the last promotion. */
  get lost(): LostWindow | null {
    return this.#lost
  }

  isKnown({ timeline }: PrimaryState): boolean {
    return timeline === this.#timeline
  }

  /** Records the state of a server. Work on it begins after this. */
  async record(on: Queryable, state: PrimaryState): Promise<void> {
    // Before the server's: a statement that is slow makes the window begin earlier, never later.
    const asked = this.#now()
    const { rows } = await on.query(recordOn(this.#schema, state))
    const { lost_since, promoted_at, server_now } = rows[0]
    if (promoted_at !== null) {
      const here = (there: unknown) => Instant.plus(asked, Number(there) - Number(server_now))
      const at = here(promoted_at)
      this.#lost = { since: here(lost_since), at, until: Instant.plus(at, this.#lookUpMs) }
    }
    this.#timeline = state.timeline
  }
}
