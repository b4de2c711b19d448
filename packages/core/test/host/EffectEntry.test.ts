/** The entry for hosts that use Effect: how much it exports, and a program that runs on it. */
import { createTrunkline } from "@trunkline/core"
import { Campaigns, Errors, Ids, servicesOf } from "@trunkline/core/effect"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"
import { expect, it, onTestFinished } from "vitest"
import { read } from "../../../../test/house/Sources.ts"

/** More than these nobody reads. What only suites and models need stands in `testing.ts`. */
const maxNames = 60

it(`the entry for hosts that use Effect exports at most ${maxNames} names`, () => {
  const lists = read("packages/core/src/effect.ts").matchAll(/^export (?:type )?(\{[^}]*\}|\*[^;\n]*) from /gm)
  const names = [...lists].flatMap(([, list = ""]) => list.split(",").filter((name) => /\w/.test(name)))
  expect(names.length).toBeGreaterThan(30)
  expect(names.length).toBeLessThanOrEqual(maxNames)
  expect(names.filter((name) => /\* from|^\*$/.test(name))).toEqual([])
})

it("a host runs programs on the services of its product, and catches their errors by tag or by class", async () => {
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    encryptionKey: "a key for the secrets of this test"
  })
  onTestFinished(() => core.stop())
  const { id } = await core.admin.createAccount({ name: "Acme", voiceCampaigns: true })
  const made = await core.campaigns.create(id, { name: "Renewals", timezone: "Europe/Paris" })
  const nameOf = (campaign: string) =>
    Campaigns.use((campaigns) => Effect.map(campaigns.get(Ids.as(id), Ids.as(campaign)), ({ name }) => name))
  const run = Effect.runPromiseWith(servicesOf(core))
  expect(await run(nameOf(made.id))).toBe("Renewals")
  const missing = nameOf("01890000-0000-7000-8000-000000000000")
  expect(await run(Effect.catchTag(missing, "CampaignNotFound", () => Effect.succeed("none")))).toBe("none")
  expect(await run(Effect.flip(missing))).toBeInstanceOf(Errors.CampaignNotFound)
})
