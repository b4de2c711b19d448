/** Plays the platform, a model and a guest around the application, and shows what they say to each other. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inbound, inboundMessages, signed, startFakePlatform } from "@trunkline/testing/messaging"
import { openAiChat, startFakeOpenAi } from "@trunkline/testing/upstreams"

const questions = [
  "Hi! Can I bring my dog?",
  "And how much is it to park an electric car overnight?",
  "until when can we cancel for free??"
]

type Message = { readonly role: string; readonly content: unknown }

/** A model that looks up whatever was asked last, and says what it finds. */
const models = await startFakeOpenAi()
models.behave((call) => {
  const messages = (call.json as { readonly messages: ReadonlyArray<Message> }).messages
  const last = messages.at(-1)!
  if (last.role !== "tool") return openAiChat({ calls: [["search_knowledge_base", { query: String(last.content) }]] })
  const { results } = JSON.parse(String(last.content)) as {
    readonly results: ReadonlyArray<{ readonly snippet: string }>
  }
  return openAiChat({ text: results[0]?.snippet ?? "I do not know that, I will ask a colleague." })
})
const platform = await startFakePlatform()
const folder = mkdtempSync(join(tmpdir(), "chat-agent-"))
const appSecret = "the platform's app secret"

const app = spawn(process.execPath, [...process.execArgv, new URL("../app.ts", import.meta.url).pathname], {
  stdio: ["ignore", "pipe", "inherit"],
  env: {
    ...process.env,
    PORT: "0",
    DATABASE: join(folder, "chat-agent.db"),
    ENCRYPTION_KEY: "a key of at least thirty-two characters",
    APP_SECRET: appSecret,
    VERIFY_TOKEN: "verify",
    PLATFORM_URL: platform.baseUrl,
    PHONE_NUMBER_ID: "106540352242922",
    BUSINESS_ACCOUNT_ID: "102290129340398",
    ACCESS_TOKEN: "EAAG-example",
    MODELS_URL: `${models.origin}/v1`,
    QUIET_MS: "300"
  }
})

const port = await new Promise<number>((resolve, reject) => {
  app.once("exit", (code) => reject(new Error(`app.ts ended with ${code}`)))
  app.stdout.on("data", (text) => {
    const found = /port: (\d+)/.exec(String(text))?.[1]
    if (found !== undefined) resolve(Number(found))
  })
})

for (const [n, question] of questions.entries()) {
  console.log(`guest  ${question}`)
  const { bytes, headers } = signed(inboundMessages(inbound.text(question)), appSecret)
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/messaging/inbound`, {
    method: "POST",
    body: Buffer.from(bytes),
    headers
  })
  if (answer.status !== 200) throw new Error(`the delivery was answered ${answer.status}`)
  await platform.until(() => platform.messages.length > n)
  console.log(`agent  ${(platform.messages[n]!.body.text as { readonly body: string }).body}\n`)
}

app.kill("SIGTERM")
await new Promise((resolve) => app.once("exit", resolve))
await Promise.all([platform.close(), models.close()])
rmSync(folder, { recursive: true, force: true })
