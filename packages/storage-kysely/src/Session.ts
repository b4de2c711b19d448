/** Runs the statements of the stores inside the transaction or the read that the caller opened. */
import { Read, type StorageError, Tx } from "@trunkline/core/storage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Statement } from "./Statement.ts"
import type { Database } from "./Tables.ts"

/** A statement runs when its effect runs, once per run: `Effect.retry` asks the database again. */
export interface Session {
  readonly rows: <P, R>(statement: Statement<P, R>, params: P) => Effect.Effect<ReadonlyArray<R>, StorageError>
  /** Runs a statement that returns no rows; succeeds with the number of changed rows. */
  readonly change: <P, R>(statement: Statement<P, R>, params: P) => Effect.Effect<number, StorageError>
  /** Adds whole rows to one table. `over`: the columns of a key; rows that have the same are replaced. */
  readonly insert: <T extends keyof Database>(
    table: T,
    rows: ReadonlyArray<Database[T]>,
    over?: ReadonlyArray<keyof Database[T] & string>
  ) => Effect.Effect<void, StorageError>
  /**
   * Sends statements behind which the transaction ends: their answers come with that of the commit, which they fail. Null where each
   * statement is answered at once; elsewhere statements that a program begins side by side are sent together.
   */
  readonly atEnd: ((statements: Effect.Effect<void, StorageError>) => Effect.Effect<void>) | null
  /**
   * Returns a text that is another one after every change of the database, by any connection, and after every rollback. It is asked
   * for within a transaction. It is null where nothing says so.
   */
  readonly version: (() => string) | null
}

const noSession: Effect.Effect<never> = Effect.die(
  new Error(
    "no storage runs this program: a storage provides SqlSession with Tx and Read, see addRead and addTransaction"
  )
)

/**
 * The session of the running program. A storage provides it together with `Read` or `Tx`, which are what a store's verb
 * asks for in its type: a program that has one of them has a session.
 */
export const SqlSession = Context.Reference<Session>("@trunkline/storage-kysely/SqlSession", {
  defaultValue: () => ({
    rows: () => noSession,
    change: () => noSession,
    insert: () => noSession,
    atEnd: null,
    version: null
  })
})

/** Services for a program that only reads. */
const addRead = <R>(services: Context.Context<R>, session: Session): Context.Context<R | Read> =>
  Context.add(Context.add(services, SqlSession, session), Read, {
    concurrency: session.atEnd === null ? 1 : "unbounded"
  })

/** Services for the program of one transaction. */
export const addTransaction = <R>(
  services: Context.Context<R>,
  session: Session,
  tx: Tx["Service"]
): Context.Context<R | Read | Tx> => Context.add(addRead(services, session), Tx, tx)

/** The transaction of a database that has one writer. */
export const oneWriter: Tx["Service"] = { lock: () => Effect.void, lockShared: () => Effect.void }

/** True inside a transaction. */
export const inTransaction = (services: Context.Context<never>): boolean =>
  Context.getOrUndefined(services, Tx) !== undefined

/**
 * A program that reads by a session; inside a transaction it sees the transaction's own state. Sessions are laid over the
 * program's services: merging would copy all of them each time.
 */
export const withRead = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  session: Session
): Effect.Effect<A, E, Exclude<R, Read>> =>
  Effect.updateContext(
    program,
    (services: Context.Context<Exclude<R, Read>>) =>
      // A transaction provides Read as well: the program has what it needs in both cases.
      (inTransaction(services) ? services : addRead(services, session)) as unknown as Context.Context<R>
  )

/** The program of a transaction, with its session and its locks. */
export const withTransaction = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  session: Session,
  tx: Tx["Service"]
): Effect.Effect<A, E, Exclude<R, Tx | Read>> =>
  Effect.updateContext(
    program,
    (services: Context.Context<Exclude<R, Tx | Read>>) =>
      addTransaction(services, session, tx) as unknown as Context.Context<R>
  )

/** The defect of a program that begins a transaction inside another. */
export const nested = (): Error =>
  new Error("a transaction was begun inside another: compose their parts instead, docs/reference/storage.md#seam")

/**
 * The bounds of one transaction. Code that outlives it, because it was forked or kept its services, must not write into
 * the transaction that uses the connection next. And a transaction with a failed statement is not committed, even if its
 * program caught the failure: Postgres would not commit it, so SQLite does not.
 */
