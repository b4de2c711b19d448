/** Whether a caller may use a model. Pure. Source: docs/reference/gateway.md#order. */
import type { ApiKeys } from "../../platform/accounts/index.ts"
import type { Plan } from "../../platform/billing/index.ts"
import { type Model, mayCall, permissionFor } from "../catalogue/Model.ts"
import { mayUseModel } from "./Admission.ts"

/** The caller, as far as models are concerned. */
export interface ModelCaller {
  readonly plan: Plan
  /** Null for people and for the host itself. */
  readonly key: Pick<ApiKeys.ApiKey, "allowedModels"> | null
}

export type ModelProblem = "unknown" | "not_allowed" | "not_in_plan" | "maintenance" | "retired"

/** The first problem in the documented order: known, allowed to the key, part of the plan, in service. */
export const modelProblem = (id: string, model: Model | null, { key, plan }: ModelCaller): ModelProblem | null => {
  if (model === null) return "unknown"
  if (!mayUseModel(key, id)) return "not_allowed"
  if (!mayCall(model, plan)) return "not_in_plan"
  return model.status === "active" ? null : model.status
}

/** Whether plan, permissions and lists let a caller use a model. Source: docs/reference/models.md#available. */
export const mayUse = (
  model: Model,
  { key, plan }: { readonly plan: Plan; readonly key: Pick<ApiKeys.ApiKey, "allowedModels" | "permissions"> | null }
): boolean =>
  modelProblem(model.id, model, { key, plan }) === null &&
  (key === null || key.permissions.includes(permissionFor(model)))
