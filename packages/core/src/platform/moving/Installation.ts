/** A database of the product, as moves see it. */
import * as Effect from "effect/Effect"
import { Storage } from "../storage/index.ts"
import { everyAccount } from "./AccountMove.ts"
import { MoveStore } from "./MoveStore.ts"

export interface Installation {
  readonly storage: Storage["Service"]
  readonly store: MoveStore["Service"]
}

/** The database on whose services a program runs. */
export const thisInstallation: Effect.Effect<Installation, never, Storage | MoveStore> = Effect.all({
  storage: Storage,
  store: MoveStore
})

/** The migration of a whole installation that a database is the source or the target of; null for none. */
export const migrationOf = ({ storage, store }: Installation) => storage.read(store.find(everyAccount))
