/**
 * Decides how a refusal of the gateway looks: its code, its status, and its envelope in each of the public APIs.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  when a request is refused: gateway/admission, gateway/run, and each route.
 * Read      InferenceErrors.ts, then InferenceAnswers.ts. Source: docs/reference/errors.md.
 */
export {
  answerInference,
  inferenceErrors,
  MessagesError,
  refusedBy,
  refuseForStorage,
  refuseWith
} from "./InferenceAnswers.ts"
export { inferenceEnvelope, messagesEnvelope } from "./InferenceEnvelope.ts"
export {
  attemptsHeader,
  codeless,
  type ErrorType,
  errorBodyOf,
  errorTypes,
  type FieldFault,
  type InferenceCode,
  InferenceRefused,
  inferenceCodes,
  refuse,
  refuseFields,
  refuseState,
  retryAfterOf,
  storageUnavailable,
  typeOf
} from "./InferenceErrors.ts"
export { bodyReaderOf, InferenceRequestErrors } from "./InferenceFaults.ts"
export { contractPath, isInference } from "./InferencePath.ts"
