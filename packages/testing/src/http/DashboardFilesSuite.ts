/** The files of the pages for people, through a host, below any prefix and behind a proxy. Verifies: PAGE-1, PAGE-2, PAGE-3. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { createTrunkline, type DashboardOptions, type StorageProvider } from "@trunkline/core"
import { dashboardProvider, type PageFile } from "@trunkline/core/provider"
import { describe, expect, it } from "vitest"
import type { Answer } from "./Exchange.ts"
import { campaigns, type HttpWorld, openWorld, type Start, type WorldOptions } from "./HttpWorld.ts"

const script = `export const said = "${"hello ".repeat(100)}"`
const built = `<!doctype html>
<html lang="en"><head><title></title><link rel="icon" href="data:," />
<link rel="stylesheet" href="./theme.css" />
<script type="application/json" id="settings"></script>
<script type="module" src="./assets/Main-a1b2c3d4.js"></script>
</head><body><div id="root"></div></body></html>
`

const make = (type: string, text: string): PageFile => {
  const bytes = Buffer.from(text)
  return {
    type,
    digest: String(bytes.length),
    bytes,
    brotli: brotliCompressSync(bytes),
    gzip: text.length > 100 ? gzipSync(bytes) : null
  }
}

const files = new Map([
  ["index.html", make("text/html; charset=utf-8", built)],
  ["assets/Main-a1b2c3d4.js", make("text/javascript; charset=utf-8", script)]
])

/** A dashboard of two small files. */
const small = (options: DashboardOptions = {}) =>
  dashboardProvider({
    options,
    english: { "calls.found": "{count} calls", "calls.title": "Calls" },
    files: { load: () => Promise.resolve(files), make }
  })

const paths = ["/dashboard", "/dashboard/", "/dashboard/theme.css", "/dashboard/assets/Main-a1b2c3d4.js"]

const blockOf = ({ text }: Answer) =>
  JSON.parse(/<script type="application\/json" id="settings">(.*?)<\/script>/.exec(text)?.[1] ?? "null")

