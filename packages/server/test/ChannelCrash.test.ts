/**
 * A server on the chat channel whose process dies by SIGKILL, at moments that are chosen, and starts again on the same file:
 * docs/reference/messaging.md#recovery. Verifies: CHAT-1, CHAT-2, CHAT-4.
 */
import { join } from "node:path"
import {
  type Delivered,
  type FakePlatform,
  inbound,
  inboundMessages,
  startFakePlatform
} from "@trunkline/testing/messaging"
import { type FakeUpstream, openAiChat, startFakeOpenAi, type UpstreamCall } from "@trunkline/testing/upstreams"
import { afterAll, describe, expect, it } from "vitest"
import { appSecret, chatSettings, linkNumber } from "./LinkedNumber.ts"
import {
  type Client,
  cleanUp,
  client,
  ended,
  folder,
  keyOf,
  openDatabase,
  type Server,
  serve,
  until
} from "./Spawned.ts"

/** After the last message of a group, before its answer is begun. */
const quietMs = 1000

/** The lease of a reply job: a request to the platform takes no longer. */
const leaseMs = 50_000

/** What is open is taken up so soon after the restart. */
const takenUpMs = 60_000

const closing: Array<() => Promise<void>> = []

afterAll(async () => {
  cleanUp()
  await Promise.all(closing.map((close) => close()))
})

interface Installation {
  readonly platform: FakePlatform
  readonly model: FakeUpstream
  /** Where the data is. */
  readonly file: string
  readonly api: Client
  /** Ends the process, wherever it is. */
  readonly kill: () => Promise<void>
  /** Starts it again on the same file; returns when it was ready. */
  readonly restart: () => Promise<number>
}

/** A server with a number that is linked to an agent, in front of a platform and a model of its own. */
const installation = async (): Promise<Installation> => {
  const [platform, model] = await Promise.all([startFakePlatform(), startFakeOpenAi()])
  closing.push(platform.close, model.close)
  const cwd = folder(200, chatSettings(platform, model, quietMs))
  let server: Server
  const start = async () => {
    server = await serve(cwd)
    platform.deliverTo({ url: `${server.url}/api/v1/messaging/inbound`, appSecret })
    return performance.now()
  }
  await start()
  const key = keyOf(server!)
  const api: Client = (...asked) => client(server, key)(...asked)
  await linkNumber(api)
  return {
    platform,
    model,
    file: join(cwd, "data/trunkline.db"),
    api,
    kill: () => {
      server.child.kill("SIGKILL")
      return ended(server.child).then(() => undefined)
    },
    restart: start
  }
}

/** A delivery of one text. */
const text = (from: string, body: string): Delivered =>
  inboundMessages(
    inbound.text(body, { from, from_user_id: undefined, timestamp: String(Math.floor(Date.now() / 1000)) })
  )

const textsTo = ({ platform }: Installation, to: string): ReadonlyArray<unknown> =>
  platform.messages.filter((one) => one.to === to).map(({ body }) => (body.text as { readonly body: string }).body)

/** What a model was asked last. */
const lastWords = ({ json }: UpstreamCall): string =>
  (json as { readonly messages: ReadonlyArray<{ readonly content: string }> }).messages.at(-1)!.content

const answers = (call: UpstreamCall) => openAiChat({ text: `About: ${lastWords(call)}` })

interface Row {
  readonly direction: string
  readonly text: string
  readonly status: string
  readonly msgid: string | null
  readonly error: { readonly code: unknown; readonly message: string } | null
}

/** The only conversation with a customer, as the API shows it, oldest message first. */
const messagesWith = async ({ api }: Installation, phone: string): Promise<ReadonlyArray<Row>> => {
  const { body: all } = await api("GET", "/api/v1/messaging/conversations")
  const [one, ...more] = all.filter((conversation: { readonly phone: string }) => conversation.phone === phone)
  expect(more).toEqual([])
  return (await api("GET", `/api/v1/messaging/conversations/${one.id}/messages`)).body.toReversed()
}

/** Long enough for whatever could still be answered. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 2 * quietMs + 1000))

/**
 * The claims that a dead process has left run out as they must, and soon: nobody waits here for what is only time. That they
 * really do, without anybody's help, is what the first test waits for.
 */
const soonOver = ({ file }: Installation, died: number): void => {
  const db = openDatabase(file)
  const { until } = db.prepare("select max(claimed_until) as until from reply_jobs").get() as { until: number }
  expect(until - died).toBeGreaterThan(0)
  expect(until - died).toBeLessThanOrEqual(leaseMs)
  db.prepare("update reply_jobs set claimed_until = ? where claim is not null").run(Date.now() + 5000)
  db.close()
}

const customer = "16505551234"

/** An answer that goes out in six parts. */
const parts = Array.from({ length: 6 }, (_, nth) => `${nth}: ${"word ".repeat(600)}.`)
const inParts = () => openAiChat({ text: parts.join("\n\n") })

