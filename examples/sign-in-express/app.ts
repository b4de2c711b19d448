/** An Express application whose own users call the API: the session cookie says who is signed in. */
import { trunkline } from "@trunkline/adapter-express"
import { createTrunkline, type HostPrincipal } from "@trunkline/core"
import { dashboard } from "@trunkline/dashboard"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import express from "express"
import session from "express-session"

declare module "express-session" {
  interface SessionData {
    user: HostPrincipal
  }
}

const core = await createTrunkline({
  storage: sqlite("app.db"),
  telephony: simulator(),
  dashboard: dashboard({ name: "Example" }), // pages for the same people, at /phone/dashboard/
  encryptionKey: process.env.ENCRYPTION_KEY! // `openssl rand -base64 32`, the same at every start
})
const app = express()
// Lax keeps the cookie off requests that another site's page sends.
const cookie = { httpOnly: true, sameSite: "lax" } as const
app.use(session({ secret: process.env.SESSION_SECRET!, resave: false, saveUninitialized: false, cookie }))
app.use("/phone", trunkline(core, { authenticate: (request) => request.session.user }))

// Your own sign-in. Each of your customers has an account; a role or scopes say what a person may do.
const account = await core.admin.createAccount({ name: "Example", voiceCampaigns: true })
const people: Record<string, HostPrincipal> = {
  ann: { accountId: account.id, subject: "ann", role: "owner" },
  bob: { accountId: account.id, subject: "bob", scopes: ["campaigns:read"] }
}
app.post("/sign-in", express.json(), (request, response) => {
  const person = people[request.body.name] // check a password here
  if (person === undefined) return void response.sendStatus(401)
  request.session.user = person
  response.sendStatus(204)
})

const server = app.listen(Number(process.env.PORT ?? 3000), () => console.log("listening on", server.address()))
process.once("SIGTERM", () => server.close(() => core.stop()))
