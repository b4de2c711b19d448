/** Every area, loaded at once: what describes the whole product. A product itself loads the areas that its host has chosen. */
import { agentsArea } from "../agents/index.ts"
import { callingArea } from "../calling/index.ts"
import { dashboardArea } from "../dashboard/index.ts"
import { gatewayArea } from "../gateway/index.ts"
import { messagingArea } from "../messaging/index.ts"
import type { Brand } from "../platform/brand/index.ts"
import * as Events from "../platform/events/index.ts"
import { platformArea } from "../platform/index.ts"
import type { MetricDeclarations } from "../platform/room/index.ts"
import { asFile, type SettingFault } from "../platform/settings/index.ts"
import { voiceArea } from "../voice/index.ts"
import { webhooksArea } from "../webhooks/index.ts"
import { contractsOf } from "./Api.ts"
import { type AreaName, withNeeded } from "./AreaChoice.ts"
import { chosenOf } from "./Areas.ts"
import * as Assembly from "./Assembly.ts"
import * as BrandCheck from "./BrandCheck.ts"
import { type GivenOptions, leftOutFaults } from "./LeftOut.ts"
import { optionSettingsOf, ruleFaults, type TrunklineOptions } from "./Options.ts"
import { declaredMetrics } from "./ProductMetrics.ts"
import { type Chosen, roomErrors, roomEvents } from "./Rooms.ts"
import { errorCodesOf } from "./TrunklineError.ts"

/** Each stands on those after it. */
const inOrder = [dashboardArea, voiceArea, messagingArea, callingArea, webhooksArea, agentsArea, gatewayArea]

/** All areas, and the rooms of all. */
export const everything: Chosen = chosenOf([...inOrder, platformArea])

export const { rooms } = everything

/** Every option of the product, with its default and its check. */
export const optionSettings = optionSettingsOf(everything)

/** The names of these areas with all that come along. */
const namesWith = (names: ReadonlyArray<AreaName>): ReadonlyArray<string> => [...withNeeded(names), platformArea.name]

/** The names of the options, or of their sections, that a product with these areas has. */
export const optionNames = (names: ReadonlyArray<AreaName>): ReadonlyArray<string> => {
  const there = namesWith(names)
  const chosen = chosenOf(everything.areas.filter(({ name }) => there.includes(name)))
  return Object.keys(optionSettingsOf(chosen).form.fields ?? {})
}

/** The keys of a file that belong to areas which its list leaves out. */
export const leftOutKeys = (
  names: ReadonlyArray<AreaName>,
  file: Pick<GivenOptions, "given" | "list">
): ReadonlyArray<SettingFault> =>
  leftOutFaults(everything.areas, { ...file, chosen: namesWith(names), nameOf: asFile({}).nameOf })

export const allErrors = roomErrors(rooms)

/** The status of every code that a promise may be refused with, those of the gateway apart. Compared with docs/reference/errors.md by a test. */
export const errorCodes = errorCodesOf(allErrors)

/** The services of the whole product. */
export const services = (options: TrunklineOptions, brand: Brand) => Assembly.services(options, brand, everything)

/** Every event of the product. */
export const eventCatalogue: Events.Catalogue = roomEvents(rooms)

/** An example of the data of each event, by its name. */
export const eventExamples: Readonly<Record<string, object>> = Object.fromEntries(
  eventCatalogue.entries.map(({ example, name }) => [name, example])
)

/** Reads an event that a host wants to publish. */
export const readEvent = (event: string, data: unknown) => Events.readEvent(eventCatalogue, event, data)

/** Every metric of the product. Source: docs/reference/operations.md#metrics. */
export const metricCatalogue: MetricDeclarations = declaredMetrics(rooms)

/** The contract for a brand: all that is served. */
export const makeApi = (brand: Brand) => contractsOf(rooms, brand).whole

export type Api = ReturnType<typeof makeApi>

/** The part of the contract that is published. */
export const publicApi = (brand: Brand) => contractsOf(rooms, brand).open

/** Everything that is wrong with a brand, its names in the contract included; nothing for one that can be used. */
export const brandFaults = (brand: Brand): ReadonlyArray<string> => BrandCheck.brandFaults(rooms, brand)

/** The faults that only the rules of a section find, of options as far as they can be read. */
export const optionFaults = (section: string, options: TrunklineOptions): ReadonlyArray<SettingFault> =>
  ruleFaults(everything, section, options)
