/// <reference types="node" preserve="true" />
/** Answers requests of a Node server: translates bytes, headers, abort and the client's address, and nothing else. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { HandOver, Trunkline } from "@trunkline/core"
import {
  clientAddresses,
  internalsOf,
  ListensToBody,
  originForm,
  type RelayConnection,
  rememberPrincipal
} from "@trunkline/core/provider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import { ClientAbort } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { NodeRequest } from "./NodeRequest.ts"
import { openStream, respond, type Writing } from "./NodeResponse.ts"
import { readable } from "./ReadBody.ts"
import { RequestBatch } from "./RequestBatch.ts"
import { listen } from "./RequestBodyReader.ts"

/**
 * Answers one request. Ask `trunkline.matches` first: foreign paths are answered with 404. A client that goes away
 * interrupts the handler. Where a body parser has consumed bytes that the route needs, the answer is 500 and the log has the fix.
 */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, handOver?: HandOver) => void

/** The handler of a product for Node's requests. Source: docs/reference/embedding.md#node. */
export const nodeHandler = (trunkline: Trunkline): NodeHandler => {
  const { app, context, relay, scope } = internalsOf(trunkline)
  const listening = Context.add(context, ListensToBody, listen)
  const batch = new RequestBatch()
  const writing: Writing = {
    schedule: (write) => batch.answer(write),
    failed: (fault) => void Effect.runForkWith(context)(Effect.logError("an answer could not be written", fault))
  }
  // The handler below makes every request of this effect.
  const handled = HttpEffect.toHandled(app, (request, answer) => respond(request as NodeRequest, answer, writing))
  const readableOf = readable(trunkline)

  return (received, response, handOver = {}) => {
    const { clientAddress, path } = handOver
    const request = received.readableEnded ? readableOf(received, path) : received
    rememberPrincipal(request, handOver)
    if (clientAddress !== undefined) clientAddresses.set(request, clientAddress)
    const asked = new NodeRequest(request, response, originForm(path ?? request.url!))
    const fork = () => {
      // The client has gone away meanwhile.
      if (response.destroyed) return
      const services = Context.add(listening, HttpServerRequest.HttpServerRequest, asked)
      const fiber = Fiber.runIn(Effect.runForkWith(services)(handled), scope)
      if (fiber.pollUnsafe() !== undefined) return
      response.once("close", () => {
        if (!response.writableEnded) fiber.interruptUnsafe(undefined, ClientAbort.annotation)
      })
    }
    batch.add(() => {
      if (response.destroyed || relay?.(asked, connectionOf(asked, writing, fork)) === true) return
      fork()
    })
  }
}

/** What a relay does with a request. */
const connectionOf = (request: NodeRequest, writing: Writing, handOver: () => void): RelayConnection => {
  const { response } = request
  return {
    readBody: (maxBytes, read) => request.readBody(maxBytes, read),
    handOver,
    respond: (answer) => void respond(request, answer, writing),
    open: (head, drained) => openStream(request, head, drained),
    isGone: () => response.destroyed,
    onGone: (gone) => {
      response.once("close", () => {
        if (!response.writableEnded) gone()
      })
    }
  }
}
