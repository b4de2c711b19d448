/** Campaigns inside a Fastify application, on one SQLite file, over a simulated telephone network. */
import { trunkline } from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import fastify from "fastify"

const core = await createTrunkline({
  storage: sqlite("app.db"),
  telephony: simulator(),
  encryptionKey: process.env.ENCRYPTION_KEY! // `openssl rand -base64 32`, the same at every start
})
const app = fastify()
app.get("/", () => "Your own application")
await app.register(trunkline(core, { start: true }), { prefix: "/phone" }) // dials from listen to close
await app.listen({ port: Number(process.env.PORT ?? 3000) })
console.log("listening on", app.server.address())
process.once("SIGTERM", () => app.close())

// Somebody to use it. A host whose own users call it has a look at examples/sign-in-fastify.
const account = await core.admin.createAccount({ name: "Example", voiceCampaigns: true })
console.log("use", (await core.admin.createKey(account.id)).text, "at /phone/api/v1/voice-campaigns")
