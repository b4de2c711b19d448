/** The product for a host that has never heard of Effect: plain functions that answer with promises. */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Accounts } from "../access/index.ts"
import { Bots } from "../bots/index.ts"
import {
  type Campaign,
  type CampaignContact,
  CampaignContacts,
  type CampaignFields,
  type CampaignStatus,
  Campaigns,
  type ContactsAdded,
  type Live,
  LiveView,
  type NewContact
} from "../campaigns/index.ts"
import { type ImportReport, Imports } from "../contacts/index.ts"
import { type Event, type EventName, Outbox, Publishing, type Recorded } from "../events/index.ts"
import {
  type Brand,
  BrandRefused,
  brandFaults,
  clientAddresses,
  type HandOver,
  mountedPaths,
  neutralBrand,
  rememberPrincipal
} from "../http/index.ts"
import { Ids, type Paged } from "../kernel/index.ts"
import { Storage } from "../storage/index.ts"
import { type Added, type NewEntry, Suppression, type SuppressionEntry } from "../suppression/index.ts"
import { type Call, type CallFilter, Calls } from "../telephony/index.ts"
import { type EmailReport, EmailReports } from "../webhooks/index.ts"
import { type Admin, admin } from "./Admin.ts"
import * as Assembly from "./Assembly.ts"
import { fromHost } from "./HostClock.ts"
import { logger } from "./HostLog.ts"
import { type Internals, internals } from "./Internals.ts"
import { type MessagingPart, messagingPart } from "./MessagingPart.ts"
import type { TrunklineOptions } from "./Options.ts"
import { uuid } from "./OutsideId.ts"
import { account, type CallOptions, type PageOptions, page } from "./Part.ts"
import { TrunklineError, toTrunklineError } from "./TrunklineError.ts"
import { type VoicePart, voicePart } from "./VoicePart.ts"
import { type WebhooksPart, webhooksPart } from "./WebhooksPart.ts"
import { type WorkerState, Workers } from "./Workers.ts"

export interface Trunkline {
  /**
   * Answers a request of any web framework that speaks the fetch API; foreign paths are answered with 404. Source:
   * docs/embedding.md#fetch.
   */
  readonly fetch: (request: Request, handOver?: HandOver) => Promise<Response>
  /** True when a path below the mount point is the product's, whatever the method. Ask before handing a request over. */
  readonly matches: (path: string) => boolean
  /** Starts the background work. Calling it again changes nothing. */
  readonly start: () => Promise<void>
  /** Ends the background work and gives back the storage. Requests under way should have been drained by the host. */
  readonly stop: () => Promise<void>
  readonly admin: Admin
  readonly campaigns: {
    readonly create: (
      accountId: string,
      fields: CampaignFields & Pick<Campaign, "name">,
      options?: CallOptions
    ) => Promise<Campaign>
    readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<Campaign>
    readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<Campaign>>
    readonly change: (accountId: string, id: string, fields: CampaignFields, options?: CallOptions) => Promise<Campaign>
    readonly move: (accountId: string, id: string, to: CampaignStatus, options?: CallOptions) => Promise<Campaign>
    readonly remove: (accountId: string, id: string, options?: CallOptions) => Promise<void>
    readonly addContacts: (
      accountId: string,
      id: string,
      people: ReadonlyArray<NewContact>,
      options?: CallOptions
    ) => Promise<ContactsAdded>
    readonly listContacts: (accountId: string, id: string, options?: PageOptions) => Promise<Paged<CampaignContact>>
    /** Imports a CSV file, all of it or nothing; a dry run unless told otherwise. Source: docs/contacts.md#import. */
    readonly importCsv: (
      accountId: string,
      id: string,
      file: Uint8Array | AsyncIterable<Uint8Array>,
      options?: CallOptions & {
        readonly columnMap?: Readonly<Record<string, string>>
        readonly dryRun?: boolean
        readonly optedIn?: boolean
      }
    ) => Promise<ImportReport>
    readonly approve: (
      accountId: string,
      id: string,
      contactId: string,
      options?: CallOptions
    ) => Promise<CampaignContact>
    readonly live: (accountId: string, id: string, options?: CallOptions) => Promise<Live>
  }
  readonly suppression: {
    readonly add: (accountId: string, entries: ReadonlyArray<NewEntry>, options?: CallOptions) => Promise<Added>
    readonly remove: (accountId: string, entryId: string, options?: CallOptions) => Promise<void>
    readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<SuppressionEntry>>
  }
  readonly calls: {
    readonly create: (
      accountId: string,
      call: { readonly to: string; readonly fromNumberId?: string; readonly botId?: string },
      options?: CallOptions
    ) => Promise<Call>
    readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<Call>
    readonly list: (accountId: string, filter?: Partial<CallFilter> & PageOptions) => Promise<Paged<Call>>
    readonly hangUp: (accountId: string, id: string, options?: CallOptions) => Promise<Call>
  }
  readonly events: {
    /** Hears events after their commit, in the process that committed them. The answer stops it. */
    readonly on: (name: EventName | "*", handler: (event: Event) => void | Promise<void>) => () => void
    /** The durable way: every committed event after a cursor (null: from the first). */
    readonly read: (cursor: string | null, limit?: number, options?: CallOptions) => Promise<ReadonlyArray<Recorded>>
    /** Publishes an event whose source is the host; answers its id. Source: docs/events.md#publishing. */
    readonly publish: (
      accountId: string,
      publication: {
        readonly event: string
        readonly data: unknown
        readonly botId?: string
        /** The same key of one account publishes once. */
        readonly idempotencyKey?: string
      },
      options?: CallOptions
    ) => Promise<string>
  }
  /** Webhooks of platform events. Source: docs/webhooks.md. */
  readonly webhooks: WebhooksPart
  /** Voice sessions, for the host's media layer. Source: docs/voice.md#media. */
  readonly voice: VoicePart
  /** The chat channel. Source: docs/messaging.md. */
  readonly messaging: MessagingPart
  readonly email: {
    /** Takes in a bounce or a complaint; false when its key has been taken before. Source: docs/webhooks.md#email. */
    readonly report: (accountId: string, report: EmailReport, options?: CallOptions) => Promise<boolean>
  }
  /** Rejects when the storage cannot be used. */
  readonly ready: (options?: CallOptions) => Promise<void>
  readonly workers: () => WorkerState
  /** The OpenAPI 3.1 description of every route, in the brand's words. */
  readonly openapi: () => Record<string, unknown>
  /** What adapters need, and nobody else: see `internalsOf`. */
  readonly [internals]: unknown
}

