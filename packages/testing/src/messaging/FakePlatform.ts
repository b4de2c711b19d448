/**
 * The upstream chat platform over real sockets, as it is published: it accepts messages, keeps files and templates, checks
 * tokens and windows, reports to the subscribed webhook, and logs every request. A test decides how it misbehaves.
 */
import * as Http from "node:http"
import * as Https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { Claims } from "../Claims.ts"
import type { TestCertificate } from "../webhooks/TestCertificate.ts"
import { makeAnswers, makeMoods, type PlatformMoods } from "./PlatformMoods.ts"
import { makeReports, type PlatformReports } from "./PlatformReports.ts"
import { type Json, type PlatformRequest, type PlatformRoute, requestOf } from "./PlatformRequest.ts"
import { type PlatformFile, type PlatformMessage, PlatformService } from "./PlatformService.ts"

export interface FakePlatformOptions {
  /** Tokens that are let in. Default: any. */
  readonly tokens?: ReadonlyArray<string>
  /** Default `whatsapp`. */
  readonly product?: string
  /** Port of 127.0.0.1. Default: any that is free. */
  readonly port?: number
  /** Path of the routes. Default `/v23.0`. */
  readonly path?: string
  /** Whether free text needs a message of the customer's within 24 hours. Default false. */
  readonly enforcesWindow?: boolean
  /** Milliseconds of UTC. Default: the machine's. */
  readonly now?: () => number
  readonly tls?: TestCertificate
  /** False for runs with many messages: `requests` stays empty. Default true. */
  readonly keepsRequests?: boolean
}

export interface FakePlatform extends PlatformMoods, PlatformReports {
  /** Scheme, address and port. */
  readonly origin: string
  readonly port: number
  /** The address that a client is configured with. */
  readonly baseUrl: string
  /** Requests that have arrived as a whole, in their order. */
  readonly requests: ReadonlyArray<PlatformRequest>
  readonly of: (route: PlatformRoute) => ReadonlyArray<PlatformRequest>
  /** Messages that were taken, in their order. */
  readonly messages: ReadonlyArray<PlatformMessage>
  /** Ids of messages that were marked read. */
  readonly marked: ReadonlyArray<{ readonly id: string; readonly typing: boolean }>
  /** Gives a business account these numbers, and no others. */
  readonly owns: (businessAccountId: string, ids: ReadonlyArray<string>) => void
  /** Business accounts whose events are asked for. */
  readonly subscribed: ReadonlySet<string>
  readonly files: ReadonlyMap<string, PlatformFile>
  readonly templates: Array<Json>
  /** What it says of numbers, by their ids. */
  readonly facts: Map<string, Json>
  /** Configurations of payments, in its words. */
  readonly configurations: Array<Json>
  /** What it says of payments, in its words. */
  readonly payments: Array<Json>
  /** What it counts of business accounts, by their ids. */
  readonly counts: Map<string, Json>
  readonly templateCounts: Array<Json>
  /** Users that it refuses to block. */
  readonly unblockable: Set<string>
  /** Connections that were ever opened. */
  readonly connections: () => number
  /** How many of them are open. */
  readonly open: () => number
  /** Requests whose connection was closed by the other side before they had an answer. */
  readonly aborted: () => number

  /** Keeps a file; returns its id. */
  readonly keep: (file: PlatformFile) => string
  /** Addresses of files that were returned so far expire. */
  readonly expireAddresses: () => void
  /** What the next addresses of files are instead of the fake's own. */
  readonly addressFilesAt: (url: ((id: string) => string) | null) => void
  /** Closes connections that wait for a request. */
  readonly closeIdle: () => void

  readonly enforceWindow: (isOn: boolean) => void

  /** Waits until a claim about the fake holds; it is asked again whenever something happens. */
  readonly until: (holds: () => boolean, withinMs?: number) => Promise<void>
  /** Ends all connections. */
  readonly close: () => Promise<void>
}

/** Listens on a port of 127.0.0.1; counts the connections. */
const listen = async (
  { port: wanted = 0, tls }: Pick<FakePlatformOptions, "port" | "tls">,
  receive: Http.RequestListener,
  changed: () => void
) => {
  const connections = new Map<Socket, number>()
  let opened = 0
  const server = tls === undefined ? Http.createServer(receive) : Https.createServer({ ...tls }, receive)
  server.on("tlsClientError", () => {})
  server.on("clientError", (_, socket) => socket.destroy())
  server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    opened += 1
    connections.set(socket, opened)
    socket.on("error", () => {})
    socket.on("close", () => {
      connections.delete(socket)
      changed()
    })
  })
  await new Promise<void>((resolve) => server.listen(wanted, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // of TCP: never a path
  return {
    port,
    origin: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    /** The number of a connection, from 1. */
    numberOf: (socket: Socket) => connections.get(socket) ?? 0,
    connections: () => opened,
    open: () => connections.size,
    closeIdle: () => server.closeIdleConnections(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of connections.keys()) socket.destroy()
      })
  }
}

/** What the platform keeps, and what a test changes in it. */
const stateOf = (service: PlatformService) => ({
  messages: service.messages,
  marked: service.marked,
  subscribed: service.subscribed,
  owns: (businessAccountId: string, ids: ReadonlyArray<string>) => {
    service.numbers.set(businessAccountId, ids)
  },
  files: service.files,
  templates: service.templates,
  facts: service.facts,
  configurations: service.configurations,
  payments: service.payments,
  counts: service.counts,
  templateCounts: service.templateCounts,
  unblockable: service.unblockable,
  keep: (file: PlatformFile) => service.keep(file),
  expireAddresses: () => service.expireAddresses(),
  addressFilesAt: (url: ((id: string) => string) | null) => {
    service.fileUrl = url
  },
  enforceWindow: (isOn: boolean) => {
    service.enforcesWindow = isOn
  }
})

/** Starts a platform on 127.0.0.1. */
export const startFakePlatform = async (options: FakePlatformOptions = {}): Promise<FakePlatform> => {
  const { keepsRequests = true, now = Date.now, path: root = "/v23.0", product = "whatsapp", tokens } = options
  const requests: Array<PlatformRequest> = []
  const { changed, until } = new Claims()
  let aborted = 0

  const service: PlatformService = new PlatformService({
    tokens,
    product,
    root,
    now,
    origin: () => origin,
    accepted: (message) => reportAccepted(message)
  })
  service.enforcesWindow = options.enforcesWindow ?? false
  const { moodOf, moods } = makeMoods()
  const { reportAccepted, reports } = makeReports(service, now, changed)
  const { answer, stop } = makeAnswers(service)

  const receive: Http.RequestListener = (incoming, response) => {
    incoming.on("error", () => {})
    response.on("error", () => {})
    response.on("close", () => {
      if (!response.writableFinished) aborted += 1
      changed()
    })
    const pieces: Array<Buffer> = []
    incoming.on("data", (piece: Buffer) => pieces.push(piece))
    incoming.on("end", async () => {
      const connection = server.numberOf(incoming.socket)
      const request = await requestOf(incoming, Buffer.concat(pieces), { root, at: now(), connection })
      if (keepsRequests) requests.push(request)
      answer(request, response, moodOf(request))
      changed()
    })
  }

  const server = await listen(options, receive, changed)
  const { closeIdle, connections, open, origin, port } = server

  return {
    ...stateOf(service),
    ...moods,
    ...reports,
    origin,
    port,
    baseUrl: origin + root,
    requests,
    of: (route) => requests.filter((one) => one.route === route),
    connections,
    open,
    aborted: () => aborted,
    closeIdle,
    until,
    close: () => {
      stop()
      return server.close()
    }
  }
}