/** A proxy in front of a host, which sees the path as `target` writes it. */
const proxied = async (origin: string, target: (path: string) => string, use: (at: string) => Promise<void>) => {
  const { hostname, port } = new URL(origin)
  const proxy = Http.createServer((request, response) => {
    const { headers, method, url = "/" } = request
    const passed = Http.request({ hostname, port, method, headers, path: target(url) }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  try {
    await use(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  } finally {
    await new Promise((resolve) => proxy.close(resolve))
  }
}

/** What a browser finds that opens an address: the page, its theme, its script, and the API where the page looks for it. */
const opened = async (address: string) => {
  const page = await fetch(address)
  const html = await page.text()
  const named = [...html.matchAll(/(?:src|href)="(\.[^"]*)"/g)].map(([, name = ""]) => name)
  const found = await Promise.all(
    [...named, "../api/v1/voice-campaigns"].map(async (name) => (await fetch(new URL(name, page.url))).status)
  )
  return { at: new URL(page.url).pathname, html, found }
}

export const dashboardFilesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`pages for people through ${name}`, () => {
    const served = async (options: WorldOptions, use: (world: HttpWorld) => Promise<void>) => {
      const world = await openWorld(start, storage, { ...options, core: { dashboard: small(), ...options.core } })
      try {
        await use(world)
      } finally {
        await world.close()
      }
    }

    const get = (world: HttpWorld, path: string, headers: Http.OutgoingHttpHeaders = {}) =>
      world.host("GET", path, { headers })

    // Verifies: B-102.
    it("are files that need no credential, and methods other than GET and HEAD are refused", () =>
      served({}, async (world) => {
        for (const path of paths) {
          const answer = await get(world, path)
          expect(answer.status, path).toBe(path === "/dashboard" ? 308 : 200)
          expect(answer.headers["set-cookie"], path).toBeUndefined()
          const head = await world.host("HEAD", path)
          expect([head.status, head.bytes.length], path).toEqual([answer.status, 0])
          expect(head.headers.etag, path).toBe(answer.headers.etag)
          for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
            const refused = await world.host(method, path)
            expect([refused.status, refused.headers.allow], `${method} ${path}`).toEqual([405, "GET, HEAD"])
          }
        }
        expect((await get(world, "/dashboard/")).headers["content-type"]).toBe("text/html; charset=utf-8")
        expect((await get(world, "/dashboard/theme.css")).headers["content-type"]).toBe("text/css; charset=utf-8")
        const asset = await get(world, "/dashboard/assets/Main-a1b2c3d4.js")
        expect([asset.headers["content-type"], asset.text]).toEqual(["text/javascript; charset=utf-8", script])
      }))

    // Verifies: B-102.
    it("are the same bytes for everybody", () =>
      served({}, async (world) => {
        for (const path of paths) {
          const plain = await get(world, path)
          const known = await get(world, path, { authorization: `Bearer ${world.key}`, cookie: "session=1" })
          const wrong = await get(world, path, { authorization: "Bearer nobody" })
          expect(known.bytes.equals(plain.bytes) && wrong.bytes.equals(plain.bytes), path).toBe(true)
        }
      }))

    // Verifies: B-104.
    it("lead to the page from its path without the last slash, by a relative redirect that keeps the query", () =>
      served({ serve: { prefix: "/calling" } }, async (world) => {
        const plain = await get(world, "/calling/dashboard")
        expect([plain.status, plain.headers.location]).toEqual([308, "dashboard/"])
        const asked = await get(world, "/calling/dashboard?a=1&b=%2F")
        expect(asked.headers.location).toBe("dashboard/?a=1&b=%2F")
        for (const path of ["/calling/dashboard/theme.css/", "/calling/dashboard/assets", "/calling/dashboard/other"])
          expect((await get(world, path)).text, path).toContain("no page of the host")
      }))

    // Verifies: B-105.
    it.each(["", "/calling", "/a/b/c"])("find each other, and the API, below the prefix %j", (prefix) =>
      served({ serve: { prefix } }, async ({ served: { origin } }) => {
        for (const address of ["/dashboard", "/dashboard/"])
          expect(await opened(`${origin}${prefix}${address}`)).toMatchObject({
            at: `${prefix}/dashboard/`,
            found: [200, 200, 401]
          })
      })
    )

    // Verifies: B-105.
    it("find each other behind a proxy that strips a prefix, and behind one that adds one", async () => {
      const strip = (path: string) => path.replace(/^\/public\/phone/, "")
      await served({}, ({ served: { origin } }) =>
        proxied(origin, strip, async (at) =>
          expect(await opened(`${at}/public/phone/dashboard?x`)).toMatchObject({
            at: "/public/phone/dashboard/",
            found: [200, 200, 401]
          })
        )
      )
      const add = (path: string) => `/inner/calling${path}`
      await served({ serve: { prefix: "/inner/calling" } }, ({ served: { origin } }) =>
        proxied(origin, add, async (at) =>
          expect(await opened(`${at}/dashboard`)).toMatchObject({ at: "/dashboard/", found: [200, 200, 401] })
        )
      )
    })

    // Verifies: B-106.
    it("have a policy by which a browser loads, runs and requests only the product's own", () =>
      served({}, async (world) => {
        const { headers } = await get(world, "/dashboard/")
        expect(headers["content-security-policy"]).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
        )
        expect(headers["cross-origin-opener-policy"]).toBe("same-origin")
        for (const path of paths.slice(1))
          expect((await get(world, path)).headers, path).toMatchObject({
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff"
          })
      }))

    // Verifies: B-106.
    it("may be framed by the pages that the host names, whose windows they can then speak to", () =>
      served(
        { core: { dashboard: small({ frameAncestors: ["'self'", "https://app.example.com"] }) } },
        async (world) => {
          const page = await get(world, "/dashboard/")
          expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'self' https://app.example.com;")
          expect(page.headers["cross-origin-opener-policy"]).toBeUndefined()
          expect(blockOf(page)).toMatchObject({
            frame_ancestors_foreign: true,
            frame_origins: ["https://app.example.com"]
          })
        }
      ))

    // Verifies: B-107.
    it("are kept for ever where their name has a digest, else asked for again each time", () =>
      served({}, async (world) => {
        const asset = await get(world, "/dashboard/assets/Main-a1b2c3d4.js")
        expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable")
        for (const path of paths.slice(1)) {
          const first = await get(world, path)
          if (!path.includes("assets")) expect(first.headers["cache-control"], path).toBe("no-cache")
          const { etag } = first.headers
          expect(etag, path).toMatch(/^"[^"]+"$/)
          for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
            const again = await get(world, path, { "if-none-match": known })
            expect([again.status, again.bytes.length, again.headers.etag], `${path} ${known}`).toEqual([304, 0, etag])
          }
          expect((await get(world, path, { "if-none-match": '"other"' })).status, path).toBe(200)
        }
      }))

    // Verifies: B-104.
    it("are answered with 404 below assets where they are unknown, which no browser keeps", () =>
      served({}, async (world) => {
        for (const file of ["Main-00000000.js", "index.html", "..%2Findex.html", "__proto__", "%00"]) {
          const answer = await get(world, `/dashboard/assets/${file}`)
          expect([answer.status, answer.headers["cache-control"]], file).toEqual([404, "no-store"])
          expect(answer.body.detail, file).toBe("Not Found")
        }
      }))

    // Verifies: B-107.
    it("come compressed as a client can read them, each form with a tag of its own", () =>
      served({}, async (world) => {
        const path = "/dashboard/assets/Main-a1b2c3d4.js"
        const tags = new Set<unknown>()
        for (const [accepted, coding, text] of [
          ["gzip, deflate, br", "br", brotliDecompressSync],
          ["GZIP", "gzip", gunzipSync],
          ["br;q=0.5, gzip;q=1.0", "gzip", gunzipSync],
          ["*", "br", brotliDecompressSync],
          ["br;q=0, *", "gzip", gunzipSync],
          ["identity, br;q=0", undefined, (bytes: Buffer) => bytes],
          ["deflate", undefined, (bytes: Buffer) => bytes],
          ["", undefined, (bytes: Buffer) => bytes]
        ] as const) {
          const answer = await get(world, path, { "accept-encoding": accepted })
          expect([answer.headers["content-encoding"], answer.headers.vary], accepted).toEqual([
            coding,
            "accept-encoding"
          ])
          expect(text(answer.bytes).toString(), accepted).toBe(script)
          expect(answer.headers["content-length"], accepted).toBe(String(answer.bytes.length))
          tags.add(answer.headers.etag)
        }
        expect(tags.size).toBe(3)
        const page = await get(world, "/dashboard/", { "accept-encoding": "br" })
        expect(brotliDecompressSync(page.bytes).toString()).toBe((await get(world, "/dashboard/")).text)
      }))

    // Verifies: B-103.
    it("do not count in the limit of an address, of which requests to the API are left", () =>
      served({ core: { limits: { perIpPerMinute: 2 } } }, async (world) => {
        for (let n = 0; n < 20; n++)
          for (const path of [...paths, "/dashboard/assets/gone.js"])
            expect((await get(world, path)).status, path).not.toBe(429)
        const statuses = []
        for (let n = 0; n < 3; n++) statuses.push((await get(world, campaigns)).status)
        expect(statuses).toEqual([401, 401, 429])
      }))

    // Verifies: B-103.
    it("are not in the description of the API", () =>
      served({}, async (world) => {
        expect(JSON.stringify(world.core.openapi())).not.toContain("/dashboard")
      }))

    // Verifies: B-110.
    it("have the installation's name, words and looks, which end neither the block nor the title", () =>
      served(
        {
          core: {
            brand: { name: "Acme", channel: "chat", theme: { accent: "#ffff00", font: "Inter" } },
            dashboard: small({
              name: "Acme <Calls> & more",
              words: { "calls.title": "</script><script>alert(1)", "calls.found": "{count} Anrufe" },
              hidden: ["inbox", "keys"],
              helpUrl: "https://help.example.com/",
              tokenUrl: "/account/token",
              icon: "data:image/svg+xml;base64,PHN2Zy8+",
              outcomes: ["Yes", "No"],
              previewHoldSeconds: 30
            })
          }
        },
        async (world) => {
          const page = await get(world, "/dashboard/")
          expect(page.text).toContain("<title>Acme &#60;Calls&#62; &#38; more</title>")
          expect(page.text).toContain('<link rel="icon" href="data:image/svg+xml;base64,PHN2Zy8+" />')
          expect(page.text.match(/<script/g)).toHaveLength(2)
          expect(blockOf(page)).toMatchObject({
            name: "Acme <Calls> & more",
            color_scheme: "system",
            words: { "calls.title": "</script><script>alert(1)", "calls.found": "{count} Anrufe" },
            hidden: ["inbox", "keys"],
            help_url: "https://help.example.com/",
            token_url: "/account/token",
            outcomes: ["Yes", "No"],
            preview_hold_seconds: 30,
            brand: { channel: "chat", header_prefix: "X-Service-", user_id_field: "user_id" },
            areas: expect.arrayContaining(["calling", "dashboard", "messaging", "platform"]),
            sign_in: false,
            frame_ancestors_foreign: false,
            frame_origins: []
          })
          const { text } = await get(world, "/dashboard/theme.css")
          expect(text).toMatch(/^:root \{\n {2}color-scheme: light dark;\n {2}--accent: light-dark\(#\w{6}, #\w{6}\);/)
          expect(text).toContain("--font: Inter;")
        }
      ))

    // Verifies: B-109.
    it("are called Dashboard and have a colour where nobody has named or dressed them", () =>
      served({}, async (world) => {
        expect((await get(world, "/dashboard/")).text).toContain("<title>Dashboard</title>")
        const { text } = await get(world, "/dashboard/theme.css")
        for (const variable of ["--accent", "--fill", "--fill-strong", "--on-fill", "--font"])
          expect(text).toContain(`  ${variable}: `)
        expect(text).toMatch(/--fill: light-dark\(#2154c4, #\w{6}\)/)
      }))

    // Verifies: B-101.
    it("are unknown paths without a dashboard of the host, and where it is off", async () => {
      for (const dashboard of [undefined, small({ enabled: false })]) {
        const world = await openWorld(start, storage, { core: dashboard === undefined ? {} : { dashboard } })
        try {
          for (const path of paths) {
            expect(world.core.matches(path), path).toBe(false)
            expect((await get(world, path)).text, path).toContain("no page of the host")
          }
        } finally {
          await world.close()
        }
      }
    })

    // Verifies: B-110.
    it("are refused with options that cannot be used, all at once", async () => {
      const made = createTrunkline({
        storage: storage(),
        encryptionKey: "a key for the secrets of this test",
        dashboard: small({
          accent: "blue",
          words: { "calls.found": "Anrufe", "calls.titel": "Anrufe" },
          hidden: ["inboks"],
          frameAncestors: ["*"],
          outcomes: [],
          previewHoldSeconds: 0,
          tokenUrl: "javascript:alert(1)",
          logo: "https://example.com/logo.png"
        })
      })
      await expect(made).rejects.toMatchObject({
        code: "options_refused",
        fields: [
          { path: ["dashboard", "accent"], message: expect.stringContaining("must be a colour such as #2154c4") },
          { path: ["dashboard", "logo"], message: expect.stringContaining("must be a PNG, JPEG, WebP or SVG image") },
          { path: ["dashboard", "hidden", 0], message: expect.stringContaining("must be one of start, campaigns") },
          {
            path: ["dashboard", "tokenUrl"],
            message: expect.stringContaining("must be an address such as /account/token")
          },
          { path: ["dashboard", "frameAncestors"], message: expect.stringContaining("* is no origin") },
          { path: ["dashboard", "outcomes"], message: expect.stringContaining("must have 1 to 9 texts") },
          { path: ["dashboard", "previewHoldSeconds"], message: expect.stringContaining("of at least 1") },
          { path: ["dashboard", "words", "calls.found"], message: expect.stringContaining("must have {count}") },
          { path: ["dashboard", "words", "calls.titel"], message: "is no key of a text: did you mean calls.title?" }
        ]
      })
    })
  })
