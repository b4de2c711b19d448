/** The webhooks portal: its files, whom they may be framed by, and how little its token opens. */

import { createTrunkline, type StorageProvider, TrunklineError } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeNetwork, layerFakeCarrier } from "../FakeCarrier.ts"
import { campaigns, type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { emailWebhooks, openWebhookWorld, type WebhookWorld, webhooks } from "./WebhookWorld.ts"

const page = "/portal/webhooks"
const types = { [page]: "text/html", [`${page}.js`]: "text/javascript", [`${page}.css`]: "text/css" }

/** The directives of a policy by name. */
const directives = (policy: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    String(policy)
      .split("; ")
      .map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1).join(" ")])
  )

export const portalSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the webhooks portal through ${name}`, () => {
    let world: WebhookWorld
    beforeAll(async () => {
      world = await openWebhookWorld(start, storage)
    })
    afterAll(() => world.close())

    const portal = async (seconds?: number) =>
      (
        await world.core.admin.createPortalToken(world.account, {
          subject: "ada",
          ...(seconds === undefined ? {} : { secondsToLive: seconds })
        })
      ).token

    it("is three public files, each of its own type, at the root and under a prefix", async () => {
      const under = await openWorld(start, storage, { serve: { prefix: "/calling" } })
      try {
        for (const [path, type] of Object.entries(types)) {
          const file = await world.send("GET", path)
          expect(file, path).toMatchObject({ status: 200, text: expect.stringMatching(/\w/) })
          expect(file.headers, path).toMatchObject({
            "content-type": `${type}; charset=utf-8`,
            "cache-control": "no-cache",
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff"
          })
          expect((await world.send("HEAD", path)).status, path).toBe(200)
          expect((await world.send("POST", path)).status, path).toBe(405)
          expect(await under.send("GET", path), path).toMatchObject({ status: 200, text: file.text })
          expect((await under.host("GET", path)).text, path).toContain("no page of the host")
        }
        expect((await world.host("GET", `${page}/`)).text).toContain("no page of the host")
      } finally {
        await under.close()
      }
    })

    it("refers to its own files by relative paths, so that they are found under any prefix", async () => {
      const { text } = await world.send("GET", page)
      const named = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)
      expect(named).toEqual(["data:,", "webhooks.css", "webhooks.js"])
    })

    it("has a policy by which a browser loads, runs and requests only its own files and routes", async () => {
      const policy = directives((await world.send("GET", page)).headers["content-security-policy"])
      expect(policy).toEqual({
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'self'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'"
      })
    })

    const framedBy = (...frameAncestors: ReadonlyArray<string>) => ({ webhooks: { portal: { frameAncestors } } })

    it("may be framed by the pages that the host names", async () => {
      const other = await openWorld(start, storage, {
        core: framedBy("'self'", "https://app.example.com", "https://*.example.org:8443")
      })
      try {
        const { headers } = await other.send("GET", page)
        expect(directives(headers["content-security-policy"])["frame-ancestors"]).toBe(
          "'self' https://app.example.com https://*.example.org:8443"
        )
      } finally {
        await other.close()
      }
    })

    // Verifies: E-67.
    it("has the installation's colour, font and logo, under the same policy", async () => {
      const logo = "data:image/svg+xml;base64,PHN2Zy8+"
      const theme = { accent: "#0a5c36", font: "Inter, system-ui", colorScheme: "light", logo } as const
      const other = await openWorld(start, storage, { core: { webhooks: { portal: { theme } } } })
      try {
        const [dressed, plain] = [await other.send("GET", page), await world.send("GET", page)]
        expect(dressed.text).toContain(`<img class="logo" src="${logo}" alt="" />`)
        expect(plain.text).not.toContain("<img")
        expect(dressed.headers["content-security-policy"]).toBe(plain.headers["content-security-policy"])
        const style = (await other.send("GET", `${page}.css`)).text
        expect(style.slice((await world.send("GET", `${page}.css`)).text.length)).toMatch(
          /^:root \{\n {2}color-scheme: light;\n {2}--accent: light-dark\(#0a5c36, #\w{6}\);[\s\S]*--font: Inter, system-ui;\n\}\n$/
        )
      } finally {
        await other.close()
      }
    })

    it("says that plain http is accepted in the networks that the operator has named", async () => {
      const other = await openWorld(start, storage, { core: { webhooks: { allowNetworks: ["10.0.0.0/8"] } } })
      try {
        expect((await other.send("GET", page)).text).toContain('<html lang="en" data-plain-http>')
        expect((await world.send("GET", page)).text).toContain('<html lang="en">')
        expect((await world.send("GET", `${page}.js`)).text).toContain("data-plain-http")
      } finally {
        await other.close()
      }
    })

    // Verifies: E-70.
    it("is in the installation's language and words, which are text wherever they stand", async () => {
      const words = {
        "page.title": '<b>"Haken"</b> & mehr',
        "action.pause": "</title><script>",
        "page.loading": "Lädt…"
      }
      const other = await openWorld(start, storage, { core: { webhooks: { portal: { language: "DE-at", words } } } })
      try {
        const [{ headers, text }, plain] = [await other.send("GET", page), await world.send("GET", page)]
        const [, lang, given = ""] = /^<html lang="([^"]*)" data-words="([^"]*)">$/m.exec(text) ?? []
        const read = given.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
        expect([lang, JSON.parse(read)]).toEqual(["de-AT", words])
        expect(given).not.toMatch(/[<>]/)
        expect(text).toContain("<title>&#60;b&#62;&#34;Haken&#34;&#60;/b&#62; &#38; mehr</title>")
        expect(text).toContain('<p class="quiet">Lädt…</p>')
        expect(text.match(/<script/g)).toEqual(plain.text.match(/<script/g))
        expect(headers["content-security-policy"]).toBe(plain.headers["content-security-policy"])
        expect(plain.text).toContain("<title>Webhooks</title>")
        expect(plain.text).toContain('<p class="quiet">Loading…</p>')
        expect(plain.text).not.toContain("data-words")
      } finally {
        await other.close()
      }
    })

    it("does not start with an invalid theme", async () => {
      const made = createTrunkline({
        storage: storage(),
        telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
        encryptionKey: "a key for the secrets of this test",
        webhooks: { portal: { theme: { accent: "blue", font: "a;b" } } }
      })
      await expect(made).rejects.toMatchObject({
        code: "options_refused",
        message: expect.stringMatching(/theme\.accent: must be a colour .*theme\.font: must be font families/)
      })
    })

    it("does not start with a frame ancestor that is no origin, or that would end the policy", async () => {
      for (const names of [
        [],
        ["*"],
        ["app.example.com; script-src *"],
        ["https://a.example.com https://b.example.com"],
        ["https://a.example.com/path"],
        ["https://a.example.com\r\nx: y"],
        ["'none'", "'self'"]
      ]) {
        const made = createTrunkline({
          storage: storage(),
          telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
          encryptionKey: "a key for the secrets of this test",
          ...framedBy(...names)
        })
        await expect(made, String(names)).rejects.toThrow(TrunklineError)
        await expect(made, String(names)).rejects.toThrow(/frameAncestors/)
      }
    })

    it("has a token that opens the routes of platform webhooks and no other", async () => {
      const key = await portal()
      const routes = Object.entries(world.core.openapi().paths as Readonly<Record<string, object>>).flatMap(
        ([path, operations]) =>
          Object.keys(operations).map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, nobody)] as const)
      )
      const opened: Array<string> = []
      for (const [method, path] of routes) {
        // Open to everybody, or to who signs.
        if (path.startsWith("/portal/") || path.includes("/providers/")) continue
        if (path.endsWith("/models/access") || path.endsWith("/inbound")) continue
        const { body, headers, status } = await world.send(method, path, { key })
        if (path.startsWith(webhooks)) {
          expect([401, 403], `${method} ${path}`).not.toContain(status)
          opened.push(path)
        } else {
          expect(status, `${method} ${path}`).toBe(401)
          const { error } = body as { readonly error?: { readonly message: string } }
          expect(error?.message ?? body.detail, `${method} ${path}`).toMatch(
            /portal and nothing else|API key|access token/
          )
          expect(headers["www-authenticate"]).toBe("Bearer")
        }
      }
      expect(opened).toHaveLength(12)
      expect((await world.send("GET", `${campaigns}/${nobody}`, { key })).status).toBe(401)
      expect((await world.send("GET", emailWebhooks, { key })).status).toBe(401)
    })

    it("has a token for its account alone, and the person is named in the audit log", async () => {
      const key = await portal()
      const url = world.endpoint()
      const made = await world.send("POST", webhooks, { key, json: { url, events: ["credits.low"] } })
      expect(made.status).toBe(201)
      const other = await world.core.admin.createAccount({ name: "Another" })
      const strange = (await world.core.admin.createPortalToken(other.id)).token
      const path = `${webhooks}/${made.body.id}`
      expect((await world.send("GET", path, { key: strange })).status).toBe(404)
      expect((await world.send("GET", webhooks, { key: strange })).items).toEqual([])
      expect((await world.send("DELETE", path, { key })).status).toBe(204)
      expect(await world.audited()).toMatchObject({
        actor: "user:ada",
        action: "webhook.delete",
        targetId: made.body.id
      })
    })

    it("gives a dashboard's token no more than its own rights", async () => {
      expect((await world.send("GET", webhooks, { key: await world.person("viewer") })).status).toBe(403)
    })

    it("has a token that is valid for a quarter of an hour, or for a given number of seconds, at most a day", async () => {
      const { admin } = world.core
      const lifeOf = (token: string) => {
        const { exp, iat } = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString())
        return exp - iat
      }
      expect(lifeOf(await portal())).toBe(900)
      expect(lifeOf(await portal(60))).toBe(60)
      for (const secondsToLive of [0, -1, 1.5, 86_401, Number.NaN]) {
        const refused = admin.createPortalToken(world.account, { secondsToLive })
        await expect(refused, String(secondsToLive)).rejects.toMatchObject({ code: "schema_refused", status: 422 })
      }
      await expect(admin.createPortalToken(nobody)).rejects.toMatchObject({ code: "account_not_found" })
      const withoutSecret: HttpWorld = await openWorld(start, storage)
      try {
        const refused = withoutSecret.core.admin.createPortalToken(withoutSecret.account)
        await expect(refused).rejects.toMatchObject({ code: "token_secret_missing" })
      } finally {
        await withoutSecret.close()
      }
    })
  })
