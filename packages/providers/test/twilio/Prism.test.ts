/**
 * The requests against Twilio's own published description of its API, served by a mock that knows nothing else. It
 * checks names, types, patterns and credentials; what calls then do is the subject of Twilio.test.ts.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Carrier, Ids, Instant, type NamedCall, type Permit } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { freePort } from "../../../../test/FreePort.ts"
import { layer, type TwilioOptions } from "../../src/twilio/index.ts"
import { type TwilioSettings, twilioSettings } from "../../src/twilio/TwilioOptions.ts"
import * as TwilioRequests from "../../src/twilio/TwilioRequests.ts"

/** Lies beside the repository, because it is not ours to publish. */
const description = resolve(import.meta.dirname, "../../../../../shared/data/twilio_api_v2010.json")
const isThere = existsSync(description)
if (!isThere) console.warn(`skipped: Twilio's published API description is not at ${description}`)

const accountSid = "ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
const sid = "CAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
type Form = TwilioRequests.TwilioRequest["form"]
const call: TwilioRequests.NewCall = {
  callId: Ids.as("01890000-0000-7000-8000-000000000001"),
  botId: Ids.as("01890000-0000-7000-8000-000000000002"),
  to: "+919876543210",
  from: "+14155550100",
  answer: { _tag: "Say", text: "Hello", language: "en-IN" },
  mediaToken: null,
  detectMachine: true
}

describe.skipIf(!isThere)("by Twilio's published description", () => {
  let folder: string | undefined
  let options: TwilioOptions
  let settings: TwilioSettings
  let prism: ChildProcess | undefined

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "prism-"))
    const port = await freePort()
    options = {
      accountSid,
      authToken: "token",
      publicUrl: "https://voice.example.com",
      baseUrl: `http://127.0.0.1:${port}`
    }
    settings = Result.getOrThrow(twilioSettings(options))
    prism = await served(described(folder), port)
  })

  afterAll(() => {
    prism?.kill("SIGKILL")
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const send = async ({ form, method, path }: TwilioRequests.TwilioRequest, credentials = `${accountSid}:token`) => {
    const response = await fetch(settings.baseUrl + path, {
      method,
      headers: { authorization: `Basic ${btoa(credentials)}` },
      ...(method === "POST" ? { body: new URLSearchParams(TwilioRequests.encode(form)) } : {})
    })
    return {
      status: response.status,
      violations: ours(response.headers.get("sl-violations")),
      body: await response.text()
    }
  }
  const create = (change: Partial<TwilioRequests.NewCall> = {}) =>
    Result.getOrThrow(TwilioRequests.create(settings, { ...call, ...change }))

  it.each([
    ["a call that says a text and detects machines", () => create(), 201],
    ["a call without detection", () => create({ detectMachine: false }), 201],
    [
      "a call that fetches its instructions",
      () => create({ answer: { _tag: "Url", url: "https://b.example/a" } }),
      201
    ],
    ["a call that streams", () => create({ answer: { _tag: "Stream", url: "wss://m.example" }, botId: null }), 201],
    ["cancelling", () => TwilioRequests.cancel(settings, sid), 200],
    ["hanging up", () => TwilioRequests.complete(settings, sid), 200],
    ["new instructions", () => TwilioRequests.instruct(settings, sid, "<Response><Hangup/></Response>"), 200],
    ["a look-up by name", () => TwilioRequests.record(settings, sid), 200],
    ["the requests that were made for a call", () => TwilioRequests.events(settings, sid), 200],
    ["a look-up by numbers", () => TwilioRequests.records(settings, call.to, call.from), 200],
    ["a look-up by one number", () => TwilioRequests.records(settings, call.to, null), 200],
    [
      "a next page",
      () => TwilioRequests.nextPage(settings, `/2010-04-01/Accounts/${accountSid}/Calls.json?Page=1&PageToken=PACA`)!,
      200
    ]
  ])("the request is right for %s", async (_, request, status) => {
    const answer = await send(request())
    assert.deepInclude(answer, { status, violations: [] }, answer.body)
  })

  it.each([
    ["a form without a number", (form: Form): Form => form.filter(([name]) => name !== "To"), 422],
    ["a time that is no number", (form: Form): Form => [...form, ["MachineDetectionTimeout", "long"]], 422],
    ["a method that is none", (form: Form): Form => [...form, ["FallbackMethod", "PUSH"]], 422]
  ] as const)("the mock does refuse %s", async (_, change, status) => {
    const request = create()
    const form = change([...request.form])
    assert.strictEqual((await send({ ...request, form })).status, status)
  })

  it("the mock does refuse an account of another shape, and a request without credentials", async () => {
    const request = create()
    assert.strictEqual((await send({ ...request, path: request.path.replace(accountSid, "AC1") })).status, 422)
    const bare = await fetch(settings.baseUrl + request.path, { method: "POST", body: new URLSearchParams() })
    assert.strictEqual(bare.status, 401)
  })

  it.live("the carrier places a call, ends it, leaves a message and looks it up", () =>
    Effect.gen(function* () {
      const carrier = yield* Carrier
      // Only the placing of calls makes permits; this stands in for it.
      const placed = yield* carrier.place({
        ...call,
        tenantId: Ids.as("01890000-0000-7000-8000-0000000000aa")
      } as Permit)
      assert.strictEqual(placed.providerCallId, sid)
      const ref: NamedCall = { ...call, ...placed, askedAt: Instant.make(0) }
      yield* carrier.end(ref, { isAnswered: false })
      yield* carrier.end(ref, { isAnswered: true })
      yield* carrier.leaveMessage(ref, { _tag: "Text", text: "Call us" })
      const found = yield* carrier.find(ref)
      assert.strictEqual(found._tag, "Record")
      assert.deepNestedInclude(found, { "report.callId": call.callId, "report.providerCallId": sid })
    }).pipe(Effect.provide(layer(options)))
  )
})

/** What the mock finds wrong with a request. It also finds fault with the description's own examples of answers. */
const ours = (header: string | null): ReadonlyArray<{ readonly location: ReadonlyArray<string> }> =>
  JSON.parse(header ?? "[]").filter(({ location }: { location: Array<string> }) => location[0] === "request")

/** The description with its one defect fixed: it does not say how a repeated event is written in a form. */
const described = (folder: string): string => {
  const api = JSON.parse(readFileSync(description, "utf8"))
  const form =
    api.paths["/2010-04-01/Accounts/{AccountSid}/Calls.json"].post.requestBody.content[
      "application/x-www-form-urlencoded"
    ]
  form.encoding = { StatusCallbackEvent: { style: "form", explode: true } }
  const path = join(folder, "twilio.json")
  writeFileSync(path, JSON.stringify(api))
  return path
}

/** Starts the mock and waits until it listens, half a minute at most. */
const served = (path: string, port: number): Promise<ChildProcess> =>
  new Promise((done, fail) => {
    const cli = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js")
    const child = spawn(process.execPath, [cli, "mock", "-h", "127.0.0.1", "-p", String(port), path])
    let said = ""
    const giveUp = (why: string) => {
      child.kill("SIGKILL")
      fail(new Error(`the mock did not start: ${why}\n${said}`))
    }
    const timer = setTimeout(() => giveUp("no sign within five minutes"), 300_000)
    child.on("exit", (code) => giveUp(`it ended with ${code}`))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString()
        if (!said.includes("Prism is listening")) return
        clearTimeout(timer)
        done(child)
      })
    }
  })
