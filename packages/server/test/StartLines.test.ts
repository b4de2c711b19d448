/** What a start says, at every start: docs/reference/configuration.md#start. */
import type { Capability, Models, Upstream } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { type Gateway, type Started, serviceFaults, serviceLines, startLines } from "../src/StartLines.ts"

const model = (id: string, category: string, tiers = ["free", "pro"]): Models.Model =>
  ({ id, category, tiers, status: "active" }) as unknown as Models.Model

const models = [
  model("gemma", "llm"),
  model("gpt", "llm", ["pro"]),
  model("nova", "stt"),
  ...["a", "b", "c", "d", "e"].map((id) => model(id, "tts"))
]

const upstream = (name: string, fault: string | null = null): Upstream => ({
  ...{ name, provider: "fake", capabilities: {}, servedBy: null, maxMs: 1, fault: () => fault }
})

interface World {
  /** By model. */
  readonly routes?: Readonly<Record<string, Upstream>>
  readonly standIns?: { readonly [C in Capability]?: string }
  readonly engine?: Upstream
  readonly plans?: ReadonlyArray<"free" | "pro">
  readonly searches?: ReadonlyArray<string>
}

const categories = { generate: "llm", transcribe: "stt", speak: "tts", embed: "embedding", generateImages: "image" }

const startedWith = ({ plans = ["free"], routes = {}, searches = [], standIns = {}, ...more }: World): Started => {
  const of = (capability: Capability) =>
    models.filter(
      ({ category, id }) => category === categories[capability as keyof typeof categories] && routes[id] !== undefined
    )
  const route = (_: Capability, id: string) => {
    const found = routes[id]
    const entry = { upstream: found, model: id, run: () => Effect.never }
    return found === undefined ? null : { entries: [entry], retries: 0 }
  }
  const upstreams: Gateway["upstreams"] = {
    route: route as never,
    standIn: (capability) => standIns[capability] ?? null,
    serving: (capability) =>
      standIns[capability] === undefined
        ? [...new Set(of(capability).map(({ id }) => routes[id]!))]
        : [more.engine ?? upstream("embedded")]
  }
  return {
    gateway: { models, searches, upstreams },
    accounts: plans.map((plan, nth) => ({ id: `account-${nth}`, plan }))
  }
}

const place = { url: "http://127.0.0.1:8787", command: "trunkline" }
const linesOf = (world: World) => startLines(startedWith(world), place)

describe("a start says of each service who answers it", () => {
  // Verifies: H-69.
  it("with nothing configured: the engine on this machine, and where to read how a service is added", () => {
    expect(serviceLines(startedWith({ standIns: { transcribe: "moonshine-tiny", speak: "flite" } }))).toEqual([
      "language models: none (docs/guides/add-a-model.md)",
      "speech to text: the embedded engine (moonshine-tiny), English alone",
      "text to speech: the embedded engine (flite), English alone",
      "embeddings: none (docs/guides/add-a-model.md)",
      "images: none (docs/guides/add-a-model.md)",
      "web search: none (docs/reference/search.md)"
    ])
  })

  it("by upstream, with the first of its models", () => {
    const [mine, other] = [upstream("mine"), upstream("other")]
    const routes = { gemma: mine, gpt: other, a: mine, b: mine, c: mine, d: mine, e: mine }
    expect(serviceLines(startedWith({ routes, searches: ["brave", "own"] }))).toEqual([
      "language models: mine (gemma); other (gpt)",
      "speech to text: none (docs/guides/add-a-model.md)",
      "text to speech: mine (a, b, c, 2 more)",
      "embeddings: none (docs/guides/add-a-model.md)",
      "images: none (docs/guides/add-a-model.md)",
      "web search: brave, own"
    ])
  })

  // Verifies: H-161.
  it("and that requests will fail, with the command that helps, where its packages are not installed", () => {
    const fault = "the embedded speech engine lacks onnxruntime-node; run npm install onnxruntime-node"
    const broken = startedWith({ standIns: { transcribe: "moonshine-tiny" }, engine: upstream("embedded", fault) })
    expect(serviceLines(broken)[1]).toBe(
      "speech to text: the embedded engine (moonshine-tiny), English alone, which is not installed"
    )
    expect(serviceFaults(broken)).toEqual([`requests for speech to text will fail: ${fault}`])
    expect(serviceFaults(startedWith({ standIns: { transcribe: "moonshine-tiny" } }))).toEqual([])
  })
})

describe("a start says what can be done first", () => {
  // Verifies: D-285.
  it("always: the API reference, and the account's plan with the command that changes it", () => {
    expect(linesOf({}).slice(-2)).toEqual([
      "the account account-0 is on the plan free; to change it: trunkline account set --account account-0 --plan pro",
      "API reference: http://127.0.0.1:8787/docs"
    ])
    expect(linesOf({ plans: ["free", "pro"] })).toContain("to see accounts and plans: trunkline account list")
  })

  // Verifies: D-285.
  it("which language models can be asked, with a request to paste", () => {
    const mine = upstream("mine")
    expect(linesOf({ routes: { gemma: mine, gpt: mine } }).slice(-3, -1)).toEqual([
      "language models that can be asked: gemma; of another plan: gpt",
      `  curl -s http://127.0.0.1:8787/v1/chat/completions -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"model":"gemma","messages":[{"role":"user","content":"Say hello"}]}'`
    ])
    expect(linesOf({ routes: { gpt: mine } })).toContain("no plan here has one of the language models gpt")
    expect(linesOf({}).join()).not.toContain("curl")
  })
})

it("says nothing of models where the gateway is left out", () => {
  const started: Started = { gateway: null, accounts: [{ id: "account-0", plan: "free" }] }
  expect(serviceFaults(started)).toEqual([])
  expect(startLines(started, place)).toEqual([
    expect.stringMatching(/^the account account-0 is on the plan free/),
    "API reference: http://127.0.0.1:8787/docs"
  ])
})
