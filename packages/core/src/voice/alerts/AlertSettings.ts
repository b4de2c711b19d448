/** How often alerts are evaluated. Source: docs/reference/configuration.md#voice. */
import * as Context from "effect/Context"

export interface AlertSettings {
  readonly everySeconds: number
}

export const AlertSettings = Context.Reference<AlertSettings>("@trunkline/core/voice/alerts/AlertSettings", {
  defaultValue: () => ({ everySeconds: 60 })
})
