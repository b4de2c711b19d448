/**
 * Decides whether a request may run: who asks, with which key, within which limits, for which model.
 *
 * Needs     KeyLimits, Accounts.                 Emits  nothing.
 * Not here  prices, plans and the counting itself: platform/billing. Promise INFE-1 stands in the area.
 * Read      Admission.ts, then KeyAdmission.ts and InferenceAuth.ts. Source: docs/reference/gateway.md.
 */
export { movingRefusal } from "./AccountRefusals.ts"
export * as Admission from "./Admission.ts"
export { DirectRequests } from "./DirectRequests.ts"
export { type FailedAttempt, type HandedOver, handedOver } from "./HandedOver.ts"
export { type Caller, CurrentCaller, callerOf, InferenceAuth, needsOf, SignedInAccess } from "./InferenceAuth.ts"
export { allowanceHeaders, keyAdmission, keyOf, limitRequestOf, type NotAdmitted } from "./KeyAdmission.ts"
export { type KeyConnection, keyConnections } from "./KeyConnections.ts"
export { type ModelCaller, type ModelProblem, modelProblem } from "./ModelAdmission.ts"
