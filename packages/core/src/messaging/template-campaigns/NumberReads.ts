/** Has the network asked about the numbers of running campaigns every so often: what it says of them decides how much they send. Source: docs/reference/messaging.md#number-facts. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, Storage } from "../../platform/storage/index.ts"
import { type ConnectedNumber, ConnectedNumberStore, NumberFactsStore } from "../channels/index.ts"

/** After this time what the network has said of a number is asked for again. */
const readAgainMs = 6 * Instant.hour

/** True of a number that nobody is going to ask about. */
export const isUnplanned = (number: ConnectedNumber | null): number is ConnectedNumber =>
  number !== null && number.disconnectedAt === null && number.factsDueAt === null

/** Makes what plans the next read of a number, which fails nothing where it fails. */
export const numberReads = Effect.gen(function* () {
  const facts = yield* NumberFactsStore
  const numbers = yield* ConnectedNumberStore
  const storage = yield* Storage

  return Effect.fnUntraced(function* ({ id, phoneNumberId }: ConnectedNumber) {
    yield* lock("numbers", phoneNumberId)
    const present = yield* numbers.byId(id)
    if (!isUnplanned(present)) return
    yield* facts.save({ ...present, factsDueAt: Instant.plus(yield* Instant.now, readAgainMs) })
  }, storage.transact)
})
