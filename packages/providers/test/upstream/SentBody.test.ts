/** Verifies: OPAI-6. */
import type { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { SentBody } from "../../src/upstream/SentBody.ts"

/** A connection that holds as much as it is told to. */
const lineOf = (writableLength: number) => {
  const socket = { writableLength }
  return { socket, line: { socket: socket as unknown as Socket } }
}

const bodyOf = (mayFree = true) => {
  const chunks = [1, 2, 3].map((fill) => new Uint8Array(1000).fill(fill))
  const lengths = () => chunks.map(({ byteLength }) => byteLength)
  return { lengths, sent: new SentBody({ contentType: "audio/wav", size: 3000, chunks, mayFree }) }
}

describe("a body on its way", () => {
  it("is freed part by part once the connection holds nothing of it any more", () => {
    const { lengths, sent } = bodyOf()
    const { line, socket } = lineOf(0)
    sent.line = line
    const parts = sent[Symbol.iterator]()
    parts.next()
    expect(lengths()).toEqual([1000, 1000, 1000])
    socket.writableLength = 1000
    parts.next()
    // The first part may still be read from where it was.
    expect(lengths()).toEqual([1000, 1000, 1000])
    socket.writableLength = 0
    parts.next()
    expect(lengths()).toEqual([0, 0, 1000])
    socket.writableLength = 1000
    parts.next()
    sent.free()
    expect(lengths()).toEqual([0, 0, 1000])
    socket.writableLength = 0
    sent.free()
    expect(lengths()).toEqual([0, 0, 0])
  })

  it("is judged by the connection on which it is sent, and not by the one that follows", () => {
    const { lengths, sent } = bodyOf()
    const line = { ...lineOf(1000).line }
    sent.line = line
    const parts = sent[Symbol.iterator]()
    parts.next()
    line.socket = lineOf(0).line.socket
    parts.next()
    sent.free()
    expect(lengths()).toEqual([1000, 1000, 1000])
  })

  it("is not freed where somebody else may have it, nor without a connection", () => {
    const [shared, lost] = [bodyOf(false), bodyOf()]
    shared.sent.line = lineOf(0).line
    for (const { lengths, sent } of [shared, lost]) {
      expect([...sent].length).toBe(3)
      sent.free()
      expect(lengths()).toEqual([1000, 1000, 1000])
    }
  })
})
