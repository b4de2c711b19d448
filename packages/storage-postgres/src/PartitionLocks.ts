/** Whether the server has room for the locks of statements that look through all months. Source: docs/reference/storage.md#growth. */
import type pg from "pg"

export interface LockRoom {
  /** Locks that one transaction may need: the partitions of the largest table, each with its indexes. */
  readonly needed: number
  /** Locks that all transactions of the server may have together. */
  readonly available: number
}

export const lockRoom = async (client: pg.ClientBase, schema: string): Promise<LockRoom> => {
  const { rows } = await client.query(
    `select current_setting('max_locks_per_transaction')::int * current_setting('max_connections')::int as available,
      coalesce((select max(n) from (
        select count(distinct h.inhrelid) + count(i.indexrelid) as n
        from pg_class t join pg_inherits h on h.inhparent = t.oid left join pg_index i on i.indrelid = h.inhrelid
        where t.relkind = 'p' and t.relnamespace = (select oid from pg_namespace where nspname = $1)
        group by t.oid) as tables), 0)::int as needed`,
    [schema]
  )
  return rows[0]
}

/** Half of the locks are for the other processes and for everything else. */
export const isTight = ({ available, needed }: LockRoom, connections: number): boolean =>
  needed * connections * 2 > available

export const tightText = ({ available, needed }: LockRoom, connections: number): string =>
  `${connections} connections of this process may need ${needed} locks each for the months of a table, and Postgres has ${available} for all: raise max_locks_per_transaction, or set retention, before statements fail with "out of shared memory".`
