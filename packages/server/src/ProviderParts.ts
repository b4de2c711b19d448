/** Where the file has providers, and their faults there. */
import type { ChannelProvider } from "@trunkline/core"
import type { Fault } from "./ConfigFaults.ts"
import type { SectionName, Sections } from "./ConfigFile.ts"
import * as Kinds from "./ProviderKinds.ts"
import { chosenIn, entriesIn, faultsOf, type Part, presentIn } from "./ProviderSections.ts"
import { standInPart } from "./StandInEngine.ts"

export const carrierIn = (telephony: Sections["telephony"]) => chosenIn(Kinds.carriers, telephony, "telephony")

export const platformIn = (messaging: Sections["messaging"]): Part<ChannelProvider> => ({
  kind: Kinds.platform,
  given: messaging,
  path: "messaging"
})

export const channelsIn = (messaging: Sections["messaging"]) => presentIn(Kinds.channels, messaging, "messaging")

export const upstreamsIn = ({ upstreams }: Sections["models"]) =>
  entriesIn(Kinds.upstreams, upstreams, "models.upstreams")

export const searchesIn = ({ providers }: Sections["search"]) =>
  entriesIn(Kinds.searches, providers, "search.providers")

const partsIn = (
  name: SectionName,
  { messaging, models, search, telephony }: Sections
): ReadonlyArray<Part<unknown>> => {
  switch (name) {
    case "telephony":
      return [carrierIn(telephony)]
    case "messaging":
      return [platformIn(messaging), ...channelsIn(messaging)]
    case "models":
      return [...Object.values(upstreamsIn(models)), standInPart(models)]
    case "search":
      return Object.values(searchesIn(search))
    default:
      return []
  }
}

/** What the providers of a section find wrong with it, as far as it can be read. */
export const providerFaults = (name: SectionName, sections: Sections): ReadonlyArray<Fault> =>
  partsIn(name, sections).flatMap(faultsOf)
