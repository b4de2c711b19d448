/** Serves the files of the pages: to anybody, compressed beforehand, and again only where they have changed. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { dashboardSurfaces, themeStyle } from "../../platform/brand/index.ts"
import { ChosenAreas, type FileRequest, type FileRoute } from "../../platform/room/index.ts"
import { formFor, isKnown } from "./ContentCoding.ts"
import { DashboardPage, type DashboardParts } from "./DashboardPage.ts"
import { pageOf, pageSettings } from "./DataBlock.ts"
import type { PageFile } from "./PageFile.ts"
import { fileHeaders, pageHeaders } from "./PagePolicy.ts"
import { pagePaths } from "./PagesApi.ts"

type Headers = Readonly<Record<string, string>>

/** The file in the form that the client takes, or that it has it already. */
const served = (file: PageFile, headers: Headers, asked: FileRequest["headers"]) => {
  const form = formFor(file, asked["accept-encoding"])
  const all = { ...headers, etag: form.tag, vary: "accept-encoding" }
  if (isKnown(form, asked["if-none-match"])) return HttpServerResponse.empty({ status: 304, headers: all })
  return HttpServerResponse.uint8Array(form.bytes, {
    contentType: file.type,
    headers: form.coding === null ? all : { ...all, "content-encoding": form.coding }
  })
}

/** Relative, so that it is right below every prefix, also one that a proxy has added. */
const toPage = ({ query }: FileRequest) =>
  HttpServerResponse.empty({
    status: 308,
    headers: { location: `dashboard/${query === "" ? "" : `?${query}`}`, "cache-control": "no-cache" }
  })

const gone = HttpServerResponse.jsonUnsafe(
  { detail: "Not Found" },
  { status: 404, headers: { "cache-control": "no-store" } }
)

/** Their name has a digest of their content. */
const assetHeaders = { ...fileHeaders, "cache-control": "public, max-age=31536000, immutable" }

const latest = { "cache-control": "no-cache" }

/** The files once they are loaded, the page as this installation serves it among them. */
const completed = async (parts: DashboardParts, areas: ReadonlyArray<string>) => {
  const built = await parts.files.load()
  const template = built.get("index.html")
  if (template === undefined) throw new Error("The built pages have no index.html: build them anew.")
  const settings = pageSettings({ ...parts, areas, version: template.digest })
  const html = pageOf(new TextDecoder().decode(template.bytes), settings, parts.icon)
  return { built, page: parts.files.make(template.type, html) }
}

const routesOf = (parts: DashboardParts, areas: ReadonlyArray<string>) =>
  Effect.map(Effect.cached(Effect.promise(() => completed(parts, areas))), (loaded): ReadonlyArray<FileRoute> => {
    const style = parts.files.make("text/css; charset=utf-8", themeStyle(parts.theme, dashboardSurfaces))
    const headers = { ...pageHeaders(parts.frameAncestors), ...latest }
    return [
      {
        path: pagePaths.page,
        isFolder: true,
        answer: (request) =>
          request.path.endsWith("/")
            ? Effect.map(loaded, ({ page }) => served(page, headers, request.headers))
            : Effect.succeed(toPage(request))
      },
      {
        path: pagePaths.theme,
        answer: (request) => Effect.succeed(served(style, { ...fileHeaders, ...latest }, request.headers))
      },
      {
        path: pagePaths.asset,
        answer: ({ headers, params }) =>
          Effect.map(loaded, ({ built }) => {
            const file = built.get(`assets/${params.file}`)
            return file === undefined ? gone : served(file, assetHeaders, headers)
          })
      }
    ]
  })

/** Nothing where no dashboard is served. The files are loaded when the first browser asks: many processes are never asked. */
export const servedFiles = Effect.gen(function* () {
  const parts = yield* DashboardPage
  return parts === null ? [] : yield* routesOf(parts, yield* ChosenAreas)
})
