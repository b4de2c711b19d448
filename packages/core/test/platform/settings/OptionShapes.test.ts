/** The plain types of options are those of the settings. */
import { describe, expect, it } from "vitest"
import type { CallingOptionShapes } from "../../../src/calling/CallingOptionShapes.ts"
import * as calling from "../../../src/calling/CallingOptions.ts"
import type { DashboardOptionShapes } from "../../../src/dashboard/DashboardOptionShapes.ts"
import * as dashboard from "../../../src/dashboard/DashboardOptions.ts"
import type { PageOptionShapes } from "../../../src/dashboard/PageOptionShapes.ts"
import * as pages from "../../../src/dashboard/PageOptions.ts"
import type { GatewayOptionShapes } from "../../../src/gateway/GatewayOptionShapes.ts"
import * as gateway from "../../../src/gateway/GatewayOptions.ts"
import type { MessagingOptionShapes } from "../../../src/messaging/MessagingOptionShapes.ts"
import * as messaging from "../../../src/messaging/MessagingOptions.ts"
import type { PlatformOptionShapes } from "../../../src/platform/PlatformOptionShapes.ts"
import * as platform from "../../../src/platform/PlatformOptions.ts"
import type { Settings } from "../../../src/platform/settings/index.ts"
import type { VoiceOptionShapes } from "../../../src/voice/VoiceOptionShapes.ts"
import * as voice from "../../../src/voice/VoiceOptions.ts"
import type { WebhooksOptionShapes } from "../../../src/webhooks/WebhooksOptionShapes.ts"
import * as webhooks from "../../../src/webhooks/WebhooksOptions.ts"
import { optionShapes } from "./OptionShapes.ts"

const sources: Readonly<Record<string, Settings.Settings>> = {
  "platform/PlatformOptions": platform.settings,
  "gateway/GatewayOptions": gateway.settings,
  "calling/CallingOptions": calling.settings,
  "messaging/MessagingOptions": messaging.settings,
  "webhooks/WebhooksOptions": webhooks.settings,
  "voice/VoiceOptions": voice.settings,
  "dashboard/DashboardOptions": dashboard.settings,
  "dashboard/PageOptions": pages.settings
}

/** With every option there, also inside: an option that one type alone has is found, although it may be left out. */
type Whole<A> = A extends (...given: never) => unknown ? A : A extends object ? { [K in keyof A]-?: Whole<A[K]> } : A

/** The settings of each area, and the shape of what a host gives for them. */
interface Pairs {
  readonly platform: readonly [Settings.ValuesOf<typeof platform.settings>, PlatformOptionShapes]
  readonly gateway: readonly [Settings.ValuesOf<typeof gateway.settings>, GatewayOptionShapes]
  readonly calling: readonly [Settings.ValuesOf<typeof calling.settings>, CallingOptionShapes]
  readonly messaging: readonly [Settings.ValuesOf<typeof messaging.settings>, MessagingOptionShapes]
  readonly webhooks: readonly [Settings.ValuesOf<typeof webhooks.settings>, WebhooksOptionShapes]
  readonly voice: readonly [Settings.ValuesOf<typeof voice.settings>, VoiceOptionShapes]
  readonly dashboard: readonly [Settings.ValuesOf<typeof dashboard.settings>, DashboardOptionShapes]
  readonly pages: readonly [Settings.ValuesOf<typeof pages.settings>, PageOptionShapes]
}

type Given = { readonly [Area in keyof Pairs]: Pairs[Area][0] }
type Shapes = { readonly [Area in keyof Pairs]: Pairs[Area][1] }

describe("the shapes of options", () => {
  it.each(Object.entries(sources))(
    "%s are the committed ones; `vitest run OptionShapes.test.ts --update` writes them anew",
    async (source, settings) => {
      const path = `../../../src/${source.replace(/s$/, "Shapes")}.ts`
      await expect(optionShapes({ source, settings })).toMatchFileSnapshot(path)
    }
  )

  it("and the types of the settings can stand for each other, as the compiler finds", () => {
    const asShapes = (given: Given): Shapes => given
    const asGiven = (given: Shapes): Given => given
    const asWholeShapes = (given: Whole<Given>): Whole<Shapes> => given
    const asWholeGiven = (given: Whole<Shapes>): Whole<Given> => given
    for (const one of [asShapes, asGiven, asWholeShapes, asWholeGiven]) expect(one).toBeTypeOf("function")
  })
})
