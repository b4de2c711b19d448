/** An answer that is sent as it comes, as an HTTP response. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { atRequestEnd } from "../../platform/http/index.ts"

interface StreamedAnswer<E> {
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  /** The next bytes. */
  readonly next: Effect.Effect<Uint8Array, E | Cause.Done>
  /** Runs where the client goes before the end. */
  readonly abandon: Effect.Effect<void>
}

export const streamedAnswer = <E>({
  abandon,
  contentType,
  headers,
  next
}: StreamedAnswer<E>): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Scope.Scope> => {
  const pull = Effect.map(next, (bytes) => [bytes] as const)
  const body = Stream.onExit(Stream.fromPull(Effect.succeed(pull)), (exit) =>
    Exit.isSuccess(exit) ? Effect.void : abandon
  )
  // A client may go before its answer is read for the first time: then no stream has an end.
  return Effect.as(atRequestEnd(abandon), HttpServerResponse.stream(body, { contentType, headers }))
}
