/** The load on the product, over its public API alone: what was acknowledged is written down. */
import { phoneNumberId, sentTemplate } from "./ChatPlatform.ts"
import type { Client } from "./Client.ts"
import type { Say } from "./Lines.ts"
import { hashOf } from "./Models.ts"
import type { NeighbourOrder } from "./NeighbourMessages.ts"
import type { AccountName, LoadStep } from "./Plan.ts"

export interface LoadParts {
  readonly clients: Readonly<Record<AccountName, Client>>
  readonly processes: number
  readonly say: Say
  readonly order: (order: NeighbourOrder) => void
}

type Step<Does extends LoadStep["does"]> = LoadStep & { readonly does: Does }

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const campaign = async ({ clients, say }: LoadParts, step: Step<"campaign">): Promise<void> => {
  const client = clients[step.account]
  const { body, status } = await client.insist("POST", "/api/v1/voice-campaigns", {
    ...{ name: "C", timezone: "UTC", quiet_hours_start: 0, quiet_hours_end: 24, dial_mode: "parallel" },
    ...{ parallel_lines: step.lines, max_attempts: step.maxAttempts, amd_enabled: step.detects }
  })
  if (status !== 201) return
  say("client", { what: "campaign", account: client.name, id: body.id, maxAttempts: step.maxAttempts })
  const path = `/api/v1/voice-campaigns/${body.id}`
  const contacts = step.numbers.map((phone) => ({ phone }))
  // A repetition may add them twice: then they are contacts of their own.
  await client.insist("POST", `${path}/contacts`, { contacts })
  for (const next of ["scheduled", "running"]) await client.insist("POST", `${path}/status`, { status: next })
  await Promise.all(
    step.suppressed.map(({ afterMs, number }) => pause(afterMs).then(() => suppress(client, say, number)))
  )
}

/** Slow enough for faults to come in the middle. */
const templatesPerSecond = 4

const template = async ({ clients, say }: LoadParts, step: Step<"template">): Promise<void> => {
  const client = clients.main
  const { name, language } = sentTemplate
  const { body, status } = await client.insist("POST", "/api/v1/messaging/campaigns", {
    ...{ name: step.subject, phone_number_id: phoneNumberId, template: { name, language } },
    ...{ timezone: "UTC", quiet_hours_start: 0, quiet_hours_end: 24, max_per_second: templatesPerSecond }
  })
  if (status !== 201) return
  const path = `/api/v1/messaging/campaigns/${body.id}`
  const contacts = step.numbers.map((phone, nth) => ({
    ...{ phone: `+${phone}`, opted_in: true },
    variables: { "1": `${step.subject}.${nth}` }
  }))
  await client.insist("POST", `${path}/contacts`, { contacts })
  const started = await client.insist("POST", `${path}/status`, { status: "running" })
  if (started.status === 200) say("client", { what: "template", account: client.name, id: body.id })
}

const suppress = async (client: Client, say: Say, number: string): Promise<void> => {
  const askedAt = Date.now()
  const { status } = await client.insist("POST", "/api/v1/voice-campaigns/dnc", { entries: [{ phone: number }] })
  if (status === 201 || status === 200) say("client", { what: "suppressed", account: client.name, number, askedAt })
}

const call = async ({ clients, say }: LoadParts, step: Step<"call">): Promise<void> => {
  const client = clients[step.account]
  const { body, status } = await client.insist("POST", "/api/v1/telephony/calls", { to: step.to })
  if (status !== 201) return
  say("client", { what: "call", account: client.name, id: body.id })
  if (step.hangsUpAfterMs === null) return
  await pause(step.hangsUpAfterMs)
  await client.ask("POST", `/api/v1/telephony/calls/${body.id}/hangup`)
}

