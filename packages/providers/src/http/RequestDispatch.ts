/** A request as undici sends it: its chunks one by one, so that a file is not copied. */
import { getDefaultHighWaterMark } from "node:stream"
import type { Dispatcher } from "undici"
import type { OpenRequest } from "./OpenRequest.ts"

export const dispatchOptions = ({ body, headers, method, url }: OpenRequest): Dispatcher.DispatchOptions => ({
  origin: url.origin,
  method,
  path: url.pathname + url.search,
  headers: {
    "user-agent": "trunkline",
    ...headers,
    ...(body === null ? {} : { "content-type": body.contentType, "content-length": String(body.size) })
  },
  body: body === null ? null : sendable(body.chunks)
})

/** undici accepts any iterable and sends what it yields as it is, which its types do not say; a small body it sends with the head. */
const sendable = (chunks: ReadonlyArray<Uint8Array>): Uint8Array =>
  chunks.length === 1 && chunks[0]!.byteLength < bufferBytes
    ? new Uint8Array(chunks[0]!)
    : (eachUnbuffered(chunks) as unknown as Uint8Array)

function* eachUnbuffered(chunks: ReadonlyArray<Uint8Array>) {
  for (const chunk of chunks) yield unbuffered(chunk)
}

/**
 * After a large chunk undici waits until it is sent, and it closes a connection whose response comes before that. A small chunk
 * may still be in the connection's buffer then, so it is copied.
 */
const unbuffered = (chunk: Uint8Array): Uint8Array => (chunk.byteLength < bufferBytes ? new Uint8Array(chunk) : chunk)

/** From this size on a chunk is not buffered beside others. */
const bufferBytes = getDefaultHighWaterMark(false)
