/** Whether a process of the product works with a database. */
import pg from "pg"
import { classify } from "./PostgresErrors.ts"

/** Connections of the product to the database, by the name that its pools have. */
export const isInUse = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, application_name: "trunkline migration" })
  client.on("error", () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(
      "select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'trunkline'"
    )
    return Number(rows[0].n) > 0
  } catch (error) {
    throw classify(error, "connect")
  } finally {
    await client.end().catch(() => undefined)
  }
}
