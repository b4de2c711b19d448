/** Applies a client's updates to the settings of its session, from the next run on. Pure. Source: docs/reference/voice-agent.md#updates. */

import { type ModelRules, modelsRefusal, withOurNames } from "./AgentModels.ts"
import type { AgentSettings } from "./AgentSettings.ts"
import { withGiven } from "./AgentSettingsOf.ts"
import type { GivenAgent } from "./GivenAgent.ts"
import { describeFaults, type Findings, GivenFields, noFindings } from "./GivenFields.ts"
import { cutPrompt, readListen, readSpeak, readThink, type SettingsWarning } from "./SettingsMessage.ts"

/** A client's message that changes settings, as it was sent. */
export type SettingsUpdate =
  | { readonly _tag: "UpdatePrompt"; readonly prompt: unknown }
  | { readonly _tag: "UpdateThink"; readonly think: unknown }
  | { readonly _tag: "UpdateListen"; readonly listen: unknown }
  | { readonly _tag: "UpdateSpeak"; readonly speak: unknown }

export interface UpdateApplied {
  readonly settings: AgentSettings
  readonly warnings: ReadonlyArray<SettingsWarning>
}

export interface UpdateRefused {
  readonly code: "INVALID_UPDATE"
  readonly description: string
}

/** The settings after an update, or why it cannot be applied: then nothing changes. */
export const updateSettings = (
  settings: AgentSettings,
  update: SettingsUpdate,
  rules: ModelRules
): UpdateApplied | UpdateRefused => {
  const findings = noFindings()
  const warnings: Array<SettingsWarning> = []
  const given = givenBy(update, settings, findings, warnings)
  const next = withOurNames(withGiven(settings, given), rules.catalogue)
  const refusal = update._tag === "UpdatePrompt" ? null : modelsRefusal(next, rules)
  const faults = [
    ...(findings.faults.length === 0 ? [] : [describeFaults(findings.faults)]),
    ...(refusal === null ? [] : [refusal.description])
  ]
  if (faults.length > 0) return refused(faults.join("; "))
  const { ignored } = findings
  return {
    settings: next,
    warnings: [
      ...warnings,
      ...(ignored.length === 0
        ? []
        : [
            {
              code: "SETTINGS_FIELDS_IGNORED",
              description: `These fields have no effect: ${ignored.join(", ")}`
            } as const
          ])
    ]
  }
}

const refused = (description: string): UpdateRefused => ({ code: "INVALID_UPDATE", description })

const givenBy = (
  update: SettingsUpdate,
  { prompt }: AgentSettings,
  findings: Findings,
  warnings: Array<SettingsWarning>
): GivenAgent => {
  const missing = (field: string, message: string): GivenAgent => {
    findings.faults.push({ field, message })
    return {}
  }
  switch (update._tag) {
    case "UpdatePrompt":
      return typeof update.prompt === "string"
        ? { prompt: cutPrompt([...(prompt === null ? [] : [prompt]), update.prompt].join("\n\n"), warnings) }
        : missing("prompt", "must be a text")
    case "UpdateThink":
      return update.think === undefined || update.think === null
        ? missing("think", "is needed: an object")
        : readThink(update.think, "think", findings, warnings)
    case "UpdateSpeak":
      return update.speak === undefined || update.speak === null
        ? missing("speak", "is needed: an object")
        : { speak: readSpeak(update.speak, "speak", findings) }
    case "UpdateListen":
      return { listen: readListen(GivenFields.of(update.listen, "listen", findings)) }
  }
}
