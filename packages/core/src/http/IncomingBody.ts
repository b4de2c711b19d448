/**
 * A request's body as its host has it. A host that pushes chunks is listened to directly: a stream of effects costs a large
 * upload more than all that is done with it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"

export interface BodyListener {
  readonly chunk: (bytes: Uint8Array) => void
  /** Called once, at the body's end. True where nobody else, the host included, has had these chunks. */
  readonly ended: (isOurs: boolean) => void
  /** Called once, instead, where the body breaks off before its end. */
  readonly broken: () => void
}

/** Listens to the body of a host's own request; what is returned stops listening. Nothing is told before this returns. */
export type Listen = (source: object, listener: BodyListener) => () => void

/** How the host's requests are listened to; null where their bodies can only be read as streams. */
export const ListensToBody = Context.Reference<Listen | null>("@trunkline/core/http/ListensToBody", {
  defaultValue: () => null
})

/**
 * Reads a request's body: passes on each chunk as it comes, until `take` has an error, and fails with `broken` where the
 * body ends before its end. Tells whether the chunks are nobody else's.
 */
export const bodyReader =
  <E>({ source, stream }: Pick<HttpServerRequest.HttpServerRequest, "source" | "stream">, broken: E) =>
  (take: (chunk: Uint8Array) => E | undefined): Effect.Effect<boolean, E> =>
    Effect.flatMap(ListensToBody, (listen) =>
      listen === null ? pulled(stream, take, broken) : pushed((listener) => listen(source, listener), take, broken)
    )

const pulled = <E>(
  stream: Stream.Stream<Uint8Array, unknown>,
  take: (chunk: Uint8Array) => E | undefined,
  broken: E
): Effect.Effect<boolean, E> =>
  Effect.as(
    Stream.runForEachArray(
      Stream.mapError(stream, () => broken),
      (chunks): Effect.Effect<void, E> => {
        for (const chunk of chunks) {
          const error = take(chunk)
          if (error !== undefined) return Effect.fail(error)
        }
        return Effect.void
      }
    ),
    false
  )

const pushed = <E>(
  listen: (listener: BodyListener) => () => void,
  take: (chunk: Uint8Array) => E | undefined,
  broken: E
) =>
  Effect.callback<boolean, E>((resume) => {
    const stop = listen({
      chunk: (bytes) => {
        const error = take(bytes)
        if (error === undefined) return
        stop()
        resume(Effect.fail(error))
      },
      ended: (isOurs) => resume(Effect.succeed(isOurs)),
      broken: () => resume(Effect.fail(broken))
    })
    return Effect.sync(stop)
  })
