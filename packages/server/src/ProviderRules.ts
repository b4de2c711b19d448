/** What providers find wrong with their sections of the file. They load their client libraries, so only the server's commands import this. */
import { snakeName } from "@trunkline/core/storage"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import type { Rules } from "./ConfigReader.ts"
import { messagingFaults } from "./Messaging.ts"
import * as Kinds from "./ProviderKinds.ts"
import { chosenOf, entryFaults, faultsOf } from "./ProviderSections.ts"
import { standInFaults } from "./StandInEngine.ts"

/** The rules of every section that a provider must check. */
export const providerRules: Rules = {
  telephony: ({ telephony }) => telephonyRules(telephony),
  messaging: ({ messaging }) => messagingFaults(messaging),
  models: ({ models }) => [
    ...entryFaults(Kinds.upstreams, models.upstreams ?? {}, "models.upstreams"),
    ...standInFaults(models)
  ],
  search: ({ search: { providers = {} } }) => entryFaults(Kinds.searches, providers, "search.providers")
}

const telephonyRules = (telephony: Sections["telephony"]): ReadonlyArray<Fault> => {
  const { given, kind } = chosenOf(Kinds.carriers, telephony)
  return faultsOf(kind, given, `telephony.${snakeName(kind.name)}`)
}
