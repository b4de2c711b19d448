/** What other rooms require of an agent's configuration. The voice agent implements it. */
import * as Context from "effect/Context"
import * as Result from "effect/Result"
import type { Bot } from "./BotStore.ts"

/** A configuration as it is stored, and what has been taken out of it because nobody may read it. */
export interface StoredConfig {
  /** With a mask in the place of each secret. */
  readonly config: Bot["config"]
  /** Encrypted when it is stored; null for none. */
  readonly secrets: string | null
}

/** The fault of a value of a configuration. */
export interface ConfigFault {
  /** From the agent on, such as `config.functions.0.name`. */
  readonly field: string
  readonly message: string
}

export interface BotConfigRules {
  /** The configuration to store in the place of `before` (null: of none), or everything that is wrong with it. */
  readonly accept: (
    given: Bot["config"],
    before: StoredConfig | null
  ) => Result.Result<StoredConfig, ReadonlyArray<ConfigFault>>
}

/** Accepts everything by default, and finds no secrets. */
export const BotConfigRules = Context.Reference<BotConfigRules>("@trunkline/core/agents/bots/BotConfigRules", {
  defaultValue: () => ({ accept: (config) => Result.succeed({ config, secrets: null }) })
})
