/** What a package made for a host: the host passes it on, and sees no type of Effect's. Pure. */
import { isObject } from "../kernel/index.ts"
import { hostOnly, type Setting, value } from "./Setting.ts"

declare const provides: unique symbol

/** Made by the function for its kind alone, so that what it carries has the type that the core expects. */
export interface Provider<Kind extends string> {
  readonly kind: Kind
  /** A type without a value: an object literal is no provider. */
  readonly [provides]: Kind
}

/** A provider of a service. */
export interface LayerProvider<Kind extends string> extends Provider<Kind> {
  readonly layer: unknown
}

/** A provider that these packages make; its kind names its purpose. */
export const provider = <P extends Provider<string>>(kind: P["kind"], makers: string) =>
  hostOnly<Setting<P>>(value(`must be what ${makers} makes`, (given) => isObject(given) && given.kind === kind))

/** The layer of a provider, whose kind was checked with the options: the area that has the option knows its type. */
export const layerOf = <L>({ layer }: { readonly layer: unknown }): L => layer as L
