/** All rows: what is printed in the documentation, and what every rule and test of foreign text goes through. */
import { coreTexts } from "../../packages/core/test/platform/kernel/CoreTexts.ts"
import { providerTexts } from "../../packages/providers/test/http/ProviderTexts.ts"
import type { ForeignText } from "./ForeignText.ts"

export const foreignTexts: ReadonlyArray<ForeignText> = [...coreTexts, ...providerTexts]
