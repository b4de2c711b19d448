/** The plain type of a campaign's settings, as a host gives them, is that of the settings. */
import { expect, it } from "vitest"
import type { DialingSettingShapes } from "../../../src/calling/campaigns/DialingSettingShapes.ts"
import { type DialingSettings, settingNames } from "../../../src/calling/campaigns/DialingSettings.ts"
import { core, interfaceDocs } from "../../platform/settings/SettingTexts.ts"

/** The file of the shapes, as the formatter has it. */
const shapes = (): string => {
  const sentences = interfaceDocs(core("calling/campaigns/DialingSettings"))
  return [
    "/** What a host gives for the settings of a campaign: made from DialingSettings by DialingSettingShapes.test.ts. */",
    'import type { DialingSettings } from "./DialingSettings.ts"',
    "",
    "/** `Null` may stand for an absent one. */",
    "export interface DialingSettingShapes<Null = never> {",
    ...settingNames.flatMap((name) => [
      `  /** ${sentences.get(name)} */`,
      `  readonly ${name}?: DialingSettings["${name}"] | Null`
    ]),
    "}",
    ""
  ].join("\n")
}

it("is the committed one; `vitest run DialingSettingShapes.test.ts --update` writes it anew", async () => {
  await expect(shapes()).toMatchFileSnapshot("../../../src/calling/campaigns/DialingSettingShapes.ts")
})

it("and the type of the settings can stand for each other, as the compiler finds", () => {
  const asShapes = (given: Partial<DialingSettings>): DialingSettingShapes => given
  const asSettings = (given: DialingSettingShapes): Partial<DialingSettings> => given
  const asWhole = (given: Required<DialingSettingShapes>): DialingSettings => given
  for (const one of [asShapes, asSettings, asWhole]) expect(one).toBeTypeOf("function")
})
