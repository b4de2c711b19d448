/** What each role may do, on every route of the description: docs/reference/access.md#roles. Verifies: ACCS-3. */
import type { HostPrincipal, StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openChanges } from "./ChangeStreamClient.ts"
import type { Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, type Start } from "./HttpWorld.ts"
import { invited, openPasswordWorld, owner } from "./PasswordWorld.ts"

const read = ["campaigns:read", "calls:read", "contacts:read", "messaging:read", "email:read"]
const work = [
  ...read,
  ...["campaigns:write", "calls:write", "contacts:write", "messaging:write", "messaging:send", "email:write"]
]
const manage = [...work, "webhooks:write", "usage:read", "keys:manage", "members:manage", "audit:read"]

/** The table of the page of the documentation, with a word that means no role of ours. */
const scopesOf = {
  owner: manage,
  admin: manage,
  member: work,
  viewer: read,
  read_only: read,
  Dispatcher: work
} as const

type Role = keyof typeof scopesOf

interface Operation {
  readonly description: string
  readonly security: ReadonlyArray<object>
  readonly "x-required-scope"?: string
  readonly "x-required-permission"?: string
}

interface Route {
  readonly method: string
  readonly path: string
  /** True where nobody needs a credential. */
  readonly isOpen: boolean
  /** What no person may ask, whatever their role: it takes API keys alone. */
  readonly takesKeysAlone: boolean
  /** The scope that a person needs; null where every role may ask. */
  readonly scope: string | null
}

const ofDescription = (document: Record<string, unknown>): ReadonlyArray<Route> =>
  Object.entries(document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: path.replace("{channel}", "telegram").replace(/\{\w+\}/g, nobody),
        isOpen: operation.security.length === 0,
        takesKeysAlone: operation["x-required-permission"] !== undefined,
        scope: /People of every role may do this/.test(operation.description)
          ? null
          : (operation["x-required-scope"] ?? null)
      }))
  )

const stream = "/api/v1/stream"

/** Bodies of routes that read them before they see that somebody without a session asks. */
const ownBodies: Readonly<Record<string, object>> = {
  "PATCH /api/v1/me": { name: "Ada" },
  "POST /api/v1/me/password": { current_password: "the present one", password: "a new one of some length" }
}

export const roleRoutesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`roles through ${name}`, () => {
    const principals: Record<string, HostPrincipal> = {}
    let world: HttpWorld
    let routes: ReadonlyArray<Route> = []
    /** The headers of somebody of each role: a session where members can have the role, else the host's own sign-in. */
    const people = new Map<Role, NonNullable<Sent["headers"]>>()

    beforeAll(async () => {
      world = await openPasswordWorld(start, storage, {
        core: { auth: { authenticate: ({ headers }) => principals[headers.get("x-user") ?? ""] ?? null } }
      })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
      people.set("owner", { cookie: (await owner(world)).cookie })
      for (const role of ["admin", "member", "viewer"] as const)
        people.set(role, { cookie: (await invited(world, `${role}@example.com`, role)).cookie })
      for (const role of ["read_only", "Dispatcher"] as const) {
        principals[role] = { accountId: world.account, subject: role, role }
        people.set(role, { "x-user": role })
      }
      routes = ofDescription(world.core.openapi())
    })
    afterAll(() => world.close())

    /** A stream of changes has no end of its own: it is left as soon as it has begun. */
    const ask = async ({ method, path }: Route, headers: NonNullable<Sent["headers"]>) => {
      const json = headers.cookie === undefined ? ownBodies[`${method} ${path}`] : undefined
      if (path !== stream) return world.send(method, path, { headers, ...(json === undefined ? {} : { json }) })
      const { leave, status } = await openChanges(world, path, headers)
      leave()
      return { status, text: "" }
    }

    // Verifies: B-4.
    it("nobody is let in without a credential: 401 on every route that the description does not leave open", async () => {
      expect(routes.length).toBeGreaterThan(150)
      for (const route of routes) {
        const { status } = await ask(route, {})
        expect(status === 401, `${route.method} ${route.path}: ${status}`).toBe(!route.isOpen)
      }
    })

    // Verifies: B-4, D-203.
    it.each(Object.keys(scopesOf) as ReadonlyArray<Role>)(
      "%s may do on every route what the description asks for, and nothing else",
      async (role) => {
        const headers = people.get(role)!
        // Only somebody who has a session may ask for what is their own.
        const hasSession = headers.cookie !== undefined
        const isOwn = ({ method, path }: Route) =>
          /^\/api\/v1\/(me\/password|sessions)/.test(path) || `${method} ${path}` === "PATCH /api/v1/me"
        // An open route signs in or out: what it does is not a matter of roles, and ends the session.
        for (const route of routes.filter(({ isOpen }) => !isOpen)) {
          const { status, text } = await ask(route, headers)
          const { scope, takesKeysAlone } = route
          const may =
            (scope === null || scope.split(" ").every((one) => scopesOf[role].some((own) => own === one))) &&
            (hasSession || !isOwn(route))
          const what = `${route.method} ${route.path} by ${role}: ${status} ${text}`
          if (takesKeysAlone) expect(status, what).toBe(401)
          else if (may) expect([401, 403, 405], what).not.toContain(status)
          else {
            expect(status, what).toBe(403)
            if (!isOwn(route)) expect(text, what).toMatch(/owner/i)
          }
        }
      }
    )
  })
