/** A stream means the same however its bytes are cut, and whichever line ends it has. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { type ServerEvent, ServerEvents } from "../src/index.ts"

const eventsOf = async (pieces: ReadonlyArray<Uint8Array<ArrayBuffer>>): Promise<ReadonlyArray<ServerEvent>> => {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    }
  })
  const found: Array<ServerEvent> = []
  for await (const event of new ServerEvents(new Response(body))) found.push(event)
  return found
}

const event = fc.record({
  event: fc.option(fc.constantFrom("message_start", "delta"), { nil: null }),
  data: fc.oneof(
    fc.record({ text: fc.string() }),
    fc.string({ unit: fc.constantFrom("a", "ü", "漢", "😀"), minLength: 1 })
  )
})

it("gives the events that were written", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.nat(200), { maxLength: 8 }),
      async (events, end, cuts) => {
        const lines = [...events, { event: null, data: "[DONE]" }].flatMap(({ data, event }) => [
          ": a comment",
          ...(event === null ? [] : [`event: ${event}`]),
          `data: ${typeof data === "string" ? data : JSON.stringify(data)}`,
          ""
        ])
        const bytes = new TextEncoder().encode(lines.map((line) => line + end).join(""))
        const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort(
          (a, b) => a - b
        )
        const pieces = places.slice(1).map((place, nth) => bytes.slice(places[nth], place))
        expect(await eventsOf(pieces)).toEqual(events)
      }
    )
  )
})