// They wait for most of their time.
describe.concurrent("a server that is killed", () => {
  // Verifies: N-47.
  it("after it has accepted a delivery, and before the model has answered, answers each message once", async () => {
    const here = await installation()
    const { model, platform } = here
    const [running, waiting, down] = ["16505550001", "16505550002", "16505550003"]
    const [first, second, third] = [text(running, "One?"), text(waiting, "Two?"), text(down, "Three?")]
    model.behave({ does: "hang" })
    expect(await platform.deliver(first)).toBe(200)
    await model.until(() => model.calls.length === 1)
    expect(await platform.deliver(second)).toBe(200)
    await here.kill()
    // The platform delivers again what nobody has taken.
    expect(await platform.deliver(third)).toBe(0)
    expect(platform.messages).toEqual([])

    model.behave(answers)
    const ready = await here.restart()
    for (const delivery of [first, second, third]) expect(await platform.deliver(delivery)).toBe(200)
    await platform.until(() => textsTo(here, waiting).length > 0 && textsTo(here, down).length > 0)
    await model.until(() => model.calls.length === 4, takenUpMs - (performance.now() - ready))
    await platform.until(() => textsTo(here, running).length > 0)

    for (const delivery of [first, second, third]) expect(await platform.deliver(delivery)).toBe(200)
    await settled()
    for (const [who, asked] of [
      [running, "One?"],
      [waiting, "Two?"],
      [down, "Three?"]
    ] as const) {
      expect(textsTo(here, who)).toEqual([`About: ${asked}`])
      expect(await messagesWith(here, who)).toMatchObject([
        { direction: "inbound", text: asked, status: "received" },
        { direction: "outbound", text: `About: ${asked}`, status: "sent", error: null }
      ])
    }
    expect(model.calls.map(lastWords).sort()).toEqual(["One?", "One?", "Three?", "Two?"])
  })

  it("while the platform has a part and has not said so, goes on with the next, and says that nobody knows", async () => {
    const here = await installation()
    const { model, platform } = here
    const delivery = text(customer, "Everything?")
    model.behave(inParts)
    platform.next({ does: "hang", takes: true })
    expect(await platform.deliver(delivery)).toBe(200)
    await platform.until(() => platform.messages.length === 1)
    await here.kill()
    soonOver(here, Date.now())

    await here.restart()
    expect(await platform.deliver(delivery)).toBe(200)
    await platform.until(() => platform.messages.length >= parts.length)
    expect(await platform.deliver(delivery)).toBe(200)
    await settled()
    expect(textsTo(here, customer)).toEqual(parts)
    expect(platform.of("send")).toHaveLength(parts.length)
    expect(model.calls).toHaveLength(1)
    const [asked, doubtful, ...rest] = await messagesWith(here, customer)
    expect(asked).toMatchObject({ direction: "inbound", text: "Everything?" })
    expect(doubtful).toMatchObject({
      text: parts[0],
      status: "failed",
      msgid: null,
      error: { code: null, message: expect.stringContaining("not known") }
    })
    expect(rest.map((one) => [one.text, one.status])).toEqual(parts.slice(1).map((one) => [one, "sent"]))

    // The platform reports the outcome later.
    const { id } = platform.messages[0]!
    expect(await platform.report(id, "delivered")).toBe(200)
    expect((await messagesWith(here, customer))[1]).toMatchObject({ status: "delivered", msgid: id, error: null })
  })

  it("between two parts goes on with the next one", async () => {
    const here = await installation()
    const { file, model, platform } = here
    const delivery = text(customer, "Everything?")
    const db = openDatabase(file)
    const open = db.prepare("select status from chat_messages where turn_id is not null order by part")
    const statuses = () => open.all().map(({ status }) => status)
    // To begin the third part takes the file for ever, so that the process dies neither before nor after that.
    const endless = Array.from({ length: 16 }, (_, nth) => `chat_messages t${nth}`)
    db.exec(`create trigger endless before update on chat_messages when new.part = 2 and new.status = 'sending'
      begin select count(*) from ${endless}; end`)
    model.behave(inParts)
    expect(await platform.deliver(delivery)).toBe(200)
    await until(async () => (statuses()[1] === "sent" ? true : null))
    await here.kill()
    db.exec("drop trigger endless")
    expect(statuses()).toEqual(["sent", "sent", "queued", "queued", "queued", "queued"])
    expect(platform.of("send")).toHaveLength(2)
    db.close()
    soonOver(here, Date.now())

    await here.restart()
    expect(await platform.deliver(delivery)).toBe(200)
    await platform.until(() => platform.messages.length >= parts.length)
    expect(await platform.deliver(delivery)).toBe(200)
    await settled()
    expect(textsTo(here, customer)).toEqual(parts)
    expect(model.calls).toHaveLength(1)
    const [, ...said] = await messagesWith(here, customer)
    expect(said.map((one) => [one.text, one.status])).toEqual(parts.map((one) => [one, "sent"]))
  })
})
