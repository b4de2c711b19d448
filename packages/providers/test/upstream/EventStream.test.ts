/** Server-sent events as they come over the wire: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { EventStream, type SentEvent } from "../../src/upstream/EventStream.ts"

const utf8 = new TextEncoder()
const mebibyte = 1024 * 1024

/** The events of a stream whose bytes come in pieces that end at these places. */
const eventsOf = (text: string | Uint8Array, cuts: ReadonlyArray<number> = [], maxBytes = mebibyte) => {
  const bytes = typeof text === "string" ? utf8.encode(text) : text
  const stream = new EventStream(maxBytes)
  const ends = [...new Set([...cuts, bytes.length])].filter((end) => end <= bytes.length).sort((a, b) => a - b)
  let from = 0
  return ends.flatMap((end) => {
    // A piece of its own: the reader may not rely on what stands around it in memory.
    const piece = bytes.slice(from, end)
    from = end
    return stream.read(piece).events
  })
}

const data = (...texts: ReadonlyArray<string>): ReadonlyArray<SentEvent> =>
  texts.map((text) => ({ event: null, data: text }))

// Verifies: H-183.
describe("a stream of events", () => {
  it.each([
    ["one event", "data: a\n\n", data("a")],
    ["two events", "data: a\n\ndata: b\n\n", data("a", "b")],
    ["a name", "event: ping\ndata: a\n\ndata: b\n\n", [{ event: "ping", data: "a" }, ...data("b")]],
    ["a name after the data", "data: a\nevent: ping\n\n", [{ event: "ping", data: "a" }]],
    ["lines that end in CRLF", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", data("a\nb", "c")],
    ["lines that end in CR", "data: a\rdata: b\r\rdata: c\r\r", data("a\nb", "c")],
    ["all line ends in turn", "data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r", data("a\nb\nc", "d")],
    ["several lines of data", "data: a\ndata:\ndata\ndata: b\n\n", data("a\n\n\nb")],
    ["one space after the colon that does not count", "data:a\n\ndata:  b\n\n", data("a", " b")],
    ["a colon in the data", "data: a:b: c\n\n", data("a:b: c")],
    ["comments, also within an event", ": hello\n\n:\ndata: a\n: b\ndata: c\n\n", data("a\nc")],
    ["fields that it has no use for", "id: 1\nretry: 5\nother\ndata: a\n\n", data("a")],
    ["an event without data, whose name is of none that follows", "event: ping\n\ndata: a\n\n", data("a")],
    ["an empty name", "event:\ndata: a\n\n", data("a")],
    ["a byte order mark", "\uFEFFdata: a\n\n", data("a")],
    ["a byte order mark that is not at the beginning", "data: \uFEFFa\n\n\uFEFFdata: b\n\n", data("\uFEFFa")],
    ["a byte order mark of a later line", "data: a\n\n\uFEFFdata: b\n\n", data("a")],
    ["an event that has not ended", "data: a\n\ndata: b\n", data("a")],
    ["nothing", "", []]
  ] as ReadonlyArray<[string, string, ReadonlyArray<SentEvent>]>)("has %s, cut at any byte", (_, text, events) => {
    const { length } = utf8.encode(text)
    expect(eventsOf(text)).toEqual(events)
    for (let at = 0; at <= length; at += 1) expect(eventsOf(text, [at])).toEqual(events)
    expect(
      eventsOf(
        text,
        Array.from({ length }, (_, at) => at)
      )
    ).toEqual(events)
  })

  const line = fc.oneof(
    fc.constantFrom("data: ", "data:", "data", "event: ping", ": comment", "id: 7", "", "", "\uFEFF"),
    fc.tuple(fc.constantFrom("data: ", "event: ", ":"), unicodeText({ maxLength: 12 })).map((two) => two.join(""))
  )
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")), { maxLength: 24 })
    .map((lines) => lines.map((two) => two.join("")).join(""))

  it("has the same events in whatever pieces it comes", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(400), { maxLength: 40 }), (text, cuts) => {
        expect(eventsOf(text, cuts)).toEqual(eventsOf(text))
      })
    )
  })

  it("has the data that was written, in whatever characters", () => {
    const text = fc.string({ unit: "grapheme" }).filter((one) => !/[\r\n]/.test(one))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(100)), (lines, cuts) => {
        const written = `${lines.map((one) => `data: ${one}\n`).join("")}\n`
        expect(eventsOf(written, cuts)).toEqual(data(lines.join("\n")))
      })
    )
  })

  it("replaces bytes that are no UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from("data: a"), Buffer.from([0xff]), Buffer.from("\n\n")])
    expect(eventsOf(bytes)).toEqual(data("a\uFFFD"))
  })
})

describe("an event that is too long", () => {
  const read = (stream: EventStream, text: string) => stream.read(utf8.encode(text))

  it("ends the reading, after the events before it", () => {
    const stream = new EventStream(20)
    expect(read(stream, `data: a\n\ndata: ${"b".repeat(15)}`)).toEqual({ events: data("a"), isTooLong: true })
    expect(read(stream, "\n\ndata: c\n\n")).toEqual({ events: [], isTooLong: true })
  })

  it("is so in several lines too, and in a line without end", () => {
    const stream = new EventStream(20)
    expect(read(stream, "data: aaaa\ndata: bb").isTooLong).toBe(false)
    expect(read(stream, "bbb").isTooLong).toBe(true)
    expect(read(new EventStream(20), ":".repeat(21)).isTooLong).toBe(true)
    expect(read(new EventStream(20), "data: aaaa\ndata: bbbbb\n\n")).toEqual({ events: [], isTooLong: true })
  })

  it("is none that has exactly that size, nor are many events, nor many comments", () => {
    const stream = new EventStream(20)
    for (let nth = 0; nth < 10; nth += 1) {
      expect(read(stream, `: a comment\n\ndata: ${"b".repeat(14)}\n\n`)).toEqual({
        events: data("b".repeat(14)),
        isTooLong: false
      })
    }
  })
})
