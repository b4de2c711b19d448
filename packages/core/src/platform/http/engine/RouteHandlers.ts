/** Collects the handlers of a group of the contract, for `CompiledRoutes`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { typedAsGroup } from "./EffectInternals.ts"
import type { Relay } from "./RelayedExchange.ts"

/** A handler as a route calls it: its input and its answer are those of its endpoint. */
export interface RouteHandler {
  readonly handle: (input: never) => Effect.Effect<unknown, unknown, unknown>
  /** The two steps of a handler that reads a form; null for all others. */
  readonly form: {
    readonly read: (input: never) => Effect.Effect<KeyedForm, unknown, unknown>
    readonly handle: (input: never) => Effect.Effect<unknown, unknown, unknown>
  } | null
  /** Reads the body by itself. */
  readonly isRaw: boolean
  /** Answers some of the requests without a fiber; null where nothing does. */
  readonly relay: Relay | null
}

export type RouteHandlers = ReadonlyMap<string, RouteHandler>

type Handle = RouteHandler["handle"]

/** A form whose request may have an Idempotency-Key. */
export interface KeyedForm {
  /** Of all fields and the file's bytes, however they were cut into pieces. */
  readonly digest: Effect.Effect<string>
}

const formHandlers = new WeakMap<Handle, RouteHandler["form"]>()

/** A handler of a form, which is read first: its fields decide whether a request under a key is the same. */
export const withForm = <Input extends object, Form extends KeyedForm, A, E, R, E2, R2>(
  read: (input: Input) => Effect.Effect<Form, E, R>,
  handle: (input: Input & { readonly form: Form }) => Effect.Effect<A, E2, R2>
): ((input: Input) => Effect.Effect<A, E | E2, Exclude<R | R2, Scope.Scope>>) => {
  const handler = (input: Input) => Effect.scoped(Effect.flatMap(read(input), (form) => handle({ ...input, form })))
  formHandlers.set(handler, { handle, read })
  return handler
}

const relays = new WeakMap<Handle, Relay>()

/** A handler some of whose requests a relay answers: it gets those that the relay does not take, or hands over. */
export const withRelay = <H extends Handle>(handle: H, relay: Relay): H => {
  relays.set(handle, relay)
  return handle
}

class Collected {
  readonly handlers = new Map<string, RouteHandler>()

  handle(endpoint: string, handle: Handle): this {
    const [form, relay] = [formHandlers.get(handle) ?? null, relays.get(handle) ?? null]
    this.handlers.set(endpoint, { handle, form, isRaw: false, relay })
    return this
  }

  handleRaw(endpoint: string, handle: Handle): this {
    this.handlers.set(endpoint, { handle, form: null, isRaw: true, relay: null })
    return this
  }

  handleAll(handlers: Readonly<Record<string, Handle>>): this {
    for (const [endpoint, handle] of Object.entries(handlers)) this.handle(endpoint, handle)
    return this
  }
}

type Group = Pick<HttpApiGroup.Top, "key">

interface Contract {
  readonly groups: Readonly<Record<string, Group>>
}

/** The handlers of a group stand where Effect's builder has its own. */
const keyOf = ({ key }: Group) => Context.Service<RouteHandlers>(key)

/**
 * `HttpApiBuilder.group` with the same types: every endpoint of the group has a handler, and the handler fits it. The
 * handlers of that one cannot be had again, and its routes are built for its own router.
 */
export const group = typedAsGroup(
  (api: Contract, name: string, build: (handlers: Collected) => Collected | Effect.Effect<Collected>) =>
    Layer.effectContext(
      Effect.suspend(() => {
        const built = build(new Collected())
        return Effect.map(Effect.isEffect(built) ? built : Effect.succeed(built), ({ handlers }) =>
          Context.make(keyOf(api.groups[name]!), handlers)
        )
      })
    )
)

/** The handlers that `group` has collected for a group. */
export const handlersOf = (context: Context.Context<never>, group: Group): RouteHandlers | undefined =>
  Context.getOrUndefined(context, keyOf(group))
