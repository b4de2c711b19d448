/** Reads the body of a Node request by its events: a stream of effects costs a large upload more than its parsing. */
import type { IncomingMessage } from "node:http"
import type { Listen } from "@trunkline/core/effect"

export const listen: Listen = (source, { broken, chunk, ended }) => {
  const request = source as IncomingMessage
  const onEnd = () => {
    stop()
    ended()
  }
  const onBroken = () => {
    stop()
    broken()
  }
  const stop = (): void => {
    request.off("data", chunk)
    request.off("end", onEnd)
    request.off("error", onBroken)
    request.off("close", onBroken)
  }
  if (request.destroyed) process.nextTick(onBroken)
  request.on("data", chunk)
  request.on("end", onEnd)
  request.on("error", onBroken)
  request.on("close", onBroken)
  return stop
}
