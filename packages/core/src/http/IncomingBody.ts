/**
 * A request's body as its host has it. A host that pushes chunks is listened to directly: a stream of effects costs a large
 * upload more than all that is done with it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"

export interface BodyListener {
  /** `isOurs` where nobody else, the host included, has this chunk. */
  readonly chunk: (bytes: Uint8Array, isOurs: boolean) => void
  /** Called once, at the body's end. */
  readonly ended: () => void
  /** Called once, instead, where the body breaks off before its end. */
  readonly broken: () => void
}

/** Listens to the body of a host's own request; what is returned stops listening. Nothing is told before this returns. */
export type Listen = (source: object, listener: BodyListener) => () => void

/** How the host's requests are listened to; null where their bodies can only be read as streams. */
export const ListensToBody = Context.Reference<Listen | null>("@trunkline/core/http/ListensToBody", {
  defaultValue: () => null
})

type Take<E> = (chunk: Uint8Array, isOurs: boolean) => E | undefined

/**
 * Reads a request's body: passes on each chunk as it comes, until `take` has an error, and fails with `broken` where the
 * body ends before its end. Of each chunk it tells whether it is nobody else's.
 */
export const bodyReader =
  <E>({ source, stream }: Pick<HttpServerRequest.HttpServerRequest, "source" | "stream">, broken: E) =>
  (take: Take<E>): Effect.Effect<void, E> =>
    Effect.flatMap(ListensToBody, (listen) =>
      listen === null ? pulled(stream, take, broken) : pushed((listener) => listen(source, listener), take, broken)
    )

const pulled = <E>(stream: Stream.Stream<Uint8Array, unknown>, take: Take<E>, broken: E): Effect.Effect<void, E> =>
  Stream.runForEachArray(
    Stream.mapError(stream, () => broken),
    (chunks): Effect.Effect<void, E> => {
      for (const chunk of chunks) {
        const error = take(chunk, false)
        if (error !== undefined) return Effect.fail(error)
      }
      return Effect.void
    }
  )

const pushed = <E>(listen: (listener: BodyListener) => () => void, take: Take<E>, broken: E) =>
  Effect.callback<void, E>((resume) => {
    const stop = listen({
      chunk: (bytes, isOurs) => {
        const error = take(bytes, isOurs)
        if (error === undefined) return
        stop()
        resume(Effect.fail(error))
      },
      ended: () => resume(Effect.void),
      broken: () => resume(Effect.fail(broken))
    })
    return Effect.sync(stop)
  })
