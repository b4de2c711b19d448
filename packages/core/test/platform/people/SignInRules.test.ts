/** When sessions and links are over, how many failures are too many, and what the cookie is: docs/reference/sign-in.md. Verifies: PEOP-2, PEOP-3, PEOP-5. */
import { Instant } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isSecure, mountPointOf } from "../../../src/platform/accounts/index.ts"
import { isUsable, linkAddress, makeLinkText } from "../../../src/platform/people/MemberLink.ts"
import { isPassword, PasswordCost, passwordDigest } from "../../../src/platform/people/PasswordDigest.ts"
import {
  cookieIn,
  cookieName,
  expiredCookie,
  makeCookieValue,
  setCookie
} from "../../../src/platform/people/SessionCookie.ts"
import { countedSince, ofAddress, ofEmail, waitSeconds, windowMs } from "../../../src/platform/people/SignInLimit.ts"
import { endOf, isOver, keptUserAgent, usedNow } from "../../../src/platform/people/SignInSession.ts"

const begun = Instant.make(Date.UTC(2026, 10, 30))
const after = (milliseconds: number) => Instant.plus(begun, milliseconds)
const times = { idleMs: 12 * Instant.hour, maxMs: 30 * Instant.day }

describe("a session", () => {
  it("ends once it was not used for a time, and at its last instant whatever it is used for", () => {
    expect(endOf(begun, begun, times)).toBe(after(12 * Instant.hour))
    expect(endOf(begun, after(29 * Instant.day), times)).toBe(after(29 * Instant.day + 12 * Instant.hour))
    expect(endOf(begun, after(30 * Instant.day - 1), times)).toBe(after(30 * Instant.day))
    expect([isOver({ expiresAt: after(5) }, after(4)), isOver({ expiresAt: after(5) }, after(5))]).toEqual([
      false,
      true
    ])
  })

  it("has its use written once a minute, or ten times before it would end", () => {
    const session = { createdAt: begun, lastUsedAt: begun }
    expect(usedNow(session, after(Instant.minute - 1), times)).toBeNull()
    expect(usedNow(session, after(Instant.minute), times)).toEqual({
      lastUsedAt: after(Instant.minute),
      expiresAt: after(Instant.minute + 12 * Instant.hour)
    })
    const short = { ...times, idleMs: 2000 }
    expect([usedNow(session, after(199), short), usedNow(session, after(200), short)?.lastUsedAt]).toEqual([
      null,
      after(200)
    ])
  })

  it("goes on for as long as it is used more often than it ends", () => {
    const run = fc.record({
      idleMs: fc.integer({ min: 1000, max: Instant.day }),
      gaps: fc.array(fc.double({ min: 0, max: 0.89, noNaN: true }), { maxLength: 50 })
    })
    fc.assert(
      fc.property(run, ({ gaps, idleMs }) => {
        const given = { idleMs, maxMs: 100 * Instant.day }
        let session = { createdAt: begun, lastUsedAt: begun, expiresAt: endOf(begun, begun, given) }
        let at = begun
        for (const gap of gaps) {
          at = Instant.plus(at, gap * idleMs)
          expect(isOver(session, at)).toBe(false)
          session = { ...session, ...usedNow(session, at, given) }
        }
      })
    )
  })

  it("keeps the beginning of what a browser says of itself", () => {
    expect([keptUserAgent(undefined), keptUserAgent(""), keptUserAgent("x".repeat(300))?.length]).toEqual([
      null,
      null,
      255
    ])
  })
})

describe("a link", () => {
  it("works until it expires, and one that makes an owner while there is no active member", () => {
    const usable = (purpose: "setup" | "reset", activeMembers: number, at: Instant.Instant) =>
      isUsable({ purpose, expiresAt: after(10) }, { activeMembers, at })
    expect([usable("reset", 5, after(9)), usable("reset", 5, after(10))]).toEqual([true, false])
    expect([usable("setup", 0, after(9)), usable("setup", 1, after(9))]).toEqual([true, false])
  })

  it("is `lnk_` and 40 letters and digits, behind the address of the dashboard", () => {
    expect(makeLinkText()).toMatch(/^lnk_[0-9A-Za-z]{40}$/)
    expect(linkAddress("https://app.example.com/phone/", "lnk_a")).toBe(
      "https://app.example.com/phone/dashboard/#link=lnk_a"
    )
    expect(linkAddress("http://127.0.0.1:8787", "lnk_a")).toBe("http://127.0.0.1:8787/dashboard/#link=lnk_a")
  })
})

describe("failures", () => {
  it("are too many until the oldest of the last ones is a quarter of an hour old", () => {
    const failures = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((minutes) => after(minutes * Instant.minute))
    expect(waitSeconds(failures, 10, after(10 * Instant.minute))).toBe(5 * 60)
    expect(waitSeconds(failures, 11, after(10 * Instant.minute))).toBeNull()
    expect(waitSeconds(failures.slice(1), 10, after(10 * Instant.minute))).toBeNull()
    expect(waitSeconds(failures, 10, after(15 * Instant.minute - 1))).toBe(1)
    expect(countedSince(after(windowMs))).toBe(begun)
  })

  it("are counted without what somebody has typed as an email", () => {
    expect(ofEmail("my password").key).not.toContain("password")
    expect([ofEmail("a").most, ofAddress("b")]).toEqual([10, { key: "address:b", most: 50 }])
  })
})

