/** Lists: a bare array in the body, the number before paging in a header. */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Page, Paged } from "../kernel/index.ts"

/** The page that was asked for, with a list's own standard size. */
export const pageOf = (query: { readonly limit?: number; readonly offset?: number }, standard: number): Page => ({
  limit: query.limit ?? standard,
  offset: query.offset ?? 0
})

/** What follows the first entries of a whole list. */
export const restOf = <A>(all: ReadonlyArray<A>, offset = 0): Paged<A> => ({
  items: all.slice(offset),
  total: all.length
})

/** Answers with the items and puts their total into `X-Total-Count`. */
export const list = <A, B>(paged: Paged<A>, render: (item: A) => B) =>
  Effect.as(
    HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "x-total-count", String(paged.total)))
    ),
    paged.items.map(render)
  )
