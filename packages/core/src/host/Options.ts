/** What a host decides when it embeds the product: the options of all areas. No type of Effect's appears here. */
import type * as calling from "../calling/CallingOptions.ts"
import type * as gateway from "../gateway/GatewayOptions.ts"
import type * as messaging from "../messaging/MessagingOptions.ts"
import type * as platform from "../platform/PlatformOptions.ts"
import { merged, type SettingFault, Settings } from "../platform/settings/index.ts"
import type * as voice from "../voice/VoiceOptions.ts"
import type * as webhooks from "../webhooks/WebhooksOptions.ts"
import type { AreaChoice } from "./AreaChoice.ts"
import { brandRules } from "./BrandCheck.ts"
import type { Chosen, Rooms } from "./Rooms.ts"
import type { Together } from "./Together.ts"

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

/** The options that each area brings. */
interface OptionsOfAreas {
  readonly gateway: Settings.ValuesOf<typeof gateway.settings>
  readonly calling: Settings.ValuesOf<typeof calling.settings>
  readonly messaging: Settings.ValuesOf<typeof messaging.settings>
  readonly webhooks: Settings.ValuesOf<typeof webhooks.settings>
  readonly voice: Settings.ValuesOf<typeof voice.settings>
  readonly agents: Record<never, never>
}

/** What `createTrunkline` takes for a product with these areas. */
export type OptionsOf<Names extends keyof OptionsOfAreas> = Settings.ValuesOf<typeof platform.settings> &
  Together<OptionsOfAreas[Names]>

/** What `createTrunkline` takes. Source: docs/reference/configuration.md. */
export interface TrunklineOptions extends AllOptions {
  /** What the product has; all areas where it is left out. Source: docs/reference/embedding.md#areas. */
  readonly areas?: ReadonlyArray<AreaChoice>
}

/** Which areas there are is decided before the options are read. */
const choice = { areas: Settings.hostOnly(Settings.anything) }

/** Every option of these areas, with its default and its check. */
export const optionSettingsOf = ({ areas }: Chosen): Settings.Section<Settings.Settings> =>
  Settings.section(merged([...areas.map((area): Settings.Settings => area.settings).reverse(), choice]))

/** What must hold of several options together: the faults of a section, of options as far as they can be read. */
type Rule = (options: TrunklineOptions, rooms: Rooms) => ReadonlyArray<SettingFault>

/** The faults that only the rules of a section find. */
export const ruleFaults = (
  { areas, rooms }: Chosen,
  section: string,
  options: TrunklineOptions
): ReadonlyArray<SettingFault> =>
  [{ brand: brandRules }, ...areas.map(({ rules }) => rules)]
    .flatMap((rules) => (rules as Readonly<Record<string, Rule>>)[section] ?? [])
    .flatMap((rule) => rule(options, rooms))
