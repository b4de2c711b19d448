/** Plays the platform, a model and a guest around the application, and shows what they say to each other. */
import { spawn } from "node:child_process"
import { once } from "node:events"
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

/** Milliseconds that a start and each answer may need: generous, because a busy machine is no failure. */
const maxWaitMs = 20_000

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
const exited = once(app, "exit")

const listening = (): Promise<string> =>
  new Promise((resolve, reject) => {
    app.once("exit", (code) => reject(new Error(`app.ts exited with ${code} before it was listening`)))
    app.stdout.on("data", (text) => {
      const port = /port: (\d+)/.exec(String(text))?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
  })

const ask = async (origin: string, question: string, number: number): Promise<string> => {
  const { bytes, headers } = signed(inboundMessages(inbound.text(question)), appSecret)
  const response = await fetch(`${origin}/api/v1/messaging/inbound`, {
    method: "POST",
    body: Buffer.from(bytes),
    headers
  })
  if (response.status !== 200) throw new Error(`The inbound endpoint answered ${response.status}`)
  try {
    await platform.until(() => platform.messages.length > number, maxWaitMs)
  } catch {
    throw new Error(`The agent did not answer "${question}" within ${maxWaitMs / 1000} s`)
  }
  return (platform.messages[number]!.body.text as { readonly body: string }).body
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.kill())
try {
  const origin = await listening()
  for (const [number, question] of questions.entries()) {
    console.log(`guest  ${question}`)
    console.log(`agent  ${await ask(origin, question, number)}\n`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  app.kill()
  await exited
  await Promise.all([platform.close(), models.close()])
  rmSync(folder, { recursive: true, force: true })
}
