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

// Written out, so that the declarations name what has the doc comments, and do not copy it without them.
type AllOptions = Settings.ValuesOf<typeof platform.settings> &
  Settings.ValuesOf<typeof gateway.settings> &
  Settings.ValuesOf<typeof calling.settings> &
  Settings.ValuesOf<typeof messaging.settings> &
  Settings.ValuesOf<typeof webhooks.settings> &
  Settings.ValuesOf<typeof voice.settings>

/** What a file may give for the options, under their names. */
export type FileOptions = Settings.FileValuesOf<typeof platform.settings> &
  Settings.FileValuesOf<typeof gateway.settings> &
  Settings.FileValuesOf<typeof calling.settings> &
  Settings.FileValuesOf<typeof messaging.settings> &
  Settings.FileValuesOf<typeof webhooks.settings> &
  Settings.FileValuesOf<typeof voice.settings>

/** What `createTrunkline` takes. Source: docs/reference/configuration.md. */
export interface TrunklineOptions extends AllOptions {}

/** Which areas there are is decided before the options are read. */
const choice = { areas: Settings.hostOnly(Settings.anything) }

/** Every option, with its default and its check. */
export const optionSettings: Settings.Section<Settings.Settings> = Settings.section(
  merged([
    platform.settings,
    gateway.settings,
    calling.settings,
    messaging.settings,
    webhooks.settings,
    voice.settings,
    choice
  ])
)

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
