/** Verifies: DEEP-4. */
import { assert, describe, it } from "@effect/vitest"
import { contentTypeOf, fileNameOf } from "../../src/upstream/AudioFile.ts"
import { recording } from "./Works.ts"

const typeOf = (contentType: string, fileName = "talk") => contentTypeOf(recording({ contentType, fileName }))
const nameOf = (fileName: string, contentType = "") => fileNameOf(recording({ contentType, fileName }))

describe("the type that is sent to an upstream", () => {
  it.each([
    ["audio/wav", "audio/wav"],
    ["Audio/WebM;codecs=opus", "audio/webm"],
    ["video/mp4", "video/mp4"],
    ["audio/x-m4a", "audio/x-m4a"],
    ["application/json", "application/octet-stream"],
    ["text/html", "application/octet-stream"],
    ["audio/wav\r\nx-evil: 1", "application/octet-stream"],
    ["application/json, audio/wav", "application/octet-stream"],
    ["", "application/octet-stream"]
  ])("%j", (given, expected) => assert.strictEqual(typeOf(given), expected))

  it("follows the name where nothing better was said", () => {
    assert.strictEqual(typeOf("application/octet-stream", "Talk.MP3"), "audio/mpeg")
    assert.strictEqual(typeOf("", "talk.constructor"), "application/octet-stream")
  })
})

describe("the name that is sent to an upstream", () => {
  it.each([
    ["talk.wav", "", "talk.wav"],
    ["C:\\calls\\talk.wav", "", "talk.wav"],
    ["../../etc/talk.mp3", "", "talk.mp3"],
    ["a\u0000b\u001b.ogg", "", "ab.ogg"],
    ["blob", "audio/webm;codecs=opus", "blob.webm"],
    ["talk.bin", "audio/x-wav", "talk.bin.wav"],
    ["", "audio/mpeg", "audio.mp3"],
    ["", "", "audio"],
    ["बातचीत.wav", "", "बातचीत.wav"]
  ])("%j", (given, type, expected) => assert.strictEqual(nameOf(given, type), expected))

  it("is short, and keeps its extension", () => {
    const name = nameOf(`${"x".repeat(5000)}.wav`)
    assert.strictEqual(name.length, 100)
    assert.isTrue(name.endsWith("x.wav"))
  })
})
