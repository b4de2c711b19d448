/** One process migrates at a time: a row with a lease, which also works behind a pooler that shares connections. */
import pg from "pg"

/** A lease is renewed when this part of it is over. */
const renewedAfter = 1 / 3

export interface ClaimOptions {
  readonly url: string
  readonly schema: string
  readonly leaseMs: number
}

/** The time is the server's: clocks of processes differ. */
const leaseEnd = (parameter: string) => `clock_timestamp() + ${parameter} * interval '1 millisecond'`

export const claimTable = (schema: string): string => `${pg.escapeIdentifier(schema)}.trunkline_migration_claim`

/** Claims the right to migrate; false while another process has it. */
export const claim = async (
  client: pg.ClientBase,
  holder: string,
  { leaseMs, schema }: ClaimOptions
): Promise<boolean> => {
  const claimed = await client.query(
    `insert into ${claimTable(schema)} as c (id, holder, lease_until) values (1, $1, ${leaseEnd("$2::int")})
      on conflict (id) do update set holder = excluded.holder, lease_until = excluded.lease_until
      where c.lease_until < clock_timestamp() or c.holder = excluded.holder`,
    [holder, leaseMs]
  )
  return claimed.rowCount === 1
}

export const release = async (client: pg.ClientBase, holder: string, schema: string): Promise<void> => {
  await client.query(`delete from ${claimTable(schema)} where holder = $1`, [holder])
}

/** True in a transaction of the process that has the claim. */
export const hasClaim = async (client: pg.ClientBase, holder: string, schema: string): Promise<boolean> => {
  const found = await client.query(
    `select from ${claimTable(schema)} where holder = $1 and lease_until > clock_timestamp()`,
    [holder]
  )
  return found.rowCount === 1
}

/** Renews the claim on a connection of its own, because a step may occupy the other one for hours. */
export const keepClaim = async (holder: string, options: ClaimOptions): Promise<() => Promise<void>> => {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: "trunkline",
    keepAlive: true,
    connectionTimeoutMillis: 10_000
  })
  // A claim that is not renewed runs out, which the next step finds.
  client.on("error", () => undefined)
  await client.connect()
  const timer = setInterval(
    () => void claim(client, holder, options).catch(() => undefined),
    options.leaseMs * renewedAfter
  )
  return async () => {
    clearInterval(timer)
    await client.end().catch(() => undefined)
  }
}
