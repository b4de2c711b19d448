/** Whole conversations, and the death of the process that carries one, on Postgres. Verifies: VOIC-9. */
import { postgres } from "@trunkline/storage-postgres"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, it } from "vitest"
import { migratedDatabase, missing } from "../../../test/TestPostgres.ts"
import { voiceConversations } from "./VoiceConversations.ts"
import { recovery } from "./VoiceRecovery.ts"

const reason = missing()

describe.skipIf(reason !== null)(`voice on Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  const scope = Effect.runSync(Scope.make())
  const urls: Array<string> = []
  const database = () => Effect.runPromise(Effect.provideService(migratedDatabase, Scope.Scope, scope))
  beforeAll(async () => {
    urls.push(...(await Promise.all([database(), database(), database()])))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  voiceConversations(() => postgres(urls.pop()!))

  it("a conversation whose process is killed is over, billed and reported once, within a minute of a restart", () =>
    recovery(urls.pop()!))
})
