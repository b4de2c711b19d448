/** What the clock and the catalogue find wrong with a key: one that has expired, or that may use no model, could never be used. Pure. */
import type { ApiKeys, KnownModels } from "../accounts/index.ts"
import { Instant } from "../kernel/index.ts"

interface KeyFault {
  /** Under the name of routes and promises. */
  readonly field: string
  readonly message: string
}

/** Ids that are named where one is unknown, at most. */
const maxSimilar = 5

const expiryFault = (expiresAt: Instant.Instant | null | undefined, at: Instant.Instant): ReadonlyArray<KeyFault> =>
  expiresAt === undefined || expiresAt === null || expiresAt > at
    ? []
    : [{ field: "expiresAt", message: `A key must expire in the future; it is ${Instant.toIso(at)} now` }]

const modelFault = (id: string, place: number, known: KnownModels): ReadonlyArray<KeyFault> => {
  if (known.has(id)) return []
  const similar = known.ids.filter((one) => one.includes(id))
  const hint = similar.length === 0 ? "" : `Did you mean ${similar.slice(0, maxSimilar).join(", ")}? `
  return [
    { field: `models.${place}`, message: `There is no model ${id}. ${hint}GET /v1/models lists all that there are` }
  ]
}

export const keyFaults = (
  { allowedModels, expiresAt }: Partial<Pick<ApiKeys.KeySettings, "allowedModels" | "expiresAt">>,
  known: KnownModels,
  at: Instant.Instant
): ReadonlyArray<KeyFault> => [
  ...expiryFault(expiresAt, at),
  ...(allowedModels ?? []).flatMap((id, place) => modelFault(id, place, known))
]
