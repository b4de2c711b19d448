/** Which models each plan may call, as anybody may read it. Pure. Source: docs/reference/models.md#access. */
import { Plan } from "../../platform/billing/index.ts"
import { isListed, type Model, ModelCategory, mayCall } from "./Model.ts"

export interface PlanAccess {
  readonly models: ReadonlyArray<string>
  readonly byCategory: Readonly<Record<ModelCategory, ReadonlyArray<string>>>
  /** For people; programs read the lists. */
  readonly restriction: string
}

/** The listed models that each plan may call, in the catalogue's order. */
export const modelAccess = (catalogue: ReadonlyArray<Model>): Readonly<Record<Plan, PlanAccess>> => {
  const listed = catalogue.filter(isListed)
  const accessOf = (plan: Plan): PlanAccess => {
    const callable = listed.filter((model) => mayCall(model, plan))
    const idsOf = (category: ModelCategory) =>
      callable.filter((model) => model.category === category).map(({ id }) => id)
    return {
      models: callable.map(({ id }) => id),
      byCategory: recordOf(ModelCategory.literals, idsOf),
      restriction:
        callable.length === listed.length
          ? "Every model of the catalogue."
          : `${callable.length} of the catalogue's ${listed.length} models. The others need another plan; asking for one is refused and not billed.`
    }
  }
  return recordOf(Plan.literals, accessOf)
}

const recordOf = <K extends string, V>(keys: ReadonlyArray<K>, value: (key: K) => V): Record<K, V> =>
  // Object.fromEntries forgets which keys there were.
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>
