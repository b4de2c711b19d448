/** What a host decides when it embeds the product: the options of all areas. No type of Effect's appears here. */

import type { CallingOptionShapes } from "../calling/CallingOptionShapes.ts"
import type * as calling from "../calling/CallingOptions.ts"
import type { DashboardOptionShapes } from "../dashboard/DashboardOptionShapes.ts"
import type { GatewayOptionShapes } from "../gateway/GatewayOptionShapes.ts"
import type * as gateway from "../gateway/GatewayOptions.ts"
import type { MessagingOptionShapes } from "../messaging/MessagingOptionShapes.ts"
import type * as messaging from "../messaging/MessagingOptions.ts"
import type { PlatformOptionShapes } from "../platform/PlatformOptionShapes.ts"
import type * as platform from "../platform/PlatformOptions.ts"
import { merged, type SettingFault, Settings } from "../platform/settings/index.ts"
import type { VoiceOptionShapes } from "../voice/VoiceOptionShapes.ts"
import type * as voice from "../voice/VoiceOptions.ts"
import type { WebhooksOptionShapes } from "../webhooks/WebhooksOptionShapes.ts"
import type * as webhooks from "../webhooks/WebhooksOptions.ts"
import { brandRules } from "./BrandCheck.ts"
import { type HostOptions, settings as ofHost } from "./HostOptions.ts"
import type { Chosen, Rooms } from "./Rooms.ts"
import type { Together } from "./Together.ts"

/** What a file may give for the options, under their names. */
export type FileOptions = Settings.FileValuesOf<typeof platform.settings> &
  Settings.FileValuesOf<typeof gateway.settings> &
  Settings.FileValuesOf<typeof calling.settings> &
  Settings.FileValuesOf<typeof messaging.settings> &
  Settings.FileValuesOf<typeof webhooks.settings> &
  Settings.FileValuesOf<typeof voice.settings>

/** The options that each area brings. */
interface OptionsOfAreas {
  readonly dashboard: DashboardOptionShapes
  readonly gateway: GatewayOptionShapes
  readonly calling: CallingOptionShapes
  readonly messaging: MessagingOptionShapes
  readonly webhooks: WebhooksOptionShapes
  readonly voice: VoiceOptionShapes
  readonly agents: Record<never, never>
}

/** What `createTrunkline` takes for a product with these areas. */
export type OptionsOf<Names extends keyof OptionsOfAreas> = PlatformOptionShapes & Together<OptionsOfAreas[Names]>

type AllOptions = HostOptions & OptionsOf<keyof OptionsOfAreas>

/** What `createTrunkline` takes. Source: docs/reference/configuration.md. */
export interface TrunklineOptions extends AllOptions {}

/** Every option of these areas, with its default and its check. */
export const optionSettingsOf = ({ areas }: Chosen): Settings.Section<Settings.Settings> =>
  Settings.section(merged([...areas.map((area): Settings.Settings => area.settings).reverse(), ofHost]))

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
