/** A kind of provider, as far as it is known before its client is loaded, so that a file of settings can have it. Pure. */
import type * as Result from "effect/Result"
import type { SettingFault } from "./ReadSettings.ts"
import type { Setting, Settings } from "./Setting.ts"

/** What a server gives to every provider that it makes. */
export interface KindHost {
  /** Hears a line of what the provider does at length, such as fetching what it needs. */
  readonly log: (line: string) => void
}

/** A kind of provider of a purpose: who places calls, runs models, searches or chats. */
export interface ProviderKind<out P> {
  /** The word for it in a file. */
  readonly name: string
  /** The options of the provider that a file has, under their names. */
  readonly settings: Settings
  /** Settings of other kinds with the same purpose that it refuses with a sentence of its own, which goes on after the name. */
  readonly refuses: Readonly<Record<string, string>>
  /** Everything that it cannot work with. Secrets are texts here. */
  readonly faultsOf: (options: object) => ReadonlyArray<SettingFault>
  /** Loads the client, and makes the provider of options without a fault. */
  readonly make: (options: object, host: KindHost) => Promise<P>
}

/** The same, by the type of the provider's options. */
interface Own<O, P> extends Omit<ProviderKind<P>, "settings" | "refuses" | "faultsOf" | "make"> {
  readonly settings: { readonly [Name in keyof O]?: Setting<unknown> }
  readonly refuses?: Readonly<Record<string, string>>
  readonly faultsOf: (options: O) => ReadonlyArray<SettingFault>
  readonly make: (options: O, host: KindHost) => Promise<P>
}

/** A kind whose own check finds the options that are missing. */
export const providerKind = <O, P>({ refuses = {}, ...own }: Own<O, P>): ProviderKind<P> =>
  ({ refuses, ...own }) as ProviderKind<P>

/** Options that a provider cannot use: `baseUrl: expected where the server is`. */
interface Problems {
  readonly problems: ReadonlyArray<string>
}

/** What the check of a provider's options finds wrong, as sentences that go on after the option's name. */
export const faultsIn = (checked: Result.Result<unknown, Problems>): ReadonlyArray<SettingFault> =>
  checked._tag === "Success"
    ? []
    : checked.failure.problems.map((problem) => {
        const [, option, what = problem] = /^(\w+): (.*)$/s.exec(problem) ?? []
        return { path: option === undefined ? [] : [option], message: what.replace(/^expected/i, "must be") }
      })