/**
 * Puts the product together: opens the storage, brings its schema up to date and checks the settings. Nothing runs in
 * the background before `start`.
 */
export const createTrunkline = async (options: TrunklineOptions): Promise<Trunkline> => {
  const brand: Brand = options.brand === undefined ? neutralBrand : { ...neutralBrand, ...options.brand }
  const faults = brandFaults(brand)
  if (faults.length > 0)
    throw new TrunklineError("brand_refused", 500, new BrandRefused({ faults: [...faults] }).message)

  const base = Layer.mergeAll(
    HttpServer.layerServices,
    Logger.layer([logger(options.log)]),
    options.clock === undefined ? Layer.empty : Layer.succeed(Clock.Clock, fromHost(options.clock))
  )
  const runtime = ManagedRuntime.make(Layer.provideMerge(Assembly.services(options, brand), base))
  const failed = (error: unknown): never => {
    throw toTrunklineError(error, undefined)
  }
  const context = (await runtime.context().catch(failed)) as Context.Context<Assembly.Services>
  const scope = Scope.makeUnsafe()
  const { api, app, hot, table } = await runtime.runPromise(
    Effect.provideService(Assembly.http(options, brand), Scope.Scope, scope)
  )

  const run = async <A, E>(
    program: Effect.Effect<A, E, Assembly.Services>,
    { signal }: CallOptions = {}
  ): Promise<A> => {
    // What was given up before it was asked for is not begun.
    signal?.throwIfAborted()
    try {
      return await Effect.runPromiseWith(context)(program, signal === undefined ? undefined : { signal })
    } catch (error) {
      throw toTrunklineError(error, signal)
    }
  }

  const web = HttpEffect.toWebHandlerWith<Assembly.Services, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    context
  )(atMountedPath(app as Internals["app"]))

  return {
    fetch: (request, handOver = {}) => {
      const { clientAddress, path } = handOver
      if (clientAddress !== undefined) clientAddresses.set(request, clientAddress)
      if (path !== undefined) mountedPaths.set(request, path)
      rememberPrincipal(request, handOver)
      return web(request)
    },
    matches: (path) => table.methodsOf(path) !== undefined,
    start: () => run(Workers.use((workers) => workers.start)),
    stop: async () => {
      await run(Workers.use((workers) => workers.stop))
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    },
    admin: admin(run, brand),
    campaigns: {
      create: (accountId, fields, o) =>
        run(
          Campaigns.use((c) => c.create(account(accountId), fields)),
          o
        ),
      get: (accountId, id, o) =>
        run(
          Campaigns.use((c) => c.get(account(accountId), Ids.as(uuid(id)))),
          o
        ),
      list: (accountId, o) =>
        run(
          Campaigns.use((c) => c.list(account(accountId), page(o))),
          o
        ),
      change: (accountId, id, fields, o) =>
        run(
          Campaigns.use((c) => c.change(account(accountId), Ids.as(uuid(id)), fields)),
          o
        ),
      move: (accountId, id, to, o) =>
        run(
          Campaigns.use((c) => c.move(account(accountId), Ids.as(uuid(id)), to)),
          o
        ),
      remove: (accountId, id, o) =>
        run(
          Campaigns.use((c) => c.remove(account(accountId), Ids.as(uuid(id)))),
          o
        ),
      addContacts: (accountId, id, people, o) =>
        run(
          CampaignContacts.use((c) => c.add(account(accountId), Ids.as(uuid(id)), people)),
          o
        ),
      listContacts: (accountId, id, o) =>
        run(
          CampaignContacts.use((c) => c.list(account(accountId), Ids.as(uuid(id)), page(o))),
          o
        ),
      importCsv: (accountId, id, file, { columnMap, dryRun = true, optedIn = false, ...o } = {}) =>
        run(
          Imports.use((imports) =>
            imports.importCsv(account(accountId), Ids.as(uuid(id)), {
              file:
                file instanceof Uint8Array
                  ? Stream.succeed(file)
                  : Stream.orDie(Stream.fromAsyncIterable(file, (error) => error)),
              columnMap: columnMap === undefined ? null : JSON.stringify(columnMap),
              dryRun,
              optedIn
            })
          ),
          o
        ),
      approve: (accountId, id, contactId, o) =>
        run(
          CampaignContacts.use((c) => c.approve(account(accountId), Ids.as(uuid(id)), Ids.as(uuid(contactId)))),
          o
        ),
      live: (accountId, id, o) =>
        run(
          LiveView.use((l) => l.of(account(accountId), Ids.as(uuid(id)))),
          o
        )
    },
    suppression: {
      add: (accountId, entries, o) =>
        run(
          Suppression.use((s) => s.add(account(accountId), entries)),
          o
        ),
      remove: (accountId, id, o) =>
        run(
          Suppression.use((s) => s.remove(account(accountId), Ids.as(uuid(id)))),
          o
        ),
      list: (accountId, o) =>
        run(
          Suppression.use((s) => s.list(account(accountId), page(o))),
          o
        )
    },
    calls: {
      create: (accountId, { botId, fromNumberId, to }, o) =>
        run(
          Calls.use((c) =>
            c.create(account(accountId), {
              to,
              fromNumberId: fromNumberId === undefined ? null : Ids.as(uuid(fromNumberId)),
              botId: botId === undefined ? null : Ids.as(uuid(botId))
            })
          ),
          o
        ),
      get: (accountId, id, o) =>
        run(
          Calls.use((c) => c.get(account(accountId), Ids.as(uuid(id)))),
          o
        ),
      list: (accountId, { campaignId = null, contactId = null, status = null, ...o } = {}) =>
        run(
          Calls.use((c) => c.list(account(accountId), { campaignId, contactId, status }, page(o))),
          o
        ),
      hangUp: (accountId, id, o) =>
        run(
          Calls.use((c) => c.hangUp(account(accountId), Ids.as(uuid(id)))),
          o
        )
    },
    events: {
      on: (name, handler) =>
        Context.get(context, Outbox).on(name, (event) => Effect.promise(async () => await handler(event))),
      read: (cursor, limit = 100, o) =>
        run(
          Outbox.use((outbox) => outbox.read(cursor, limit)),
          o
        ),
      publish: (accountId, { botId, ...publication }, o) =>
        run(
          Effect.gen(function* () {
            const about = botId === undefined ? null : Ids.as<"Bot">(uuid(botId))
            yield* Accounts.use((accounts) => accounts.get(account(accountId)))
            if (about !== null) yield* Bots.use((bots) => bots.get(account(accountId), about))
            return yield* Publishing.use((p) => p.publish(account(accountId), { ...publication, botId: about }))
          }),
          o
        )
    },
    webhooks: webhooksPart(run),
    voice: voicePart(run),
    messaging: messagingPart(run),
    email: {
      report: (accountId, report, o) =>
        run(
          Effect.andThen(
            Accounts.use((accounts) => accounts.get(account(accountId))),
            EmailReports.use((e) => e.report(account(accountId), report))
          ),
          o
        )
    },
    ready: (o) =>
      run(
        Storage.use((storage) => storage.ready),
        o
      ),
    workers: () => Context.get(context, Workers).state(),
    openapi: () => OpenApi.fromApi(api) as unknown as Record<string, unknown>,
    [internals]: {
      app: app as Internals["app"],
      context: context as Context.Context<never>,
      scope,
      hot
    } satisfies Internals
  }
}

/** The routes see the path below the mount point; a request of the fetch API has only the whole one. */
const atMountedPath = (app: Internals["app"]): Internals["app"] =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const url = mountedPaths.get(request.source)
    return url === undefined
      ? app
      : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })
