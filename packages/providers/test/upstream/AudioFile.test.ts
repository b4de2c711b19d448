/** Verifies: DEEP-4. */
import { assert, describe, it } from "@effect/vitest"
import { contentTypeOf, fileNameOf } from "../../src/upstream/AudioFile.ts"
import { recording } from "./Works.ts"

/** A file that the official Python client sends: it calls bytes `upload`. */
const ofBytes = (bytes: string, change: Parameters<typeof recording>[0]) =>
  recording({ fileName: "upload", chunks: [new TextEncoder().encode(bytes)], ...change })
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

  it("follows the bytes where neither type nor name is known to servers", () => {
    assert.strictEqual(contentTypeOf(ofBytes("RIFF....WAVE", { contentType: "application/octet-stream" })), "audio/wav")
    assert.strictEqual(contentTypeOf(ofBytes("RIFF....WAVE", { contentType: "audio/vnd.wave" })), "audio/wav")
    assert.strictEqual(contentTypeOf(ofBytes("no audio", { contentType: "audio/vnd.wave" })), "audio/vnd.wave")
  })

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

  it.each([
    ["RIFF....WAVE", "upload.wav"],
    ["ID3", "upload.mp3"],
    ["fLaC", "upload.flac"],
    ["OggS", "upload.ogg"],
    ["....ftyp", "upload.m4a"],
    ["#!AMR", "upload"],
    ["no audio", "upload"]
  ])("of a file that begins with %j is %j where a client names none of its own", (bytes, expected) => {
    assert.strictEqual(fileNameOf(ofBytes(bytes, { contentType: "application/octet-stream" })), expected)
  })

  it("has the extension of the bytes, not of a type that is not theirs, but keeps its own", () => {
    assert.strictEqual(fileNameOf(ofBytes("RIFF....WAVE", { contentType: "audio/vnd.wave" })), "upload.wav")
    assert.strictEqual(fileNameOf(ofBytes("RIFF....WAVE", { contentType: "audio/webm" })), "upload.wav")
    assert.strictEqual(fileNameOf(ofBytes("RIFF....WAVE", { fileName: "talk.mp3" })), "talk.mp3")
  })

  it("is short, and keeps its extension", () => {
    const name = nameOf(`${"x".repeat(5000)}.wav`)
    assert.strictEqual(name.length, 100)
    assert.isTrue(name.endsWith("x.wav"))
  })
})
