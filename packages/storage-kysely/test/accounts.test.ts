/** Statements carry the account of the rows that they read or change. Source: docs/reference/moving-accounts.md#statements. */
import { sqliteDialect } from "@trunkline/storage-kysely"
import { assert, describe, it } from "vitest"
import { withoutAccount } from "./OwnedRows.ts"
import { storeStatements } from "./StoreStatements.ts"
import { withoutAccountInCondition } from "./WithoutAccount.ts"

/** A condition on the account, or a new row that has it. An account's own row has it as its id. */
const carriesAccount = (text: string): boolean =>
  /\b(?:where|on)\b.*?\btenant_id"?\s*(?:=|in\b)/s.test(text) ||
  /^\s*insert into\s+"?\w+"?\s*\([^)]*\btenant_id\b/.test(text) ||
  /^(?:select .* from|update) "accounts" .*where "id" = (?:\?|ifnull\()/.test(text)

/** Names after these words; those of aliases and of tables of the database itself are no tables of ours. */
const tablesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\b(?:from|into|update(?! set)|join)\s+"?([a-z_]+)"?/g)].map(([, name]) => name!)

const touchesAccounts = (text: string): boolean =>
  tablesIn(text).some((name) => name === "accounts" || !(name in withoutAccount))

const lacking = storeStatements()
  .map((declared) => ({ name: declared.name, text: declared.compile(sqliteDialect).sql }))
  .filter(({ text }) => touchesAccounts(text) && !carriesAccount(text))
  .map(({ name }) => name)

describe("statements that read or change rows of an account", () => {
  it("name the account, but those with a reason", () => {
    const unexplained = lacking.filter((name) => !withoutAccountInCondition.has(name))
    assert.deepStrictEqual(unexplained, [], "add tenant_id to the condition, or a reason to WithoutAccount.ts")
  })

  it("have no reason that nothing needs any more", () => {
    assert.deepStrictEqual(
      [...withoutAccountInCondition.keys()].filter((name) => !lacking.includes(name)),
      []
    )
  })

  it("that lack it are found", () => {
    assert.isFalse(carriesAccount(`update "calls" set "tenant_id" = ? where "id" = ?`))
    assert.isFalse(carriesAccount(`select "id", "tenant_id" from "calls" where "id" = ?`))
    assert.isFalse(carriesAccount(`insert into "reply_jobs" ("customer_id") values (?)`))
    assert.isTrue(carriesAccount(`delete from "calls" where "id" = ? and "tenant_id" = ?`))
    assert.isTrue(carriesAccount(`insert into "calls" ("id", "tenant_id") values (?, ?)`))
  })
})
