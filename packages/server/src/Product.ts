/** Opens the product as this installation is configured. */
import {
  createTrunkline,
  type StorageProvider,
  type Trunkline,
  TrunklineError,
  type TrunklineOptions
} from "@trunkline/core"
import { StorageError, Wire } from "@trunkline/core/provider"
import type { Environment } from "./ConfigFile.ts"
import type { Config } from "./ConfigReader.ts"
import { type Database, databaseOf, defaultDatabase, unusable } from "./Database.ts"
import { write } from "./Log.ts"
import { deriveKey, encryptionKeyOf } from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

/** The database that the environment names, or the fault, under the name of the variable or option that named it. */
export const databaseFrom = (environment: Environment, name = "DATABASE_URL"): Database => {
  const database = databaseOf(environment.DATABASE_URL || defaultDatabase)
  if ("fault" in database) throw new UsageError(`${name} ${database.fault}`)
  return database
}

/** People sign in at a server of its own, unless the file says that they do not. */
const signInOf = ({ signIn }: Config["auth"]) => ({ enabled: true, ...signIn })

/** The options that every command needs: where the data is, whose product it is, and its keys. */
export const basicOptions = ({
  config: { auth, brand, secrets },
  secret,
  storage
}: {
  readonly config: Pick<Config, "auth" | "brand" | "secrets">
  readonly storage: StorageProvider
  readonly secret: string
}): TrunklineOptions => {
  const { jwksUrl: _, secret: given, ...jwt } = auth.jwt ?? {}
  return {
    storage,
    encryptionKey: encryptionKeyOf(secret),
    previousEncryptionKeys: (secrets.previous ?? []).map((one) => encryptionKeyOf(one.text)),
    brand,
    auth: {
      signIn: signInOf(auth),
      jwt: { ...jwt, secret: given?.text ?? deriveKey(secret, "jwt") }
    },
    log: write
  }
}

/** Opens the product; throws `UsageError` with one line where it cannot be opened. */
export const openProduct = async (options: TrunklineOptions, database: Database): Promise<Trunkline> => {
  try {
    return await createTrunkline(options)
  } catch (error) {
    throw storageFault(error, database) ?? optionsFault(error) ?? error
  }
}

/** What only the product can see of the configuration, such as models that cannot be used, under the file's names. */
const optionsFault = (error: unknown): UsageError | undefined =>
  error instanceof TrunklineError && error.code === "options_refused"
    ? new UsageError(
        error.fields
          .map(({ message, path }) => `${path.map((part) => Wire.snakeName(String(part))).join(".")}: ${message}`)
          .join("; ")
      )
    : undefined

/** A failure of the storage as a line for the operator. */
export const storageFault = (error: unknown, database: Database): UsageError | undefined => {
  const cause = error instanceof TrunklineError ? error.cause : error
  return cause instanceof StorageError
    ? new UsageError(
        unusable(database, cause.reason, cause.detail.replace(/^(open [^:]*|connect|migrate|readiness): /, "")),
        cause
      )
    : undefined
}
