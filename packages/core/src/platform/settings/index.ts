/**
 * Knows what an option is: written once, it is the typed option of a host, the key of a configuration file, the check of both
 * and the row of the reference.
 *
 * Promises  SETT-1 an option that cannot be used is named, with what it must be, at once with all others.
 *           SETT-2 a fault has one sentence, whether a host or a file has it, under the names of each.
 *           SETT-3 no message, no log and no JSON shows a secret.
 *           SETT-4 a kind of provider says its settings and what is wrong with them before its client is loaded.
 * Needs     nothing.                             Emits  nothing.
 * Not here  the options themselves: each area has its own, at its top.
 * Read      Setting.ts, then ReadSettings.ts; of providers ProviderKind.ts. Source: docs/reference/configuration.md.
 */
export { effective, merged } from "./EffectiveSettings.ts"
export { type LayerProvider, layerOf, type Provider, provider } from "./Provider.ts"
export { faultsIn, type KindHost, type ProviderKind, providerKind } from "./ProviderKind.ts"
export {
  asFile,
  asOptions,
  type Environment,
  type Notation,
  pathIn,
  readSettings,
  type SettingFault,
  unknownKey,
  withNewFaults
} from "./ReadSettings.ts"
export * as Settings from "./Setting.ts"
export { theme } from "./ThemeSettings.ts"
