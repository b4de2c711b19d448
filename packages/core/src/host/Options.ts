/** What a host decides when it embeds the product: the options of all areas. No type of Effect's appears here. */
import * as calling from "../calling/CallingOptions.ts"
import * as gateway from "../gateway/GatewayOptions.ts"
import * as messaging from "../messaging/MessagingOptions.ts"
import * as platform from "../platform/PlatformOptions.ts"
import { merged, type SettingFault, Settings } from "../platform/settings/index.ts"
import * as voice from "../voice/VoiceOptions.ts"
import * as webhooks from "../webhooks/WebhooksOptions.ts"
import { brandRules } from "./BrandCheck.ts"
import type { Rooms } from "./Rooms.ts"

/** The settings of each area: sections of one name are one section of the host's. */
const areas = {
  platform: platform.settings,
  gateway: gateway.settings,
  calling: calling.settings,
  messaging: messaging.settings,
  webhooks: webhooks.settings,
  voice: voice.settings
}

type Areas = typeof areas

type Together<A> = { [K in keyof A]: (of: A[K]) => void }[keyof A] extends (of: infer All) => void ? All : never

type AllOptions = Together<{ readonly [Area in keyof Areas]: Settings.ValuesOf<Areas[Area]> }>

/** What `createTrunkline` takes. Source: docs/reference/configuration.md. */
export interface TrunklineOptions extends AllOptions {}

/** Which areas there are is decided before the options are read. */
const choice = { areas: Settings.hostOnly(Settings.anything) }

/** Every option, with its default and its check. */
export const optionSettings = Settings.section(merged([...Object.values(areas), choice]))

/** What must hold of several options together: the faults of a section, of options as far as they can be read. */
type Rules = Readonly<
  Record<string, ReadonlyArray<(options: TrunklineOptions, rooms: Rooms) => ReadonlyArray<SettingFault>>>
>

const rulesOf = (name: string) =>
  [{ brand: brandRules }, gateway.rules, calling.rules, messaging.rules, webhooks.rules, voice.rules].flatMap(
    (rules) => (rules as Readonly<Record<string, Rules[string][number]>>)[name] ?? []
  )

/** The faults that only the rules of a section find. */
export const ruleFaults = (section: string, options: TrunklineOptions, rooms: Rooms): ReadonlyArray<SettingFault> =>
  rulesOf(section).flatMap((rule) => rule(options, rooms))
