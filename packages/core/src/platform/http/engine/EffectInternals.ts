/**
 * What the product uses of Effect and the compiler does not check: a new version may change each of these parts, and everything still
 * compiles. The table names all of them, and `test/house/EffectInternals.test.ts` compares it with the code. How a new version is
 * taken: docs/contributing.md#effect.
 */
import * as Context from "effect/Context"
import type * as Fiber from "effect/Fiber"
import type * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as SchemaAST from "effect/SchemaAST"

interface EffectInternal {
  /** The use of the part, and what must stay true of it. */
  readonly why: string
  /** Files that use it, below `packages`, without `src` and `.ts`. */
  readonly files: ReadonlyArray<string>
}

const here = "core/platform/http/engine/EffectInternals"

/** Each part as it is written in the code. */
export const effectInternals: Readonly<Record<string, EffectInternal>> = {
  '"~httpApiEncoding"': {
    why: "The annotation in which `HttpApiSchema.asText` and its like note the encoding of an answer. Nothing else says it.",
    files: [here]
  },
  "Context.makeUnsafe": {
    why: "Makes the services of requests, with the depth up to which additions are laid over them. No other constructor takes one.",
    files: [here]
  },
  mapUnsafe: {
    why: "The services that the services of requests are made of.",
    files: [here]
  },
  setContext: {
    why: "Gives a route its services. `Effect.provideContext` would restore the former ones, which `HttpEffect.toHandled` does anyway.",
    files: [here]
  },
  "as typeof HttpApiBuilder.group": {
    why: "Gives our collector of handlers the types of Effect's. A method that the type gets, the collector must get as well.",
    files: [here]
  },
  "HttpApiBuilder.securityDecode": {
    why: "Reads the credential of a request. Bearer needs the request alone, and not the parsed query that the type asks for.",
    files: ["core/platform/http/engine/CompiledRoutes"]
  },
  "HttpEffect.toHandled": {
    why: "Makes one handler for all requests. It passes the request of the fiber's services on, which is therefore the one of Node.",
    files: ["node/NodeHandler"]
  },
  "Effect.fnUntraced as": {
    why: "Makes functions with a span where a host traces: the pipes are the arguments after the body, and each call runs through them.",
    files: ["core/platform/kernel/Traced"]
  },
  "OpenApi.Transform": {
    why: "The document that Effect makes of a contract is rewritten by the names and the form that it has. The committed openapi.json shows what a new version changes.",
    files: ["core/host/Api", "node/ApiReference"]
  },
  "Schema.toJsonSchemaDocument": {
    why: "The JSON Schema of a schema is read by fields that its type leaves open: the properties, the type of a number, the definitions.",
    files: [
      "core/platform/events/EventDescription",
      "core/platform/http/describe/OpenApiTransform",
      "core/platform/http/engine/EndpointCodec"
    ]
  },
  "SchemaIssue.makeFormatterDefault": {
    why: "Writes the sentence of a fault. Some of its sentences are recognized, and replaced by ones that callers of HTTP understand.",
    files: ["core/platform/http/SchemaFaults"]
  }
}

export interface ResponseEncoding {
  readonly _tag: "Json" | "Text" | "Uint8Array" | "FormUrlEncoded"
  readonly contentType: string
}

/** The encoding that an answer's schema notes; undefined for JSON. */
export const encodingOf = SchemaAST.resolveAt<ResponseEncoding>("~httpApiEncoding")

/** The function with the types of `HttpApiBuilder.group`: every endpoint of a group has a handler, and the handler fits it. */
export const typedAsGroup = (group: unknown) => group as typeof HttpApiBuilder.group

/** The same services, to which a request can add about thirty: from the ninth addition on, the default would copy all of them. */
export const withRoomForRequests = <Services>(context: Context.Context<Services>): Context.Context<Services> =>
  Context.makeUnsafe<Services>(context.mapUnsafe, { maxDepth: 32 })

/** Gives the fiber of a request these services until its handler ends. */
export const enter = (fiber: Fiber.Fiber<unknown, unknown>, context: Context.Context<never>): void =>
  fiber.setContext(context)
