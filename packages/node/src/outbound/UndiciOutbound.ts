/** Implements the port of webhooks over undici: a connection goes to the address that was checked, even if its name resolves to another. */

import { getCACertificates } from "node:tls"
import type { OutboundProvider } from "@trunkline/core"
import {
  Outbound,
  type OutboundAnswer,
  type OutboundFailed,
  type OutboundPost,
  type OutboundRequest,
  outboundProvider
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connection, type Listener, maxBodyBytes } from "./Connection.ts"
import { IdleConnections } from "./IdleConnections.ts"
import { postFailure } from "./OutboundErrors.ts"
import { resolver } from "./Resolver.ts"

export interface OutboundOptions {
  /** Authorities that are trusted beside those that Node trusts: certificates in PEM. */
  readonly authorities?: ReadonlyArray<string>
  /** Connections that are kept for another request to the same name at the same address. Default 256. */
  readonly idleConnections?: number
}

const make = ({ authorities = [], idleConnections = 256 }: OutboundOptions) => {
  const open = new Set<Connection>()
  const idle = new IdleConnections<Connection>(idleConnections)
  const trusted = authorities.length === 0 ? undefined : [...getCACertificates("default"), ...authorities]

  /** Sends over a connection that is kept for the next request, and reports what came of it. */
  const sending = (
    request: OutboundRequest,
    listener: Pick<Listener, "answered" | "failed" | "received" | "closed">
  ) => {
    const { address, url } = request
    const key = `${url.origin} ${address}`
    const connection = idle.take(key) ?? new Connection({ url, address, authorities: trusted })
    open.add(connection)
    connection.send(request, {
      ...listener,
      free: () => {
        idle.put(key, connection)
        listener.closed()
      },
      closed: () => {
        open.delete(connection)
        idle.drop(connection)
        listener.closed()
      }
    })
    return Effect.sync(() => connection.close())
  }

  const failure = (error: Error) => (isOurs(error) ? Effect.die(error) : Effect.fail(postFailure(error)))

  const post = (request: OutboundPost): Effect.Effect<{ readonly status: number }, OutboundFailed> =>
    Effect.callback((resume) =>
      sending(
        { ...request, method: "POST" },
        {
          answered: (status) => resume(Effect.succeed({ status })),
          failed: (error) => resume(failure(error)),
          closed: () => {}
        }
      )
    )

  const ask = (request: OutboundRequest): Effect.Effect<OutboundAnswer, OutboundFailed> =>
    Effect.callback((resume) => {
      let status = 0
      const chunks: Array<Uint8Array> = []
      return sending(request, {
        answered: (answered) => {
          status = answered
        },
        received: (bytes) => chunks.push(bytes),
        failed: (error) => resume(failure(error)),
        // Either the whole body is there, or as much of it as is read, or as had come when the connection broke.
        closed: () =>
          status > 0 &&
          resume(
            Effect.succeed({ status, body: Buffer.concat(chunks).subarray(0, request.maxBodyBytes ?? maxBodyBytes) })
          )
      })
    })

  const close = () => {
    for (const connection of open) connection.close()
  }

  return { post, request: ask, resolve: resolver(), close }
}

/** A request that cannot be written, such as one with a line break in a header, is no fault of the endpoint's. */
const isOurs = (error: Error): boolean => "code" in error && error.code === "UND_ERR_INVALID_ARG"

/** The port for hosts that use Effect. Closes every connection with its scope. */
export const outboundLayer = (options: OutboundOptions = {}): Layer.Layer<Outbound> =>
  Layer.effect(
    Outbound,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => make(options)),
        ({ close }) => Effect.sync(close)
      ),
      ({ post, request, resolve }) => Outbound.of({ post, request, resolve })
    )
  )

/**
 * What delivers webhooks, for `createTrunkline({ outbound: outbound() })`. It connects to no other address than the
 * one that the address policy has passed, and uses no proxy. Source: docs/reference/address-policy.md#dialing.
 */
export const outbound = (options: OutboundOptions = {}): OutboundProvider => outboundProvider(outboundLayer(options))
