/** The client: a method for each route of the areas that it is made with. */
import { ApiError } from "./ApiError.ts"
import { List, type Step } from "./List.ts"
import type { ClientArea, MethodsOf, Operation, Operations } from "./Operation.ts"
import { type Prepared, prepared } from "./Request.ts"
import { makeSender, type Send, type SenderOptions } from "./Sender.ts"
import { ServerEvents } from "./ServerEvents.ts"

export interface ClientOptions<Area extends ClientArea<unknown>> extends SenderOptions {
  /** The areas whose routes are called. A bundler leaves the others out. */
  readonly areas: ReadonlyArray<Area>
}

/** Reads a body, whose connection may end before it does. */
const readBody = async <A>({ options, target }: Prepared, read: () => Promise<A>): Promise<A> => {
  try {
    return await read()
  } catch (cause) {
    options.signal?.throwIfAborted()
    throw new ApiError(`The answer to ${target} ended before it was whole`, {
      ...{ status: 0, code: "connection_failed", cause }
    })
  }
}

/** What the answer of a route holds: its JSON, its events, its text, or nothing. */
const contentOf = async (request: Prepared, response: Response): Promise<unknown> => {
  const type = response.headers.get("content-type") ?? ""
  if (type.startsWith("text/event-stream")) return new ServerEvents(response, request.options.signal)
  if (type.startsWith("application/json")) return readBody(request, () => response.json())
  const text = await readBody(request, () => response.text())
  return text === "" ? undefined : text
}

/** A request for another page: the same one with another query. */
const withQuery = ({ target, ...request }: Prepared, query: Readonly<Record<string, string>>): Prepared => {
  const [path, text] = target.split("?")
  const merged = new URLSearchParams(text)
  for (const [name, value] of Object.entries(query)) merged.set(name, value)
  return { ...request, target: `${path}?${merged}` }
}

interface Cursored {
  readonly data: ReadonlyArray<unknown>
  readonly has_more: boolean
  readonly last_id: string | null
}

const numbered = async (send: Send, request: Prepared): Promise<Step<unknown>> => {
  const response = await send(request)
  const items = await readBody(request, () => response.json() as Promise<ReadonlyArray<unknown>>)
  const total = Number(response.headers.get("x-total-count") ?? items.length)
  const seen = Number(new URLSearchParams(request.target.split("?")[1]).get("offset") ?? 0) + items.length
  const isLast = items.length === 0 || seen >= total || request.operation.pages === "one"
  return {
    page: { items, total, hasMore: items.length > 0 && seen < total },
    next: isLast ? null : () => numbered(send, withQuery(request, { offset: String(seen) }))
  }
}

const cursored = async (send: Send, request: Prepared): Promise<Step<unknown>> => {
  const response = await send(request)
  const { data, has_more, last_id } = await readBody(request, () => response.json() as Promise<Cursored>)
  const hasMore = has_more && last_id !== null
  return {
    page: { items: data, total: null, hasMore },
    next: hasMore ? () => cursored(send, withQuery(request, { after: last_id })) : null
  }
}

const method =
  (send: Send, operation: Operation) =>
  (...given: ReadonlyArray<unknown>): unknown => {
    const { isFile, pages } = operation
    if (pages !== undefined)
      return new List(async () => (pages === "after" ? cursored : numbered)(send, prepared(operation, given)))
    return (async () => {
      const request = prepared(operation, given)
      const response = await send(request)
      return isFile === true ? response : contentOf(request, response)
    })()
  }

const mapped = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]))

const groupsOf = (send: Send, operations: Operations): object =>
  mapped(operations, (group) => mapped(group, (operation) => method(send, operation)))

/**
 * A client of the HTTP API, for browsers and servers: every route of the areas is a method, with the names and types of the
 * contract. Records are as they are on the wire. A request that is not answered with success rejects with an `ApiError`.
 * Source: docs/reference/client.md.
 *
 * @example
 * const client = createClient({ url: "https://example.com/phone", key, areas: [calling] })
 * for await (const campaign of client.campaigns.list()) console.log(campaign.name)
 */
export const createClient = <Area extends ClientArea<unknown>>(options: ClientOptions<Area>): MethodsOf<Area> => {
  const { areas, url } = options
  if (typeof url !== "string" || (!/^https?:\/\//.test(url) && typeof location === "undefined"))
    throw new TypeError(
      `url must be an absolute URL such as https://example.com/phone, and it is ${JSON.stringify(url)}`
    )
  const send = makeSender(options)
  return Object.assign({}, ...areas.map(({ operations }) => groupsOf(send, operations))) as MethodsOf<Area>
}