/** A WAV file of a second, whose first samples are its name. */
const wav = (subject: string): Buffer => {
  const samples = Buffer.alloc(16_000)
  samples.write(subject)
  const head = Buffer.alloc(44)
  head.write("RIFF", 0).valueOf()
  head.writeUInt32LE(36 + samples.length, 4)
  head.write("WAVEfmt ", 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write("data", 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** Route, body and headers of a request, and the name under which the upstream knows it. */
export const inferenceOf = ({ kind, subject }: Pick<Step<"inference">, "kind" | "subject">) => {
  if (kind === "chat") {
    const messages = [{ role: "user", content: `What about ${subject}?` }]
    return { path: "/v1/chat/completions", body: { model: "gemma-4-26b-a4b-it", messages }, headers: {}, key: subject }
  }
  const file = wav(subject)
  const boundary = "faults"
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-large-v3-turbo\r\n` +
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\ncontent-type: audio/wav\r\n\r\n`
    ),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`)
  ])
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
  return { path: "/v1/audio/transcriptions", body, headers, key: hashOf(file) }
}

const maxAttempts = 100

const inference = async (parts: LoadParts, step: Step<"inference">, nth: number, isOver: () => boolean) => {
  const { clients, processes, say } = parts
  const client = clients.main
  const { body, headers, key, path } = inferenceOf(step)
  const sent = { ...headers, "idempotency-key": key, "x-trace-id": key }
  let successes = 0
  for (let attempt = 0; !isOver() && attempt < maxAttempts && successes <= step.repeats; attempt++) {
    const process = (nth + attempt) % processes
    const askedAt = Date.now()
    const timeoutMs = step.isImpatient && attempt === 0 ? 1500 : 20_000
    const { headers: got, status, text } = await client.ask("POST", path, body, { process, headers: sent, timeoutMs })
    const hash = status === 200 ? hashOf(text) : null
    say("client", { what: "inference", account: client.name, key, process, status, hash, askedAt })
    if (status === 200) successes += 1
    else await pause(Math.max(Math.min(6000, 500 * 2 ** Math.min(attempt, 4)), Number(got["retry-after"] ?? 0) * 1000))
  }
}

const ways = ["whole", "streamed", "left"] as const

const chats = async ({ clients, processes, say }: LoadParts, step: Step<"chats">, nth: number): Promise<void> => {
  const client = clients.main
  const process = nth % processes
  for (let at = 0; at < step.count; at++) {
    const way = ways[at % ways.length]!
    const key = `${step.subject}.${at}`
    const messages = [{ role: "user", content: `Say something about ${key}.` }]
    const body = { model: "gemma-4-26b-a4b-it", messages, stream: way !== "whole" }
    const headers = { "x-trace-id": key }
    const path = "/v1/chat/completions"
    if (way === "left") {
      const status = await client.leave(path, body, process, headers)
      say("client", { what: "chat", account: client.name, key, process, status, isWhole: false })
      continue
    }
    const { status, text } = await client.ask("POST", path, body, { process, headers })
    const isWhole = status === 200 && (way === "whole" || text.endsWith("data: [DONE]\n\n"))
    say("client", { what: "chat", account: client.name, key, process, status, isWhole })
    // Its process is down, and starts again.
    if (status === 0) await pause(1000)
  }
}

const perform = (parts: LoadParts, step: LoadStep, nth: number, isOver: () => boolean): Promise<void> | void => {
  switch (step.does) {
    case "campaign":
      return campaign(parts, step)
    case "call":
      return call(parts, step)
    case "template":
      return template(parts, step)
    case "message":
      return parts.order({
        order: "says",
        customer: step.customer,
        message: step.subject,
        text: `Tell me about ${step.subject}`
      })
    case "inference":
      return inference(parts, step, nth, isOver)
    case "chats":
      return chats(parts, step, nth)
  }
}

/** Does each step at its instant; ends with the last one's end. Once `isOver`, nothing new is sent. */
export const runLoad = async (
  parts: LoadParts,
  steps: ReadonlyArray<LoadStep>,
  isOver: () => boolean
): Promise<void> => {
  const began = Date.now()
  const running: Array<Promise<void>> = []
  for (const [nth, step] of steps.entries()) {
    await pause(Math.max(0, began + step.at - Date.now()))
    if (isOver()) break
    running.push(Promise.resolve(perform(parts, step, nth, isOver)))
  }
  await Promise.all(running)
}
