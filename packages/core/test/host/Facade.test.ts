/** What methods of the product object check of their arguments. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { accountId, anyAccountId, argument } from "../../src/host/Arguments.ts"
import type { Services } from "../../src/host/Assembly.ts"
import { methods, type Run } from "../../src/host/Facade.ts"
import { Ids } from "../../src/platform/kernel/index.ts"
import { AccountMoves } from "../../src/platform/moving/index.ts"

const id = "00000000-0000-4000-8000-000000000001"

describe("a method of the product object", () => {
  const checked: Array<string> = []
  const moves = AccountMoves.of({
    check: (tenantId) => Effect.sync(() => void checked.push(tenantId)),
    checkWithin: () => Effect.void,
    staysHere: () => true
  })
  // These programs ask for nothing else.
  const services = Context.make(AccountMoves, moves) as unknown as Context.Context<Services>
  const run: Run = (program) => Effect.runPromiseWith(services)(program)
  const method = methods(run)
  const other = argument("botId", Ids.schema<"Bot">())
  const nothing = () => Effect.void

  it.each([
    ["an account", method([accountId], nothing), [id], [id]],
    ["a copy of that argument", method([{ ...accountId }], nothing), [id], [id]],
    ["an account that is not its first argument", method([other, accountId], nothing), [id, id], [id]],
    ["any account, wherever it is", method([anyAccountId], nothing), [id], []],
    ["no account", method([other], nothing), [id], []]
  ])("for %s checks whether it has moved as that argument says", async (_, call, given, expected) => {
    checked.length = 0
    await (call as (...given: ReadonlyArray<unknown>) => Promise<void>)(...given)
    expect(checked).toEqual(expected)
  })
})
