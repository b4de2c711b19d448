/** Listens to the body of a request of Node's: its chunks as they come from the socket, without a copy. */
import type { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import type { Listen } from "@trunkline/core/effect"
import { isReplayed } from "./ReadBody.ts"

/**
 * Bytes from a real socket are made for this request, and whoever does not listen to it does not have them. A body that a
 * parser gave back, or one that a test injects, is somebody's value.
 */
const isFromSocket = (request: IncomingMessage): boolean => request.socket instanceof Socket && !isReplayed(request)

const listeners = (request: IncomingMessage): number =>
  request.listenerCount("data") + request.listenerCount("readable")

export const listen: Listen = (source, { broken, chunk, ended }) => {
  const request = source as IncomingMessage
  const begunAlone = isFromSocket(request) && listeners(request) === 0
  const onData = (bytes: Uint8Array) => chunk(bytes, begunAlone && listeners(request) === 1)
  const onEnd = () => {
    stop()
    ended()
  }
  const onBroken = () => {
    stop()
    broken()
  }
  const stop = (): void => {
    request.off("data", onData)
    request.off("end", onEnd)
    request.off("error", onBroken)
    request.off("close", onBroken)
  }
  if (request.destroyed) process.nextTick(onBroken)
  request.on("data", onData)
  request.on("end", onEnd)
  request.on("error", onBroken)
  request.on("close", onBroken)
  return stop
}
