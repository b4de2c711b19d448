import { assert, describe, it } from "@effect/vitest"
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { answering, leaving, maxLength } from "../../src/twilio/TwiML.ts"

describe("instructions for a call", () => {
  it("say a text", () => {
    assert.deepStrictEqual(
      answering({ _tag: "Say", text: "Hello", language: null }, { call_id: "1" }),
      Result.succeed("<Response><Say>Hello</Say></Response>")
    )
  })

  it("say a text in its language", () => {
    assert.deepStrictEqual(
      answering({ _tag: "Say", text: "नमस्ते", language: "hi-IN" }, {}),
      Result.succeed('<Response><Say language="hi-IN">नमस्ते</Say></Response>')
    )
  })

  it("connect the media to a websocket that learns which call and bot it is", () => {
    assert.deepStrictEqual(
      answering({ _tag: "Stream", url: "wss://media.example/a?b=1&c=2" }, { call_id: "c-1", bot_id: "b-1" }),
      Result.succeed(
        '<Response><Connect><Stream url="wss://media.example/a?b=1&amp;c=2"><Parameter name="call_id" value="c-1"/>' +
          '<Parameter name="bot_id" value="b-1"/></Stream></Connect></Response>'
      )
    )
  })

  it("leave a spoken or a recorded message and hang up", () => {
    assert.deepStrictEqual(
      leaving({ _tag: "Text", text: "Call us" }),
      Result.succeed("<Response><Say>Call us</Say><Hangup/></Response>")
    )
    assert.deepStrictEqual(
      leaving({ _tag: "Audio", url: "https://a.example/m.mp3?x=1&y=2" }),
      Result.succeed("<Response><Play>https://a.example/m.mp3?x=1&amp;y=2</Play><Hangup/></Response>")
    )
  })

  it("cannot be broken out of by any text", () => {
    fc.assert(
      fc.property(unicodeText({ maxLength: 200 }), (text) => {
        const xml = Result.getOrThrow(answering({ _tag: "Say", text, language: text }, {}))
        const said = /^<Response><Say language="([^"<>]*)"(?:\/>|>([^<>]*)<\/Say>)<\/Response>$/su.exec(xml)
        assert.isNotNull(said)
        assert.isFalse(/&(?!(?:amp|lt|gt|quot|apos);)/.test(xml))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those must not be there
        assert.isFalse(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(xml))
      })
    )
  })

  it("drop characters that XML does not allow, and nothing else", () => {
    assert.deepStrictEqual(
      leaving({ _tag: "Text", text: "a\u0000b\uD800c\n😀 'd' & \"e\" <f>" }),
      Result.succeed("<Response><Say>abc\n😀 &apos;d&apos; &amp; &quot;e&quot; &lt;f&gt;</Say><Hangup/></Response>")
    )
  })

  it("are refused when they are longer than the provider accepts, and not cut", () => {
    const frame = "<Response><Say></Say></Response>".length
    const say = (length: number) => answering({ _tag: "Say", text: "a".repeat(length), language: null }, {})
    assert.isTrue(Result.isSuccess(say(maxLength - frame)))
    assert.deepStrictEqual(say(maxLength - frame + 1), Result.fail({ _tag: "TooLong", length: maxLength + 1 }))
  })
})