export class Bounds {
  #ended = false
  #failure: StorageError | undefined

  get failure(): StorageError | undefined {
    return this.#failure
  }

  end(): void {
    this.#ended = true
  }

  /** The defect of a statement after the end; null before it. */
  outlived(what: string): Effect.Effect<never> | null {
    return this.#ended ? Effect.die(new Error(`${what}: its transaction has ended`)) : null
  }

  /** Runs one statement within the bounds. */
  within<A>(what: string, statement: Effect.Effect<A, StorageError>): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => this.outlived(what) ?? statement)
  }

  failed(error: StorageError): StorageError {
    this.#failure ??= error
    return error
  }
}

/** Runs on the program's session and requires the service that says what the program may do. */
const needs = <Service extends typeof Read | typeof Tx, A>(
  _service: Service,
  run: (session: Session) => Effect.Effect<A, StorageError>
): Effect.Effect<A, StorageError, Context.Service.Identifier<Service>> => SqlSession.use(run)

/** Rows of a read. */
export const rows = <P, R>(
  statement: Statement<P, R>,
  params: P
): Effect.Effect<ReadonlyArray<R>, StorageError, Read> => needs(Read, (session) => session.rows(statement, params))

/** The only row, or null. */
export const row = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<R | null, StorageError, Read> =>
  Effect.map(rows(statement, params), (found) => found[0] ?? null)

/** The `n` of a statement that counts. */
export const count = <P>(
  statement: Statement<P, { readonly n: unknown }>,
  params: P
): Effect.Effect<number, StorageError, Read> =>
  Effect.map(rows(statement, params), (found) => (found[0] as { readonly n: number }).n)

/** Rows that a writing statement returns, or that a reading one locks. */
export const writeRows = <P, R>(
  statement: Statement<P, R>,
  params: P
): Effect.Effect<ReadonlyArray<R>, StorageError, Tx> => needs(Tx, (session) => session.rows(statement, params))

/** The only one of these rows, or null. */
export const writeRow = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<R | null, StorageError, Tx> =>
  Effect.map(writeRows(statement, params), (found) => found[0] ?? null)

/** How many rows a writing statement changed. */
export const write = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError, Tx> =>
  needs(Tx, (session) => session.change(statement, params))

/** True when a writing statement changed its row. */
export const changed = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<boolean, StorageError, Tx> =>
  Effect.map(write(statement, params), (n) => n > 0)

/** Runs parts of a transaction that do not need each other's results, in one round trip where the database is far. */
export const together = <const Parts extends ReadonlyArray<Effect.Effect<unknown, StorageError, Tx>>>(
  parts: Parts
): Effect.Effect<{ [Part in keyof Parts]: Effect.Success<Parts[Part]> }, StorageError, Tx> =>
  SqlSession.use(
    ({ atEnd: send }) =>
      Effect.all(parts as ReadonlyArray<Effect.Effect<unknown, StorageError, Tx>>, {
        concurrency: send === null ? 1 : "unbounded"
      }) as Effect.Effect<never, StorageError, Tx>
  )

/** Runs writes that are the last of a transaction, in one round trip with its commit. */
export const atEnd = (writes: Effect.Effect<unknown, StorageError, Tx>): Effect.Effect<void, StorageError, Tx> =>
  SqlSession.use(({ atEnd: send }) =>
    send === null
      ? Effect.asVoid(writes)
      : Effect.contextWith((context: Context.Context<Tx>) =>
          send(Effect.asVoid(Effect.provideContext(writes, context)))
        )
  )

/** Adds rows, or replaces those that have the same key. */
export const put = <T extends keyof Database>(
  table: T,
  key: ReadonlyArray<keyof Database[T] & string>,
  rows: ReadonlyArray<Database[T]>
): Effect.Effect<void, StorageError, Tx> =>
  rows.length === 0 ? Effect.void : needs(Tx, (session) => session.insert(table, rows, key))

/** Adds rows. */
export const insert = <T extends keyof Database>(
  table: T,
  added: ReadonlyArray<Database[T]>
): Effect.Effect<void, StorageError, Tx> =>
  added.length === 0 ? Effect.void : needs(Tx, (session) => session.insert(table, added))
