/** What the pages have read, and what is read again after a note of the stream. */
import { type Query, QueryClient } from "@tanstack/react-query"
import { ApiError } from "@trunkline/client"
import { type Budget, fullBudget, nextReads } from "./RefreshBudget.ts"
import { isUnknown } from "./ServerRequests.ts"

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** Notes of these topics make it stale. */
      readonly topics?: ReadonlyArray<string>
      /** People watch it: it is read before all else. */
      readonly urgent?: boolean
      /** The person at the page has ordered it: it is read at once. */
      readonly own?: boolean
    }
  }
}

const maxWaitSeconds = 30

/** A read that failed is tried again where that may help: twice, or after the time that the server asks for. */
const isWorthwhile = (count: number, error: Error): boolean => {
  if (!(error instanceof ApiError) || count >= 2) return false
  if (error.status === 429) return (error.retryAfterSeconds ?? maxWaitSeconds + 1) <= maxWaitSeconds
  return isUnknown(error) || error.status >= 500
}

const waitMs = (count: number, error: Error): number =>
  error instanceof ApiError && error.retryAfterSeconds !== null ? error.retryAfterSeconds * 1000 : 400 * 2 ** count

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
      // What one page has just read is not read again by the next one.
      staleTime: 2000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: isWorthwhile,
      retryDelay: waitMs
    },
    mutations: { networkMode: "always", retry: false }
  }
})

const cache = queryClient.getQueryCache()

/** Reads whatever is visible again, and shows the old until then; what is not visible is read when it is opened. */
export const readAllAgain = (): void => {
  if (document.hidden) {
    isAllStale = true
    return
  }
  isAllStale = false
  void queryClient.invalidateQueries({ refetchType: "active" }, { cancelRefetch: true })
}

let isAllStale = false
const stale = new Set<string>()
let budget: Budget = fullBudget(0)
let timer: ReturnType<typeof setTimeout> | undefined

const isUnder = (query: Query, topics: ReadonlySet<string>): boolean =>
  query.meta?.topics?.some((topic) => topics.has(topic)) === true

/** Reads what the budget allows now. A read that is under way may have begun before the change: it is repeated after its end. */
const refresh = (): void => {
  clearTimeout(timer)
  timer = undefined
  if (document.hidden) return
  const queries = cache.getAll().filter((query) => stale.has(query.queryHash))
  const idle = queries.filter((query) => query.state.fetchStatus === "idle" && query.isActive())
  const { againInMs, read, ...next } = nextReads(
    idle.map(({ meta, queryHash, state }) => ({
      key: queryHash,
      isUrgent: meta?.urgent === true,
      isOwn: meta?.own === true,
      readAt: state.dataUpdatedAt
    })),
    budget,
    Date.now()
  )
  budget = next.budget
  for (const query of queries) {
    if (!query.isActive() || read.includes(query.queryHash)) stale.delete(query.queryHash)
    if (read.includes(query.queryHash))
      query.fetch().catch(() => {
        // The page that shows it says so.
      })
  }
  if (stale.size > 0) timer = setTimeout(refresh, Math.min(againInMs ?? 250, 5000))
}

/** What a note of the stream names. */
export const readTopicsAgain = (topics: ReadonlySet<string>): void => {
  for (const query of cache.getAll()) {
    if (!isUnder(query, topics)) continue
    query.invalidate()
    stale.add(query.queryHash)
  }
  timer ??= setTimeout(refresh, 20)
}

/** After one's own change: at once, whatever the budget. */
export const readAgain = (...topics: ReadonlyArray<string>): Promise<void> => {
  const named = new Set(topics)
  return queryClient.invalidateQueries({ predicate: (query) => isUnder(query, named) })
}

/** True while something is being read: a poll waits for the one before. */
export const isReading = (): boolean => queryClient.isFetching() > 0

const firstReadsMs = 2000
const quietMs = 400

/** Resolves when what the first page shows has been read, or after a moment: nothing competes with it. */
export const firstReads = (): Promise<void> =>
  new Promise((resolve) => {
    let quiet: ReturnType<typeof setTimeout> | undefined
    const settled = () => {
      clearTimeout(late)
      clearTimeout(quiet)
      stop()
      resolve()
    }
    const late = setTimeout(settled, firstReadsMs)
    // One read may follow another, as when the first steps decide which page is the first.
    const look = () => {
      clearTimeout(quiet)
      if (!isReading()) quiet = setTimeout(settled, quietMs)
    }
    const stop = cache.subscribe(look)
    look()
  })

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return
  if (isAllStale) readAllAgain()
  else refresh()
})
