/** People who sign in with a password: a browser for each, which keeps its cookie. */
import type { StorageProvider, TrunklineOptions } from "@trunkline/core"
import { expect } from "vitest"
import type { Answer, Sent } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start, type WorldOptions } from "./HttpWorld.ts"

export const password = "a long and private sentence"

/** The clock of a world, which a test sets forward. */
export interface TestTime {
  readonly clock: NonNullable<TrunklineOptions["clock"]>
  readonly pass: (seconds: number) => void
}

export const testTime = (): TestTime => {
  let now = Date.UTC(2026, 10, 30, 9)
  return {
    clock: { now: () => now, speed: 1 },
    pass: (seconds) => {
      now += seconds * 1000
    }
  }
}

/** A world in which people sign in. */
export const openPasswordWorld = (
  start: Start,
  storage: () => StorageProvider,
  { core, ...options }: WorldOptions = {}
): Promise<HttpWorld> =>
  openWorld(start, storage, {
    ...options,
    core: { ...core, auth: { ...core?.auth, signIn: { enabled: true, ...core?.auth?.signIn } } }
  })

/** The cookie of an answer as a browser sends it back; null where there is none. */
export const cookieOf = ({ headers }: Answer): string | null => {
  const set = [headers["set-cookie"]].flat()[0]
  return set === undefined ? null : set.split(";", 1)[0]!
}

/** Somebody's browser. */
export interface Browser {
  readonly cookie: string
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Answer>
}

export const browserOf = (world: HttpWorld, answer: Answer): Browser => {
  const cookie = cookieOf(answer)!
  return {
    cookie,
    send: (method, path, sent = {}) =>
      world.send(method, path, {
        ...sent,
        headers: { cookie, "sec-fetch-site": "same-origin", ...sent.headers }
      })
  }
}

export const signIn = (world: HttpWorld, email: string, given = password, sent: Sent = {}): Promise<Answer> =>
  world.send("POST", "/api/v1/session", { ...sent, json: { email, password: given } })

export const accept = (world: HttpWorld, token: string, more: object = {}): Promise<Answer> =>
  world.send("POST", "/api/v1/session/link/accept", { json: { token, password, ...more } })

/** The first owner of the world's account. */
export const owner = async (world: HttpWorld, email = "ada@example.com"): Promise<Browser> => {
  const { token } = await world.core.admin.createOwnerLink(world.account)
  const answer = await accept(world, token, { email, name: "Ada" })
  expect(answer.status).toBe(201)
  return browserOf(world, answer)
}

/** Somebody who has come by an invitation. */
export const invited = async (
  world: HttpWorld,
  email: string,
  role: "owner" | "admin" | "member" | "viewer"
): Promise<Browser> => {
  const { link } = await world.core.admin.createMember(world.account, { email, role })
  const answer = await accept(world, link.token)
  expect(answer.status).toBe(201)
  return browserOf(world, answer)
}
