/** A Fastify application whose own users call the API: a decorator of its requests says who is signed in. */
import cookie from "@fastify/cookie"
import { trunkline } from "@trunkline/adapter-fastify"
import { createTrunkline, type HostPrincipal } from "@trunkline/core"
import { dashboard } from "@trunkline/dashboard"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import fastify from "fastify"

declare module "fastify" {
  interface FastifyRequest {
    user: HostPrincipal | null
  }
}

const core = await createTrunkline({
  storage: sqlite("app.db"),
  telephony: simulator(),
  dashboard: dashboard({ name: "Example" }), // pages for the same people, at /phone/dashboard/
  encryptionKey: process.env.ENCRYPTION_KEY! // `openssl rand -base64 32`, the same at every start
})
const account = await core.admin.createAccount({ name: "Example", voiceCampaigns: true })
// Each of your customers has an account; a role or scopes say what a person may do.
const people = new Map<string, HostPrincipal>([
  ["ann", { accountId: account.id, subject: "ann", role: "owner" }],
  ["bob", { accountId: account.id, subject: "bob", scopes: ["campaigns:read"] }]
])

const app = fastify()
await app.register(cookie, { secret: process.env.SESSION_SECRET! })
app.decorateRequest("user", null)
app.addHook("onRequest", async (request) => {
  const { valid, value } = request.unsignCookie(request.cookies.user ?? "")
  request.user = valid ? (people.get(value) ?? null) : null
})
await app.register(trunkline(core, { authenticate: (request) => request.user }), { prefix: "/phone" })

app.post<{ Body: { readonly name: string } }>("/sign-in", async ({ body: { name } }, reply) => {
  if (!people.has(name)) return reply.code(401).send() // check a password here
  // Lax keeps the cookie off requests that another site's page sends.
  return reply.setCookie("user", name, { signed: true, httpOnly: true, sameSite: "lax" }).code(204).send()
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
console.log("listening on", app.server.address())
process.once("SIGTERM", () => app.close().then(core.stop))
