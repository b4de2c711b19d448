/** What all hostile requests are made of. */
import type { Random } from "../faults/Random.ts"
import type { Operation } from "./Description.ts"
import type { Asker } from "./Ordinary.ts"
import type { Generated, HttpRequest, RawRequest } from "./Requests.ts"

/** Makes one request of a kind; its name stands in the table. */
export type Hostile = (asker: Asker) => Pick<Generated, "request" | "right" | "fails" | "isPatient" | "learn">

/** Small ones are as likely as large ones. */
export const sized = (random: Random, min: number, max: number): number =>
  Math.exp(Math.log(min) + random() * (Math.log(max) - Math.log(min)))

/** There a key is refused, whatever it sends. */
const isForPeople = (path: string): boolean => /^\/api\/v1\/(me|members|sessions|keys|audit)(\/|$)/.test(path)

/** Routes without parameters, or with any id, that take a body of a type. */
export const routesOf = ({ operations }: Asker, type: string): ReadonlyArray<Operation> =>
  operations
    .filter(({ body, path }) => body?.type === type && !isForPeople(path))
    .map((operation) => ({
      ...operation,
      path: operation.path.replace(/\{[^}]+\}/g, "00000000-0000-7000-8000-000000000000")
    }))

export const asJson = ({ access }: Asker, target: string, body: string | Buffer, method = "POST"): HttpRequest => ({
  ...{ via: "http", method, target, body: Buffer.from(body) },
  headers: { authorization: `Bearer ${access.key}`, "content-type": "application/json" }
})

export const asked = ({ access }: Asker, method: string, target: string, headers = {}): HttpRequest => ({
  ...{ via: "http", method, target, body: null },
  headers: { authorization: `Bearer ${access.key}`, ...headers }
})

type Headers = Readonly<Record<string, string>>

/** The head of a request as it goes over the wire. */
export const head = ({ access }: Asker, line: string, headers: Headers = {}): string => {
  const all = { Host: "127.0.0.1", Authorization: `Bearer ${access.key}`, ...headers }
  return `${line}\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`
}

export const raw = (steps: ReadonlyArray<string | Buffer | number>, more: Partial<RawRequest> = {}): RawRequest => ({
  ...{ via: "raw", reads: true, waitMs: 30_000, ...more },
  steps: steps.map((step) => (typeof step === "string" ? Buffer.from(step, "latin1") : step))
})
