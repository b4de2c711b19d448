/** The world outside, for tests: endpoints that behave by their moods, and a log of every POST that reached one. */
import { Instant, type Outbound, OutboundFailed, type OutboundRequest } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"

export type Mood =
  | { readonly _tag: "Answers"; readonly status: number; readonly body?: string }
  /** Takes the request and never says anything. */
  | { readonly _tag: "Hangs" }
  | { readonly _tag: "Refuses" }
  | { readonly _tag: "Unknown" }
  /** The name leads into a network of our own. */
  | { readonly _tag: "Inside" }

export interface Posted {
  readonly at: Instant.Instant
  readonly host: string
  readonly address: string
  readonly method: string
  /** The path with the query. */
  readonly path: string
  readonly delivery: string
  readonly event: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mood: Mood
}

const outside = "93.184.216.34"
const inside = "10.0.0.7"

export class Endpoints {
  readonly log: Array<Posted> = []
  readonly moods = new Map<string, Mood>()
  /** Requests that are under way and have no answer. */
  hanging = 0

  mood(host: string): Mood {
    return this.moods.get(host) ?? { _tag: "Answers", status: 200 }
  }

  /** The way out of one process. */
  readonly outbound: Outbound["Service"] = {
    resolve: (host) =>
      Effect.suspend(() => {
        const { _tag } = this.mood(host)
        if (_tag === "Unknown") return Effect.fail(new OutboundFailed({ reason: "name", detail: "No such name." }))
        return Effect.succeed([_tag === "Inside" ? inside : outside])
      }),
    post: (post) => Effect.flatMap(Instant.now, (at) => this.#take({ ...post, method: "POST" }, at)),
    request: (request) =>
      Effect.map(
        Effect.flatMap(Instant.now, (at) => this.#take(request, at)),
        ({ body = "", status }) => ({ status, body: new TextEncoder().encode(body) })
      )
  }

  #take({ address, body, headers, method, url }: OutboundRequest, at: Instant.Instant) {
    const mood = this.mood(url.hostname)
    this.log.push({
      at,
      address,
      headers,
      mood,
      method,
      path: url.pathname + url.search,
      host: url.hostname,
      delivery: headers["X-Service-Delivery"] ?? "",
      event: headers["X-Service-Event"] ?? "",
      body: new TextDecoder().decode(body)
    })
    switch (mood._tag) {
      case "Answers":
        return Effect.succeed({ status: mood.status, body: mood.body })
      case "Hangs":
        return this.#hang
      default:
        return Effect.fail(new OutboundFailed({ reason: "connection", detail: "The connection was refused." }))
    }
  }

  readonly #hang = Effect.suspend(() => {
    this.hanging += 1
    return Effect.ensuring(
      Effect.never,
      Effect.sync(() => {
        this.hanging -= 1
      })
    )
  })
}
