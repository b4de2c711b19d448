/** What the client's types promise to a program. */
import { expectTypeOf, it } from "vitest"
import {
  type Campaign,
  type ChatCompletion,
  calling,
  createClient,
  gateway,
  type List,
  type NewCampaign,
  type ServerEvents
} from "../src/index.ts"

const client = () => createClient({ url: "https://example.com", areas: [calling, gateway] })

type Client = ReturnType<typeof client>

it("has the routes of the areas that it is made with, and no others", () => {
  expectTypeOf<Client>().toHaveProperty("campaigns")
  expectTypeOf<Client>().toHaveProperty("llm")
  expectTypeOf<Client>().not.toHaveProperty("webhooks")
})

it("takes and gives the records of the contract", () => {
  expectTypeOf<Client["campaigns"]["create"]>().parameter(0).toEqualTypeOf<NewCampaign>()
  expectTypeOf<Client["campaigns"]["create"]>().returns.toEqualTypeOf<Promise<Campaign>>()
  expectTypeOf<Client["campaigns"]["list"]>().returns.toEqualTypeOf<List<Campaign>>()
  expectTypeOf<Client["campaigns"]["remove"]>().returns.toEqualTypeOf<Promise<void>>()
  expectTypeOf<Campaign["status"]>().toEqualTypeOf<
    "draft" | "scheduled" | "running" | "paused" | "insufficient_balance" | "completed" | "cancelled"
  >()
})

it("gives a stream where one is asked for, and the whole answer where none is", () => {
  const stream = (llm: Client["llm"]) => llm.chat({ model: "m", messages: [], stream: true })
  const whole = (llm: Client["llm"]) => llm.chat({ model: "m", messages: [] })
  expectTypeOf(stream).returns.toEqualTypeOf<Promise<ServerEvents>>()
  expectTypeOf(whole).returns.toEqualTypeOf<Promise<ChatCompletion>>()
})
