/** A request as undici sends it: its chunks one by one, so that a file is not copied. */
import { getDefaultHighWaterMark } from "node:stream"
import type { Dispatcher } from "undici"
import type { OpenRequest, RequestBody } from "./OpenRequest.ts"

export const dispatchOptions = ({ body, headers, method, url }: OpenRequest): Dispatcher.DispatchOptions => ({
  origin: url.origin,
  method,
  path: url.pathname + url.search,
  headers: {
    "user-agent": "trunkline",
    ...headers,
    ...(body === null ? {} : { "content-type": body.contentType, "content-length": String(body.size) })
  },
  body: body === null ? null : sendable(body)
})

/** undici accepts any iterable and sends what it yields as it is, which its types do not say; a small body it sends with the head. */
const sendable = (body: RequestBody): Uint8Array => {
  const { chunks, isLasting = false, onSent } = body
  if (chunks.length !== 1 || chunks[0]!.byteLength >= bufferBytes) return eachUnbuffered(body) as unknown as Uint8Array
  const sent = isLasting ? chunks[0]! : new Uint8Array(chunks[0]!)
  onSent?.()
  return sent
}

/**
 * After a large chunk undici waits until it is sent, and it closes a connection whose response comes before that. A small chunk
 * may still be in the connection's buffer then, so it is copied. No chunk is read any more once undici asks for one after the
 * last, which it may also do when the connection is closed.
 */
function* eachUnbuffered({ chunks, onSent }: RequestBody) {
  for (const chunk of chunks) yield chunk.byteLength < bufferBytes ? new Uint8Array(chunk) : chunk
  onSent?.()
}

/** From this size on a chunk is not buffered beside others. */
const bufferBytes = getDefaultHighWaterMark(false)
