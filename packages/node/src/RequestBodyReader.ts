/** Reads the body of a Node request by its events: a stream of effects costs a large upload more than its parsing. */
import type { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { guarded, type Listen, SlowBody } from "@trunkline/core/provider"
import { BodyProgress } from "./BodyProgress.ts"
import { isReplayed } from "./ReadBody.ts"

export const listen: Listen = (source, { broken, chunk, ended, failed }) => {
  const request = source as IncomingMessage
  const isWatched = isReplayed(request) || !(request.socket instanceof Socket) || isPatched(request)
  const fail = (fault: unknown) => {
    stop()
    failed(fault)
  }
  const progress = new BodyProgress(request, () => fail(new SlowBody()))
  const onChunk = guarded((bytes: Buffer<ArrayBuffer>) => {
    progress.received(bytes.byteLength)
    const isOwn = !isWatched && hasWholeBuffer(bytes) && hasOneListener(request)
    chunk(bytes, isOwn ? () => void bytes.buffer.transfer(0) : shared)
  }, fail)
  const onEnd = guarded(() => {
    stop()
    ended()
  }, fail)
  const onBroken = guarded(() => {
    stop()
    broken()
  }, fail)
  const stop = (): void => {
    progress.stop()
    request.off("data", onChunk)
    request.off("end", onEnd)
    request.off("error", onBroken)
    request.off("close", onBroken)
  }
  if (request.destroyed) process.nextTick(onBroken)
  request.on("data", onChunk)
  request.on("end", onEnd)
  request.on("error", onBroken)
  request.on("close", onBroken)
  // A small body has often come as a whole.
  if (!request.complete) progress.start()
  return stop
}

const shared = (): void => undefined

const hasWholeBuffer = ({ buffer, byteLength }: Buffer): boolean => byteLength === buffer.byteLength

const hasOneListener = (request: IncomingMessage): boolean =>
  request.listenerCount("data") === 1 && request.listenerCount("readable") === 0

/** Whether somebody else, such as an error tracker, sees the chunks by methods of its own. A request that a test injects has no socket. */
const isPatched = (request: IncomingMessage): boolean =>
  ["on", "addListener", "emit", "push", "read"].some((name) => Object.hasOwn(request, name))
