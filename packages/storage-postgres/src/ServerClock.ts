/** Milliseconds of the server's clock, in SQL. It may differ from this process's. */
export const serverNow = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