describe("the cookie", () => {
  const name = cookieName("svc_", "one key of an installation, long enough")

  it("has a name that differs between installations, and stays", () => {
    expect(name).toMatch(/^svc_session_[0-9a-f]{8}$/)
    expect(cookieName("svc_", "one key of an installation, long enough")).toBe(name)
    expect(cookieName("svc_", "another key of an installation, as long")).not.toBe(name)
  })

  it("is found among others, under the name that fits the scheme, or an earlier one", () => {
    const value = makeCookieValue()
    expect(value).toMatch(/^[0-9a-f]{64}$/)
    const header = `a=b; ${name}=${value}; __Host-${name}=other; x${name}=c`
    expect(cookieIn(header, [name], false)).toBe(value)
    expect(cookieIn(header, [name], true)).toBe("other")
    expect(cookieIn(`x${name}=c`, [name], false)).toBeNull()
    expect(cookieIn(undefined, [name], false)).toBeNull()
    expect(cookieIn(`svc_session_old=${value}`, [name, "svc_session_old"], false)).toBe(value)
  })

  it("belongs to this host alone, and is no script's", () => {
    expect(setCookie("v", 60, { name, isSecure: true })).toBe(
      `__Host-${name}=v; HttpOnly; SameSite=Lax; Path=/; Max-Age=60; Secure`
    )
    expect(setCookie("v", 60, { name, isSecure: false })).toBe(`${name}=v; HttpOnly; SameSite=Lax; Path=/; Max-Age=60`)
    expect(expiredCookie({ name, isSecure: false })).toContain("Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
  })
})

describe("the address of a request", () => {
  const path = "/api/v1/members"
  it.each([
    [{ host: "h:1" }, { url: `${path}?q=a` }, "http://h:1"],
    [{ host: "h" }, { url: path, originalUrl: `/a/b${path}` }, "http://h/a/b"],
    [{ host: "h" }, { url: `/a${path}`, socket: { encrypted: true } }, "https://h/a"],
    [
      { host: "h", "x-forwarded-proto": "https, http", "x-forwarded-host": "own.example, h" },
      { url: path },
      "https://own.example"
    ],
    [{ host: "h", "x-forwarded-proto": "http" }, { url: path, socket: { encrypted: true } }, "http://h"],
    [{}, new Request("https://f.example/phone/api/v1/members/1/link"), "https://f.example/phone"],
    [{ ":authority": "two.example" }, { url: path, socket: null }, "http://two.example"],
    [{}, {}, "http://localhost"]
  ])("%j of %o has the mount point %s", (headers, source, mountPoint) => {
    const request = { headers: headers as Record<string, string>, source }
    expect(mountPointOf(request, path)).toBe(mountPoint)
    expect(isSecure(request)).toBe(mountPoint.startsWith("https:"))
  })
})

describe("a password", () => {
  const run = <A>(program: Effect.Effect<A>) => Effect.runPromise(program)
  const runCheaply = <A>(program: Effect.Effect<A>) =>
    run(Effect.provideService(program, PasswordCost, { N: 2 ** 12, r: 8, p: 1 }))

  it("is stored as scrypt, whose cost is the product's and is stored with it", async () => {
    const digest = await run(passwordDigest("a long password"))
    expect(digest).toMatch(/^scrypt\.131072\.8\.1\.[\w-]{22}\.[\w-]{43}$/)
    // At the stored cost, whatever a new one costs meanwhile.
    expect(await runCheaply(isPassword("a long password", digest, Effect.void))).toBe(true)
  })

  it("is stored with a salt of its own, and recognised however its characters are written", async () => {
    const [one, other] = await Promise.all([
      runCheaply(passwordDigest("a long påssword")),
      runCheaply(passwordDigest("a long påssword"))
    ])
    expect(one).not.toBe(other)
    const is = (password: string, stored: string | null) => runCheaply(isPassword(password, stored, Effect.void))
    expect(await is("a long pa\u030assword", one)).toBe(true)
    expect(await is("a long passsword", one)).toBe(false)
    expect([await is("", null), await is("x", "md5.x")]).toEqual([false, false])
  })

  it("is compared two at a time, and the others wait", async () => {
    let running = 0
    let most = 0
    const entered = Effect.sync(() => {
      running += 1
      most = Math.max(most, running)
    })
    const one = Effect.ensuring(
      isPassword("x", null, entered),
      Effect.sync(() => {
        running -= 1
      })
    )
    const all = Effect.all([one, one, one, one, one], { concurrency: "unbounded" })
    await runCheaply(all)
    expect(most).toBe(2)
  })
})
