/** The database that `DATABASE_URL` names. */
import { existsSync } from "node:fs"
import type { StorageProvider } from "@trunkline/core"
import type { StorageReason } from "@trunkline/core/storage"
import type { Sections } from "./ConfigFile.ts"
import { firstServer, hostsOf, isPostgresUrl } from "./DatabaseUrl.ts"
import { defined } from "./Defined.ts"

export const defaultDatabase = "sqlite:./data/trunkline.db"

export type Database =
  | { readonly _tag: "File"; readonly path: string }
  | { readonly _tag: "Memory" }
  | { readonly _tag: "Postgres"; readonly url: string }

/** Reads a URL, or returns its fault. */
export const databaseOf = (url: string): Database | { readonly fault: string } => {
  if (url.startsWith("sqlite:")) {
    // Three slashes are an absolute path, as in other programs; two would be a host, of which there is none.
    const path = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "")
    if (path === ":memory:") return { _tag: "Memory" }
    return path === "" || path.startsWith("//")
      ? { fault: "must name a file: write sqlite:<path>, such as sqlite:./data/trunkline.db" }
      : { _tag: "File", path }
  }
  if (!/^postgres(ql)?:\/\//.test(url)) {
    return { fault: "must begin with sqlite: or postgres://, such as sqlite:./data/trunkline.db" }
  }
  return isPostgresUrl(url)
    ? { _tag: "Postgres", url }
    : { fault: "is no URL: write postgres://user:password@host:5432/database, with special characters percent-encoded" }
}

/** The storage of a database; the client of the other kind is not loaded. `settings` are of Postgres. Source: docs/reference/configuration.md#database. */
export const storageOf = async (database: Database, settings: Sections["database"]): Promise<StorageProvider> => {
  if (database._tag === "Postgres") {
    const { postgres } = await import("@trunkline/storage-postgres")
    const { directUrl, ...others } = settings
    return postgres(database.url, { ...others, ...defined({ directUrl: directUrl?.text }) })
  }
  const { sqlite } = await import("@trunkline/storage-sqlite")
  return sqlite(database._tag === "File" ? database.path : ":memory:")
}

/** Whether a process of the product has it open. */
export const isInUse = async (database: Database): Promise<boolean> => {
  if (database._tag === "Postgres") return (await import("@trunkline/storage-postgres")).isInUse(database.url)
  return database._tag === "File" && (await import("@trunkline/storage-sqlite")).isInUse(database.path)
}

/** False only for a file that does not exist: whether a Postgres database exists is known once it is opened. */
export const exists = (database: Database): boolean => database._tag !== "File" || existsSync(database.path)

/** For people, and without the password. */
export const nameOf = (database: Database): string => {
  if (database._tag !== "Postgres") return `sqlite:${database._tag === "File" ? database.path : ":memory:"}`
  const { pathname, protocol, username } = firstServer(database.url)!
  return `${protocol}//${username === "" ? "" : `${username}@`}${hostsOf(database.url)}${pathname}`
}

const advice = (database: Database): Readonly<Record<typeof StorageReason.Type, string>> => ({
  unavailable:
    database._tag === "Postgres"
      ? "check that the server runs, and user, password, host and database in DATABASE_URL"
      : "check the path in DATABASE_URL, that this user may write the file and its folder, and that its disk has room",
  contended: "another program is writing to it: end that program, or try again",
  timeout: "it answers too slowly: try again when it has less to do",
  full: "there is no room left: free some space on its disk",
  corrupt: "name another database in DATABASE_URL, or restore a backup",
  defect: "this is a bug: please report it"
})

/** Nothing is wrong with such a database, and the storage itself says what to do. */
const saysWhatToDo = /: use a newer release$|: set "/

/** Why a database cannot be used, in one line. */
export const unusable = (database: Database, reason: typeof StorageReason.Type, detail: string): string => {
  const why = detail.replace(/\s+/g, " ").trim()
  const start = `the database ${nameOf(database)} cannot be used`
  return saysWhatToDo.test(why) ? `${start}: ${why}` : `${start} (${why}): ${advice(database)[reason]}`
}
