/** Campaigns inside an Express application, on one SQLite file, over a simulated telephone network. */
import { trunkline } from "@trunkline/adapter-express"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import express from "express"

const core = await createTrunkline({
  storage: sqlite("app.db"),
  telephony: simulator(),
  encryptionKey: process.env.ENCRYPTION_KEY! // `openssl rand -base64 32`, the same at every start
})
const app = express()
app.use("/phone", trunkline(core)) // before body parsers
app.get("/", (_request, response) => void response.send("Your own application"))
await core.start() // starts dialing
const server = app.listen(Number(process.env.PORT ?? 3000), () => console.log("listening on", server.address()))
process.once("SIGTERM", () => server.close(() => core.stop()))

// Somebody to use it. A host whose own users call it has a look at examples/sign-in-express.
const account = await core.admin.createAccount({ name: "Example", voiceCampaigns: true })
console.log("use", (await core.admin.createKey(account.id)).text, "at /phone/api/v1/voice-campaigns")
