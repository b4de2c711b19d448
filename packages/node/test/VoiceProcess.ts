/** A process of the product that carries conversations until it is killed: VoiceRecovery.ts starts it. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createTrunkline } from "@trunkline/core"
import { nodeHandler } from "@trunkline/node"
import { type RecoveryOptions, recoveryOptions } from "./RecoveryOptions.ts"

const options = JSON.parse(process.argv[2]!) as RecoveryOptions
const core = await createTrunkline(recoveryOptions(options))
const { id: accountId } = await core.admin.createAccount({ name: "Voice", plan: "pro" })
const { balance } = await core.admin.credits(accountId)
const { text: key } = await core.admin.createKey(accountId, { scopes: ["*"] })
await core.start()
const handle = nodeHandler(core)
const server = createServer((request, response) => handle(request, response))
server.on("upgrade", (request, socket, head) => core.upgrade(request, socket, head) || socket.destroy())
server.listen(0, "127.0.0.1")
await once(server, "listening")
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
process.send!({ accountId, balance, key, origin })
