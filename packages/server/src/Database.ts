/** Where the data is: `DATABASE_URL`. */
import type { StoragePlug } from "@trunkline/core"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import { UsageError } from "./UsageError.ts"

export const defaultDatabase = "sqlite:./data/trunkline.db"

export const storageOf = (url: string): StoragePlug => {
  if (url.startsWith("sqlite:")) {
    const path = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "")
    if (path === "")
      throw new UsageError("DATABASE_URL names no file: write sqlite:<path>, such as sqlite:./data/trunkline.db")
    return sqlite(path)
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (!URL.canParse(url))
      throw new UsageError("DATABASE_URL is not a URL: write postgres://user:password@host:5432/database")
    return postgres(url)
  }
  throw new UsageError("DATABASE_URL must begin with sqlite: or postgres://")
}
