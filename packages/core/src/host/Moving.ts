/** What a host calls to move accounts and installations. Source: docs/reference/moving-accounts.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Vault } from "../platform/accounts/index.ts"
import { platformArea } from "../platform/index.ts"
import { Instant } from "../platform/kernel/index.ts"
import {
  AccountMoveRefused,
  type CopiedTable,
  cancelMove,
  migrateInstallation,
  moveAccount,
  type Reencrypt,
  thisInstallation
} from "../platform/moving/index.ts"
import { encryptionKey, type StorageProvider, storage } from "../platform/PlatformOptions.ts"
import { MemberStore } from "../platform/people/index.ts"
import type { Settings } from "../platform/settings/index.ts"
import { anyAccountId, options, record, signal } from "./Arguments.ts"
import type { CallOptions, Method } from "./Facade.ts"
import type * as Ids from "./HostIds.ts"
import { layerOf } from "./Providers.ts"
import { makeToTrunklineError } from "./TrunklineError.ts"

/** Another installation: its database, and the key that encrypts its secrets. */
export interface OtherInstallation {
  /** As the log and messages name it: a host, never a password. The same at every call for one move. */
  readonly name: string
  readonly storage: StorageProvider
  readonly encryptionKey: string
}

export interface MoveOptions extends CallOptions {
  /** How long calls, voice sessions and requests under way are waited for; 600 by default. */
  readonly waitSeconds?: number
}

/** The account and its rows at the target, afterwards. */
export interface AccountMoveReport {
  readonly accountId: string
  readonly tables: ReadonlyArray<CopiedTable>
}

export interface MovingFacade {
  /**
   * Moves an account to another installation: its work is refused here from now on, what is under way is waited for, its rows are
   * copied and compared, and it begins there. May be called again after any failure: it goes on where it was. Source:
   * docs/reference/moving-accounts.md#account.
   */
  readonly move: (accountId: string, to: OtherInstallation, options?: MoveOptions) => Promise<AccountMoveReport>
  /** Ends a move that has not come to its end: the account works on here. */
  readonly cancelMove: (accountId: string, to: OtherInstallation, options?: CallOptions) => Promise<void>
}

/** No product is there: what can fail is of the platform. */
const toError = makeToTrunklineError(Object.assign({}, ...platformArea.rooms.map(({ errors }) => errors)))

/** The check of an option, for an argument. */
const schemaOf = <A>({ form: { faultOf, must } }: Settings.Setting<A>) =>
  Schema.declare((given): given is A => faultOf(given as never) === null, { expected: must.replace("must be ", "") })

const other = Schema.Struct({
  name: Schema.NonEmptyString,
  storage: schemaOf(storage),
  encryptionKey: schemaOf(encryptionKey)
})

const moveOptions = options(
  Schema.Struct({
    waitSeconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))),
    ...signal
  })
)

const cancelOptions = options(Schema.Struct(signal))

/** An installation, with the members that sign in there. */
const withMembers = Effect.all({ installation: thisInstallation, members: MemberStore })

/** Opens the storage of another installation until the scope closes. */
const opened = (storage: StorageProvider) =>
  Effect.flatMap(Layer.build(layerOf(storage)), (context) => Effect.provideContext(withMembers, context))

type WithMembers = Effect.Success<typeof withMembers>

/** Emails that a sentence names. */
const namedEmails = 5

/** An email is one person's in an installation: members who could not sign in at the target are found before anything is refused. */
const checkEmails = Effect.fnUntraced(function* (from: WithMembers, to: WithMembers, tenantId: Ids.AccountId) {
  const members = yield* from.installation.storage.read(from.members.ofAccount(tenantId))
  const taken: Array<string> = []
  for (const { email, emailKey } of members) {
    const there = yield* to.installation.storage.read(to.members.byEmail(emailKey))
    if (there !== null && there.tenantId !== tenantId) taken.push(email)
  }
  if (taken.length === 0) return
  const more = taken.length > namedEmails ? ` and ${taken.length - namedEmails} more` : ""
  return yield* new AccountMoveRefused({
    detail: `At the target another account has a member with the email ${taken.slice(0, namedEmails).join(", ")}${more}. An email is one person's in an installation: remove these members here or there, then begin the move again.`
  })
})

const vaultOf = (key: string) => Effect.map(Layer.build(Vault.layer(key)), (context) => Context.get(context, Vault))

/** A text that one vault has encrypted, as the other one encrypts it. */
const reencryptWith =
  (from: Vault["Service"], to: Vault["Service"]): Reencrypt =>
  (text) =>
    to.isCurrent(text)
      ? Effect.succeed(text)
      : from.decrypt(text).pipe(
          Effect.flatMap(to.encrypt),
          Effect.mapError(
            ({ message }) =>
              new AccountMoveRefused({ detail: `${message} Replace that secret first, or cancel: nothing is lost.` })
          )
        )

/** The schema has checked that a package made it. */
const providerOf = ({ storage }: { readonly storage: object }): StorageProvider => storage as StorageProvider

export const movingFacade = (method: Method): MovingFacade => ({
  move: method([anyAccountId, record("to", other), moveOptions], (tenantId, to, { waitSeconds = 600 }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const [from, target] = [yield* withMembers, yield* opened(providerOf(to))]
        yield* checkEmails(from, target, tenantId)
        const reencrypt = reencryptWith(yield* Vault, yield* vaultOf(to.encryptionKey))
        return yield* moveAccount({
          tenantId,
          from: from.installation,
          reencrypt,
          other: to.name,
          waitMs: waitSeconds * Instant.second,
          to: target.installation
        })
      })
    )
  ),
  cancelMove: method([anyAccountId, record("to", other), cancelOptions], (tenantId, to) =>
    Effect.scoped(
      Effect.gen(function* () {
        const from = yield* thisInstallation
        yield* cancelMove({ from, to: (yield* opened(providerOf(to))).installation }, tenantId)
      })
    )
  )
})

/**
 * Copies a whole installation into an empty database; no process may use either of them meanwhile. May be called again after any
 * failure: it goes on where it was. Source: docs/reference/moving-accounts.md#installation.
 */
export const migrateTrunkline = async (
  from: OtherInstallation,
  to: OtherInstallation,
  { signal }: CallOptions = {}
): Promise<ReadonlyArray<CopiedTable>> => {
  const program = Effect.scoped(
    Effect.gen(function* () {
      const reencrypt = reencryptWith(yield* vaultOf(from.encryptionKey), yield* vaultOf(to.encryptionKey))
      const [source, target] = [yield* opened(from.storage), yield* opened(to.storage)]
      return yield* migrateInstallation({
        ...{ from: source.installation, to: target.installation },
        ...{ reencrypt, source: from.name, target: to.name }
      })
    })
  )
  try {
    return await Effect.runPromise(program, signal === undefined ? undefined : { signal })
  } catch (error) {
    throw toError(error, signal)
  }
}
