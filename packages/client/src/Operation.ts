/** What the client knows of a route: the files of `generated` have one for each, made from the contract. */

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Below the mount point, with `{name}` in the place of each parameter. */
  readonly path: string
  /** What the arguments after those of the path are, in their order. */
  readonly takes?: ReadonlyArray<"query" | "json" | "form">
  /**
   * How a list goes on after its first page: by a number of items to skip, or by the id of the last item. A list of `one` page
   * ends with it.
   */
  readonly pages?: "offset" | "after" | "one"
  /** Set where the answer is a file: the caller gets the response, whose body has not been read. */
  readonly isFile?: true
  /**
   * Whether a request has an `Idempotency-Key`: always, one that the client draws where the caller names none; or where the
   * caller names one, because a model's run with a key goes on, and is billed, after its caller has gone.
   */
  readonly key?: "always" | "named"
}

/** The routes of an area, by their group and their name. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>

declare const methods: unique symbol

/** An area of the product as `createClient` takes it. */
export interface ClientArea<out Methods> {
  readonly operations: Operations
  /** A type without a value. */
  readonly [methods]?: Methods
}

/** The methods of an area, or of several together. */
export type MethodsOf<Area> = (Area extends ClientArea<infer Methods> ? (methods: Methods) => void : never) extends (
  together: infer Together
) => void
  ? Together
  : never

export const clientArea = <Methods>(operations: Operations): ClientArea<Methods> => ({ operations })

/** The names of the parameters of a path, in their order. */
export const parametersOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
