/** What makes two speech requests the same. Source: docs/reference/gateway.md#idempotency. */
import { requestFingerprint } from "../../platform/idempotency/index.ts"
import type { FormFields, SpeechRoute } from "./SpeechRequest.ts"

/**
 * Of route, fields and the file's digest. In which order fields of different names came, how the form was cut and what the
 * file is called makes no difference.
 */
export const speechFingerprint = (route: SpeechRoute, fields: FormFields, fileDigest: string): string =>
  // The sort is stable: repeats keep their order, which may matter to a model.
  requestFingerprint(
    route,
    [...fields].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
    fileDigest
  )
