/** The configuration as the server needs it: every section, checked by the providers too. */
import type * as Result from "effect/Result"
import type { Environment } from "./ConfigFile.ts"
import { type Config, configBy, orUsageError, readConfigBy, type Scope } from "./ConfigReader.ts"
import { providerRules } from "./ProviderRules.ts"

export type { Config } from "./ConfigReader.ts"

/** Reads a configuration, or returns every fault with its path and what to do. Source: docs/reference/configuration.md#file. */
export const configOf = (
  value: unknown,
  environment: Environment,
  scope: Scope = {}
): Result.Result<Config, ReadonlyArray<string>> => configBy(providerRules, value, environment, scope)

/** Reads the file that `TRUNKLINE_CONFIG` names, or the defaults where it names none. Throws `UsageError`. */
export const loadConfig = (environment: Environment, scope: Omit<Scope, "folder"> = {}): Config =>
  orUsageError(readConfig(environment, scope))

/** The same, with all faults as lines; the first names the file. */
export const readConfig = (
  environment: Environment,
  scope: Omit<Scope, "folder"> = {}
): Result.Result<Config, ReadonlyArray<string>> => readConfigBy(providerRules, environment, scope)
