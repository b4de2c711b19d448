/** An option is written once, and read as a host or a file gives it. Verifies: SETT-1, SETT-2, SETT-3. */
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { asFile, asOptions, effective, pathIn, readSettings, Settings } from "../../../src/platform/settings/index.ts"

const { entry, flag, fn, list, optionalSection, record, required, secret, section, text, whole } = Settings

const fields = {
  maxLines: whole({ min: 1, max: 64, default: 8 }),
  appSecret: secret,
  onLine: fn<() => void>(),
  reply: section({ quietMs: whole({ min: 0, default: 1500 }), isOn: flag(true) }),
  breaker: optionalSection({ openMs: whole({ min: 100, default: 500 }) }),
  routes: record(entry({ upstream: required(text), fallBacks: list(text, { max: 2 }) }))
}
const setting = section(fields)

const ofHost = (given: unknown) => readSettings(setting, given, asOptions)
const ofFile = (given: unknown, environment = {}) => readSettings(setting, given, asFile(environment))
const lines = ({ faults }: ReturnType<typeof ofHost>) =>
  faults.map(({ message, path }) => `${path.join(".")}: ${message}`)

describe("settings", () => {
  it("name everything that cannot be used at once, and read all the rest", () => {
    const given = {
      maxLine: 3,
      maxLines: 65,
      reply: { quietMs: 5, isOn: "no" },
      routes: { a: { upstream: "x", fallBacks: ["b", 5] }, b: {}, c: { upstream: "y", fallBacks: ["a", "b", "c"] } }
    }
    expect(lines(ofHost(given))).toEqual([
      "maxLine: is no setting; did you mean maxLines?",
      "maxLines: must be a whole number from 1 to 64; it is 65",
      'reply.isOn: must be true or false; it is "no"',
      "routes.a.fallBacks.1: must be a text that is not empty; it is 5",
      "routes.b.upstream: is needed here: add it",
      "routes.c.fallBacks: must have at most 2 entries"
    ])
    expect(ofHost(given).read).toEqual({
      reply: { quietMs: 5 },
      routes: { a: { upstream: "x", fallBacks: ["b"] }, c: { upstream: "y" } }
    })
  })

  it("say the same of a fault of a file, under its names, and read it under the library's", () => {
    expect(lines(ofFile({ max_lines: 65 }))).toEqual(["max_lines: must be a whole number from 1 to 64; it is 65"])
    // What only a program can hold is no key, and neither is an option's name in the library.
    expect(lines(ofFile({ on_line: 1, maxLines: 5 }))).toEqual([
      "on_line: is no setting; those here are max_lines, app_secret, reply, breaker, routes",
      "maxLines: is no setting; did you mean max_lines?"
    ])
    expect(ofFile({ reply: { quiet_ms: 5 }, routes: { "a.b": { upstream: "x", fall_backs: [] } } }).read).toEqual({
      reply: { quietMs: 5 },
      routes: { "a.b": { upstream: "x", fallBacks: [] } }
    })
    expect(pathIn(setting, ["routes", "someName", "fallBacks", 0], asFile({}))).toEqual([
      ...["routes", "someName", "fall_backs", 0]
    ])
  })

  it("take what a file holds from a host, and the file's path from a file", () => {
    const sound = Settings.section({
      sound: Settings.content(Settings.value("must be a sound", (given) => given === 1))
    })
    const read = (given: unknown, notation = asFile({})) => readSettings(sound, { sound: given }, notation)
    expect(read(1, asOptions).faults).toEqual([])
    expect(lines(read("hello.wav", asOptions))).toEqual(['sound: must be a sound; it is "hello.wav"'])
    expect(read("hello.wav").read).toEqual({ sound: "hello.wav" })
    expect(lines(read(1))).toEqual(["sound: must be a text that is not empty; it is 1"])
  })

  it("show a secret in no message, and in nothing that they have read", () => {
    const environment = { APP: "hunter2" }
    const { read } = ofFile({ app_secret: { env: "APP" } }, environment)
    expect(JSON.stringify(read) + inspect(read, { depth: 9, showHidden: true })).not.toContain("hunter2")
    expect((read as { readonly appSecret: Settings.SecretText }).appSecret.text).toBe("hunter2")
    expect(lines(ofFile({ app_secret: { env: "NONE" } }))).toEqual([
      "app_secret: names the environment variable NONE, which is not set: set it, or put the secret here"
    ])
    for (const wrong of [["hunter2"], { text: "hunter2" }, { env: "APP", also: "hunter2" }])
      expect([...lines(ofHost({ appSecret: wrong })), ...lines(ofFile({ app_secret: wrong }))].join()).not.toMatch(
        /hunter2/
      )
  })

  it("have their defaults where a host leaves them out, one by one, and null where it turns a section off", () => {
    expect(effective(fields, { reply: { quietMs: 0 } })).toEqual({
      maxLines: 8,
      appSecret: undefined,
      onLine: undefined,
      reply: { quietMs: 0, isOn: true },
      breaker: { openMs: 500 },
      routes: undefined
    })
    expect(effective(fields, { breaker: null }).breaker).toBeNull()
  })
})
