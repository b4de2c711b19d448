/** The stream of changes as a client reads it. */
import * as Http from "node:http"
import { type HttpWorld, until } from "./HttpWorld.ts"

interface StreamedEvent {
  readonly event: string
  readonly data: { readonly topics: ReadonlyArray<string> }
}

export interface ChangeStream {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  /** What has come so far, as it came. */
  readonly text: () => string
  readonly events: () => ReadonlyArray<StreamedEvent>
  /** Topics of all notes so far, without order. */
  readonly topics: () => ReadonlyArray<string>
  /** Waits for notes that name all of these. */
  readonly has: (...topics: ReadonlyArray<string>) => Promise<void>
  /** Forgets what has come so far. */
  readonly clear: () => void
  /** Waits for the end, and says how many milliseconds it took. */
  readonly ended: () => Promise<number>
  readonly leave: () => void
}

const read = (text: string): ReadonlyArray<StreamedEvent> =>
  text.split("\n\n").flatMap((block) => {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
    return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) as StreamedEvent["data"] }]
  })

export const openChanges = (
  world: Pick<HttpWorld, "served">,
  path: string,
  headers: Http.OutgoingHttpHeaders
): Promise<ChangeStream> =>
  new Promise((resolve, reject) => {
    const request = Http.request(world.served.origin + path, { agent: false, headers })
    request.on("error", reject)
    request.on("response", (response) => {
      let text = ""
      const began = performance.now()
      const end = new Promise<number>((done) => response.once("close", () => done(performance.now() - began)))
      response.setEncoding("utf8")
      response.on("data", (piece: string) => {
        text += piece
      })
      response.on("error", () => undefined)
      const topics = () => read(text).flatMap(({ data, event }) => (event === "changed" ? data.topics : []))
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        text: () => text,
        events: () => read(text),
        topics,
        has: (...wanted) =>
          until(async () => (wanted.every((topic) => topics().includes(topic)) ? true : undefined)).then(
            () => undefined
          ),
        clear: () => {
          text = ""
        },
        ended: () => end,
        leave: () => request.destroy()
      })
    })
    request.end()
  })
