/**
 * A request's body as its host has it. A host that pushes chunks is listened to directly: a stream of effects costs a large
 * upload more than all that is done with it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"

interface BodyListener {
  /** `free` gives the chunk's memory back, where nobody else has the chunk. Nobody may read it from then on. */
  readonly chunk: (bytes: Uint8Array, free: () => void) => void
  /** Called once, at the body's end. */
  readonly ended: () => void
  /** Called once, instead, where the body breaks off before its end. */
  readonly broken: () => void
  /** Called once, instead, with what another of these functions has thrown. */
  readonly failed: (fault: unknown) => void
}

/** Listens to the body of a host's own request; the function that it returns stops listening. No listener is called before this returns. */
export type Listen = (source: object, listener: BodyListener) => () => void

/** How the host's requests are listened to; null where their bodies can only be read as streams. */
export const ListensToBody = Context.Reference<Listen | null>("@trunkline/core/platform/http/ListensToBody", {
  defaultValue: () => null
})

type OnChunk<E> = (chunk: Uint8Array, free: () => void) => E | undefined

/** Reads a request's body chunk by chunk, until `onChunk` returns an error. Fails with `broken` where the body is cut off. */
export const bodyReader =
  <E>({ source, stream }: Pick<HttpServerRequest.HttpServerRequest, "source" | "stream">, broken: () => E) =>
  (onChunk: OnChunk<E>): Effect.Effect<void, E> =>
    Effect.flatMap(ListensToBody, (listen) =>
      listen === null
        ? pulled(stream, onChunk, broken)
        : pushed((listener) => listen(source, listener), onChunk, broken)
    )

const notOurs = (): void => undefined

const pulled = <E>(
  stream: Stream.Stream<Uint8Array, unknown>,
  onChunk: OnChunk<E>,
  broken: () => E
): Effect.Effect<void, E> =>
  Stream.runForEachArray(Stream.mapError(stream, broken), (chunks): Effect.Effect<void, E> => {
    for (const chunk of chunks) {
      const error = onChunk(chunk, notOurs)
      if (error !== undefined) return Effect.fail(error)
    }
    return Effect.void
  })

const pushed = <E>(listen: (listener: BodyListener) => () => void, onChunk: OnChunk<E>, broken: () => E) =>
  Effect.callback<void, E>((resume) => {
    const stop = listen({
      chunk: (bytes, free) => {
        const error = onChunk(bytes, free)
        if (error === undefined) return
        stop()
        resume(Effect.fail(error))
      },
      ended: () => resume(Effect.void),
      broken: () => resume(Effect.fail(broken())),
      failed: (fault) => resume(Effect.die(fault))
    })
    return Effect.sync(stop)
  })
